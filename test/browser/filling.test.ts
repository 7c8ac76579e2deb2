import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { filling } from '$lib/complements/filling.svelte';
import { identity } from '$lib/sync/identity.svelte';
import { device } from '$lib/sync/this-device';
import { codeTitled } from '$lib/records/livres/view.svelte';
import { addLivre, moveIn, moveOut, openCopy, untilCurrent } from './household.ts';

const [UNKNOWN, UNANSWERED] = ['9782070408504', '9782070360024'];

beforeAll(() => moveIn());
afterAll(moveOut);

test('a code that the catalogues do not know is asked about once, one without an answer again', async () => {
  await addLivre('978-2-07-040850-4', { isbn: UNKNOWN });
  await addLivre('978-2-07-036002-4', { isbn: UNANSWERED });
  openCopy();
  await untilCurrent();
  await expect.poll(() => codeTitled().length).toBe(2);
  const asked: string[] = [];
  const { fetch } = globalThis;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const { pathname } = new URL(new Request(input, init).url);
    const [, isbn] = /\/recherche-isbn\/(\d+)$/.exec(pathname) ?? [];
    if (isbn === undefined) return fetch(input, init);
    asked.push(isbn);
    const etat = isbn === UNKNOWN ? 'ok' : 'injoignable';
    const sources = [{ nom: 'bnf', etat }];
    return Promise.resolve(Response.json({ type: 'livre', isbn, candidats: [], sources }));
  });
  onTestFinished(() => spy.mockRestore());
  await filling().run();
  expect(asked.toSorted()).toEqual([UNANSWERED, UNKNOWN]);
  await filling().run();
  expect(asked.toSorted()).toEqual([UNANSWERED, UNANSWERED, UNKNOWN]);
  expect(codeTitled()).toHaveLength(2);
});

test('a book is not filled once another household is on the screen', async () => {
  const isbn = '9782070368228';
  await addLivre('978-2-07-036822-8', { isbn });
  openCopy();
  await untilCurrent();
  await expect.poll(() => codeTitled().map((livre) => livre.isbn)).toContain(isbn);
  const written: string[] = [];
  const { fetch } = globalThis;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const { method, url } = new Request(input, init);
    if (method !== 'GET') written.push(new URL(url).pathname);
    if (!url.endsWith(`/recherche-isbn/${isbn}`)) return fetch(input, init);
    device.status = { ...device.status, bibliotheque: 'another' };
    identity.follow();
    const edition = { titre: 'Désert', auteurs: [], isbn, source: 'bnf', sources: ['bnf'] };
    const sources = [{ nom: 'bnf', etat: 'ok' }];
    return Promise.resolve(Response.json({ type: 'livre', isbn, candidats: [edition], sources }));
  });
  const asked = filling();
  onTestFinished(() => spy.mockRestore());
  await asked.run();
  expect(filling()).not.toBe(asked);
  expect(written).toEqual([]);
});
