// @module-tag process
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Modification } from '#shared/modifications';
import { openFurnishedHouse } from '../modifications/support/base.ts';
import { temporaryFolder } from '../support/database.ts';
import { openHouse, type House } from '../support/house.ts';
import { ServerProcess } from '../support/process.ts';
import { random, runs, SEED } from '../support/random.ts';
import { signedIn } from '../support/sign-on.ts';
import { importFile, writeSomething } from './writes.ts';

const ROUNDS = runs(1);
const WRITERS = 3;
const IMPORTED = 200;
const MAX_MS = 900;

type Chance = ReturnType<typeof random>;
type Asked = Parameters<House['ask']>;

/** A write with its idempotency key, and the id of its modification if it was answered. */
interface Sent {
  readonly key: string;
  readonly request: Asked;
  answered?: { readonly status: number; readonly act: string | null };
}

/** Sends a write with its key. */
const send = (url: string, { key, request: [who, method, path, body] }: Sent): Promise<Response> =>
  fetch(url + path, {
    method,
    headers: {
      ...signedIn(who),
      [method === 'POST' ? 'Idempotency-Key' : 'X-Write-Key']: key,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** A household at this address, with a new key for each write; writes are recorded in `sent`. */
function keyed(url: string, name: string, sent: Sent[]): House {
  const ask: House['ask'] = async (...request) => {
    const one: Sent = { key: `${name} ${String(sent.length)}`, request };
    if (request[1] !== 'GET') sent.push(one);
    const response = await send(url, one);
    const text = await response.text();
    one.answered = { status: response.status, act: response.headers.get('X-Modification') };
    const { status, headers } = response;
    return { status, headers, body: text === '' ? null : JSON.parse(text) };
  };
  const close = () => Promise.resolve();
  return {
    url,
    ask,
    close,
    headersOf: signedIn,
    get context(): never {
      throw new Error('It runs in a process of its own');
    },
  };
}

/** Writes until the service is gone. */
async function writeOn(house: House, chance: Chance): Promise<void> {
  for (;;)
    try {
      await writeSomething(house, chance);
    } catch {
      return;
    }
}

/** The database that each round starts from. */
async function furnishedDatabase(): Promise<string> {
  const house = await openFurnishedHouse();
  const { databasePath } = house.context.config;
  await house.close();
  return databasePath;
}

const actsOf = async (house: House): Promise<Set<string>> => {
  const acts = (await house.ask('ana', 'GET', '/api/modifications?limite=1000'))
    .body as Modification[];
  return new Set(acts.map(({ id }) => String(id)));
};

/** Kills a service while several people write and one imports, then checks what is left. */
async function playRound(template: string, chance: Chance): Promise<void> {
  const path = join(temporaryFolder(), 'bibliotheque.sqlite');
  copyFileSync(template, path);
  const service = new ServerProcess({ DATABASE_PATH: path });
  const url = await service.url();
  const sent = Array.from({ length: WRITERS }, (): Sent[] => []);
  const writing = sent.map((mine, nth) =>
    writeOn(keyed(url, `writer ${String(nth)}`, mine), random(chance.integer(2 ** 31))),
  );
  const importing = importFile(keyed(url, 'import', []), 'Importé', IMPORTED).catch(() => null);
  await delay(chance.integer(MAX_MS));
  await service.end('SIGKILL');
  await Promise.all([...writing, importing]);

  const house = await openHouse(path);
  const { database } = house.context;
  expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(database.all('PRAGMA foreign_key_check')).toEqual([]);
  const acts = [...(await actsOf(house))];
  const isLost = ({ answered }: Sent) =>
    answered !== undefined && answered.act !== null && !acts.includes(answered.act);
  expect(sent.flat().filter(isLost)).toEqual([]);
  await checkImport(house);
  for (const one of sent.flat().filter(({ answered }) => answered === undefined))
    await checkSentAgain(house, one);
  await house.close();
}

/** An import is complete or absent, and succeeds when it is sent again. */
async function checkImport(house: House): Promise<void> {
  const { database } = house.context;
  const imported = "SELECT id FROM Livre WHERE titre LIKE 'Importé%'";
  const count = database.all(imported).length;
  expect([0, IMPORTED]).toContain(count);
  const rest = database.all<{ statuts: number; places: number }>(
    `SELECT (SELECT count(*) FROM Statut WHERE livreId IN (${imported})) AS statuts,
            (SELECT count(*) FROM Place WHERE livreId IN (${imported})) AS places`,
  );
  expect(rest).toEqual([{ statuts: count, places: count }]);
  await importFile(house, 'Importé', IMPORTED);
  expect(database.all(imported)).toHaveLength(IMPORTED);
}

/** A write whose response was lost is recorded once at most, however often it is sent again. */
async function checkSentAgain(house: House, one: Sent): Promise<void> {
  const [first, second] = [await send(house.url, one), await send(house.url, one)];
  expect(second.status).toBe(first.status);
  expect(second.headers.get('X-Modification')).toBe(first.headers.get('X-Modification'));
  expect(await second.text()).toBe(await first.text());
}

test(
  `a killed service keeps exactly what it acknowledged (SEED=${String(SEED)})`,
  { tags: 'random' },
  async () => {
    const chance = random(SEED);
    const template = await furnishedDatabase();
    for (let round = 0; round < ROUNDS; round++) await playRound(template, chance);
  },
);
