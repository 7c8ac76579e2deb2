import { AuteurRef } from '#shared/auteurs';
import { ExportLivre } from '#shared/export';
import { Livre, LivreDocument, OpenPret, type Format } from '#shared/livres';
import { found, Refusal } from '#shared/refusals';
import {
  asText,
  documentProjection,
  jsonObject,
  readDocument,
} from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/connection';
import { BYTES_A_RECORD } from '#server/plumbing/writes/orders';
import { themesOf } from '#server/subjects/themes';
import { COVER } from '#server/subjects/couvertures/cover-store';

/** SQL of the names on the cover of a row `l` of `Livre`, as JSON. */
export const NOMS = `(SELECT json_group_array(${asText('a.nom')} ORDER BY la.position)
  FROM LivreAuteur la JOIN Auteur a ON a.id = la.auteurId WHERE la.livreId = l.id)`;

const statut = `(SELECT s.statut FROM Statut s
  WHERE s.livreId = d.id AND s.utilisateur = @utilisateur)`;

const expressions = {
  auteurs: `(SELECT json_group_array(${jsonObject(AuteurRef, 'a')} ORDER BY la.position)
    FROM LivreAuteur la JOIN Auteur a ON a.id = la.auteurId WHERE la.livreId = d.id)`,
  themes: themesOf('livres'),
  details: "coalesce(d.details, '[]')",
  isbnAffiche: 'format_isbn(d.isbn)',
  couverture: COVER,
};

export const projection = documentProjection('Livre', LivreDocument, expressions);

/** Requires the parameter `@utilisateur` for the status; `null` has none. */
const personalProjection = documentProjection('Livre', Livre, {
  ...expressions,
  statut,
  pret: `(SELECT ${jsonObject(OpenPret, 'p')} FROM Pret p
    WHERE p.livreId = d.id AND p.dateRetour IS NULL)`,
});

/** A book as it is exported, with all its loans; requires `@utilisateur`. */
export const exportExpressions = {
  ...expressions,
  statut,
  prets: `(SELECT json_group_array(
      ${jsonObject(ExportLivre.properties.prets.items, 'p')} ORDER BY p.id)
    FROM Pret p WHERE p.livreId = d.id)`,
};

export const readLivre = (
  database: Reader,
  id: number,
  utilisateur: string | null,
): Livre | undefined =>
  readDocument(database, personalProjection, 'WHERE d.id = @id', { id, utilisateur });

export const requireLivre = (database: Reader, id: number, utilisateur: string | null): Livre =>
  found(readLivre(database, id, utilisateur));

/** About how many records these books are as work: one may have 300 kB of details. */
export const sizeOfLivres = (database: Reader, ids: readonly number[]): number =>
  ids.length +
  (database.value<number>(
    `SELECT total(octet_length(details) / ${BYTES_A_RECORD}) FROM Livre
     WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  ) ?? 0);

export const readFormat = (database: Reader, id: number): Format | undefined =>
  database.value<Format>('SELECT format FROM Livre WHERE id = ?', id);

export const isBorrowed = (database: Reader, id: number): boolean =>
  database.value('SELECT 1 FROM Livre WHERE id = ? AND emprunteA IS NOT NULL', id) !== undefined;

export const readEmplacementId = (database: Reader, id: number): number | null =>
  database.value<number>('SELECT emplacementId FROM Livre WHERE id = ?', id) ?? null;

export function requireLivreId(database: Reader, id: number): void {
  if (readFormat(database, id) === undefined) throw new Refusal('INTROUVABLE');
}

export const openPretOfLivre = (database: Reader, livreId: number): OpenPret | undefined =>
  database.get<OpenPret>(
    'SELECT id, emprunteur, datePret FROM Pret WHERE livreId = ? AND dateRetour IS NULL',
    livreId,
  );

export function livreIdsByIsbn(database: Reader, isbns: readonly string[]): Map<string, number> {
  const rows = database.all<{ isbn: string; id: number }>(
    `SELECT isbn, min(id) AS id FROM Livre
       WHERE isbn IN (SELECT value FROM json_each(?)) GROUP BY isbn`,
    JSON.stringify(isbns),
  );
  return new Map(rows.map(({ isbn, id }) => [isbn, id]));
}

export const ownedCles = (database: Reader, cles: readonly string[]): Set<string> =>
  new Set(
    database.values<string>(
      'SELECT DISTINCT cleOeuvre FROM Livre WHERE cleOeuvre IN (SELECT value FROM json_each(?))',
      JSON.stringify(cles),
    ),
  );

/** The household's own book with a work key; borrowed ones do not count. */
export const livreIdByCle = (database: Reader, cle: string): number | null =>
  database.value<number>(
    'SELECT id FROM Livre WHERE cleOeuvre = ? AND emprunteA IS NULL ORDER BY id LIMIT 1',
    cle,
  ) ?? null;

/** The books created by a reader's import; none for another's or a forgotten one. */
export const readImportes = (
  database: Reader,
  importationId: number,
  utilisateur: string | null,
): ReadonlySet<number> =>
  new Set(
    database.values<number>(
      `SELECT l.livreId FROM ImportationLigne l JOIN Importation i ON i.id = l.importationId
         WHERE i.id = ? AND i.utilisateur = ? AND l.sort = 'nouveau' AND l.livreId IS NOT NULL`,
      importationId,
      utilisateur ?? '',
    ),
  );
