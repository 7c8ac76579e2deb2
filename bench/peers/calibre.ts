import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { LivreDocument } from '#shared/livres';
import { householdOf } from '../support/household.ts';
import { CALLER } from '../support/load.ts';
import { residentMegabytes } from '../support/memory.ts';
import { print, told } from '../support/report.ts';

const REQUESTS = 40;

/** Calibre makes a folder and files of each book as it enters it, which takes it long. */
const BOOKS = 2000;

/** In memory, where there is such a folder, for the same reason. */
const TEMPORARY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Enters books into a new library through Calibre's own interface: a process a book would take hours. */
const FILL = `
import json, sys
from calibre.library import db
from calibre.ebooks.metadata.book.base import Metadata
api = db(sys.argv[-2]).new_api
for titre, auteurs in json.load(open(sys.argv[-1])):
    api.create_book_entry(Metadata(titre, auteurs))
`;

/** A search over HTTP with the details of its first fifty books, by our service and by calibre-server. */
export async function benchCalibre(all: readonly LivreDocument[]): Promise<void> {
  if (spawnSync('calibre-server', ['--version']).status !== 0) {
    console.log('\n(calibre-server is not installed: apt-get install calibre)');
    return;
  }
  const livres = all.slice(0, BOOKS);
  const words = livres
    .filter((_, i) => i % Math.ceil(livres.length / REQUESTS) === 0)
    .map(({ titreNormalise }) => titreNormalise.split(' ').toSorted(longestFirst)[0] ?? '');
  const household = await householdOf(livres);
  const calibre = await startCalibre(livres);
  const answer = (url: string) =>
    fetch(url, { headers: { SSO_USER: CALLER } }).then((response) => response.text());
  const ours = (word: string) =>
    answer(`${household.server.url}/api/livres?limite=50&recherche=${encodeURIComponent(word)}`);
  const theirs = async (word: string) => {
    const found = await answer(
      `${calibre.url}/ajax/search?num=50&query=${encodeURIComponent(word)}`,
    );
    const { book_ids: ids } = JSON.parse(found) as { book_ids: readonly number[] };
    return answer(`${calibre.url}/ajax/books?ids=${ids.join(',')}`);
  };
  const times: [number[], number[]] = [[], []];
  for (let round = -1; round < 3; round++)
    for (const [i, ask] of [ours, theirs].entries()) {
      const begin = performance.now();
      for (const word of words) await ask(word);
      if (round >= 0) times[i]?.push((performance.now() - begin) / words.length);
    }
  print(`A search over HTTP in ${String(livres.length)} books, beside calibre-server`, [
    told('ours', times[0], 'ms'),
    told('calibre-server', times[1], 'ms'),
    told('memory of our service', residentMegabytes(household.server.pid), 'MB'),
    told('memory of calibre-server', residentMegabytes(calibre.pid), 'MB'),
  ]);
  await calibre.end();
  await household.end();
}

const longestFirst = (a: string, b: string): number => b.length - a.length;

async function startCalibre(livres: readonly LivreDocument[]) {
  const folder = mkdtempSync(join(TEMPORARY, 'rayonnage-calibre-'));
  const [library, file, script] = ['library', 'books.json', 'fill.py'].map((name) =>
    join(folder, name),
  );
  const env = { ...process.env, CALIBRE_CONFIG_DIRECTORY: join(folder, 'config') };
  const books = livres.map(({ titre, auteurs }) => [titre, auteurs.map(({ nom }) => nom)]);
  writeFileSync(file ?? '', JSON.stringify(books));
  writeFileSync(script ?? '', FILL);
  const args = ['-e', script ?? '', library ?? '', file ?? ''];
  const { status, stderr } = spawnSync('calibre-debug', args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const port = await freePort();
  const line = ['--listen-on', '127.0.0.1', '--port', String(port), library ?? ''];
  const child = spawn('calibre-server', line, { env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${String(port)}`;
  while (
    !(await fetch(`${url}/ajax/search?num=1`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await pause(200);
  return {
    url,
    pid: child.pid ?? 0,
    end: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A port that was free a moment ago: calibre-server does not tell which one it has taken. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
