import { afterAll, beforeAll, expect, test } from 'vitest';
import { records } from '$lib/sync/records';
import { derivedFromViews, views } from '$lib/sync/views.svelte';
import {
  addLivre,
  lendTo,
  moveIn,
  moveOut,
  openCopy,
  setStatut,
  untilCurrent,
} from './household.ts';

beforeAll(() => moveIn());
afterAll(moveOut);

test('a derivation runs only for the kinds it reads', async () => {
  const livre = await addLivre('Orlando', { auteurs: ['Virginia Woolf'] });
  openCopy();
  await untilCurrent();
  const counts = { auteurs: 0, inner: 0, prets: 0 };
  const inner = derivedFromViews(() => {
    counts.inner++;
    return views().livres.length;
  });
  const auteurs = derivedFromViews(() => {
    counts.auteurs++;
    return [...views().auteurs.values()].length + inner();
  });
  const prets = derivedFromViews(() => {
    counts.prets++;
    return views().prets.size;
  });
  const read = () => [auteurs(), prets()];
  expect(read()).toEqual([2, 0]);
  expect(read()).toEqual([2, 0]);
  expect(counts).toEqual({ auteurs: 1, inner: 1, prets: 1 });

  let calls = 0;
  const stop = records.subscribe('prets', () => calls++);
  await lendTo(livre, 'Luc');
  await expect.poll(() => prets()).toBe(1);
  await setStatut(livre, 1);
  await expect.poll(() => views().statuts.get(livre)).toBe(1);
  stop();
  expect(read()).toEqual([2, 1]);
  expect(counts).toEqual({ auteurs: 1, inner: 1, prets: 2 });
  expect(calls).toBe(1);

  await addLivre('Flush', { auteurs: ['Virginia Woolf'] });
  await expect.poll(() => auteurs()).toBe(3);
  expect(counts).toEqual({ auteurs: 2, inner: 2, prets: 2 });
});
