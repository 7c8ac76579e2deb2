import { expect, test } from 'vitest';
import type { RechercheLivre } from '#shared/recherche';
import { EDITIONS } from '../../demo/upstream/editions.ts';
import { RECORDS } from '../../demo/upstream/records.ts';
import { envelope, recordXml } from '../../demo/upstream/sru.ts';
import { testUpstream, houseWithSources } from '../support/upstream.ts';

const OK = [
  { nom: 'bnf', etat: 'ok' },
  { nom: 'openlibrary', etat: 'ok' },
];

/** A household that looks up codes, and the requests to its sources. */
async function openLookups(language = 'fr') {
  const upstream = await testUpstream();
  const house = await houseWithSources(upstream, 60_000, { LANGUAGE: language });
  const lookUp = async (code: string) => {
    const answer = await house.ask(null, 'GET', `/api/recherche-isbn/${encodeURIComponent(code)}`);
    return { ...answer, livre: answer.body as RechercheLivre };
  };
  return { lookUp, requests: upstream.requests };
}

test('a household in English asks Open Library first', async () => {
  const { lookUp, requests } = await openLookups('en');
  const { livre } = await lookUp('9782948012178');
  expect(livre.candidats[0]).toMatchObject({ source: 'openlibrary' });
  expect(livre.sources.map(({ nom }) => nom)).toEqual(['openlibrary', 'bnf']);
  expect(requests[0]).toContain('9782948012178.json');
});

test('a BnF record is offered with a cover for it', async () => {
  const { lookUp } = await openLookups();
  const { status, livre } = await lookUp('978-2-948012-01-7');
  expect(status).toBe(200);
  expect(livre).toEqual({
    type: 'livre',
    isbn: '9782948012017',
    candidats: [
      {
        source: 'bnf',
        titre: 'Les travailleurs de la mer',
        auteurs: ['Victor Hugo'],
        editeur: 'Les Presses du phare',
        annee: 2019,
        nombrePages: 612,
        isbn: '9782948012017',
        coverUrl: 'https://couvertures.example/b/isbn/9782948012017-L.jpg?default=false',
        details: [
          { nom: 'Langue', valeur: 'français' },
          { nom: 'Traduction', valeur: 'Lise Marchand' },
          { nom: 'Collection', valeur: 'Le Phare de poche ; 12' },
        ],
      },
    ],
    sources: OK,
  });
});

test('only a comic is given a type of document', async () => {
  const { lookUp } = await openLookups();
  const comic = (await lookUp('9782948012055')).livre.candidats;
  expect(comic).toMatchObject([{ titre: 'La marée haute : 1', typeDocument: 'BandeDessinee' }]);
  expect((await lookUp('9782948012017')).livre.candidats[0]).not.toHaveProperty('typeDocument');
});

test('the BnF is asked first, each record counted once', async () => {
  const { lookUp, requests } = await openLookups();
  const { livre } = await lookUp('9782948012048');
  const steps = requests.map((request) => decodeURIComponent(request));
  expect(steps[0]).toContain('bib.isbn all "9782948012048"');
  expect(steps[1]).toContain('bib.isbn all "294801204X"');
  expect(steps.slice(2)).toEqual([
    '/isbn/9782948012048.json',
    '/books/OL900003M.json',
    '/authors/OL900003A.json',
  ]);
  expect(steps[0]).toContain('version=1.2&operation=searchRetrieve');
  expect(requests[0]).toContain('query=bib.isbn%20all%20');
  expect(livre.candidats.map(({ source, annee }) => [source, annee])).toEqual([
    ['bnf', 2008],
    ['openlibrary', 2008],
  ]);
});

test('the BnF finds a book by either of its numbers', async () => {
  const { lookUp, requests } = await openLookups();
  // Codes with prefix 979 have no ISBN-10.
  const recent = await lookUp('9791032400012');
  expect(recent.livre.candidats).toMatchObject([{ titre: 'La petite fabrique de cerfs-volants' }]);
  expect(requests.filter((request) => request.startsWith('/api/SRU'))).toHaveLength(1);
  // A book before 2007 is found by its ISBN-10, too.
  for (const code of ['9782948012031', '2948012031', '2-948012-03-1']) {
    const { livre } = await lookUp(code);
    expect(livre.isbn).toBe('9782948012031');
    expect(livre.candidats).toMatchObject([{ titre: 'Indiana', isbn: '9782948012031' }]);
  }
  const two = await lookUp('9782948012024');
  expect(two.livre.candidats.map(({ editeur, annee }) => [editeur, annee])).toEqual([
    ['Les Presses du phare', 2012],
    ['Club du livre du soir', 2021],
  ]);
  // Of the two records, one lacks the requested ISBN.
  const other = await lookUp('9782948012161');
  expect(other.livre.candidats.map(({ titre }) => titre)).toEqual(["Han d'Islande"]);
});

test('Open Library gives a book’s subtitle and its authors', async () => {
  const { lookUp } = await openLookups();
  const candidatsOf = async (code: string) => (await lookUp(code)).livre.candidats;
  expect(await candidatsOf('9782948012178')).toMatchObject([
    {
      source: 'openlibrary',
      titre: 'The Lighthouse Ledger : a novel',
      auteurs: ['Maud Ferrier', 'Anders Holm'],
      editeur: 'Harbour Row',
      annee: 2008,
      nombrePages: 352,
    },
  ]);
  expect(await candidatsOf('9782948012185')).toMatchObject([
    { titre: 'Slow tides', auteurs: ['Anders Holm'], nombrePages: 80, annee: 2009 },
  ]);
  // A book without an author, and an unknown one.
  expect(await candidatsOf('9782948012192')).toMatchObject([
    { titre: 'Un herbier de poche', auteurs: [] },
  ]);
  const { livre: notFound } = await lookUp('9780306406157');
  expect(notFound).toMatchObject({ candidats: [], sources: OK });
});

test('with five candidates from one source no other is asked', async () => {
  const upstream = await testUpstream();
  const records = RECORDS.slice(0, 7).map((record) =>
    recordXml({ ...record, numeros: ['ISBN 9782948012048'] }),
  );
  upstream.behave('/api/SRU', (_, response) => void response.end(envelope(records)));
  const house = await houseWithSources(upstream);
  const { body } = await house.ask(null, 'GET', '/api/recherche-isbn/9782948012048');
  expect((body as RechercheLivre).candidats).toHaveLength(5);
  expect((body as RechercheLivre).sources).toEqual([{ nom: 'bnf', etat: 'ok' }]);
  expect(upstream.requests).toHaveLength(1);
});

test('an edition of other numbers or deleted is no candidate', async () => {
  const upstream = await testUpstream();
  const house = await houseWithSources(upstream);
  for (const payload of [
    { ...EDITIONS[0]?.content, isbn_13: ['9780306406157'] },
    { key: '/books/OL1M', type: { key: '/type/delete' } },
    { key: '/books/OL1M', type: { key: '/type/edition' } },
  ]) {
    upstream.behave('/isbn/', (_, response) => void response.end(JSON.stringify(payload)));
    const { body } = await house.ask(null, 'GET', '/api/recherche-isbn/9782948012178');
    expect(body).toMatchObject({ candidats: [], sources: OK });
  }
});

test('an invalid ISBN is refused, and no source is asked', async () => {
  const { lookUp, requests } = await openLookups();
  for (const code of ['9782948012018', '12345', 'abc', '9790000000000', '2948012032', '%00'])
    expect(await lookUp(code), code).toMatchObject({
      status: 400,
      body: { code: 'ISBN_INVALIDE' },
    });
  expect(requests).toEqual([]);
});
