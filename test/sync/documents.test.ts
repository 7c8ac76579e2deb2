import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { collectionNames, collections } from '#shared/collections';
import type { Base } from '#server/database/base';
import { readPage, readSince } from '#server/sync/documents';
import { temporaryBase } from '../support/base.ts';

/** A row of every replicated table, every column filled. */
const FULL = [
  `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, isbn, format, typeDocument, nombrePages,
     coverUrl, editeur, annee, ajoutePar, dateAjout) VALUES ('L’Étranger : roman', 'l etranger roman', 'l etranger',
     '9782070360024', 'Physique', 'Roman', 191, 'https://exemple.fr/c.jpg', 'Gallimard', 1942,
     'ana', '2024-01-01T00:00:00.000Z')`,
  "INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES ('Albert « Bébert » \"Camus\"', 'albert bebert camus', 'albert bebert camus')",
  "INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES ('Ana Tiers', 'ana tiers', 'ana tiers')",
  'INSERT INTO LivreAuteur (livreId, auteurId, position) VALUES (1, 2, 0), (1, 1, 1)',
  "INSERT INTO Pret (livreId, emprunteur, datePret, dateRetour) VALUES (1, 'Zoé', '2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z')",
  "INSERT INTO Statut (livreId, utilisateur, statut) VALUES (1, 'ana', 1)",
  "INSERT INTO Serie (titre) VALUES ('Un « cycle »')",
  "INSERT INTO Serie (titre, parentId, position) VALUES ('Dedans', 1, 0)",
  `INSERT INTO Place (serieId, position, titre, numero, livreId, auteur, isbn)
   VALUES (1, 1, 'L’Étranger', '1 bis', 1, 'Albert Camus', '9782070360024')`,
  "INSERT INTO Revue (titre, issn) VALUES ('Rivages', '0988-2480')",
  `INSERT INTO Numero (revueId, numero, numeroNormalise, date, coverUrl, une, resume)
   VALUES (1, '12 bis', '12 bis', '2024-01', 'https://exemple.fr/c.jpg', 'La mer', 'Un résumé')`,
  "INSERT INTO Theme (nom, nomNormalise) VALUES ('Mer', 'mer')",
  'INSERT INTO NumeroTheme (numeroId, themeId, position) VALUES (1, 1, 0)',
  "INSERT INTO Article (numeroId, position, titre) VALUES (1, 0, 'Le « phare »')",
  `INSERT INTO Souhait (utilisateur, titre, cleOeuvre, auteur, auteurNormalise, isbn, coverUrl, rang, dateAjout)
   VALUES ('ana', 'Sido', 'sido', 'Colette', 'colette', '9782070360024', 'https://exemple.fr/c.jpg', 1,
     '2024-01-01T00:00:00.000Z')`,
  `INSERT INTO RevueSouhaitee (utilisateur, titre, cleOeuvre, numero, numeroNormalise, issn, rang, dateAjout)
   VALUES ('ana', 'Rivages', 'rivages', '12 bis', '12 bis', '0988-2480', 1, '2024-01-01T00:00:00.000Z')`,
];

/** The same, with as little as each table allows. */
const BARE = [
  `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
   VALUES ('?', '', '', 'Numerique', '2024-01-01T00:00:00.000Z')`,
  "INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES ('?', '', '?')",
  "INSERT INTO Pret (livreId, emprunteur, datePret, dateRetour) VALUES (1, 'Zoé', '2024-01-01T00:00:00.000Z', NULL)",
  "INSERT INTO Statut (livreId, utilisateur, statut) VALUES (1, 'ana', 0)",
  "INSERT INTO Serie (titre) VALUES ('?')",
  "INSERT INTO Revue (titre) VALUES ('?')",
  "INSERT INTO Numero (revueId, numero, numeroNormalise) VALUES (1, '?', '?')",
  `INSERT INTO Souhait (utilisateur, titre, cleOeuvre, rang, dateAjout)
   VALUES ('ana', '?', '?', 1, '2024-01-01T00:00:00.000Z')`,
  `INSERT INTO RevueSouhaitee (utilisateur, titre, cleOeuvre, rang, dateAjout)
   VALUES ('ana', '?', '?', 1, '2024-01-01T00:00:00.000Z')`,
];

function baseOf(statements: readonly string[]): Base {
  const base = temporaryBase();
  base.write(() => statements.forEach((sql) => base.prepare(sql).run()));
  return base;
}

const ownerOf = (name: (typeof collectionNames)[number]) =>
  collections[name].personal ? 'ana' : '';

test.each([
  ['full', FULL],
  ['bare', BARE],
])('a %s row of every table is the document that its schema says, and nothing more', (_, rows) => {
  const base = baseOf(rows);
  for (const name of collectionNames) {
    const [entry] = readPage(base, name, ownerOf(name), 0, 10);
    const document = entry?.document ?? {};
    const { document: schema } = collections[name];
    const validate = new Ajv().compile({ ...schema, additionalProperties: false });
    validate(document);
    expect(validate.errors, name).toBeNull();
    expect(Object.keys(document).sort(), name).toEqual(Object.keys(schema.properties).sort());
  }
});

test('a book has its authors in the order of its cover, and its ISBN both ways', () => {
  const [entry] = readPage(baseOf(FULL), 'livres', '', 0, 1);
  expect(entry?.document).toMatchObject({
    auteurs: [
      { id: 2, nom: 'Ana Tiers' },
      { id: 1, nom: 'Albert « Bébert » "Camus"' },
    ],
    isbn: '9782070360024',
    isbnAffiche: '978-2-07-036002-4',
  });
});

test('a page is one owner’s, after a revision, in order and of a length', () => {
  const base = baseOf(FULL);
  const auteurs = (depuis: number, limite: number) =>
    readPage(base, 'auteurs', '', depuis, limite).map(({ document }) => document.id);
  const [first] = readPage(base, 'auteurs', '', 0, 1);
  expect(auteurs(0, 10)).toEqual([1, 2]);
  expect(auteurs(0, 1)).toEqual([1]);
  expect(auteurs(first?.revision ?? 0, 10)).toEqual([2]);
  expect(readPage(base, 'statuts', 'bob', 0, 10)).toEqual([]);
  expect(readPage(base, 'statuts', '', 0, 10)).toEqual([]);
});

test('what is deleted is its number and nothing more', () => {
  const base = baseOf([...FULL, 'DELETE FROM Livre']);
  const tombstone = { id: 1, _deleted: true };
  expect(readPage(base, 'livres', '', 0, 1)[0]?.document).toEqual(tombstone);
  expect(readPage(base, 'prets', '', 0, 1)[0]?.document).toEqual(tombstone);
  expect(readPage(base, 'statuts', 'ana', 0, 1)[0]?.document).toEqual(tombstone);
  expect(readPage(base, 'statuts', 'bob', 0, 1)).toEqual([]);
});

test('the server’s own memory reads everyone’s, with their names', () => {
  const base = baseOf([
    ...FULL,
    "INSERT INTO Statut (livreId, utilisateur, statut) VALUES (1, 'bob', 2)",
  ]);
  const statuts = [...readSince(base, 'statuts', 0)];
  expect(statuts.map(({ utilisateur, document }) => [utilisateur, document])).toEqual([
    ['ana', { id: 1, livreId: 1, statut: 1 }],
    ['bob', { id: 1, livreId: 1, statut: 2 }],
  ]);
  expect([...readSince(base, 'statuts', base.revision())]).toEqual([]);
});
