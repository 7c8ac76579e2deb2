// @module-tag random
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectionNames } from '#shared/collection-names';
import type { Database } from '#server/plumbing/database/database';
import { cases } from '../support/random.ts';
import { openHouse, type Answer, type House } from '../support/house.ts';
import { documentsOf, pullAll } from '../support/replication.ts';
import { truth } from '../sync/model/truth.ts';
import { act, doAct, type Act } from './support/acts.ts';
import { openFurnishedHouse } from './support/base.ts';
import { knownHousehold, withoutOrder } from './support/compare.ts';
import { householdRows } from './support/household.ts';

const idOf = ({ headers }: Answer): number | null =>
  headers.has('X-Modification') ? Number(headers.get('X-Modification')) : null;

const undo = (house: House, id: number, who: string | null, query = ''): Promise<Answer> =>
  house.ask(who, 'POST', `/api/modifications/${String(id)}/annulation${query}`);

/** A modification, and a person who may undo it. */
interface Done {
  readonly id: number;
  readonly who: string | null;
}

async function does(house: House, one: Act): Promise<Done | null> {
  const answer = await doAct(house, one);
  expect(answer.status, JSON.stringify([one, answer.body])).toBeLessThan(500);
  const id = idOf(answer);
  expect(id === null || answer.status < 300).toBe(true);
  return id === null ? null : { id, who: one.who ?? 'ana' };
}

async function undoes(house: House, { id, who }: Done): Promise<Done | null> {
  const before = householdRows(house.context.database);
  const answer = await undo(house, id, who);
  if (answer.status === 201) return { id: idOf(answer) ?? 0, who };
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ code: 'ANNULATION_IMPOSSIBLE' });
  expect(householdRows(house.context.database)).toEqual(before);
  return null;
}

const withHouse = (
  property: (house: House, acts: readonly Act[], order: readonly number[]) => Promise<void>,
  open: () => Promise<House> = openHouse,
) =>
  fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 15, maxLength: 60, size: 'max' }),
      fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
      async (acts, order) => {
        const house = await open();
        try {
          await property(house, acts, order);
        } finally {
          await house.close();
        }
      },
    ),
    { ...cases(4), endOnFailure: true },
  );

/** Checks the rules that hold whatever was undone, and that every device ends with the server's records. */
async function checkHousehold(house: House): Promise<void> {
  const { database } = house.context;
  expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  expect(lentEbooks(database)).toEqual([]);
  for (const table of ['Souhait', 'RevueSouhaitee'])
    for (const who of ['ana', 'bob']) {
      const rangs = database
        .prepare<[string], { rang: number }>(
          `SELECT rang FROM ${table} WHERE utilisateur = ? ORDER BY rang`,
        )
        .all(who);
      expect(rangs.map(({ rang }) => rang)).toEqual(rangs.map((_, i) => i + 1));
    }
  for (const who of ['ana', 'bob', null])
    for (const collection of collectionNames)
      expect(await documentsOf(house, who, collection), collection).toEqual(
        truth(database, collection, who),
      );
}

const lentEbooks = (database: Database) =>
  database
    .prepare(
      `SELECT Livre.id FROM Livre JOIN Pret ON livreId = Livre.id
       WHERE dateRetour IS NULL AND format = 'Numerique'`,
    )
    .all();

/** Checks that nobody learns of another's statuses and wishes. */
async function checkPrivacy(house: House): Promise<void> {
  const { database } = house.context;
  const bought = boughtTitres(database);
  const withoutBought = (text: string): string =>
    bought.reduce((text, titre) => text.replaceAll(titre, ''), text);
  for (const [who, other] of [
    ['ana', 'bob'],
    ['bob', 'ana'],
    [null, 'ana'],
    [null, 'bob'],
  ] as const) {
    const listed = (await house.ask(who, 'GET', '/api/modifications?limite=1000')).body;
    expect(withoutBought(JSON.stringify(listed))).not.toContain(`Secret ${other}`);
    const { changements } = await pullAll(house, who, undefined, undefined, true);
    expect(withoutBought(JSON.stringify(changements))).not.toContain(`Secret ${other}`);
  }
  const fiches = withoutBought(
    database
      .prepare<[], { fiches: string }>("SELECT fiches FROM Modification WHERE proprietaire = ''")
      .all()
      .map((row) => row.fiches)
      .join(),
  );
  expect(fiches).not.toContain('Secret');
  expect(fiches).not.toContain('"souhaits"');
  expect(fiches).not.toContain('"statut"');
}

