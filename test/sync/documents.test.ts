import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectionNames } from '#shared/collection-names';
import { collections } from '#shared/collections';
import { validatorOf } from '#server/plumbing/common/schemas';
import type { Database } from '#server/plumbing/database/database';
import { InMemory, type OwnedChange } from '#server/plumbing/records/in-memory';
import { anyCharacter } from '../support/any-character.ts';
import { unsaidFields } from '../support/entries.ts';
import { cases } from '../support/random.ts';
import { recordsOf } from '../support/records.ts';
import { databaseOf, FULL } from '../support/rows.ts';

/** A row of every replicated table, with as few values as the table allows. */
const BARE = [
  "INSERT INTO Emplacement (nom, nomNormalise) VALUES ('?', '?')",
  `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
   VALUES ('?', '', '', 'Numerique', '2024-01-01T00:00:00.000Z')`,
  "INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES ('?', '', '?')",
  "INSERT INTO Pret (livreId, emprunteur, datePret, dateRetour) VALUES (1, 'Zoé', '2024-01-01T00:00:00.000Z', NULL)",
  "INSERT INTO Statut (livreId, utilisateur, statut) VALUES (1, 'ana', 0)",
  "INSERT INTO Serie (titre) VALUES ('?')",
  "INSERT INTO Revue (titre) VALUES ('?')",
  "INSERT INTO Numero (revueId, numero, numeroNormalise) VALUES (1, '?', '?')",
  "INSERT INTO Lecture (utilisateur, titre) VALUES ('ana', '?')",
  `INSERT INTO Souhait (utilisateur, titre, cleOeuvre, rang, dateAjout)
   VALUES ('ana', '?', '?', 1, '2024-01-01T00:00:00.000Z')`,
  `INSERT INTO RevueSouhaitee (utilisateur, titre, cleOeuvre, rang, dateAjout)
   VALUES ('ana', '?', '?', 1, '2024-01-01T00:00:00.000Z')`,
  "INSERT INTO Objectif (utilisateur, annee, unite, nombre) VALUES ('ana', '2024', 'livres', 1)",
  "INSERT INTO Partage (utilisateur, lectures, souhaits) VALUES ('ana', 0, 1)",
  `INSERT INTO Selection (utilisateur, nom, nomNormalise, criteres)
   VALUES ('ana', '?', '?', '{"theme":"?"}')`,
  `INSERT INTO Modification (date, proprietaire, operation, arguments, fiches)
   VALUES ('2024-01-01T00:00:00.000Z', 'ana', '?', '{"fait":"?"}', '[]')`,
];

const ownerOf = (name: (typeof collectionNames)[number]) =>
  collections[name].personal ? 'ana' : '';

test.each([
  ['full', FULL],
  ['bare', BARE],
])('a %s row of every table fits its schema exactly', (_, rows) => {
  const database = databaseOf(rows);
  for (const name of collectionNames) {
    const document = recordsOf(database).documents(name, ownerOf(name), [1]).get(1) ?? {};
    const { document: schema } = collections[name];
    const validate = validatorOf({ ...schema, additionalProperties: false });
    validate(document);
    expect(validate.errors, name).toBeNull();
    expect(Object.keys(document).sort(), name).toEqual(Object.keys(schema.properties).sort());
  }
});

test('a full row of every table says something in every field', () => {
  const records = recordsOf(databaseOf(FULL));
  const unsaid = collectionNames.flatMap((name) =>
    unsaidFields(
      collections[name].document,
      ['', 'ana'].flatMap((owner) => [...records.documents(name, owner, [1, 2]).values()]),
      name,
    ),
  );
  // Pictures depend on files, and undo on the undo log.
  const others = unsaid.filter((path) => !/couverture$|^modifications/.test(path));
  expect(others).toEqual([]);
});

/** Compares the text and the document of every collection's first record. */
function expectTextsToBeDocuments(database: Database) {
  const records = recordsOf(database);
  for (const name of collectionNames) {
    const utilisateur = ownerOf(name);
    const line = { revision: 1, collection: name, id: 1, utilisateur, supprime: false };
    const document = records.documents(name, utilisateur, [1]).get(1);
    expect(document, name).toBeDefined();
    expect(records.textsOf(name, [line]).get(line), name).toBe(JSON.stringify(document));
  }
}

