import { expect, test } from 'vitest';
import type { Database } from '#server/plumbing/database/database';
import { refusingTwins } from '#server/plumbing/database/columns';
import { Refusal } from '#shared/refusals';
import { temporaryDatabase } from '../support/database.ts';

const LIVRE = `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
  VALUES ('Sido', 'sido', 'sido', 'Physique', '2024-01-01T00:00:00.000Z')`;
const PRET = `INSERT INTO Pret (livreId, emprunteur, datePret)
  VALUES (1, 'Paul', '2024-01-01T00:00:00.000Z')`;
const STATUT = "INSERT INTO Statut VALUES (1, 'camille', 0)";
const SOUHAIT = `INSERT INTO Souhait (utilisateur, titre, cleOeuvre, rang, dateAjout)
  VALUES ('camille', 'Sido', 'sido', 1, '2024-01-01T00:00:00.000Z')`;
const REVUE_SOUHAITEE = SOUHAIT.replace('Souhait', 'RevueSouhaitee');
const REVUE = "INSERT INTO Revue (titre, issn) VALUES ('Rivages', '0988-2480')";
const REVUE_EN_LIGNE = REVUE.replace('issn', 'secondIssn');
const NUMERO = "INSERT INTO Numero (revueId, numero, numeroNormalise) VALUES (1, '1', '1')";
const AUTEUR = "INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES ('A', 'a', 'a')";

/** The error of the last statement; all are rolled back. */
function failure(database: Database, ...statements: string[]): unknown {
  try {
    database.write((tx) => statements.forEach((sql) => tx.prepare(sql).run()));
  } catch (error) {
    return error;
  }
  throw new Error(`Nothing failed: ${String(statements.at(-1))}`);
}

const GUARDS: [table: string, columns: string[], ...statements: string[]][] = [
  ['Pret', ['livreId'], LIVRE, PRET, PRET],
  ['Statut', ['livreId', 'utilisateur'], LIVRE, STATUT, STATUT],
  ['Auteur', ['cleRegroupement'], AUTEUR, AUTEUR],
  ['Souhait', ['utilisateur', 'cleOeuvre', 'auteurNormalise'], SOUHAIT, SOUHAIT],
  [
    'RevueSouhaitee',
    ['utilisateur', 'cleOeuvre', 'numeroNormalise'],
    REVUE_SOUHAITEE,
    REVUE_SOUHAITEE,
  ],
  ['Revue', ['issn'], REVUE, REVUE],
  ['Revue', ['secondIssn'], REVUE_EN_LIGNE, REVUE_EN_LIGNE],
  ['Numero', ['revueId', 'numeroNormalise'], REVUE, NUMERO, NUMERO],
];

/** Whether an error is taken for a violation of these unique columns. */
function isTwin(error: unknown, table: string, columns: readonly string[]): boolean {
  const refusal = new Refusal('SOUHAIT_EXISTANT');
  const unique = columns.map((column) => `${table}.${column}`);
  const fail = () => {
    throw error;
  };
  try {
    return refusingTwins(unique, fail, () => refusal);
  } catch (thrown) {
    return thrown === refusal;
  }
}

test('distinguishes each unique index from the others', () => {
  const database = temporaryDatabase();
  const guards = GUARDS.map(([table, columns]) => [table, columns] as const);
  for (const [table, columns, ...sql] of GUARDS) {
    const error = failure(database, ...sql);
    expect(guards.filter(([each, ofEach]) => isTwin(error, each, ofEach))).toEqual([
      [table, columns],
    ]);
    expect(isTwin(new Error(String(error)), table, columns), table).toBe(false);
  }
});

test('the schema refuses values that no field may have', () => {
  const database = temporaryDatabase();
  for (const sql of [
    LIVRE.replace("'Physique'", "'Parchemin'"),
    LIVRE.replace("'Sido'", "''"),
    LIVRE.replace("'2024-01-01T00:00:00.000Z'", "'2024'"),
    LIVRE.replace('(titre,', '(nombrePages, titre,').replace("('Sido", "(0, 'Sido"),
    LIVRE.replace('(titre,', '(nombrePages, titre,').replace("('Sido", "('douze', 'Sido"),
    LIVRE.replace('(titre,', '(typeDocument, titre,').replace("('Sido", "('Essai', 'Sido"),
    LIVRE.replace('(titre,', '(isbn, titre,').replace("('Sido", "('2-07', 'Sido"),
    LIVRE.replace('(titre,', '(annee, titre,').replace("('Sido", "(4000, 'Sido"),
  ])
    expect(failure(database, sql), sql).toMatchObject({ code: 'SQLITE_CONSTRAINT_CHECK' });
  for (const statut of ['3', '-1', '1.5', "'lu'", 'NULL']) {
    const sql = `INSERT INTO Statut VALUES (1, 'camille', ${statut})`;
    expect(String(failure(database, LIVRE, sql)), sql).toMatch(/constraint failed/);
  }
});

test('the schema refuses to delete an author that books cite', () => {
  const cite = 'INSERT INTO LivreAuteur VALUES (1, 1, 0)';
  expect(failure(temporaryDatabase(), LIVRE, AUTEUR, cite, 'DELETE FROM Auteur')).toMatchObject({
    message: 'FOREIGN KEY constraint failed',
  });
});

test('the schema refuses a loan or status without its book', () => {
  const database = temporaryDatabase();
  expect(failure(database, PRET)).toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
  expect(failure(database, STATUT)).toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
});