/** The titles of bought periodicals, which are everyone's; the longest first, since one may contain another. */
const boughtTitres = (database: Database): string[] =>
  database.values<string>(
    `SELECT apres ->> 'titre' AS titre FROM Trace WHERE nom = 'Revue' AND avant IS NULL
       ORDER BY length(titre) DESC`,
  );

test('an act undone, then redone, leaves the very same household', () =>
  withHouse(async (house, acts, order) => {
    const { database } = house.context;
    for (const [index, one] of acts.entries()) {
      const before = householdRows(database);
      const done = await does(house, one);
      const after = householdRows(database);
      const undone = done && (await undoes(house, done));
      expect(undone === null, JSON.stringify(one)).toBe(done === null);
      expect(householdRows(database), JSON.stringify(one)).toEqual(before);
      if (undone === null || (order[index % 30] ?? 0) % 4 === 0) continue;
      expect(await undoes(house, undone)).not.toBeNull();
      expect(householdRows(database), JSON.stringify(one)).toEqual(after);
    }
    await checkHousehold(house);
    await checkPrivacy(house);
  }));

test('acts undone from last to first leave nothing', () =>
  withHouse(async (house, acts) => {
    const { database } = house.context;
    const states: object[] = [];
    const done: Done[] = [];
    for (const one of acts) {
      const before = householdRows(database);
      const next = await does(house, one);
      if (next === null) continue;
      states.push(before);
      done.push(next);
    }
    for (const one of done.toReversed()) {
      expect(await undoes(house, one)).not.toBeNull();
      expect(householdRows(database)).toEqual(states.pop());
    }
    await checkHousehold(house);
  }));

test('a week undone in any order leaves the first household', () =>
  withHouse(async (house, acts, order) => {
    const { database } = house.context;
    const rows = householdRows(database);
    const first = withoutOrder(knownHousehold(database, rows));
    const done: Done[] = [];
    for (const one of acts) {
      const next = await does(house, one);
      if (next !== null) done.push(next);
    }
    const shuffled = done.map((one, index) => ({ one, key: (order[index % 30] ?? 0) + index }));
    for (const { one } of shuffled.sort((a, b) => (a.key % 97) - (b.key % 97)))
      await undoes(house, one);
    // Undoing an obstacle that is an undo redoes its modification, which is then left for the next round.
    const inForce = () =>
      new Set(database.values<number>('SELECT id FROM Modification WHERE annuleeParId IS NULL'));
    for (let round = 0; done.some(({ id }) => inForce().has(id)); round++) {
      expect(round).toBeLessThan(5);
      for (const { id, who } of done.toReversed())
        if (inForce().has(id)) await undo(house, id, who, '?avec=obstacles');
    }
    expect(withoutOrder(knownHousehold(database, rows))).toEqual(first);
    await checkHousehold(house);
  }, openFurnishedHouse));

let succeeded = 0;

test('in any order devices end as the server does', () =>
  withHouse(async (house, acts, order) => {
    const { database } = house.context;
    const done: Done[] = [];
    for (const one of acts) {
      const next = await does(house, one);
      if (next !== null) done.push(next);
    }
    for (const nth of order) {
      const one = done[nth % done.length];
      if (one === undefined) continue;
      const before = householdRows(database);
      const undone = await undoes(house, one);
      if (undone === null) continue;
      succeeded++;
      if (nth % 3 !== 0) {
        done.push(undone);
        continue;
      }
      expect(await undoes(house, undone)).not.toBeNull();
      expect(householdRows(database)).toEqual(before);
    }
    await checkHousehold(house);
    await checkPrivacy(house);
  }).then(() => expect(succeeded).toBeGreaterThan(20)));
