import { expect, onTestFinished, test, vi } from 'vitest';
import { Transaction } from '#server/plumbing/database/connection';
import { addLivreEntry } from '#server/subjects/livres/livres';
import { openHouse, type House } from '../support/house.ts';
import { ajouterEmplacement } from '../support/emplacements.ts';
import { run } from '../support/lines.ts';

const MANY = 150;

/** Replaces `generate_series`, which is only in SQLite's shell. */
const NUMBERS =
  '(WITH RECURSIVE n (value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM n LIMIT $1) SELECT value FROM n)';

/** A household with this many books. */
async function houseOf(count: number) {
  const house = await openHouse();
  const { database } = house.context;
  database.write((tx) => {
    for (let nth = 0; nth < count; nth++)
      addLivreEntry(tx, { titre: `Livre ${String(nth)}`, format: 'Physique' }, null);
  });
  return { house, database };
}

const undoAct = async (house: House, headers: Headers): Promise<number> => {
  const id = String(headers.get('X-Modification'));
  return (await house.ask('ana', 'POST', `/api/modifications/${id}/annulation`)).status;
};

test.each([MANY, 2])('deleting a location of %i books leaves none inside', async (count) => {
  const { house, database } = await houseOf(count);
  const { id } = await ajouterEmplacement(house, 'Salon');
  database.write((tx) => tx.run('UPDATE Livre SET emplacementId = ?', id));
  const inside = () => database.value('SELECT count(*) FROM Livre WHERE emplacementId = ?', id);
  expect(inside()).toBe(count);
  const deleted = await house.ask('ana', 'DELETE', `/api/emplacements/${String(id)}`);
  expect([deleted.status, deleted.body, inside()]).toEqual([204, null, 0]);
  expect(await undoAct(house, deleted.headers)).toBe(201);
  expect(inside()).toBe(count);
  expect((await house.ask('ana', 'DELETE', '/api/emplacements/99')).status).toBe(404);
});

test('thousands of offered complements are taken in one act', async () => {
  const { house, database } = await houseOf(MANY);
  run(
    database,
    "UPDATE Livre SET isbn = printf('9782%09d', id)",
    `INSERT OR REPLACE INTO Complement (livreId, etat, isbn, editeur, annee)
     SELECT id, 'trouve', isbn, 'Ferenczi', 1929 FROM Livre`,
  );
  const accepted = await house.ask('ana', 'POST', '/api/complements/acceptation', {});
  expect([accepted.status, accepted.body]).toEqual([200, { livres: MANY }]);
  expect(database.value("SELECT count(*) FROM Livre WHERE editeur = 'Ferenczi'")).toBe(MANY);
});

test('two authors of many books are merged and unmerged', async () => {
  const { house, database } = await houseOf(MANY);
  for (const nom of ['Maxime Gorki', 'Maksim Gorki']) {
    const entry = { titre: nom, format: 'Physique', auteurs: [nom] };
    await house.ask('ana', 'POST', '/api/livres', entry);
  }
  run(database, `INSERT INTO LivreAuteur SELECT id, 2, 0 FROM Livre WHERE id <= ${String(MANY)}`);
  const counts = () =>
    database.values<number>('SELECT count(*) FROM LivreAuteur GROUP BY auteurId ORDER BY 1');
  const merged = await house.ask('ana', 'POST', '/api/auteurs/fusions', { auteurs: [1, 2] });
  expect([merged.status, counts()]).toEqual([200, [MANY + 2]]);
  expect(await undoAct(house, merged.headers)).toBe(201);
  expect(counts()).toEqual([1, MANY + 1]);
});

test.each([
  [
    'wishes',
    '/api/souhaits/ordre',
    `INSERT INTO Souhait (utilisateur, titre, cleOeuvre, dateAjout, rang, ordre)
     SELECT 'ana', 'Souhait ' || value, 'souhait ' || value, '2026-01-01T00:00:00.000Z', value, value
     FROM generate_series(1, 10000)`,
    'SELECT id FROM Souhait ORDER BY rang',
    ['POST', '/api/souhaits', { titre: 'Un de plus' }],
  ],
  [
    'books of a location',
    '/api/emplacements/1/livres',
    `INSERT INTO Emplacement (id, nom, nomNormalise, position) VALUES (1, 'Salon', 'salon', 0);
     INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout, emplacementId, rang)
     SELECT 'Livre ' || value, 'livre ' || value, 'livre ' || value, 'Physique',
       '2026-01-01T00:00:00.000Z', 1, value - 1 FROM generate_series(1, 4990)`,
    'SELECT id FROM Livre WHERE emplacementId = 1 ORDER BY rang',
    ['DELETE', '/api/livres/7', undefined],
  ],
] as const)(
  'the largest list of %s goes back to its order beside another change since',
  async (_name, path, rows, sql, [method, where, body]) => {
    const house = await openHouse();
    const { database } = house.context;
    for (const statement of rows.replace(/generate_series\(1, (\d+)\)/, NUMBERS).split(';'))
      run(database, statement);
    const order = () => database.values<number>(sql);
    const before = order();
    // The write must run in a thread, so as not to block others.
    const handOver = vi.spyOn(database, 'handOver');
    const turned = await house.ask('ana', 'PUT', path, { ids: before.toReversed() });
    expect(order()).toEqual(before.toReversed());
    expect((await house.ask('ana', method, where, body)).status).toBeLessThan(300);
    const remaining = new Set(order());
    expect(await undoAct(house, turned.headers)).toBe(201);
    expect(order()).toEqual([...remaining].sort((a, b) => a - b));
    expect(handOver.mock.calls.map(([holder]) => holder)).toEqual(['rangement', 'annulation']);
  },
);

