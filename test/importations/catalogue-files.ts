import { latin1, table } from './samples.ts';

/** Files of Open Library, Babelio and LibraryThing, with the expected import and the first book. */
export const MORE_FILES: Readonly<
  Record<string, { file: string | Buffer; counts: object; livre?: object }>
> = {
  openlibrary: {
    file: table(
      ['Work ID', 'Title', 'Authors', 'First Publish Year', 'Edition ID', 'Bookshelf'],
      [
        {
          'Work ID': 'OL1W',
          Title: 'A',
          Authors: 'Un Nom',
          'First Publish Year': '1942',
          Bookshelf: 'Already Read',
        },
        { 'Work ID': 'OL2W', 'Edition ID': 'OL3M' },
      ],
    ),
    counts: {
      lignes: 2,
      nouveaux: 1,
      statuts: 1,
      perdus: ['First Publish Year 1'],
      refuses: ['3 seul le numéro d’Open Library est donné (OL2W) : ni titre ni ISBN'],
    },
    livre: { annee: null },
  },
  babelio: {
    file: latin1(
      '"ISBN";"Titre";"Auteur";"Critique";"Date d`entrée dans Babelio"\r\n' +
        '"2070360024";"A";"Nom Un";"Une &#x0308, critique";"2020-01-02 10:11:12"\r\n',
    ).bytes,
    counts: {
      lignes: 1,
      nouveaux: 1,
      statuts: 1,
      perdus: ['Date d`entrée dans Babelio 1'],
    },
    livre: { isbn: '9782070360024', auteurs: [{ nom: 'Un Nom' }] },
  },
  librarything: {
    file: JSON.stringify({
      11: {
        title: 'Le R&ecirc;ve &amp; cie',
        primaryauthor: 'Nom, Un',
        date: '?',
        authors: [
          { lf: 'Nom, Un', fl: 'Un Nom' },
          { lf: 'Mot, A', fl: 'A Mot', role: 'Translator' },
        ],
        isbn: { 0: '2070360024', 2: '9782070360024' },
        pages: '99 ',
        collections: ['Wishlist'],
      },
      12: {
        title: 'B',
        primaryauthor: 'Nom, Autre',
        authors: [[]],
        isbn: [],
        collections: ['Your library'],
      },
    }),
    counts: {
      lignes: 2,
      nouveaux: 1,
      souhaits: 1,
      perdus: ['Translator 1'],
      avertissements: ['1 un souhait n’a pas de détails, laissés de côté'],
    },
    livre: { titre: 'B', auteurs: [{ nom: 'Autre Nom' }] },
  },
};
