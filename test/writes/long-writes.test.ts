import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BatchedWrites } from '#server/subjects/couvertures/fetcher';
import { errorBody, isRefusal } from '#server/plumbing/common/error-body';
import { Database, WriteLock } from '#server/plumbing/database/database';
import { VirtualClock } from '../couvertures/support/clock.ts';
import { longWork } from '../identity/support.ts';
import { importFile, sendFile } from '../importations/support.ts';
import { householdRows } from '../modifications/support/household.ts';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { furnished } from '../support/household.ts';
import { startLimited } from '../support/limited.ts';
import { openHouse, type Answer, type House } from '../support/house.ts';

/** A file of books with different titles and authors. */
const fileOf = (count: number): string =>
  [
    'Titre;Auteurs',
    ...Array.from({ length: count }, (_, i) => `Titre ${i};Auteur${i} Nom${i}`),
  ].join('\n');

const countOf = async (house: House, path = '/api/livres'): Promise<number> =>
  ((await house.ask('alice', 'GET', path)).body as unknown[]).length;

async function essaiOf(house: House, count: number, utilisateur = 'alice'): Promise<number> {
  const { status, body } = await sendFile(house, fileOf(count), {}, utilisateur);
  expect(status).toBe(200);
  return body.id;
}

const execution = (id: number) => `/api/importations/${String(id)}/execution`;

const titresOf = (house: House): Promise<number> =>
  house.context.catalogue.read((held) => held.size);

/** Repeats a request while a long write is running, as a device does. */
async function written(request: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await request();
    if (answer.status !== 503) return answer;
    expect(answer.body).toMatchObject({ code: 'TRAVAIL_EN_COURS', travail: 'import' });
  }
}

test('a long import lets others read, and writes wait', async () => {
  const house = await openHouse();
  const id = await essaiOf(house, 600);
  const importing = house.ask('alice', 'POST', execution(id), {});
  await eventually(() => house.context.database.writeLock.isHeld).toBe(true);

  const reads: number[] = [];
  const state = { isImporting: true };
  const ended = importing.finally(() => (state.isImporting = false));
  const livre = { titre: 'Le livre d’un autre', format: 'Physique' };
  const wrote = written(() => house.ask('bruno', 'POST', '/api/livres', livre));
  while (state.isImporting) {
    const { status } = await house.ask('bruno', 'GET', '/api/series');
    expect(status).toBe(200);
    reads.push(status);
  }
  expect(await ended).toMatchObject({ status: 200, body: { etat: 'faite', nouveaux: 600 } });
  expect(await wrote).toMatchObject({ status: 201 });
  expect(reads.length).toBeGreaterThan(5);
  expect(await countOf(house)).toBe(601);
  expect(await titresOf(house)).toBe(601);
});

