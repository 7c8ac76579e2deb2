import type { Resume } from '#shared/resume';
import { STATUTS } from '#shared/statuts';
import type { Reader } from '#server/plumbing/database/reader';

const LATEST = 5;

/** What a dashboard shows of the house, and of a reader. */
export const readResume = (database: Reader, utilisateur: string | null): Resume => ({
  livres: count(database, 'SELECT count(*) FROM Livre'),
  prets: count(database, 'SELECT count(*) FROM Pret WHERE dateRetour IS NULL'),
  enCours: countStatuts(database, utilisateur, STATUTS.enCours),
  aLire: countStatuts(database, utilisateur, STATUTS.aLire),
  souhaits:
    count(database, 'SELECT count(*) FROM Souhait WHERE utilisateur = ?', utilisateur) +
    count(database, 'SELECT count(*) FROM RevueSouhaitee WHERE utilisateur = ?', utilisateur),
  derniersAjouts: database
    .all<{ id: number; titre: string }>(
      'SELECT id, titre FROM Livre ORDER BY dateAjout DESC, id DESC LIMIT ?',
      LATEST,
    )
    .map((livre) => ({
      ...livre,
      auteurs: database.values<string>(
        `SELECT a.nom FROM LivreAuteur l JOIN Auteur a ON a.id = l.auteurId
         WHERE l.livreId = ? ORDER BY l.position`,
        livre.id,
      ),
    })),
});

const countStatuts = (database: Reader, utilisateur: string | null, statut: number): number =>
  count(
    database,
    'SELECT count(*) FROM Statut WHERE utilisateur = ? AND statut = ?',
    utilisateur,
    statut,
  );

const count = (database: Reader, sql: string, ...params: unknown[]): number =>
  database.value<number>(sql, ...params) ?? 0;
