// @module-tag random
import { expect, test, vi } from 'vitest';
import type { Fiche } from '#shared/modifications';
import type { Database } from '#server/plumbing/database/database';
import { ordresOf } from '#server/plumbing/writes/orders';
import { random, runs, SEED } from '../support/random.ts';
import type { House } from '../support/house.ts';
import { doAct, KINDS, PEOPLE, type Act } from './support/acts.ts';
import { openFurnishedHouse } from './support/base.ts';
import { knownHousehold, type Household } from './support/compare.ts';
import { householdRows } from './support/household.ts';
import { readWrites } from './support/writes.ts';

interface Done {
  readonly id: number;
  readonly who: string | null;
  /** The write's data, to compare it in another household. */
  readonly data: string;
}

/** A household that is the same before and after each pair. */
interface Home {
  readonly house: House;
  readonly state: () => Household;
}

async function openHome(): Promise<Home> {
  const house = await openFurnishedHouse();
  const { database } = house.context;
  const first = householdRows(database);
  return { house, state: () => knownHousehold(database, first) };
}

/** The kinds of writes whose place in a series depends on its content. */
const PLACING = new Set([27, 30, 31, 40]);

async function does({ house, state }: Home, one: Act): Promise<Done | null> {
  const before = state();
  let request = '';
  const ask: House['ask'] = (...given) => {
    request = JSON.stringify(given);
    return house.ask(...given);
  };
  const { status, headers, body } = await doAct({ ...house, ask }, one);
  expect(status, JSON.stringify([one, body])).toBeLessThan(500);
  const id = Number(headers.get('X-Modification'));
  if (id === 0) return null;
  const seen = PLACING.has(one.kind) ? [before['Place'], before['Serie']] : [];
  const data = [request, seen, recordedBy(house.context.database, id), wordsUsed(before, state())];
  return { id, who: one.who ?? 'ana', data: JSON.stringify(data) };
}

/** The modification's message, and the records that it created. */
function recordedBy(database: Database, id: number): unknown[] {
  const row = database
    .prepare<[number], { arguments: string; fiches: string }>(
      'SELECT arguments, fiches FROM Modification WHERE id = ?',
    )
    .get(id);
  const created = (JSON.parse(row?.fiches ?? '[]') as Fiche[])
    .filter(({ ajoutee, collection }) => ajoutee && collection !== 'auteurs')
    .map(({ collection, titre }) => [collection, titre]);
  return [row?.arguments, created];
}

/** New uses of authors and themes: a name may match an existing one. */
const wordsUsed = (before: Household, after: Household): string[] =>
  ['LivreAuteur', 'NumeroTheme', 'FusionRefusee'].flatMap((table) => {
    const texts = (household: Household) =>
      (household[table] ?? []).map((row) => JSON.stringify(row));
    const old = new Set(texts(before));
    return texts(after).filter((text) => !old.has(text));
  });

/** Undoes a modification; returns the reason of a refusal, otherwise `null`. */
async function undoes({ house }: Home, { id, who }: Done): Promise<string | null> {
  const path = `/api/modifications/${String(id)}/annulation`;
  const { status, body } = await house.ask(who, 'POST', path);
  if (status === 201) return null;
  expect(body).toMatchObject({ code: 'ANNULATION_IMPOSSIBLE' });
  return (body as { raison: string }).raison;
}

const expectState = ({ state }: Home, expected: Household, what: string) =>
  expect(state(), what).toEqual(expected);

/** Makes two writes, and undoes the first one first; returns whether both changed anything. */
async function play(home: Home, a: Act, b: Act): Promise<boolean> {
  const { state } = home;
  const start = state();
  const undoesBothWays = async (done: Done, what: string) =>
    expect(await undoes(home, done), what).toBeNull();
  const alone = await does(home, b);
  const withBAlone = state();
  if (alone !== null) await undoesBothWays(alone, 'the second alone');
  const first = await does(home, a);
  const withA = state();
  const second = first && (await does(home, b));
  if (first === null || second === null) {
    if (first !== null) await undoesBothWays(first, 'the first alone');
    return false;
  }
  const withBoth = state();
  const raison = await undoes(home, first);
  const isAsAlone = raison === null && alone?.data === second.data;
  const expected = raison === null ? withBAlone : withBoth;
  const holds = raison !== null || isAsAlone;
  expect(holds ? state() : expected, `the first is undone, or refused: ${raison}`).toEqual(
    expected,
  );
  await undoesBothWays(second, `the second: ${raison}`);
  if (raison !== null) {
    expectState(home, withA, 'the first alone');
    await undoesBothWays(first, 'the first after the second');
  }
  const isReordered = raison === null && haveOneOrder(home, first, second);
  const known = isReordered ? withoutPlaces : (household: Household) => household;
  expect(known(state()), 'both undone').toEqual(known(start));
  return true;
}

/**
 * Whether both writes changed the order of one list. Undone out of turn, an element returns beside its former
 * neighbour, or to the end if that is gone, so its place may differ.
 */
function haveOneOrder({ house }: Home, ...acts: readonly Done[]): boolean {
  const lists = acts.flatMap(({ id }) =>
    ordresOf(house.context.database, [id]).map(({ list, of }) => JSON.stringify([list, of])),
  );
  return new Set(lists).size < lists.length;
}

const withoutPlaces = (household: Household): Household =>
  Object.fromEntries(
    Object.entries(household).map(([table, rows]) => [
      table,
      rows.map((row) => ({ ...row, rang: null, position: null })),
    ]),
  );

test('every operation that writes is among the acts', async () => {
  const asked = new Set<string>();
  const ask: House['ask'] = (_, method, path) => {
    const [name = ''] = path.split('?');
    if (method !== 'GET') asked.add(`${method} ${name.replace(/\/\d+/, '/:id')}`);
    return Promise.resolve({ status: 200, headers: new Headers(), body: [] });
  };
  const house: House = {
    ask,
    url: '',
    headersOf: () => ({}),
    close: () => Promise.resolve(),
    get context(): never {
      throw new Error('Nothing is written');
    },
  };
  for (let kind = 0; kind < KINDS; kind++)
    await doAct(house, { kind, who: null, a: 1, b: 1, c: 1 });
  expect([...asked].sort()).toEqual(await readWrites());
});

test('each of two acts is undone alone or is refused', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { integer, oneOf } = random(SEED);
  const draw = (): Act => ({
    kind: integer(KINDS),
    who: oneOf(PEOPLE),
    a: integer(8),
    b: integer(8),
    c: integer(8),
  });
  const home = await openHome();
  for (let left = runs(40); left > 0;) {
    const [a, drawn] = [draw(), draw()];
    // Half of the pairs concern one record, and half one person.
    const b = {
      ...drawn,
      ...(integer(2) === 0 && { a: a.a }),
      ...(integer(2) === 0 && { who: a.who }),
    };
    try {
      if (await play(home, a, b)) left--;
    } catch (error) {
      throw new Error(`${JSON.stringify(a)}, then ${JSON.stringify(b)}`, { cause: error });
    }
  }
});
