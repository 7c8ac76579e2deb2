import Sqlite from 'better-sqlite3';
import { registerFunctions } from '#server/plumbing/database/connection';
import { migrate, OLDEST_SCHEMA, readMigrations } from '#server/plumbing/database/migrations';

const NOW = new Date().toISOString();

/** A book that came by an import and was edited, and an act of which Rayonnage 1.1 found a sentence only. */
const ROWS = `
  INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, annee, dateAjout)
  VALUES ('Sido', 'sido', 'sido', 'Physique', 1930, '${NOW}');
  INSERT INTO Modification (date, utilisateur, proprietaire, operation, arguments, fiches, importationId) VALUES
    ('${NOW}', 'ana', '', 'importer', '{"fait":"importation","livres":1}', '[]', 1),
    ('${NOW}', 'ana', '', 'traiterLot', '{"fait":"phrase","phrase":"3 livres rendus"}', '[]', NULL),
    ('${NOW}', 'ana', '', 'modifierLivre', '{"fait":"livreModifie","nom":"Sido"}', '[]', NULL);
  INSERT INTO Trace (seq, acte, nom, cle, avant, apres) VALUES
    (1000001, 1, 'Livre', '1', NULL, '{"id":1,"titre":"Sido","annee":1929}'),
    (3000001, 3, 'Livre', '1', '{"id":1,"annee":1929}', '{"id":1,"annee":1930}');
  INSERT INTO Importation (utilisateur, date, etat, format, encodage, aLire, headers, counts)
  VALUES ('ana', ${Date.now()}, 'faite', 'table', 'utf-8', 'statut', '[]', '{}');
  INSERT INTO ImportationNombres (importationId, nouveaux, presents, souhaits, completes, statuts, prets, series,
    notes, datesDeLecture) VALUES (1, 1, 0, 0, 0, 0, 0, 0, 0, 0);
  INSERT INTO ImportationLigne (importationId, ligne, sort, livreId, content) VALUES (1, 1, 'nouveau', 1, '{}');
`;

/** Creates an empty database of a schema, as no version of today opens it. */
export function makeSchema(path: string, schema: number): void {
  const db = new Sqlite(path);
  registerFunctions(db, '');
  migrate(db, readMigrations().slice(0, schema));
  db.close();
}

/**
 * Creates a database as Rayonnage 1.1 leaves it, the oldest that is opened.
 *
 * @param sql run in it at the end
 */
export function makeOldest(path: string, sql = ''): void {
  makeSchema(path, OLDEST_SCHEMA);
  const db = new Sqlite(path);
  db.exec(ROWS + sql);
  db.close();
}
