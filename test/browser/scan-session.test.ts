import { Type } from 'typebox';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { choices } from '$lib/livres/add/choices.svelte';
import { scanSession } from '$lib/livres/add/scan-session.svelte';
import { lookUpCode } from '$lib/recherche/lookup.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { records } from '$lib/sync/records';
import { withAbsentFields } from '#shared/absent-fields';
import { collections } from '#shared/collections';
import { Emplacement } from '#shared/emplacements';
import { ajouterLivre } from '#shared/livres';
import { RechercheLivre } from '#shared/recherche';
import type { Change } from '#shared/replication';
import { unsafeCast } from '../../src/lib/api/unsafe-cast.ts';

/** A response for all endpoints of these tests: the page refuses responses with missing fields. */
const ANSWER = Type.Object({
  ...Emplacement.properties,
  ...RechercheLivre.properties,
  ...ajouterLivre.response.properties,
});

const json = (body: object) => Response.json(withAbsentFields(ANSWER, body), { status: 201 });

/** Answers the page's requests by a function of the test; the replica is complete and empty. */
function play(
  answer: (path: string, body: Record<string, unknown>) => Response | Promise<Response>,
) {
  records.setReplica({ isReady: true, isOpening: false, epoch: 'one' });
  vi.spyOn(connection, 'canWrite', 'get').mockReturnValue(true);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const text = await request.text();
    const body = text === '' ? {} : unsafeCast<Record<string, unknown>>(JSON.parse(text));
    return answer(new URL(request.url).pathname, body);
  });
}

beforeEach(() => {
  onTestFinished(() => {
    vi.restoreAllMocks();
    scanSession.scans.drop(...scanSession.scans.items);
    records.clear();
  });
});

test('a scanned book keeps its place in the list', async () => {
  const answered = Promise.withResolvers<undefined>();
  const sent: object[] = [];
  play(async (path, body) => {
    if (path === '/api/emplacements') return json({ id: body['nom'] === 'Salon' ? 1 : 2 });
    if (path !== '/api/livres') await answered.promise;
    else sent.push(body);
    const sources = [{ nom: 'bnf', etat: 'ok' }];
    return json({ id: 1, type: 'livre', titre: 'Désert', auteurs: [], candidats: [], sources });
  });
  choices().emplacement = 'Salon';
  scanSession.see('9782070408504');
  choices().emplacement = 'Couloir';
  answered.resolve(undefined);
  await expect.poll(() => sent).toMatchObject([{ emplacementId: 1 }]);
});

test.each([
  ['asked again', 1],
  ['chosen of two', 1],
  ['read again', 2],
])('a book %s moves to the place of its last scan', async (how, emplacementId) => {
  const sent: object[] = [];
  play((path, body) => {
    if (path === '/api/emplacements') return json({ id: body['nom'] === 'Salon' ? 1 : 2 });
    if (path === '/api/livres') sent.push(body);
    const sources = [{ nom: 'bnf', etat: 'ok' }];
    return json({ id: 1, type: 'livre', titre: 'Désert', auteurs: [], candidats: [], sources });
  });
  choices().emplacement = 'Salon';
  const canWrite = vi.spyOn(connection, 'canWrite', 'get').mockReturnValue(false);
  scanSession.see('9782070408504');
  canWrite.mockReturnValue(true);
  choices().emplacement = 'Couloir';
  const [line] = scanSession.items;
  if (how === 'asked again') scanSession.askAgain();
  else if (how === 'read again') scanSession.see('9782070408504');
  else if (line) void scanSession.add(line, { titre: 'Désert', format: 'Physique' });
  await expect.poll(() => sent).toMatchObject([{ emplacementId }]);
});

