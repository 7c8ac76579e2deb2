import { describe, expect, it } from 'vitest';
import { Catalogue } from '#shared/catalogue';
import { globalSearch, type SearchedRecords } from '#shared/global-search';
import type { Lecture } from '#shared/lectures';
import { NumeroIndex } from '#shared/numero-index';
import { makeEmplacement } from '../support/emplacements.ts';
import { makeLivre } from '../support/livres.ts';
import { makeNumero } from '../support/revues.ts';
import { makePlace, makeSerie } from '../support/series.ts';

const makeLecture = (id: number, titre: string, fields: Partial<Lecture>): Lecture => ({
  id,
  livreId: null,
  titre,
  auteurs: [],
  isbn: null,
  debut: null,
  fin: null,
  abandon: false,
  note: null,
  avis: null,
  page: null,
  pourcent: null,
  pageJour: null,
  statut: 'Lue',
  ...fields,
});

const A_DAY = '2026-01-01T00:00:00.000Z';

function searched(): SearchedRecords {
  const catalogue = new Catalogue();
  catalogue.applyEmplacements([
    makeEmplacement(1, 'Grenier'),
    makeEmplacement(2, 'Carton', { parentId: 1, note: 'Tient chaud' }),
  ]);
  catalogue.applyLivres([
    makeLivre(1, 'Le Lotus bleu', { auteurs: [{ id: 1, nom: 'Hergé' }], editeur: 'Zulma' }),
    makeLivre(2, 'On a marché sur la Lune', { isbn: '9782070360024', editeur: 'Casterman' }),
    makeLivre(3, 'L’Étranger', { editeur: 'CASTERMAN' }),
    makeLivre(4, 'Collette', { editeur: 'Actes Zulma' }),
    makeLivre(5, 'Rivage', { emprunteA: { nom: 'Lise', depuis: '2026-01-02', aRendre: null } }),
  ]);
  const numeroIndex = new NumeroIndex();
  numeroIndex.applyRevues([
    { id: 1, titre: 'Le Monde des livres', issn: '0988-2480', secondIssn: null },
    { id: 2, titre: 'Cahiers', issn: '2917-0443', secondIssn: '2049-3630' },
  ]);
  numeroIndex.applyNumeros([makeNumero(1, '12', { articles: ['Hergé à Moulinsart'] })]);
  const souhait = {
    auteur: null,
    isbnAffiche: null,
    coverUrl: null,
    couverture: null,
    dateAjout: A_DAY,
  };
  return {
    catalogue,
    numeroIndex,
    series: [
      makeSerie(1, 'Tintin', [
        makePlace(1, 'Le Lotus bleu', { livreId: 1, numero: '5' }),
        makePlace(2, 'On a marché sur la Lune', { livreId: 2 }),
        makePlace(3, 'L’Affaire Tournesol', { numero: '18', isbn: '9782070408504' }),
      ]),
      makeSerie(2, 'Astérix', [makePlace(4, 'Le Combat des chefs', { numero: '7' })]),
      makeSerie(3, 'Ondes', [makePlace(5, 'Rivage', { numero: '3', livreId: 5 })]),
    ],
    prets: [
      {
        id: 1,
        livreId: 3,
        emprunteur: 'Sophie',
        datePret: A_DAY,
        dateRetour: null,
        dateRetourPrevue: null,
      },
      {
        id: 2,
        livreId: 1,
        emprunteur: 'Sophie',
        datePret: A_DAY,
        dateRetour: A_DAY,
        dateRetourPrevue: null,
      },
      {
        id: 3,
        livreId: 2,
        emprunteur: 'Sophie Lotus',
        datePret: '2025-01-01T00:00:00.000Z',
        dateRetour: null,
        dateRetourPrevue: null,
      },
      {
        id: 4,
        livreId: 1,
        emprunteur: 'Bleu',
        datePret: A_DAY,
        dateRetour: null,
        dateRetourPrevue: null,
      },
    ],
    souhaits: [
      { ...souhait, id: 1, titre: 'Le Combat des chefs', isbn: '9782070408504', rang: 1 },
      { ...souhait, id: 2, titre: 'Sido', auteur: 'Colette', isbn: null, rang: 2 },
    ],
    lectures: [
      makeLecture(1, 'L’Étranger', { livreId: 3, avis: 'Le soleil écrase tout' }),
      makeLecture(2, 'Nadja', { auteurs: ['André Breton'] }),
    ],
    souhaitsRevues: [
      { id: 1, titre: 'Rivages', numero: '3', issn: '0988-2480', rang: 1, dateAjout: A_DAY },
      { id: 2, titre: 'Loupe', numero: null, issn: null, rang: 2, dateAjout: A_DAY },
    ],
  };
}

