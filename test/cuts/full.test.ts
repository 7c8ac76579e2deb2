// @module-tag random
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { furnish } from '../modifications/support/base.ts';
import { householdRows } from '../modifications/support/household.ts';
import { openHouse, type House } from '../support/house.ts';
import { random, runs, SEED } from '../support/random.ts';
import { writeSomething } from './writes.ts';

const STEPS = runs(15);

/** How many more pages a database may use, from none to enough for some writes. */
const LEVELS = [0, 1, 2, 5, 20];

/** Limits a database to this many more pages. */
function limitPages({ context: { database } }: House, more: number): void {
  const count = database.value<number>('PRAGMA page_count') ?? 0;
  database.get(`PRAGMA max_page_count = ${String(count + more)}`);
}

const stateOf = ({ context: { database } }: House) => ({
  rows: householdRows(database),
  revision: database.revision(),
  acts: database.value('SELECT count(*) FROM Modification'),
});

test.each(LEVELS)(
  `a disk full after %i pages refuses whole writes (SEED=${String(SEED)})`,
  async (pages) => {
    const chance = random(SEED + pages);
    const house = await openHouse();
    await furnish(house);
    let before = stateOf(house);
    const refusals: object[] = [];
    const ask: House['ask'] = async (...request) => {
      const answer = await house.ask(...request);
      const after = stateOf(house);
      const isFull = answer.status === 507;
      expect(answer.status < 500 || isFull, JSON.stringify([request, answer.body])).toBe(true);
      if (isFull)
        refusals.push({ body: answer.body, hasWritten: !isDeepStrictEqual(after, before) });
      before = after;
      return answer;
    };
    const watched = { ...house, ask };
    limitPages(house, pages);
    for (let step = 0; step < STEPS; step++) {
      await writeSomething(watched, chance);
      before = stateOf(house);
    }
    for (let nth = 0; refusals.length === 0; nth++) {
      const livre = { titre: `${String(nth)} ${'x'.repeat(400)}`, format: 'Physique' };
      await ask('ana', 'POST', '/api/livres', livre);
    }
    const { database } = house.context;
    expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    limitPages(house, 100_000);
    const refused = [...refusals];
    const diskFull = { body: expect.objectContaining({ code: 'DISQUE_PLEIN' }) as object };
    expect(refused).toEqual(refused.map(() => ({ ...diskFull, hasWritten: false })));
    for (let step = 0; step < STEPS; step++) {
      await writeSomething(watched, chance);
      before = stateOf(house);
    }
    expect(refusals).toEqual(refused);
    expect((await house.ask(null, 'GET', '/api/sante')).status).toBe(200);
  },
);