test('two books that name the same new location share one', async () => {
  const salon = Promise.withResolvers<undefined>();
  const couloir = Promise.withResolvers<undefined>();
  const made: unknown[] = [];
  const added: unknown[] = [];
  play(async (path, { nom, titre }) => {
    if (path === '/api/emplacements') {
      made.push(nom);
      await (nom === 'Salon' ? salon : couloir).promise;
    } else added.push(titre);
    return json({ id: 1, titre: 'Désert', auteurs: [] });
  });
  const add = (titre: string, emplacement: string) => {
    choices().emplacement = emplacement;
    void scanSession.add(scanSession.note(titre, { kind: 'adding' }), {
      titre,
      format: 'Physique',
    });
  };
  add('9782070408504', 'Salon');
  add('9782070360024', 'Couloir');
  salon.resolve(undefined);
  await expect.poll(() => added).toEqual(['9782070408504']);
  add('9782070368228', 'Couloir');
  couloir.resolve(undefined);
  await expect.poll(() => added).toHaveLength(3);
  expect(made).toEqual(['Salon', 'Couloir']);
});

/** Catalogues that know two editions of each code. */
const playEditions = (sent: object[]) =>
  play((path, body) => {
    if (path === '/api/livres') sent.push(body);
    const edition = { titre: 'Désert', auteurs: [], isbn: null, source: 'bnf', sources: ['bnf'] };
    const candidats = ['Folio', 'Gallimard'].map((editeur) => ({ ...edition, editeur }));
    const sources = [{ nom: 'bnf', etat: 'ok' }];
    return json({ id: 1, type: 'livre', titre: 'Désert', auteurs: [], candidats, sources });
  });

test('a code read twice before its edition is chosen is counted, and added once', async () => {
  const sent: object[] = [];
  playEditions(sent);
  expect(scanSession.see('9782070408504')).toBe(true);
  const kindOf = () => scanSession.items[0]?.state.kind;
  await expect.poll(kindOf).toBe('choice');
  expect(scanSession.see('9782070408504')).toBe(true);
  await expect.poll(() => scanSession.scans.said.text).toMatch(/^Désert\s: lu 2 fois\.$/);
  expect(scanSession.items.map(({ state: { kind, times } }) => ({ kind, times }))).toEqual([
    { kind: 'choice', times: 2 },
  ]);
  const [line] = scanSession.items;
  if (line === undefined) throw new Error('no line');
  await scanSession.add(line, { titre: 'Désert', format: 'Physique', editeur: 'Folio' });
  expect(line.state).toMatchObject({ kind: 'added', times: 2 });
  scanSession.see('9782070408504');
  expect(line.state).toMatchObject({ kind: 'added', times: 3 });
  expect(sent).toHaveLength(1);
});

test('a code that was read while it was asked about keeps its count', async () => {
  playEditions([]);
  scanSession.see('9782070408504');
  scanSession.see('9782070408504');
  await expect.poll(() => scanSession.items[0]?.state).toMatchObject({ kind: 'choice', times: 2 });
});

test('another copy of an e-book is a printed one', async () => {
  const sent: object[] = [];
  play((path, body) => {
    if (path === '/api/livres') sent.push(body);
    return json({ id: 2, titre: 'Désert', auteurs: [] });
  });
  const livre = { id: 1, titre: 'Désert', format: 'Numerique', isbn: '9782070408504', auteurs: [] };
  const document = withAbsentFields(collections.livres.document, livre);
  records.show([unsafeCast<Change>({ collection: 'livres', id: 1, revision: 1, document })]);
  scanSession.see('9782070408504');
  scanSession.see('9782070408504');
  const [line] = scanSession.items;
  if (line === undefined) throw new Error('no line');
  expect(line.state).toMatchObject({ kind: 'owned', times: 2 });
  await scanSession.addCopy(line);
  expect(sent).toMatchObject([{ titre: 'Désert', format: 'Physique' }]);
});