/** Sends a book while another person's long write is running. */
function addBeside(house: House, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${house.url}/api/livres`, {
    method: 'POST',
    headers: { ...house.headersOf('bruno'), 'Content-Type': 'application/json', ...more },
    body: JSON.stringify({ titre: 'Nadja', format: 'Physique' }),
  });
}

test('a write waits for the long work of others nearly as long as a proxy does', async () => {
  const house = await openHouse();
  const work = longWork(house);
  const added = addBeside(house);
  await work.waiting(1);
  expect(work.whenFree).toHaveBeenCalledWith(expect.any(Function), 45_000);
  expect((await house.ask('bruno', 'GET', '/api/livres')).body).toEqual([]);
  await work.end();
  expect((await added).status).toBe(201);
  expect(await countOf(house)).toBe(1);
});

test.each(['wait=0', 'respond-async, wait=0', 'WAIT = 0; x=y'])(
  'a write that exceeds its waiting limit is told the running job, and when to retry: %s',
  async (prefer) => {
    const house = await openHouse();
    const work = longWork(house);
    const answer = await addBeside(house, { Prefer: prefer });
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject({ code: 'TRAVAIL_EN_COURS', travail: 'import' });
    await work.end();
    expect(await countOf(house)).toBe(0);
  },
);

test('a write’s waiting limit is below a proxy’s timeout', async () => {
  const house = await openHouse();
  const work = longWork(house);
  const added = addBeside(house, { Prefer: 'wait=600' });
  await work.waiting(1);
  expect(work.whenFree).toHaveBeenCalledWith(expect.any(Function), 45_000);
  await work.end();
  expect((await added).status).toBe(201);
});

test('a waiting write whose client has hung up is not executed', async () => {
  const house = await openHouse();
  const work = longWork(house);
  const aborted = vi.spyOn(AbortController.prototype, 'abort');
  const sending = request(`${house.url}/api/livres`, {
    method: 'POST',
    headers: { ...house.headersOf('bruno'), 'Content-Type': 'application/json' },
  }).on('error', () => undefined);
  sending.end(JSON.stringify({ titre: 'Nadja', format: 'Physique' }));
  await work.waiting(1);
  sending.destroy();
  await eventually(() => aborted.mock.calls.length).toBe(1);
  await work.end();
  expect((await addBeside(house)).status).toBe(201);
  expect(await countOf(house)).toBe(1);
});

// More changes than one transaction handles.
test('undoing an import clears memory and file alike', async () => {
  const house = await openHouse();
  const { id } = await importFile(house, fileOf(600));
  expect([await countOf(house), await titresOf(house)]).toEqual([600, 600]);
  const undone = await house.ask('alice', 'DELETE', `/api/importations/${String(id)}`);
  expect(undone).toMatchObject({ status: 200, body: { retires: 600, gardes: 0 } });
  expect([await countOf(house), await titresOf(house)]).toEqual([0, 0]);
});

test('a long series is made and rewritten', async () => {
  const house = await openHouse();
  const places = Array.from({ length: 300 }, (_, i) => ({ titre: `Tome ${i}`, numero: `${i}` }));
  const serie = await house.ask('alice', 'POST', '/api/series', { titre: 'Longue série', places });
  expect(serie).toMatchObject({ status: 201, body: { id: 1, titre: 'Longue série' } });
  expect(serie.headers.get('location')).toBe('/api/series/1');
  const longer = { titre: 'Plus longue', places: [...places, { titre: 'Le dernier' }] };
  const rewritten = await house.ask('alice', 'PUT', '/api/series/1', longer);
  expect(rewritten).toMatchObject({ status: 200, body: { titre: 'Plus longue' } });
  expect((rewritten.body as { places: unknown[] }).places).toHaveLength(301);
});

test('a large deletion returns its modification, which can be undone', async () => {
  const house = await openHouse();
  await importFile(house, fileOf(150));
  const ids = await idsOf(house);
  const deletion = await house.ask('alice', 'POST', '/api/livres/lot', {
    ids,
    action: 'supprimer',
  });
  expect(deletion).toMatchObject({ status: 200, body: { livres: [] } });
  const { headers } = deletion;
  expect(decodeURIComponent(headers.get('X-Modification-Resume') ?? '')).toBe(
    '150 livres supprimés',
  );
  expect(Number(headers.get('X-Revision'))).toBe(house.context.database.revision());
  expect(await countOf(house)).toBe(0);
  const act = String(headers.get('X-Modification'));
  const back = await house.ask('alice', 'POST', `/api/modifications/${act}/annulation`);
  expect(back.status).toBe(201);
  expect(await countOf(house)).toBe(150);
});

/** The names of the jobs that hold the write lock during a request. */
async function holdersDuring(house: House, request: Promise<Answer>): Promise<string[]> {
  const { writeLock } = house.context.database;
  const holders = new Set<string>();
  const state = { isOver: false };
  const ended = request.finally(() => (state.isOver = true));
  while (!state.isOver) {
    try {
      writeLock.requireFree();
    } catch (error) {
      if (isRefusal(error) && error.code === 'TRAVAIL_EN_COURS')
        holders.add(errorBody(error, 'fr').message.replace(/ est en cours.*/s, ''));
    }
    await nextTurn();
  }
  expect((await ended).status).toBeLessThan(300);
  return [...holders];
}

/** Opens households with many books of one author, in one location and one series, with one theme. */
const openFullHouse = furnished(async (house) => {
  const rows = Array.from({ length: 120 }, (_, n) => `Titre ${n};Colette;Salon;Claudine;${n}`);
  await importFile(house, ['Titre;Auteurs;Emplacement;Série;Tome', ...rows].join('\n'));
  const ids = await idsOf(house);
  const lot = { ids, action: 'ajouterTheme', theme: 'Mer' };
  const { body } = await house.ask('alice', 'POST', '/api/livres/lot', lot);
  expect(body).toMatchObject({ livres: { length: 120 } });
  const priced = { ids, action: 'detail', nom: 'Prix', valeur: '12' };
  await house.ask('alice', 'POST', '/api/livres/lot', priced);
});

async function fullHouse(): Promise<{ house: House; ids: number[] }> {
  const house = await openFullHouse();
  return { house, ids: await idsOf(house) };
}

async function idsOf(house: House): Promise<number[]> {
  const { body } = await house.ask('alice', 'GET', '/api/livres');
  return (body as { id: number }[]).map(({ id }) => id);
}

type Long = readonly [
  what: string,
  holder: string,
  (ids: number[]) => readonly [string, string, object?],
];

const LOT: Long = [
  'a lot',
  'Un travail sur plusieurs livres',
  (ids) => ['POST', '/api/livres/lot', { ids, action: 'statut', statut: 1 }],
];
const EMPLACEMENT: Long = [
  'a location',
  'La suppression d’un emplacement',
  () => ['DELETE', '/api/emplacements/1'],
];
const SERIE: Long = ['a series', 'La suppression d’une série', () => ['DELETE', '/api/series/1']];
const AUTEUR: Long = [
  'an author',
  'Le changement d’un nom',
  () => ['PUT', '/api/auteurs/1', { nom: 'Sidonie' }],
];
const THEME: Long = [
  'a theme',
  'Le changement d’un thème',
  () => ['PUT', '/api/themes/1', { nom: 'Océan' }],
];

const DETAIL: Long = [
  'a detail',
  'Le changement d’un détail',
  () => ['PUT', '/api/details', { nom: 'Prix', nouveau: 'Achat' }],
];
const DETAIL_GONE: Long = [
  'a detail that goes',
  'La suppression d’un détail',
  () => ['DELETE', '/api/details?nom=prix'],
];

test.each([LOT, EMPLACEMENT, SERIE, AUTEUR, THEME, DETAIL, DETAIL_GONE])(
  'a write of many records by %s runs beside the others',
  async (_, holder, requestOf) => {
    const { house, ids } = await fullHouse();
    const before = householdRows(house.context.database);
    const [method, path, body] = requestOf(ids);
    expect(await holdersDuring(house, house.ask('alice', method, path, body))).toEqual([holder]);
    expect(householdRows(house.context.database)).not.toEqual(before);
  },
);

test.each([LOT, EMPLACEMENT, SERIE, DETAIL])(
  'the undoing of %s of many records runs beside the others',
  async (_, __, requestOf) => {
    const { house, ids } = await fullHouse();
    const before = householdRows(house.context.database);
    const { headers } = await house.ask('alice', ...requestOf(ids));
    const act = headers.get('X-Modification') ?? '';
    const undoing = house.ask('alice', 'POST', `/api/modifications/${act}/annulation`);
    expect(await holdersDuring(house, undoing)).toEqual(['L’annulation d’une modification']);
    expect(householdRows(house.context.database)).toEqual(before);
  },
);

test('a small modification with a large obstacle is undone in a thread', async () => {
  const { house, ids } = await fullHouse();
  const before = householdRows(house.context.database);
  const read = (some: number[], statut: number) =>
    house.ask('alice', 'POST', '/api/livres/lot', { ids: some, action: 'statut', statut });
  const { headers } = await read(ids.slice(0, 1), 2);
  await read(ids.slice(0, 2), 0);
  // An obstacle to undoing the second modification only.
  await read(ids.slice(1), 1);
  const path = `/api/modifications/${headers.get('X-Modification') ?? ''}/annulation`;
  const undoing = house.ask('alice', 'POST', `${path}?avec=obstacles`);
  expect(await holdersDuring(house, undoing)).toEqual(['L’annulation d’une modification']);
  expect(householdRows(house.context.database)).toEqual(before);
});

test('few books put first in a location of many are arranged beside the others', async () => {
  const house = await openHouse();
  const rows = Array.from({ length: 1010 }, (_, n) => `Titre ${n};Salon`);
  await importFile(house, ['Titre;Emplacement', ...rows].join('\n'));
  const rangs = () =>
    house.context.database.values<number>('SELECT id FROM Livre ORDER BY rang, id');
  const before = rangs();
  const arrange = (ids: number[]) =>
    house.ask('alice', 'PUT', '/api/emplacements/1/livres', { ids });
  expect((await arrange(before)).status).toBe(204);
  const few = [...before.slice(-1), ...before.slice(0, 1)];
  expect(await holdersDuring(house, arrange(few))).toEqual(['Un rangement']);
  expect(rangs()).toEqual([...before.slice(-1), ...before.slice(0, -1)]);
});

test('a write of few records needs no thread', async () => {
  const { house, ids } = await fullHouse();
  const few = { ids: ids.slice(0, 100), action: 'statut', statut: 1 };
  expect(await holdersDuring(house, house.ask('alice', 'POST', '/api/livres/lot', few))).toEqual(
    [],
  );
});

test('half of a batch is never visible', async () => {
  const { house, ids } = await fullHouse();
  const state = { isOver: false };
  const deleting = house
    .ask('alice', 'POST', '/api/livres/lot', { ids, action: 'supprimer' })
    .finally(() => (state.isOver = true));
  const counts = new Set<number>();
  while (!state.isOver) counts.add(await countOf(house));
  expect((await deleting).status).toBe(200);
  counts.add(await countOf(house));
  expect([...counts]).toEqual([120, 0]);
});

test('a lot that a service interrupts as it ends is done whole or not at all', async () => {
  const databasePath = join(temporaryFolder(), 'bibliotheque.sqlite');
  const house = await openHouse(databasePath);
  await importFile(house, fileOf(900));
  const lot = { ids: await idsOf(house), action: 'supprimer' };
  const deleting = house.ask('alice', 'POST', '/api/livres/lot', lot);
  await eventually(() => house.context.database.writeLock.isHeld).toBe(true);
  await house.close();
  const isDone = (await deleting).status === 200;
  const reopened = await openHouse(databasePath);
  expect(await countOf(reopened)).toBe(isDone ? 0 : 900);
});

test('a batch whose client has hung up is completed, like a short write', async () => {
  const { house, ids } = await fullHouse();
  const leaving = new AbortController();
  const sent = fetch(`${house.url}/api/livres/lot`, {
    method: 'POST',
    headers: { ...house.headersOf('alice'), 'Content-Type': 'application/json' },
    body: JSON.stringify({ ids, action: 'supprimer' }),
    signal: leaving.signal,
  });
  await eventually(() => house.context.database.writeLock.isHeld).toBe(true);
  leaving.abort();
  await expect(sent).rejects.toThrow('aborted');
  await eventually(() => countOf(house)).toBe(0);
});

test('a long write is refused whole like a short one', async () => {
  const house = await openHouse();
  await importFile(house, fileOf(110));
  const livres = (await house.ask('alice', 'GET', '/api/livres')).body as { id: number }[];
  const ids = [...livres.map(({ id }) => id), 999_999];
  const before = house.context.database.revision();
  expect(
    await house.ask('alice', 'POST', '/api/livres/lot', { ids, action: 'supprimer' }),
  ).toMatchObject({ status: 404, body: { code: 'INTROUVABLE', livreId: 999_999 } });
  expect(
    await house.ask('alice', 'POST', '/api/livres/lot', {
      ids,
      action: 'preter',
      emprunteur: 'Luc',
    }),
  ).toMatchObject({ status: 404, body: { livreId: 999_999 } });
  expect(house.context.database.revision()).toBe(before);
});

test('a long write is done once for its key', async () => {
  const house = await openHouse();
  const id = await essaiOf(house, 500);
  const key = randomUUID();
  const once = () =>
    fetch(house.url + execution(id), {
      method: 'POST',
      headers: {
        ...house.headersOf('alice'),
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: '{}',
    });
  const first = once();
  await eventually(() => house.context.database.writeLock.isHeld).toBe(true);
  const meanwhile = await once();
  expect([meanwhile.status, await meanwhile.json()]).toMatchObject([
    409,
    { code: 'DEMANDE_EN_COURS' },
  ]);
  const answered = await (await first).text();
  const again = await once();
  expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  expect(await again.text()).toBe(answered);
  expect(await countOf(house)).toBe(500);
});

test('a service that ends undoes the long write it interrupts', async () => {
  const databasePath = join(temporaryFolder(), 'bibliotheque.sqlite');
  const house = await openHouse(databasePath);
  const id = await essaiOf(house, 1500);
  const importing = house.ask('alice', 'POST', execution(id), {});
  await eventually(() => house.context.database.writeLock.isHeld).toBe(true);
  await house.close();
  const answer = await importing;
  const reopened = await openHouse(databasePath);
  const isMade = answer.status === 200;
  const stopped = { status: 503, body: { code: 'SERVICE_ARRETE' } };
  expect(answer).toMatchObject(isMade ? { status: 200 } : stopped);
  expect(await countOf(reopened)).toBe(isMade ? 1500 : 0);
  const { body } = await reopened.ask('alice', 'POST', execution(id), {});
  expect(body).toMatchObject({ etat: 'faite', nouveaux: 1500 });
});

test('a long write that fills the disk is undone whole', { tags: 'process' }, async () => {
  const databasePath = join(temporaryFolder(), 'bibliotheque.sqlite');
  const house = await openHouse(databasePath);
  const id = await essaiOf(house, 4000);
  await house.close();
  // Enough space for the file as it is; SQLite's log is another file.
  const blocks = Math.ceil(statSync(databasePath).size / 1024) + 100;
  const url = await startLimited(databasePath, { fileBlocks: blocks });
  const refused = await fetch(url + execution(id), {
    method: 'POST',
    headers: { ...house.headersOf('alice'), 'Content-Type': 'application/json' },
    body: '{}',
  });
  expect([refused.status, await refused.json()]).toMatchObject([507, { code: 'DISQUE_PLEIN' }]);
  expect(await (await fetch(`${url}/api/livres`)).json()).toEqual([]);
});

test('two long writes take turns', async () => {
  const house = await openHouse();
  const importations = await Promise.all(
    ['alice', 'bob'].map(async (one) => {
      const id = await essaiOf(house, 200, one);
      return written(() => house.ask(one, 'POST', execution(id), {}));
    }),
  );
  expect(importations.map(({ status }) => status)).toEqual([200, 200]);
  // The second import finds the books of the first.
  expect(await countOf(house)).toBe(200);
});

test('a caller that waits too long is told the running job', async () => {
  const writeLock = new WriteLock();
  const { promise, resolve } = Promise.withResolvers<string>();
  const lent = writeLock.handOver('import', () => promise);
  await expect(writeLock.whenFree(() => 'written', 5)).rejects.toMatchObject({
    code: 'TRAVAIL_EN_COURS',
    status: 503,
    details: { travail: 'import' },
  });
  const waiting = writeLock.whenFree(() => 'written', 60_000);
  resolve('imported');
  expect([await lent, await waiting, writeLock.isHeld]).toEqual(['imported', 'written', false]);
});

const HOUR_MS = 3_600_000;

test('a clock set back delays no write', async () => {
  const writeLock = new WriteLock();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const lent = writeLock.handOver('import', () => promise);
  const begin = Date.now();
  const clock = vi
    .spyOn(Date, 'now')
    .mockReturnValueOnce(begin)
    .mockReturnValue(begin - HOUR_MS);
  onTestFinished(() => clock.mockRestore());
  await expect(writeLock.whenFree(() => 'written', 20)).rejects.toMatchObject({
    code: 'TRAVAIL_EN_COURS',
  });
  resolve(undefined);
  await lent;
});

test('a second connection opens while another one writes', () => {
  const database = temporaryDatabase();
  const { path } = database.options;
  const writing = new Sqlite(path);
  onTestFinished(() => void writing.close());
  writing.exec('BEGIN IMMEDIATE');
  const beside = Database.openBeside(database.options);
  expect(beside.revision()).toBe(database.revision());
  beside.close();
});

test('background writes wait for a long write', async () => {
  const database = temporaryDatabase();
  const clock = new VirtualClock();
  const done: unknown[] = [];
  const batched = new BatchedWrites(database, clock, (error) => done.push(error));
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const lent = database.handOver('import', () => promise);
  batched.add('a', () => done.push('a'));
  await clock.run(5_000, () => false);
  expect(done).toEqual([]);
  expect(() => database.write(() => undefined)).toThrow('Un autre travail est en cours');
  resolve(undefined);
  await lent;
  await clock.run(5_000, () => false);
  expect(done).toEqual(['a', null]);
});

test('a waiting writer gets the lock before its holder gets it again', async () => {
  const lock = new WriteLock();
  const turns: string[] = [];
  const first = Promise.withResolvers<undefined>();
  const holding = lock.handOver('import', () => first.promise);
  const waiting = ['a', 'b', 'c'].map((name) => lock.whenFree(() => turns.push(name)));
  first.resolve(undefined);
  await holding;
  await lock.yieldToWaiters();
  await lock.handOver('import', async () => turns.push('next'));
  await Promise.all(waiting);
  expect(turns).toEqual(['a', 'b', 'c', 'next']);
});
