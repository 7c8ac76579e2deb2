import { expect, test } from 'vitest';
import type { RechercheTitre } from '#shared/recherche';
import { NOTICES } from '../../demo/upstream/notices.ts';
import { enveloppe, xmlNotice } from '../../demo/upstream/sru.ts';
import { amontDeTest, maisonReliee, silence } from '../support/upstream.ts';

const maisonEt = async () => {
  const amont = await amontDeTest();
  const maison = await maisonReliee(amont);
  const chercher = async (query: Record<string, string>) => {
    const adresse = `/api/recherche-titre?${new URLSearchParams(query).toString()}`;
    const reponse = await maison.ask(null, 'GET', adresse);
    return { ...reponse, recherche: reponse.body as RechercheTitre };
  };
  return { amont, chercher };
};

test('books by title, from the BnF alone where it has some', async () => {
  const { amont, chercher } = await maisonEt();
  const { recherche } = await chercher({ titre: 'château carpathes' });
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
  const question = decodeURIComponent(amont.demandes[0] ?? '');
  expect(question).toContain('bib.doctype any "a" and bib.recordtype any "mon"');
});

test('the author narrows', async () => {
  const { chercher } = await maisonEt();
  const { recherche } = await chercher({ titre: 'mer', auteur: 'Hugo' });
  expect(recherche.candidats.map(({ titre }) => titre)).toEqual(['Les travailleurs de la mer']);
});

test('Open Library is asked where the BnF has none', async () => {
  const { chercher } = await maisonEt();
  const { recherche } = await chercher({ titre: 'lighthouse', auteur: 'ferrier' });
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

test('and where the BnF is silent; both silent is an answer too', async () => {
  const { amont, chercher } = await maisonEt();
  amont.conduire('/api/SRU', silence('a diagnostic'));
  const un = await chercher({ titre: 'slow tides' });
  expect(un.recherche).toMatchObject({
    candidats: [{ titre: 'Slow tides' }],
    sources: [
      { nom: 'bnf', etat: 'injoignable' },
      { nom: 'openlibrary', etat: 'ok' },
    ],
  });
  amont.conduire('/search.json', silence('answers 503'));
  const deux = await chercher({ titre: 'slow tides' });
  expect(deux.status).toBe(200);
  expect(deux.recherche.sources.map(({ etat }) => etat)).toEqual(['injoignable', 'injoignable']);
});

test('ten at most, books only, a book without a number among them', async () => {
  const { amont, chercher } = await maisonEt();
  const livres = Array.from({ length: 14 }, (_, rang) =>
    xmlNotice({ ark: `cb8${rang}`, titre: `Un titre ${rang}`, numeros: [] }),
  );
  const autres = NOTICES.filter(({ type }) => type !== undefined).map(xmlNotice);
  amont.conduire('/api/SRU', (_, response) => void response.end(enveloppe([...autres, ...livres])));
  const { recherche } = await chercher({ titre: 'titre' });
  expect(recherche.candidats.map(({ titre }) => titre)).toEqual(
    Array.from({ length: 10 }, (_, rang) => `Un titre ${rang}`),
  );
  expect(recherche.candidats[0]).toMatchObject({ isbn: null, coverUrl: null });
});

test('a title is needed', async () => {
  const { amont, chercher } = await maisonEt();
  expect((await chercher({ titre: ' ' })).status).toBe(400);
  expect((await chercher({})).status).toBe(400);
  expect((await chercher({ titre: '"\\*' })).recherche.candidats).toEqual([]);
  expect(amont.demandes.filter((demande) => demande.startsWith('/api/SRU'))).toEqual([]);
});
