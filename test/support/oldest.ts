import Sqlite from 'better-sqlite3';
import { Database } from '#server/plumbing/database/database';
import { OLDEST_SCHEMA, readMigrations } from '#server/plumbing/database/migrations';

const NOW = new Date().toISOString();

/** A book with a loan, an edit, an import, and an act of which Rayonnage 1.1 found a sentence only. */
const ROWS = `
  INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, annee, dateAjout)
  VALUES ('Sido', 'sido', 'sido', 'Physique', 1930, '${NOW}');
  INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES ('Colette', 'colette', 'colette');
  INSERT INTO LivreAuteur (livreId, auteurId, position) VALUES (1, 1, 0);
  INSERT INTO Pret (livreId, emprunteur, emprunteurNormalise, datePret) VALUES (1, 'Zoé', 'zoe', '${NOW}');
  INSERT INTO Modification (date, utilisateur, proprietaire, operation, arguments, fiches, importationId) VALUES
    ('${NOW}', 'ana', '', 'importer', '{"fait":"importation","livres":1}', '[]', 1),
    ('${NOW}', 'ana', '', 'traiterLot', '{"fait":"phrase","phrase":"3 livres rendus"}', '[]', NULL),
    ('${NOW}', 'ana', '', 'modifierLivre', '{"fait":"livreModifie","nom":"Sido"}', '[]', NULL);
  INSERT INTO Trace (seq, acte, nom, cle, avant, apres) VALUES
    (1000001, 1, 'Livre', '1', NULL, '{"id":1,"titre":"Sido","annee":1929}'),
    (3000001, 3, 'Livre', '1', '{"id":1,"annee":1929}', '{"id":1,"annee":1930}');
  INSERT INTO Importation (utilisateur, date, etat, format, encodage, aLire, headers, counts)
  VALUES ('ana', 1, 'faite', 'table', 'utf-8', 'statut', '[]', '{}');
  INSERT INTO ImportationLigne (importationId, ligne, sort, livreId, content) VALUES (1, 1, 'nouveau', 1, '{}');
`;

/**
 * Creates a database as Rayonnage 1.1 leaves it, the oldest that is opened.
 *
 * @param sql run in it at the end
 */
export function makeOldest(path: string, sql = ''): void {
  Database.open(path, readMigrations().slice(0, OLDEST_SCHEMA)).close();
  const db = new Sqlite(path);
  db.exec(ROWS + sql);
  db.close();
}