/** The results of a query by section, without empty sections. */
function found(recherche: string) {
  const all = searched();
  const listed = new Set(all.catalogue.search({ recherche }, new Map()).map(({ id }) => id));
  const results = globalSearch(recherche, all, (id) => listed.has(id));
  const titres = (list: readonly { titre: string }[]) => list.map(({ titre }) => titre);
  const sections = {
    livres: titres(results.livres),
    near: results.near.map(({ livre, distance }) => `${livre.titre} ${distance}`),
    prets: titres(results.prets),
    editeurs: results.editeurs.map(({ nom, count }) => `${nom} ${count}`),
    souhaits: titres(results.souhaits),
    souhaitsRevues: titres(results.souhaitsRevues),
    lectures: titres(results.lectures),
    manquants: results.manquants.map((one) => `${one.serie.titre} ${one.place.numero}`),
    series: titres(results.series),
    emplacements: results.emplacements.map(({ nom }) => nom),
    revues: titres(results.revues),
    numeros: results.numeros.map(({ numero }) => numero),
  };
  return Object.fromEntries(Object.entries(sections).filter(([, list]) => list.length > 0));
}

describe('a global search', () => {
  it.each([
    [
      'tintin',
      {
        livres: ['Le Lotus bleu', 'On a marché sur la Lune'],
        manquants: ['Tintin 18'],
        series: ['Tintin'],
      },
    ],
    ['tintin lotus', { livres: ['Le Lotus bleu'] }],
    ['combat des chefs', { souhaits: ['Le Combat des chefs'], manquants: ['Astérix 7'] }],
    ['asterix 7', { manquants: ['Astérix 7'] }],
    ['ondes rivage', { livres: ['Rivage'], manquants: ['Ondes 3'] }],
    ['laffaire', { manquants: ['Tintin 18'] }],
    ['tintin herge', { livres: ['Le Lotus bleu'] }],
    // The older loan comes first.
    ['sophie', { prets: ['On a marché sur la Lune', 'L’Étranger'] }],
    ['casterman', { editeurs: ['Casterman 2'] }],
    ['zulma', { editeurs: ['Actes Zulma 1', 'Zulma 1'] }],
    // « Bleu » is found through its book, whose title is listed already.
    ['bleu', {}],
    ['colette', { souhaits: ['Sido'] }],
    ['rivages 3', { souhaitsRevues: ['Rivages'] }],
    ['monde', { revues: ['Le Monde des livres'], numeros: ['12'] }],
    ['moulinsart', { numeros: ['12'] }],
    ['soleil ecrase', { lectures: ['L’Étranger'] }],
    ['breton', { lectures: ['Nadja'] }],
    ['grenier chaud', { emplacements: ['Carton'] }],
    ['lotus', { prets: ['On a marché sur la Lune'] }],
    ['letranger', { near: ['L’Étranger 0'] }],
    ['lotuss', { near: ['Le Lotus bleu 1'] }],
    ['tintn', {}],
    ['mutant', {}],
    ['idocol', {}],
    ['?', {}],
    ['', {}],
  ])('« %s »', (recherche, expected) => {
    expect(found(recherche)).toEqual(expected);
  });

  it.each(['2-07-036002-4', '2070360024', '978-2-07-036002-4', ' 9782070360024 '])(
    'leaves the book of the ISBN %s to the list',
    (recherche) => {
      expect(found(recherche)).toEqual({});
    },
  );

  it('finds wishes and missing volumes by their ISBN', () => {
    expect(found('978-2-07-040850-4')).toEqual({
      souhaits: ['Le Combat des chefs'],
      manquants: ['Tintin 18'],
    });
  });

  it.each(['0988-2480', '09882480', '9770988248015', '977098824801542'])(
    'finds the periodical of the code %s',
    (recherche) => {
      expect(found(recherche)).toEqual({
        souhaitsRevues: ['Rivages'],
        revues: ['Le Monde des livres'],
      });
    },
  );
});
