import { expect, test } from 'vitest';
import type { RechercheTitre } from '#shared/recherche';
import { RECORDS } from '../../demo/upstream/records.ts';
import { envelope, recordXml } from '../../demo/upstream/sru.ts';
import { testUpstream, houseWithSources, silence } from '../support/upstream.ts';

const openLookups = async (language = 'fr') => {
  const upstream = await testUpstream();
  const house = await houseWithSources(upstream, 60_000, { LANGUAGE: language });
  const lookUp = async (query: Record<string, string>) => {
    const address = `/api/recherche-titre?${new URLSearchParams(query).toString()}`;
    const answer = await house.ask(null, 'GET', address);
    return { ...answer, recherche: answer.body as RechercheTitre };
  };
  return { upstream, lookUp };
};

test('a title that the BnF has is asked nowhere else', async () => {
  const { upstream, lookUp } = await openLookups();
  const { recherche } = await lookUp({ titre: 'château carpathes' });
  expect(recherche.candidats.map(({ titre, annee }) => [titre, annee])).toEqual([
    ['Le château des Carpathes', 2012],
    ['Le château des Carpathes', 2021],
  ]);
  expect(recherche.candidats[0]).toMatchObject({
    source: 'bnf',
    isbn: '9782948012024',
    coverUrl: 'https://couvertures.example/b/isbn/9782948012024-L.jpg?default=false',
  });
  expect(recherche.sources).toEqual([{ nom: 'bnf', etat: 'ok' }]);
  const question = decodeURIComponent(upstream.requests[0] ?? '');
  expect(question).toContain('bib.doctype any "a" and bib.recordtype any "mon"');
  // The author narrows the results.
  const { candidats } = (await lookUp({ titre: 'mer', auteur: 'Hugo' })).recherche;
  expect(candidats.map(({ titre }) => titre)).toEqual(['Les travailleurs de la mer']);
});

test('a household in English asks Open Library first, and the BnF if that finds nothing', async () => {
  const { lookUp } = await openLookups('en');
  const { recherche } = await lookUp({ titre: 'lighthouse', auteur: 'ferrier' });
  expect(recherche.sources).toEqual([{ nom: 'openlibrary', etat: 'ok' }]);
  const other = await lookUp({ titre: 'château carpathes' });
  expect(other.recherche.candidats[0]).toMatchObject({ source: 'bnf' });
});

test('Open Library is asked where the BnF finds nothing', async () => {
  const { lookUp } = await openLookups();
  const { recherche } = await lookUp({ titre: 'lighthouse', auteur: 'ferrier' });
  expect(recherche).toEqual({
    candidats: [
      {
        source: 'openlibrary',
        titre: 'The Lighthouse Ledger : a novel',
        auteurs: ['Maud Ferrier', 'Anders Holm'],
        editeur: null,
        annee: 2008,
        nombrePages: null,
        isbn: '9782948012178',
        coverUrl: 'https://couvertures.example/b/isbn/9782948012178-L.jpg?default=false',
      },
    ],
    sources: [
      { nom: 'bnf', etat: 'ok' },
      { nom: 'openlibrary', etat: 'ok' },
    ],
  });
});

test('Open Library is asked where the BnF is silent', async () => {
  const { upstream, lookUp } = await openLookups();
  upstream.behave('/api/SRU', silence('a diagnostic'));
  const first = await lookUp({ titre: 'slow tides' });
  expect(first.recherche).toMatchObject({
    candidats: [{ titre: 'Slow tides' }],
    sources: [
      { nom: 'bnf', etat: 'injoignable' },
      { nom: 'openlibrary', etat: 'ok' },
    ],
  });
});

test('the response says if both sources are silent', async () => {
  const { upstream, lookUp } = await openLookups();
  upstream.behave('/api/SRU', silence('a diagnostic'));
  upstream.behave('/search.json', silence('answers 503'));
  const { status, recherche } = await lookUp({ titre: 'slow tides' });
  expect(status).toBe(200);
  expect(recherche.sources.map(({ etat }) => etat)).toEqual(['injoignable', 'injoignable']);
});

test('a title finds ten books at most, also unnumbered ones', async () => {
  const { upstream, lookUp } = await openLookups();
  const livres = Array.from({ length: 14 }, (_, index) =>
    recordXml({ ark: `cb8${index}`, titre: `Un titre ${index}`, numeros: [] }),
  );
  const others = RECORDS.filter(({ type }) => type !== undefined).map(recordXml);
  upstream.behave('/api/SRU', (_, response) => void response.end(envelope([...others, ...livres])));
  const { recherche } = await lookUp({ titre: 'titre' });
  expect(recherche.candidats.map(({ titre }) => titre)).toEqual(
    Array.from({ length: 10 }, (_, index) => `Un titre ${index}`),
  );
  expect(recherche.candidats[0]).toMatchObject({ isbn: null, coverUrl: null });
});

test('the best match of title and author comes first', async () => {
  const { upstream, lookUp } = await openLookups();
  const found: [string, string][] = [
    ['Le tour de Nana', 'Ana Tiers'],
    ['Nana et les autres', 'Ana Tiers'],
    ['Nana : roman', 'Ana Tiers'],
    ['Nana', 'Ana Tiers'],
    ['Nana : édition critique', 'Zola, Émile'],
  ];
  const records = found.map(([titre, nom], index) =>
    recordXml({ ark: `cb9${index}`, titre, creators: [`${nom}. Auteur du texte`], numeros: [] }),
  );
  upstream.behave('/api/SRU', (_, response) => void response.end(envelope(records)));
  const titres = async (query: Record<string, string>) =>
    (await lookUp({ titre: 'nana', ...query })).recherche.candidats.map(({ titre }) => titre);
  const byTitre = ['Nana', 'Nana : roman', 'Nana : édition critique', 'Nana et les autres'];
  expect(await titres({})).toEqual([...byTitre, 'Le tour de Nana']);
  expect((await titres({ auteur: 'Émile Zola' }))[0]).toBe('Nana : édition critique');
});

test('a title is needed', async () => {
  const { upstream, lookUp } = await openLookups();
  expect((await lookUp({ titre: ' ' })).status).toBe(400);
  expect((await lookUp({})).status).toBe(400);
  expect((await lookUp({ titre: '"\\*' })).recherche.candidats).toEqual([]);
  expect(upstream.requests.filter((request) => request.startsWith('/api/SRU'))).toEqual([]);
});
