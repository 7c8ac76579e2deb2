// @module-tag random
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Pret } from '#shared/prets';
import type { Change, ChangePage } from '#shared/replication';
import { RateLimiter } from '#server/subjects/couvertures/fetcher';
import { temporaryFolder } from '../support/database.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { random, runs, SEED } from '../support/random.ts';
import { askPage, pullAll } from '../support/replication.ts';
import { furnish } from '../modifications/support/base.ts';
import { writeSomething } from './writes.ts';

const STEPS = runs(40);
const STEPS_A_START = 10;
const DAY_MS = 86_400_000;
/** Longer than anything is retained. */
const MAX_DAYS = 1200;
const NOW = Date.now();

const setClock = (days: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW + days * DAY_MS });
};

/** A device that pulls, and starts over if the server demands it. */
class Device {
  readonly #held = new Map<string, Change>();
  #page: ChangePage | undefined;

  async pull(house: House): Promise<void> {
    if (this.#page !== undefined && (await askPage(house, 'ana', this.#page)).status === 409) {
      this.#held.clear();
      this.#page = undefined;
    }
    this.#page = await pullAll(house, 'ana', this.#page, 7);
    for (const change of this.#page.changements) {
      const key = `${change.collection}/${String(change.id)}`;
      if (change.document === null) this.#held.delete(key);
      else this.#held.set(key, change);
    }
  }

  get held(): unknown[] {
    return [...this.#held].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { document }]) => document);
  }
}

/** The same household, in which no response may be a server error. */
const watched = (house: House): House => ({
  ...house,
  ask: async (...request) => {
    const answer = await house.ask(...request);
    expect(answer.status, JSON.stringify([request, answer.body])).toBeLessThan(500);
    return answer;
  },
});

test(`a clock jumping by years spoils nothing (SEED=${String(SEED)})`, async () => {
  const chance = random(SEED);
  const path = join(temporaryFolder(), 'bibliotheque.sqlite');
  const device = new Device();
  for (let step = 0; step < STEPS;) {
    setClock(chance.integer(2 * MAX_DAYS) - MAX_DAYS);
    const house = watched(await openHouse(path));
    if (step === 0) await furnish(house);
    for (let nth = 0; nth < STEPS_A_START; nth++, step++) {
      setClock(chance.integer(2 * MAX_DAYS) - MAX_DAYS);
      await writeSomething(house, chance);
      if (chance.integer(3) === 0) await device.pull(house);
    }
    const fresh = new Device();
    await device.pull(house);
    await fresh.pull(house);
    expect(device.held).toEqual(fresh.held);
    const { database } = house.context;
    expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    await house.close();
  }
});

test('a loan never ends before it began, with any clock', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Sido' });
  setClock(400);
  const lent = (await house.ask('ana', 'POST', '/api/livres/1/prets', { emprunteur: 'Luc' }))
    .body as Pret;
  setClock(0);
  const back = (await house.ask('ana', 'POST', '/api/prets/1/retour')).body as Pret;
  expect(back.dateRetour).toBe(lent.datePret);
});

test('a clock put back delays covers by minutes only', () => {
  const limiter = new RateLimiter('isbn', () => []);
  for (let nth = 0; nth < 100; nth++) limiter.count(NOW + 1000 * DAY_MS);
  expect([limiter.isFree(NOW), limiter.isFree(NOW + DAY_MS)]).toEqual([false, true]);
});
