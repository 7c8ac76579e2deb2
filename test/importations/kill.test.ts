import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { ServerProcess } from '../support/process.ts';
import { goodreads } from './samples.ts';
import { importFile } from './support.ts';

const ROWS = 4000;
const FILE = goodreads(
  ...Array.from({ length: ROWS }, (_, index) => ({
    Title: `Titre ${index} (Suite ${index % 50}, #${index})`,
    Author: `Prénom${index % 70} Nom${index}`,
    'Exclusive Shelf': 'read',
  })),
);

const count = (path: string, table: string): number => {
  const database = temporaryDatabase(path);
  try {
    const row = database.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get();
    return row?.n ?? 0;
  } finally {
    database.close();
  }
};

/** Looks at how far a reading has come, from another process than the service's. */
function temporaryReader(path: string) {
  const db = new Sqlite(path, { readonly: true });
  const select = db.prepare<[], number>('SELECT count(*) FROM ImportationLigne').pluck();
  return { rows: () => select.get() ?? 0, close: () => db.close() };
}

test.each([0, 0.5, 0.95])(
  'a service that is killed at %d of an import has all of it or nothing',
  async (part) => {
    const path = join(temporaryFolder(), 'bibliotheque.sqlite');
    const service = new ServerProcess({ DATABASE_PATH: path });
    const url = await service.url();
    const send = () =>
      fetch(`${url}/api/importations?essai=false`, {
        method: 'POST',
        headers: { SSO_USER: 'alice' },
        body: FILE,
      });
    // Killed at a part of the file, as the dry run keeps it: before, in the middle of it, behind it.
    const sent = send().then(
      () => undefined,
      () => undefined,
    );
    const reader = temporaryReader(path);
    await expect.poll(reader.rows, { timeout: 60_000 }).toBeGreaterThanOrEqual(part * ROWS);
    reader.close();
    await service.end('SIGKILL');
    await sent;
    const livres = count(path, 'Livre');
    expect([0, ROWS]).toContain(livres);
    expect(count(path, 'Statut')).toBe(livres);
    expect(count(path, 'Place')).toBe(livres);
    const house = await openHouse(path);
    const again = await importFile(house, FILE);
    expect([again.nouveaux + again.presents, again.refuses]).toEqual([ROWS, []]);
    expect((await house.ask('alice', 'GET', '/api/livres')).body).toHaveLength(ROWS);
  },
);
