import { expect, test } from 'vitest';
import { rowsOf } from './reading.ts';
import { table } from './samples.ts';

type Cells = Readonly<Record<string, string>>;

/** A table with these headers, then those of the rows. */
const tableOf = (headers: readonly string[], ...rows: readonly Cells[]): string =>
  table([...new Set([...headers, ...rows.flatMap((row) => Object.keys(row))])], rows);

const INVENTAIRE = ['Item URL', 'Edition ISBN-13', 'Edition title'];
const NEVER_TOO_MANY = ['title', 'author_details', 'series_details', '_id'];
const LIBIB = ['item_type', 'title', 'ean_isbn13'];
const CALIBRE = ['title', 'authors', 'title_sort'];
const BOOK_BUDDY = ['Title', 'Author', 'Loaned To', 'Date Loaned'];
const BOOK_WYRM = ['title', 'author_text', 'remote_id'];
const STORY_GRAPH = ['Title', 'ISBN/UID', 'Read Status'];
const OPEN_LIBRARY = ['Work ID', 'Edition ID', 'Bookshelf'];

/** Files of each program, with the expected rows. */
const CASES: Readonly<Record<string, readonly [file: string | Buffer, rows: readonly object[]]>> = {
  'other things than books of Libib': [
    tableOf(
      LIBIB,
      { title: 'A', item_type: 'Book', first_name: 'Un', last_name: 'Nom', collection: 'Wishlist' },
      { title: 'B', creators: 'Un Nom, Deux Nom', first_name: 'Un', last_name: 'Autre' },
      { title: 'C', item_type: 'livre' },
      { title: 'D', item_type: 'game' },
    ),
    [
      { titre: 'A', auteurs: ['Un Nom'], isSouhait: true },
      { titre: 'B', auteurs: ['Un Nom', 'Deux Nom'] },
      { titre: 'C' },
      { titre: '', refus: 'ce n’est pas un livre (game)' },
    ],
  ],
  'ISBNs, years and files of Calibre': [
    tableOf(
      CALIBRE,
      {
        title: 'A',
        authors: 'Un Nom & Deux Nom, Trois Nom',
        isbn: '2070360024',
        identifiers: 'google:x',
        pubdate: '1999-02-03T00:00:00+00:00',
      },
      {
        title: 'B',
        isbn: '207036002',
        identifiers: 'google:isbn:9, isbn:2070360024',
        formats: 'epub',
        pubdate: '0101-01-01',
      },
      { title: 'C', series: 'Suite', series_index: '2.50', pubdate: '2010-01-01' },
      { title: 'D', series: 'Suite', series_index: '3.0', '#pages': '12' },
      { title: 'E', series: 'Suite', series_index: '1.05', formats: ' ' },
    ),
    [
      {
        titre: 'A',
        auteurs: ['Un Nom', 'Deux Nom', 'Trois Nom'],
        isbn: '9782070360024',
        annee: 1999,
      },
      { titre: 'B', isbn: '9782070360024', format: 'Numerique' },
      { titre: 'C', annee: 2010, series: [{ titre: 'Suite', numero: '2.50' }] },
      { titre: 'D', series: [{ titre: 'Suite', numero: '3' }] },
      { titre: 'E', series: [{ titre: 'Suite', numero: '1.05' }] },
    ],
  ],
  'lists of Inventaire': [
    tableOf(INVENTAIRE, {
      'Works labels': 'A',
      'Edition ISBN-10': '2070360024',
      'Authors labels': 'Un Nom, Deux Nom',
      'Series labels': 'Suite, Autre',
      'Works Series ordinals': '[1]',
    }),
    [
      {
        titre: 'A',
        isbn: '9782070360024',
        auteurs: ['Un Nom', 'Deux Nom'],
        series: [
          { titre: 'Suite', numero: '1' },
          { titre: 'Autre', numero: null },
        ],
      },
    ],
  ],
  'dates of BookWyrm': [
    tableOf(
      BOOK_WYRM,
      { title: 'A', start_date: '2020-01-01' },
      { title: 'B', start_date: '2020-01-01', finish_date: '2020-01-02' },
      { title: 'C', finish_date: '2020-01-02', shelf: 'x', shelf_name: 'To Read' },
    ),
    [
      { titre: 'A', statut: 1, lectures: [{ debut: '2020-01-01' }] },
      { titre: 'B', statut: 2, lectures: [{ debut: '2020-01-01', fin: '2020-01-02' }] },
      { titre: 'C', statut: 0, lectures: [{ fin: '2020-01-02' }] },
    ],
  ],
  'details of NeverTooManyBooks': [
    tableOf(
      NEVER_TOO_MANY,
      {
        title: 'A',
        author_details: 'Nom, Un * 2|Nom, Deux',
        series_details: 'Suite (4)|Autre ()|Encore (bis) (2)|Fin(3)|Fin (4) x',
        bookshelf: 'Salon, Wishlist',
        publisher_details: 'Seuil * x|Autre',
        read: '1',
      },
      { title: 'B', series_details: 'Sans|(7)', read: '0', read_start: '2020-01-01' },
      { title: 'C', read_start: '2020', read_end: '2020', bookshelf: 'To read' },
      { title: 'D', read: '1', bookshelf: 'To read' },
      { title: 'E', bookshelf: 'To read' },
    ),
    [
      {
        titre: 'A',
        auteurs: ['Un Nom', 'Deux Nom'],
        editeur: 'Seuil',
        isSouhait: true,
        series: [
          { titre: 'Suite', numero: '4' },
          { titre: 'Autre', numero: null },
          { titre: 'Encore (bis)', numero: '2' },
          { titre: 'Fin', numero: '3' },
          { titre: 'Fin (4) x', numero: null },
        ],
      },
      {
        titre: 'B',
        statut: 1,
        lectures: [{ debut: '2020-01-01' }],
        series: [
          { titre: 'Sans', numero: null },
          { titre: '(7)', numero: null },
        ],
      },
      { titre: 'C', statut: 2, lectures: [{ debut: '2020', fin: '2020' }] },
      { titre: 'D', statut: 2 },
      { titre: 'E', statut: 0 },
    ],
  ],
  'works of Open Library': [
    tableOf(
      OPEN_LIBRARY,
      { 'Work ID': 'OL1W' },
      { 'Work ID': 'OL2W', Title: 'A', Bookshelf: 'Want to Read' },
      { 'Work ID': 'OL3W', ISBN: '2070360024' },
    ),
    [
      { titre: '', refus: 'seul le numéro d’Open Library est donné (OL1W) : ni titre ni ISBN' },
      { titre: 'A', statut: 0 },
      { titre: '', isbn: '9782070360024', refus: 'en attente d’une réponse des catalogues' },
    ],
  ],
  'books of BookBuddy': [
    tableOf(
      BOOK_BUDDY,
      {
        Title: 'A',
        Subtitle: 'Suite et fin',
        Author: 'Nom, Un ; Nom, Deux; Nom, Trois & Nom, Quatre',
        'Previously Owned': '1',
      },
      { Title: 'B', Author: 'Un Nom & Deux Nom', 'Wish List': 'x', 'Date Published': '1999' },
      { Title: 'C', Author: 'Un Nom, Deux Nom', 'Wish List': '0', Status: 'Reading' },
      { Subtitle: 'D', 'Loaned To': 'Zoé', 'Physical Location': 'Salon > Haut' },
    ),
    [
      {
        titre: 'A : Suite et fin',
        auteurs: ['Un Nom', 'Deux Nom', 'Trois Nom', 'Quatre Nom'],
        refus: 'noté comme sorti de la bibliothèque',
      },
      { titre: 'B', auteurs: ['Un Nom', 'Deux Nom'], isSouhait: true, annee: 1999 },
      { titre: 'C', auteurs: ['Un Nom', 'Deux Nom'], statut: 1 },
      { titre: 'D', emplacement: ['Salon', 'Haut'], pret: { emprunteur: 'Zoé', datePret: null } },
    ],
  ],
  'states of reading of StoryGraph': [
    tableOf(
      STORY_GRAPH,
      ...['read', 'currently-reading', 'to-read', 'did-not-finish'].map((status) => ({
        Title: 'A',
        Authors: 'Un Nom, Deux Nom',
        'ISBN/UID': '2070360024',
        'Read Status': status,
      })),
    ),
    [{ statut: 2 }, { statut: 1 }, { statut: 0 }, { lectures: [{ abandon: true }] }].map(
      (said) => ({
        titre: 'A',
        auteurs: ['Un Nom', 'Deux Nom'],
        isbn: '9782070360024',
        ...said,
      }),
    ),
  ],
  'the longer of two ISBNs that contradict each other': [
    tableOf(LIBIB, { title: 'A', ean_isbn13: '2-07-036002-4', upc_isbn10: '9782070424641' }),
    [
      {
        titre: 'A',
        isbn: '9782070424641',
        avertissements: [
          'deux ISBN se contredisent : 9782070424641 et 9782070360024 ; le premier compte',
        ],
      },
    ],
  ],
  'yes in many words': [
    tableOf(
      BOOK_BUDDY,
      // cspell:disable-next-line -- a word that other programs write
      ...['1', 'true', 'YES', 'oui', 'Vrai', ' x ', '0', 'non', '11', 'xx'].map((yes) => ({
        Title: 'A',
        'Wish List': yes,
      })),
    ),
    Array.from({ length: 10 }, (_, index) =>
      index < 6 ? { titre: 'A', isSouhait: true } : { titre: 'A' },
    ),
  ],
};

test.each(Object.entries(CASES))('reads %s', async (_, [file, rows]) => {
  expect(await rowsOf(file)).toEqual(rows);
});
