import { expect, test } from 'vitest';
import { noon } from './days.ts';
import { rowsOf } from './reading.ts';
import { babelio, goodreads, libraryThing } from './samples.ts';

/** Files of each program, with the expected rows. */
const CASES: Readonly<Record<string, readonly [file: string | Buffer, rows: readonly object[]]>> = {
  'series behind the titles of Goodreads': [
    goodreads(
      ...[
        'A (Suite, #1; Autre suite,  #4;Fin, #2)',
        'B (Suite #2.5)',
        'C (bis) (Suite, #1–3)',
        'D (bis)',
        'E (# 1)',
        'F (Suite, #2 ou 3; Autre, #7a)',
        'Peter Pan, Tome 3 : Tempête',
        '(Suite, #1)',
      ].map((Title) => ({ Title, Author: '' })),
    ),
    [
      {
        titre: 'A',
        series: [
          { titre: 'Suite', numero: '1' },
          { titre: 'Autre suite', numero: '4' },
          { titre: 'Fin', numero: '2' },
        ],
      },
      { titre: 'B', series: [{ titre: 'Suite', numero: '2.5' }] },
      { titre: 'C (bis)', series: [{ titre: 'Suite', numero: '1–3' }] },
      { titre: 'D (bis)' },
      { titre: 'E (# 1)' },
      { titre: 'F', series: [{ titre: 'Autre', numero: '7a' }] },
      { titre: 'Peter Pan, Tome 3 : Tempête', series: [{ titre: 'Peter Pan', numero: '3' }] },
      { titre: '(Suite, #1)', series: [{ titre: 'Suite', numero: '1' }] },
    ],
  ],
  'shelves of Goodreads': [
    goodreads(
      { Title: 'A', 'Exclusive Shelf': 'currently-reading', Bookshelves: 'wishlist' },
      { Title: 'B', 'Exclusive Shelf': 'read', Bookshelves: 'sf, wishlist' },
      { Title: 'C', 'Exclusive Shelf': 'to-read', Bookshelves: 'sf, wishlist' },
      { Title: 'D', 'Exclusive Shelf': 'dnf', Bookshelves: 'read' },
    ),
    [
      { titre: 'A', statut: 1 },
      { titre: 'B', statut: 2 },
      { titre: 'C', isSouhait: true },
      { titre: 'D', lectures: [{ abandon: true }] },
    ],
  ],
  'bindings of Goodreads': [
    goodreads(
      ...[
        'Kindle Edition',
        'ebook',
        'E-Book',
        'Nook',
        'EPUB',
        'pdf',
        'Numérique',
        'numerique',
        'Digital',
      ].map((Binding) => ({ Title: 'Oui', Binding })),
      ...['Paperback', 'Snook', 'pdfs', 'Digital audio', 'non digital', ''].map((Binding) => ({
        Title: 'Non',
        Binding,
      })),
    ),
    [
      ...Array.from({ length: 9 }, () => ({ titre: 'Oui', format: 'Numerique' })),
      ...Array.from({ length: 6 }, () => ({ titre: 'Non' })),
    ],
  ],
  'authors of LibraryThing': [
    libraryThing(
      {
        Title: 'A',
        'Primary Author': 'Nom, Un',
        'Secondary Author': 'Nom, Deux|Nom, Trois|Nom, Quatre|Nom, Cinq',
        'Secondary Author Roles': 'Illustrator|Translator|préface|',
      },
      { Title: 'B', 'Primary Author': 'A, B, C', 'Secondary Author': 'Nom,| , Un|Nom' },
    ),
    [
      { titre: 'A', auteurs: ['Un Nom', 'Deux Nom', 'Cinq Nom'] },
      { titre: 'B', auteurs: ['A, B, C', 'Nom,', ', Un', 'Nom'] },
    ],
  ],
  'books of LibraryThing': [
    libraryThing(
      { Title: 'A', Publication: 'Gallimard, Paris (1972), Broché', Date: '1972' },
      { Title: 'B', Publication: 'Seuil (1972)', 'Date Started': '2020-01-01' },
      { Title: 'C', Publication: 'Éditions (du) Lac', 'Date Started': '2020', 'Date Read': '2020' },
      { Title: 'D', Collections: 'Your library, Read but unowned' },
      { Title: 'E', Collections: 'Your library, To read', 'Date Read': '2020' },
    ),
    [
      { titre: 'A', editeur: 'Gallimard', annee: 1972 },
      { titre: 'B', editeur: 'Seuil', annee: 1972, statut: 1, lectures: [{ debut: '2020-01-01' }] },
      {
        titre: 'C',
        editeur: 'Éditions',
        statut: 2,
        lectures: [{ debut: '2020', fin: '2020' }],
      },
      {
        titre: 'D',
        statut: 2,
      },
      { titre: 'E', statut: 0, lectures: [{ fin: '2020' }] },
    ],
  ],
  'loans of LibraryThing': [
    libraryThing(
      ...[
        {},
        { 'Lending Status': 'out' },
        { 'Lending Status': 'Returned' },
        { 'Lending End': '2020' },
      ].map((loan) => ({
        Title: 'A',
        'Lending Patron': 'Zoé',
        'Lending Start': '2020-05-06',
        ...loan,
      })),
    ),
    [true, true, false, false].map((isLent) => ({
      titre: 'A',
      ...(isLent && { pret: { emprunteur: 'Zoé', datePret: noon('2020-05-06') } }),
    })),
  ],
  'days of return': [
    [
      'Titre;Prêté à;Prêté le;À rendre le',
      ...['2126-03-04', '04/03/2126', '2020-05-01', 'bientôt'].map(
        (day) => `A;Zoé;2020-05-06;${day}`,
      ),
    ].join('\n'),
    [
      { dateRetourPrevue: '2126-03-04' },
      { dateRetourPrevue: '2126-03-04' },
      { raison: 'jour de retour avant celui du prêt, laissé de côté : 2020-05-01' },
      { raison: 'jour de retour illisible, laissé de côté : bientôt' },
    ].map(({ dateRetourPrevue, raison }) => ({
      titre: 'A',
      ...(raison !== undefined && { avertissements: [raison] }),
      pret: {
        emprunteur: 'Zoé',
        datePret: noon('2020-05-06'),
        ...(dateRetourPrevue && { dateRetourPrevue }),
      },
    })),
  ],
  'who has lent a book to the house': [
    [
      'Titre;Emprunté à;Emprunté le;À rendre le',
      ...['04/03/2126', '2020-05-01', ''].map((day) => `A;Zoé;06/05/2020;${day}`),
    ].join('\n'),
    [
      { aRendre: '2126-03-04' },
      {
        aRendre: null,
        raison: 'jour de retour avant celui de l’emprunt, laissé de côté : 2020-05-01',
      },
      { aRendre: null },
    ].map(({ aRendre, raison }) => ({
      titre: 'A',
      ...(raison !== undefined && { avertissements: [raison] }),
      emprunteA: { nom: 'Zoé', depuis: '2020-05-06', aRendre },
    })),
  ],
  'names of Babelio': [
    babelio(
      ['', 'A', 'Camus Albert', '', '', '', 'Pense-bête', ''],
      ['', 'B', 'Poe Edgar Allan', '', '', '', 'Abandonné', ''],
      ['', 'C', 'Le Clézio', '', '', '', 'A lire', ''],
      ['', 'D', 'Homère', '', '', '', 'En cours', ''],
    ).bytes,
    [
      { titre: 'A', auteurs: ['Albert Camus'], isSouhait: true },
      {
        titre: 'B',
        auteurs: ['Poe Edgar Allan'],
        lectures: [{ abandon: true }],
      },
      { titre: 'C', auteurs: ['Le Clézio'], statut: 0 },
      { titre: 'D', auteurs: ['Homère'], statut: 1 },
    ],
  ],
};

test.each(Object.entries(CASES))('reads %s', async (_, [file, rows]) => {
  expect(await rowsOf(file)).toEqual(rows);
});
