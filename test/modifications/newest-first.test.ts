// @module-tag random
import { expect, test } from 'vitest';
import { openHouse, type Answer, type House } from '../support/house.ts';
import { random, runs, SEED } from '../support/random.ts';
import { doAct, KINDS, PEOPLE } from './support/acts.ts';
import { ranked } from './support/compare.ts';

/** What a person did, and how it is taken back: an act, or an import by its own operation. */
interface Done {
  readonly who: string | null;
  readonly path: string;
  readonly method: 'POST' | 'DELETE';
  readonly id: number;
}

type Chance = ReturnType<typeof random>;

const idOf = ({ headers }: Answer): number => Number(headers.get('X-Modification'));

const actOf = (who: string | null, answer: Answer): Done => {
  const id = idOf(answer);
  return { who, method: 'POST', path: `/api/modifications/${String(id)}/annulation`, id };
};

async function takeBack(house: House, { who, method, path }: Done, query = ''): Promise<Answer> {
  const answer = await house.ask(who, method, path + query);
  if (answer.status >= 300) expect(answer.body).toMatchObject({ code: 'ANNULATION_IMPOSSIBLE' });
  return answer;
}

const TITRES = ['Sido', 'Dune, tome 2', 'Ida'];

/** Imports a small table: books, some of a series, some lent, some read. */
async function imports(house: House, { integer, oneOf }: Chance): Promise<Done[]> {
  const rows = Array.from({ length: 1 + integer(3) }, () =>
    [
      `${oneOf(TITRES)} ${String(integer(3))}`,
      oneOf(['Colette', 'S. Colette', 'Anna Ève', '']),
      oneOf(['', 'Mer', 'Ville']),
      String(1 + integer(4)),
      oneOf(['', 'Lu']),
      oneOf(['', 'Luc']),
    ].join(';'),
  );
  const file = ['Titre;Auteurs;Série;Numéro;Statut;Emprunteur', ...rows].join('\n');
  const response = await fetch(`${house.url}/api/importations?essai=false`, {
    method: 'POST',
    headers: { ...house.headersOf('ana'), 'Content-Type': 'text/csv' },
    body: file,
  });
  const { id } = (await response.json()) as { id: number };
  expect(response.status).toBe(201);
  if (!response.headers.has('X-Modification')) return [];
  const path = `/api/importations/${String(id)}`;
  const modification = Number(response.headers.get('X-Modification'));
  return [{ who: 'ana', method: 'DELETE', path, id: modification }];
}

/** One act of somebody: of any kind, an import, or the taking back of an earlier act, with what is in its way or not. */
async function live(house: House, done: readonly Done[], chance: Chance): Promise<Done[]> {
  const { integer, oneOf } = chance;
  const choice = integer(12);
  if (choice === 0) return imports(house, chance);
  const acts = done.filter(({ method }) => method === 'POST').slice(-12);
  if (choice <= 3 && acts.length > 0) {
    const earlier = oneOf(acts);
    const query = integer(2) === 0 ? '' : '?avec=obstacles';
    const answer = await takeBack(house, earlier, query);
    return answer.status === 201 ? [actOf(earlier.who, answer)] : [];
  }
  const who = oneOf(PEOPLE);
  const numbers = { a: integer(8), b: integer(8), c: integer(8) };
  const answer = await doAct(house, { kind: integer(KINDS), who, ...numbers });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
  return idOf(answer) === 0 ? [] : [actOf(who ?? 'ana', answer)];
}

/** Plays so many acts of a seed; tells them, and how the household was before each. */
async function history(house: House, seed: number, count: number) {
  const chance = random(seed);
  const done: Done[] = [];
  const states: object[] = [];
  for (let i = 0; i < count; i++) {
    const before = ranked(house.context.database);
    for (const one of await live(house, done, chance)) {
      done.push(one);
      states.push(before);
    }
  }
  return { done, states };
}

test('newest first goes back to the empty household, each state as it was, through acts of all kinds', async () => {
  for (let n = 0; n < runs(8); n++) {
    const house = await openHouse();
    const { database } = house.context;
    const { done, states } = await history(house, SEED + n, 60);
    for (const one of done.toReversed()) {
      const { status, body } = await takeBack(house, one);
      const seen = `seed ${String(SEED + n)}, act ${String(one.id)}: ${JSON.stringify(body)}`;
      expect(status, seen).toBe(one.method === 'POST' ? 201 : 200);
      expect(ranked(database), seen).toEqual(states.pop());
    }
    await house.close();
  }
});

interface Refused {
  readonly raison: string;
  readonly obstacles: readonly { readonly id: number }[];
}

test('in any order an act is taken back, or is refused by what can be taken back with it; newest first is empty', async () => {
  for (let n = 0; n < runs(8); n++) {
    const house = await openHouse();
    const { done } = await history(house, SEED + n, 40);
    const log = [...done];
    const { integer } = random(SEED + n);
    const shuffled = done
      .filter(({ method }) => method === 'POST')
      .map((one) => ({ one, key: integer(1_000_000) }))
      .sort((a, b) => a.key - b.key);
    for (const { one } of shuffled) {
      const before = ranked(house.context.database);
      let answer = await takeBack(house, one);
      const seen = `seed ${String(SEED + n)}, act ${String(one.id)}: ${JSON.stringify(answer.body)}`;
      if (answer.status !== 201) {
        expect(ranked(house.context.database), seen).toEqual(before);
        const { raison, obstacles } = answer.body as Refused;
        if (raison === 'Cette modification est déjà annulée.') continue;
        // Of another person's nothing is said, and an import is undone by its own operation.
        const imports = done.filter(({ method }) => method === 'DELETE').map(({ id }) => id);
        const isHidden = raison === 'Autre chose en dépend.';
        if (isHidden || obstacles.some(({ id }) => imports.includes(id))) continue;
        expect(obstacles, seen).not.toEqual([]);
        expect(obstacles.map(({ id }) => id).toSorted((a, b) => b - a)).toEqual(
          obstacles.map(({ id }) => id),
        );
        answer = await takeBack(house, one, '?avec=obstacles');
        expect(answer.status, `${seen} with obstacles: ${JSON.stringify(answer.body)}`).toBe(201);
      }
      log.push(actOf(one.who, answer));
    }
    for (const one of log.toReversed()) {
      const { status, body } = await takeBack(house, one);
      const seen = `seed ${String(SEED + n)}, act ${String(one.id)}: ${JSON.stringify(body)}`;
      expect(status, seen).toBe(one.method === 'POST' ? 201 : 200);
    }
    expect(Object.values(ranked(house.context.database)).flat()).toEqual([]);
    await house.close();
  }
});
