import { expect, test } from 'vitest';
import type { RechercheIsbn, SourceAnswer } from '#shared/recherche';
import {
  backgroundLookups,
  isSilent,
  isUnanswered,
  LookupResults,
} from '#server/subjects/recherche';
import {
  SourceUnreachable,
  type SourceRecord,
  openSources,
} from '#server/plumbing/upstream/sources';
import { testUpstream } from '../support/upstream.ts';

const record = (titre: string, id: string | null = null): SourceRecord => ({
  id,
  titre,
  auteurs: [],
  editeur: null,
  annee: null,
  nombrePages: null,
  isbns: [],
  details: [],
});

const open = (max = 5) => {
  const controller = new AbortController();
  const results = new LookupResults(max, controller.signal);
  const titres = () => results.records.map(({ source, record: { titre } }) => [source, titre]);
  return { results, titres, giveUp: () => controller.abort() };
};

test('a source’s record counts once, by id or content', async () => {
  const { results, titres } = open();
  await results.ask('bnf', async () => [record('Nana', 'cb1'), record('Sido'), record('Chéri')]);
  await results.ask('bnf', async () => [record('Nana, tome 1', 'cb1'), record('Sido')]);
  await results.ask('openlibrary', async () => [record('Nana en anglais', 'cb1'), record('Sido')]);
  expect(titres()).toEqual([
    ['bnf', 'Nana'],
    ['bnf', 'Sido'],
    ['bnf', 'Chéri'],
    ['openlibrary', 'Nana en anglais'],
    ['openlibrary', 'Sido'],
  ]);
});

test('no source is asked once there are enough records', async () => {
  const { results, titres } = open(2);
  await results.ask('bnf', async () => [record('Un')]);
  await results.ask('bnf', async () => [record('Deux'), record('Trois')]);
  await results.ask('openlibrary', async () => [record('Quatre')]);
  const found = [
    ['bnf', 'Un'],
    ['bnf', 'Deux'],
  ];
  expect(titres()).toEqual(found);
  expect(results.sources).toEqual([{ nom: 'bnf', etat: 'ok' }]);
  const exactly = open(2);
  await exactly.results.ask('bnf', async () => [record('Un'), record('Deux')]);
  await exactly.results.ask('openlibrary', async () => [record('Trois')]);
  expect([exactly.titres(), exactly.results.sources]).toEqual([found, results.sources]);
});

test('no source is asked once the caller has left', async () => {
  const results = open();
  results.giveUp();
  await results.results.ask('bnf', async () => [record('Un')]);
  expect([results.titres(), results.results.sources]).toEqual([[], []]);
});

test('a source once silent stays marked so within one answer', async () => {
  const { results, titres } = open();
  await results.ask('bnf', () => Promise.reject(new SourceUnreachable('It is closed')));
  await results.ask('bnf', async () => [record('Un')]);
  await results.ask('openlibrary', async (markUnreachable) => {
    markUnreachable();
    return [record('Deux')];
  });
  expect(titres()).toEqual([
    ['bnf', 'Un'],
    ['openlibrary', 'Deux'],
  ]);
  expect(results.sources).toEqual([
    { nom: 'bnf', etat: 'injoignable' },
    { nom: 'openlibrary', etat: 'injoignable' },
  ]);
});

test('a mistake of our own is no source’s silence', async () => {
  const mistake = new TypeError('It has no such field');
  await expect(open().results.ask('bnf', () => Promise.reject(mistake))).rejects.toThrow(
    'no such field',
  );
});

const OK: SourceAnswer = { nom: 'bnf', etat: 'ok' };
const DOWN: SourceAnswer = { nom: 'openlibrary', etat: 'injoignable' };
const livre = (sources: SourceAnswer[], count: number): RechercheIsbn => ({
  type: 'livre',
  isbn: '9782948012017',
  candidats: Array.from({ length: count }, () => ({
    ...record('Nana'),
    source: 'bnf',
    auteurs: [],
    details: [],
    isbn: null,
    coverUrl: null,
  })),
  sources,
});
const revue = (sources: SourceAnswer[], titre: string | null): RechercheIsbn => ({
  type: 'revue',
  issn: '2917-0443',
  titre,
  revueId: null,
  sources,
});

test.each([
  ['a book that both know', livre([OK, OK], 1), false, false],
  ['a book that nobody knows', livre([OK, OK], 0), false, false],
  ['a book that one knows, the other being silent', livre([OK, DOWN], 1), true, false],
  ['a book that one does not know, the other being silent', livre([OK, DOWN], 0), true, true],
  ['a book of which nobody says anything', livre([DOWN, DOWN], 0), true, true],
  ['a periodical with a title', revue([OK], 'Rives'), false, false],
  ['a periodical that nobody knows', revue([OK], null), false, false],
  ['a periodical of which nobody says anything', revue([DOWN], null), true, true],
  ['a periodical with a title, a source being silent', revue([OK, DOWN], 'Rives'), true, false],
])(
  '%s: whether a source is silent, and the question unanswered',
  (_, found, silent, unanswered) => {
    expect([isSilent(found), isUnanswered(found)]).toEqual([silent, unanswered]);
  },
);

test('background look-ups stop after three answers without any source', async () => {
  const upstream = await testUpstream();
  const sources = openSources({ ...upstream, upstreamTimeout: 5000 });
  const coversSite = 'https://couvertures.example';
  const { ask, areSilent } = backgroundLookups({ sources, coversSite, locale: 'fr' });
  const { signal } = new AbortController();
  const known = await ask('9782948012017', signal);
  expect(known).toMatchObject({ candidats: [{ titre: 'Les travailleurs de la mer' }] });
  expect(await ask('9772917044002', signal)).toMatchObject({ type: 'revue', revueId: null });
  upstream.behave('/', (_, response) => void response.writeHead(503).end());
  const silences: boolean[] = [];
  for (let nth = 0; nth < 3; nth++) {
    expect(isUnanswered(await ask('9782948012017', signal))).toBe(true);
    silences.push(areSilent());
  }
  expect(silences).toEqual([false, false, true]);
  await sources.close();
});
