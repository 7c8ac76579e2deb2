import { LIVRE_TEXTS } from '#shared/livres';
import type { Database } from '#server/plumbing/database/database';
import { WHOLE_CRITERES } from './entries.ts';
import { temporaryDatabase } from './database.ts';

const LIVRE_COLUMNS = Object.keys(LIVRE_TEXTS).join();
const LIVRE_VALUES = Object.keys(LIVRE_TEXTS)
  .map((name) => `'Un ${name}'`)
  .join();

/** A row of every replicated table with every column filled; what is personal is Ana's. */
export const FULL = [
  "INSERT INTO Emplacement (nom, nomNormalise) VALUES ('Salon', 'salon')",
  `INSERT INTO Emplacement (nom, nomNormalise, parentId, note, position, fermeLe)
   VALUES ('Carton 12', 'carton 12', 1, 'Au fond', 1, '2024-03-03T10:00:00.000Z')`,
  `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, isbn, format, typeDocument, nombrePages,
     coverUrl, ${LIVRE_COLUMNS}, annee, details, emprunteA, emplacementId, rang, ajoutePar, dateAjout) VALUES ('L’Étranger : roman', 'l etranger roman', 'l etranger',
     '9782070360024', 'Physique', 'Roman', 191, 'https://exemple.fr/c.jpg', ${LIVRE_VALUES}, 1942,
     '[{"nom":"Prix","valeur":"12 €"},{"nom":"Résumé","valeur":"Un « mot »,\\net la \\"suite\\""}]',
     '{"nom":"Lise","depuis":"2024-01-01","aRendre":"2024-02-01"}', 2, 1,
     'ana', '2024-01-01T00:00:00.000Z')`,
  "INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES ('Albert « Bébert » \"Camus\"', 'albert bebert camus', 'albert bebert camus')",
  "INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES ('Ana Tiers', 'ana tiers', 'ana tiers')",
  'INSERT INTO LivreAuteur (livreId, auteurId, position) VALUES (1, 2, 0), (1, 1, 1)',
  "INSERT INTO Pret (livreId, emprunteur, datePret, dateRetour, dateRetourPrevue) VALUES (1, 'Zoé', '2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z', '2024-02-01')",
  "INSERT INTO Statut (livreId, utilisateur, statut) VALUES (1, 'ana', 1)",
  "INSERT INTO Serie (titre, nombreTomes) VALUES ('Un « cycle »', 3)",
  "INSERT INTO Serie (titre, parentId, position) VALUES ('Dedans', 1, 0)",
  `INSERT INTO Place (serieId, position, titre, numero, tomes, livreId, auteur, isbn)
   VALUES (1, 1, 'L’Étranger', '1 bis', '4-6', 1, 'Albert Camus', '9782070360024')`,
  "INSERT INTO Revue (titre, issn, secondIssn) VALUES ('Rivages', '0988-2480', '2917-0443')",
  `INSERT INTO Numero (revueId, numero, numeroNormalise, date, coverUrl, une, resume)
   VALUES (1, '12 bis', '12 bis', '2024-01', 'https://exemple.fr/c.jpg', 'La mer', 'Un résumé')`,
  "INSERT INTO Theme (nom, nomNormalise) VALUES ('Mer', 'mer')",
  'INSERT INTO NumeroTheme (numeroId, themeId, position) VALUES (1, 1, 0)',
  'INSERT INTO LivreTheme (livreId, themeId, position) VALUES (1, 1, 0)',
  "INSERT INTO Article (numeroId, position, titre) VALUES (1, 0, 'Le « phare »')",
  `INSERT INTO Souhait (utilisateur, titre, cleOeuvre, auteur, auteurNormalise, isbn, coverUrl, rang, dateAjout,
     placeId)
   VALUES ('ana', 'Sido', 'sido', 'Colette', 'colette', '9782070360024', 'https://exemple.fr/c.jpg', 1,
     '2024-01-01T00:00:00.000Z', 1)`,
  `INSERT INTO RevueSouhaitee (utilisateur, titre, cleOeuvre, numero, numeroNormalise, issn, rang, dateAjout)
   VALUES ('ana', 'Rivages', 'rivages', '12 bis', '12 bis', '0988-2480', 1, '2024-01-01T00:00:00.000Z')`,
  `INSERT INTO Selection (utilisateur, nom, nomNormalise, criteres, accueil, position)
   VALUES ('ana', 'À lire', 'a lire', '${JSON.stringify(WHOLE_CRITERES)}', 1, 2)`,
  `INSERT INTO Selection (utilisateur, nom, nomNormalise, criteres)
   VALUES ('', 'Polars du « salon »', 'polars du salon', '{"theme":"Polar"}')`,
  `INSERT INTO Lecture (utilisateur, livreId, titre, auteurs, isbn, debut, fin, abandon, note, avis, page,
     pourcent, pageJour)
   VALUES ('ana', 1, 'L’Etranger', '["Camus"]', '9782070360024', '2023-12', '2024-01-01', 1, 9, 'Un mot', 120,
     35, '2024-01-01')`,
  `INSERT INTO Lecture (utilisateur, livreId, titre, debut) VALUES ('ana', 1, 'Sido', '2024-02')`,
  "INSERT INTO Partage (utilisateur, nom, lectures, souhaits) VALUES ('ana', 'Ana Marchand', 1, 1)",
  `INSERT INTO Modification (date, utilisateur, proprietaire, operation, arguments, fiches, annuleId,
     annuleeParId, importationId)
   VALUES ('2024-01-01T00:00:00.000Z', 'ana', 'ana', 'modifierStatut', '{"fait":"statutMarque","statut":2,"nom":"Dune"}',
     '[{"collection":"livres","id":1,"titre":"Dune","ajoutee":false,"supprimee":false,"champs":[]}]',
     1, 2, 3)`,
];

export function databaseOf(statements: readonly string[]): Database {
  const database = temporaryDatabase();
  database.write((tx) => statements.forEach((sql) => tx.prepare(sql).run()));
  return database;
}