test('another copy that was sent before a reload is added once', async () => {
  onTestFinished(() => localStorage.clear());
  choices().emplacement = '';
  const added = new Set<string | null>();
  let isReached = false;
  play(() => json({}));
  vi.mocked(fetch).mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    added.add(request.headers.get('Idempotency-Key'));
    // The first write is stored, but its response does not reach the page.
    if (!isReached) await new Promise(() => undefined);
    return json({ id: 2, titre: 'Désert', auteurs: [] });
  });
  const livre = { id: 1, titre: 'Désert', format: 'Physique', isbn: '9782070408504', auteurs: [] };
  const document = withAbsentFields(collections.livres.document, livre);
  records.show([unsafeCast<Change>({ collection: 'livres', id: 1, revision: 1, document })]);
  scanSession.scans.resume('alice', 'one');
  scanSession.see('9782070408504');
  scanSession.see('9782070408504');
  const copied = () => {
    const [line] = scanSession.items;
    if (line === undefined) throw new Error('no line');
    return scanSession.addCopy(line);
  };
  void copied();
  await expect.poll(() => added.size).toBe(1);
  // After a reload the list is the stored one.
  scanSession.scans.resume('bob', 'one');
  scanSession.scans.resume('alice', 'one');
  expect(scanSession.items[0]?.state).toMatchObject({ kind: 'owned', times: 2 });
  isReached = true;
  await copied();
  expect(added.size).toBe(1);
  expect(scanSession.items.map(({ state: { kind, times } }) => ({ kind, times }))).toEqual([
    { kind: 'added', times: undefined },
    { kind: 'owned', times: undefined },
  ]);
});

test.each([
  ['another household is on the screen', () => scanSession.scans.resume('alice', 'two')],
  [
    'nobody looks at its screen',
    () => vi.spyOn(connection, 'household', 'get').mockReturnValue('two'),
  ],
  ['its line was taken away', () => scanSession.scans.drop(...scanSession.scans.items)],
])('a book that is still asked about when %s is not added', async (_, happens) => {
  onTestFinished(() => localStorage.clear());
  const answered = Promise.withResolvers<undefined>();
  const asked: string[] = [];
  play(async (path) => {
    asked.push(path);
    if (path !== '/api/livres') await answered.promise;
    const sources = [{ nom: 'bnf', etat: 'ok' }];
    return json({ id: 1, type: 'livre', titre: 'Désert', auteurs: [], candidats: [], sources });
  });
  vi.spyOn(connection, 'household', 'get').mockReturnValue('one');
  scanSession.scans.resume('alice', 'one');
  scanSession.see('9782070408504');
  const [line] = scanSession.scans.items;
  await expect.poll(() => asked).toHaveLength(1);
  happens();
  answered.resolve(undefined);
  // Requests are answered in order.
  const { signal } = new AbortController();
  for (const code of ['9782070360024', '9782070368228']) await lookUpCode(code, signal);
  expect(asked).not.toContain('/api/livres');
  expect(line?.state.kind).toBe('pending');
});

test('a removed item is not counted again while the camera still sees its code', async () => {
  playEditions([]);
  const line = scanSession.note('9782070408504', { kind: 'removed' });
  expect(scanSession.see('9782070408504')).toBe(false);
  expect(line.state).toMatchObject({ kind: 'removed', times: undefined });
});

test('after twelve hours only unfinished codes stay in the scan session', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  play(() => json({ id: 1, titre: 'Désert', auteurs: [] }));
  scanSession.note('9782070408504', { kind: 'removed' });
  scanSession.note('9782070360024', { kind: 'failed', message: null });
  const codes = () => scanSession.items.map(({ code }) => code);
  vi.setSystemTime(Date.now() + 12 * 60 * 60 * 1000 - 1000);
  expect(codes()).toEqual(['9782070360024', '9782070408504']);
  vi.setSystemTime(Date.now() + 2000);
  expect(codes()).toEqual(['9782070360024']);
});

test('scanned items stay on the device for a week', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
    localStorage.clear();
  });
  play(() => json({ id: 1, titre: 'Désert', auteurs: [] }));
  scanSession.scans.resume('alice', 'one');
  scanSession.note('9782070408504', { kind: 'removed' });
  /** The codes after a reload and a change of readers and back, this many days later. */
  const codesAfter = (days: number) => {
    vi.setSystemTime(Date.now() + days * 86_400_000);
    scanSession.scans.resume('bob', 'one');
    const others = scanSession.scans.items.length;
    scanSession.scans.resume('alice', 'one');
    return [others, ...scanSession.scans.items.map(({ code }) => code)];
  };
  expect(codesAfter(6.9)).toEqual([0, '9782070408504']);
  expect(codesAfter(0.2)).toEqual([0]);
});