test.each([
  ['full', FULL],
  ['bare', BARE],
])('the texts of %s rows are their documents', (_, rows) => {
  expectTextsToBeDocuments(databaseOf(rows));
});

test('texts with any characters equal those of their documents', () => {
  const database = databaseOf(FULL);
  const columns = database.all<{ table: string; column: string }>(
    `SELECT s.name AS "table", c.name AS "column" FROM sqlite_schema s, pragma_table_info(s.name) c
       WHERE s.type = 'table' AND s.sql NOT LIKE '%WITHOUT ROWID%' AND c.type = 'TEXT'
         AND c.name NOT IN ('utilisateur', 'proprietaire', 'auteurs', 'fiches')
         AND c.name NOT IN (SELECT "from" FROM pragma_foreign_key_list(s.name))`,
  );
  const text = fc.string({ unit: anyCharacter });
  fc.assert(
    fc.property(fc.constantFrom(...columns), text, ({ table, column }, value) => {
      database.write((tx) =>
        tx.run(`UPDATE OR IGNORE "${table}" SET "${column}" = ? WHERE rowid = 1`, value),
      );
      expectTextsToBeDocuments(database);
    }),
    cases(),
  );
});

test('a book’s document has its authors in order', () => {
  expect(recordsOf(databaseOf(FULL)).documents('livres', '', [1]).get(1)).toMatchObject({
    auteurs: [
      { id: 2, nom: 'Ana Tiers' },
      { id: 1, nom: 'Albert « Bébert » "Camus"' },
    ],
  });
});

test('a book’s document has its ISBN both ways', () => {
  expect(recordsOf(databaseOf(FULL)).documents('livres', '', [1]).get(1)).toMatchObject({
    isbn: '9782070360024',
    isbnAffiche: '978-2-07-036002-4',
  });
});

test('documents are found by their ids', () => {
  expect(
    [...recordsOf(databaseOf(FULL)).documents('auteurs', '', [2, 99, 1]).keys()].sort(),
  ).toEqual([1, 2]);
});

test('a deleted record has no document', () => {
  const database = databaseOf(FULL);
  database.write((tx) => tx.prepare('DELETE FROM Livre').run());
  expect(recordsOf(database).documents('livres', '', [1]).get(1)).toBeUndefined();
});

test('a personal document is read for its owner only', () => {
  const database = databaseOf(FULL);
  for (const name of collectionNames)
    for (const other of [...(collections[name].personal ? [''] : ['ana']), 'bob'])
      expect(recordsOf(database).documents(name, other, [1]).get(1), name).toBeUndefined();
});

/** The memory used for statuses, as a list. */
function statutsOf(database: Database) {
  const taken: OwnedChange<'statuts'>[] = [];
  const memory = new InMemory(recordsOf(database), taken, {
    statuts: (changes) => taken.push(...changes),
  });
  return () => memory.read((held) => held.splice(0));
}

test('the server’s memory reads everyone’s changes with their owner', async () => {
  const database = databaseOf([
    ...FULL,
    "INSERT INTO Statut (livreId, utilisateur, statut) VALUES (1, 'bob', 2)",
  ]);
  const read = statutsOf(database);
  expect(await read()).toEqual([
    { id: 1, utilisateur: 'ana', document: { id: 1, livreId: 1, statut: 1 } },
    { id: 1, utilisateur: 'bob', document: { id: 1, livreId: 1, statut: 2 } },
  ]);
  expect(await read()).toEqual([]);
  database.write((tx) => tx.prepare("DELETE FROM Statut WHERE utilisateur = 'ana'").run());
  expect(await read()).toEqual([{ id: 1, utilisateur: 'ana', document: null }]);
});

test('a large collection is read completely and in order', async () => {
  const database = databaseOf([]);
  database.write((tx) => {
    const insert = tx.prepare<[{ nom: string }]>(
      'INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES (@nom, @nom, @nom)',
    );
    for (let n = 1; n <= 2500; n++) insert.run({ nom: `auteur ${String(n)}` });
  });
  const ids: number[] = [];
  const memory = new InMemory(recordsOf(database), ids, {
    auteurs: (changes) => ids.push(...changes.map(({ id }) => id)),
  });
  await memory.read((held) =>
    expect(held).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1)),
  );
});
