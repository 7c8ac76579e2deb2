import { LIVRE_TEXTS } from '#shared/livres';
import type { Database } from '#server/plumbing/database/database';
import { WHOLE_CRITERES } from './entries.ts';
import { temporaryDatabase } from './database.ts';

const LIVRE_COLUMNS = Object.keys(LIVRE_TEXTS).join();
const LIVRE_VALUES = Object.keys(LIVRE_TEXTS)
  .map((name) => `'Un ${name}'`)
  .join();

/** A row of every replicated table, with all columns filled; personal rows belong to Ana. */
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
   VALUES ('', 'Polars du « salon »', 'polars du salon', 'null')`,
  "INSERT INTO SelectionLivre (livreId, selectionId, utilisateur, position) VALUES (1, 2, '', 0)",
  `INSERT INTO Lecture (utilisateur, livreId, titre, auteurs, isbn, debut, fin, abandon, note, avis, page,
     pourcent, pageJour)
   VALUES ('ana', 1, 'L’Etranger', '["Camus"]', '9782070360024', '2023-12', '2024-01-01', 1, 9, 'Un mot', 120,
     35, '2024-01-01')`,
  `INSERT INTO Lecture (utilisateur, livreId, titre, debut) VALUES ('ana', 1, 'Sido', '2024-02')`,
  "INSERT INTO Objectif (utilisateur, annee, unite, nombre) VALUES ('ana', '2024', 'pages', 6000)",
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

const KEY = 'a'.repeat(64);

/** Rows of the tables that are not replicated, and a book with a title only. */
export const SERVICE_ROWS = [
  `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
   VALUES ('Sido', 'sido', 'sido', 'Physique', '2024-01-01T00:00:00.000Z')`,
  'INSERT INTO FusionRefusee (premierId, secondId) VALUES (1, 2)',
  "INSERT INTO JournalDate (revision, date) VALUES (1, '2024-01-01')",
  `INSERT INTO IdempotencyRecord (utilisateur, key, fingerprint, date, status, headers, body, arguments)
   VALUES ('ana', 'k', 'f', 1704067200000, 201, '{}', '{}', '{"fait":"livreAjoute"}')`,
  `INSERT INTO Importation (id, utilisateur, date, etat, nom, format, encodage, aLire, headers, colonnes, counts)
   VALUES (3, 'ana', 1704067200000, 'faite', 'livres.csv', 'csv', 'utf-8', 'statut', '["Titre"]', '{}', '{}')`,
  "INSERT INTO ImportationColonnes (signature, colonnes) VALUES ('s', '{}')",
  "INSERT INTO ImportationReste (importationId, position, kind, content) VALUES (3, 0, 'livres', '{}')",
  `INSERT INTO Couverture (cle, type, taille, largeur, hauteur, couleur)
   VALUES ('${KEY}', 'image/png', 1000, 20, 30, '#0a0b0c')`,
  'INSERT INTO CouvertureDemande (date) VALUES (1704067200000)',
  `INSERT INTO ModificationCouverture (modificationId, cle) VALUES (1, '${KEY}')`,
  `INSERT INTO Complement (livreId, etat, isbn, titre, editeur, annee, nombrePages)
   VALUES (1, 'trouve', '9782070360024', 'L’Étranger', 'Gallimard', 1942, 191)`,
  "INSERT INTO Bibliotheque (id, nom) VALUES (1, 'Chez nous')",
  "INSERT INTO Dormant (kind, id, cle, image, depuis) VALUES ('Livre', 99, 'dune', '{}', '2024-01-01')",
  "INSERT INTO Membre (identifiant, nom, gere, motDePasse, code) VALUES ('ana', 'Ana', 1, 'm', 'c')",
  `INSERT INTO Invitation (jeton, membreId, identifiant, nom, gere, fin, inviteParId)
   VALUES (x'01', NULL, 'zoe', 'Zoé', 0, 1704067200, 1)`,
  "INSERT INTO Session (jeton, membreId, actif, appareil, debut, vue) VALUES (x'02', 1, 1, 'Firefox', 1, 2)",
  "INSERT INTO Cle (jeton, utilisateur, nom, ecrit, debut, vue) VALUES (x'03', 'ana', 'Tableur', 1, 1, 2)",
  `INSERT INTO CleAcces (membreId, credentialId, publicKey, userHandle, hote, signCount, transports, nom, debut)
   VALUES (1, 'c', x'04', 'u', 'exemple.fr', 7, '[]', 'Téléphone', 1)`,
  "INSERT INTO Portrait (membreId, cle, image) VALUES (1, 'p', x'ff')",
  "INSERT INTO CompteFournisseur (issuer, sub, membreId) VALUES ('https://exemple.fr', 's', 1)",
  "INSERT INTO Depart (identifiant, date) VALUES ('parti', 1)",
  "INSERT INTO Generation (nom, revision) VALUES ('g', 1)",
  "INSERT INTO Appareil (jeton, vue, membreId, partage) VALUES (x'05', 1, 1, 0)",
  "INSERT INTO ReseauConnu (membreId, reseau, vue) VALUES (1, '192.0.2.0', 1)",
  `INSERT INTO Trace (acte, nom, cle, avant, apres) VALUES (1, 'Livre', '[1]', '{"titre":"Dun"}', '{"titre":"Dune"}')`,
  `INSERT INTO ImportationCouverture (importationId, cle) VALUES (3, '${KEY}')`,
  `INSERT INTO ImportationNombres (importationId, nouveaux, presents, souhaits, completes, statuts, prets, series,
     notes, datesDeLecture) VALUES (3, 1, 0, 0, 0, 0, 0, 0, 0, 0)`,
  `INSERT INTO ImportationAvertissement (importationId, ligne, raison) VALUES (3, 1, '{"code":"phrase","arguments":{}}')`,
  `INSERT INTO ImportationLigne (importationId, ligne, sort, livreId, content, cells)
   VALUES (3, 1, 'nouveau', 1, '{}', '[]')`,
  "INSERT INTO ImportationOrigine (bibliotheque, origineId, livreId) VALUES ('b', 7, 1)",
  "INSERT INTO Offre (souhaitId, utilisateur, nom) VALUES (1, 'zoe', 'Zoé')",
  `INSERT INTO Liste (utilisateur, secret, nom, date) VALUES ('ana', x'06', 'Ana', '2024-01-01T00:00:00.000Z')`,
  "INSERT INTO OffreDeVisite (souhaitId, cle, nom) VALUES (1, 'tante lise', 'Tante Lise')",
  "INSERT INTO OffresMontrees (utilisateur, donnes, savoirLe) VALUES ('ana', 1, '2030-12-26')",
  "INSERT INTO Langue (utilisateur, langue) VALUES ('ana', 'fr')",
];