test.each([
  ['taken off', 'DELETE', '/api/souhaits/1', undefined],
  ['bought', 'POST', '/api/souhaits/1/achat', {}],
] as const)(
  'the first of thousands of wishes is %s in a thread, and the following ones move up',
  async (_name, method, path, body) => {
    const house = await openHouse();
    const { database } = house.context;
    run(
      database,
      `INSERT INTO Souhait (utilisateur, titre, cleOeuvre, dateAjout, rang, ordre)
       SELECT 'ana', 'Souhait ' || value, 'souhait ' || value, '2026-01-01T00:00:00.000Z', value, value
       FROM ${NUMBERS.replace('$1', '2000')}`,
    );
    const handOver = vi.spyOn(database, 'handOver');
    const gone = await house.ask('ana', method, path, body);
    expect(gone.status).toBeLessThan(300);
    const places = () =>
      database.get('SELECT min(id) AS first, min(rang) AS rang, max(rang) AS last FROM Souhait');
    expect(places()).toEqual({ first: 2, rang: 1, last: 1999 });
    expect(await undoAct(house, gone.headers)).toBe(201);
    expect(places()).toEqual({ first: 1, rang: 1, last: 2000 });
    expect(handOver.mock.calls.map(([holder]) => holder)).toEqual(['rangement', 'annulation']);
  },
);

/** Counts the executions of each SQL text during some work. */
async function statementsOf(work: () => Promise<unknown>): Promise<Map<string, number>> {
  const prepare = vi.spyOn(Transaction.prototype, 'prepare');
  onTestFinished(() => prepare.mockRestore());
  await work();
  const texts = prepare.mock.calls.map(([sql]) => sql);
  prepare.mockRestore();
  return new Map([...Map.groupBy(texts, (sql) => sql)].map(([sql, all]) => [sql, all.length]));
}

test.each([
  [
    'wishes',
    'Souhait',
    '/api/souhaits/ordre',
    `INSERT INTO Souhait (utilisateur, titre, cleOeuvre, dateAjout, rang, ordre)
     SELECT 'ana', 'Souhait ' || value, 'souhait ' || value, '2026-01-01T00:00:00.000Z', value, value
     FROM`,
    (ids: readonly number[]) => ({ ids }),
  ],
  [
    'books of a location',
    'Livre',
    '/api/emplacements/1/livres',
    `INSERT INTO Emplacement (id, nom, nomNormalise) VALUES (1, 'Salon', 'salon');
     INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout, emplacementId, rang)
     SELECT 'Livre ' || value, 'livre ' || value, 'livre ' || value, 'Physique',
       '2026-01-01T00:00:00.000Z', 1, value - 1 FROM`,
    (ids: readonly number[]) => ({ ids }),
  ],
  [
    'locations',
    'Emplacement',
    '/api/emplacements/ordre',
    `INSERT INTO Emplacement (nom, nomNormalise, position)
     SELECT 'Salon ' || value, 'salon ' || value, value - 1 FROM`,
    (ids: readonly number[]) => ({ ids }),
  ],
  [
    'volumes',
    'Place',
    '/api/series/1/ordre',
    `INSERT INTO Serie (id, titre) VALUES (1, 'Longue');
     INSERT INTO Place (serieId, titre, position) SELECT 1, 'Tome ' || value, value - 1 FROM`,
    (ids: readonly number[]) => ({ elements: ids.map((place) => ({ place })) }),
  ],
] as const)(
  'an order of %s is made and taken back by one statement',
  async (_name, table, path, rows, bodyOf) => {
    const house = await openHouse();
    const { database } = house.context;
    for (const statement of `${rows} ${NUMBERS.replace('$1', '60')}`.split(';'))
      run(database, statement);
    const ids = database.values<number>(`SELECT id FROM ${table} ORDER BY id`);
    expect(ids).toHaveLength(60);
    let act = '';
    const making = await statementsOf(async () => {
      const { status, headers } = await house.ask('ana', 'PUT', path, bodyOf(ids.toReversed()));
      expect(status).toBeLessThan(300);
      act = String(headers.get('X-Modification'));
    });
    const undoing = await statementsOf(async () => {
      const { status } = await house.ask('ana', 'POST', `/api/modifications/${act}/annulation`);
      expect(status).toBe(201);
    });
    const writing = (texts: ReadonlyMap<string, number>) =>
      [...texts].filter(([sql]) => new RegExp(`^\\s*UPDATE "?${table}\\b`).test(sql));
    expect(writing(making).map(([, count]) => count)).toEqual([1]);
    expect(writing(undoing).map(([, count]) => count)).toContain(1);
    expect(Math.max(...writing(undoing).map(([, count]) => count))).toBeLessThan(3);
  },
);

test('the contents of a deleted location go back into it without the tree being read for each', async () => {
  const house = await openHouse();
  const { database } = house.context;
  run(database, "INSERT INTO Emplacement (id, nom, nomNormalise) VALUES (1, 'Salon', 'salon')");
  run(
    database,
    `INSERT INTO Emplacement (nom, nomNormalise, parentId, position)
     SELECT 'Boîte ' || value, 'boite ' || value, 1, value - 1
     FROM ${NUMBERS.replace('$1', '40')}`,
  );
  const { headers } = await house.ask('ana', 'DELETE', '/api/emplacements/1');
  const inside = () =>
    database.value(
      'SELECT count(*) FROM Emplacement WHERE parentId = (SELECT id FROM Emplacement WHERE nom = ?)',
      'Salon',
    );
  const texts = await statementsOf(async () => expect(await undoAct(house, headers)).toBe(201));
  expect(inside()).toBe(40);
  const reading = [...texts].filter(([sql]) => /FROM Emplacement d\s*$/.test(sql));
  expect(reading.map(([, count]) => count)).toEqual([]);
});
