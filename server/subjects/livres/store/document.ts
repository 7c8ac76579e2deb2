import { Livre, LivreDocument, OpenPret } from '#shared/livres';
import { AuteurRef } from '#shared/auteurs';
import { ExportLivre } from '#shared/export';
import { documentSource, jsonObject, readDocument } from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import { COVER } from '#server/subjects/couvertures/image';

const statut = `(SELECT s.statut FROM Statut s
  WHERE s.livreId = d.id AND s.utilisateur = @utilisateur)`;

const expressions = {
  auteurs: `(SELECT json_group_array(${jsonObject(AuteurRef, 'a')} ORDER BY la.position)
    FROM LivreAuteur la JOIN Auteur a ON a.id = la.auteurId WHERE la.livreId = d.id)`,
  isbnAffiche: 'format_isbn(d.isbn)',
  couverture: COVER,
};

export const livreSource = documentSource('Livre', LivreDocument, expressions);

/** Uses the parameter `@utilisateur`, whose status it is; `null` has none. */
const personalSource = documentSource('Livre', Livre, {
  ...expressions,
  statut,
  pret: `(SELECT ${jsonObject(OpenPret, 'p')} FROM Pret p
    WHERE p.livreId = d.id AND p.dateRetour IS NULL)`,
});

/** A book as it is exported, with all its loans; uses `@utilisateur` too. */
export const exportLivreSource = documentSource('Livre', ExportLivre, {
  ...expressions,
  statut,
  prets: `(SELECT json_group_array(
      ${jsonObject(ExportLivre.properties.prets.items, 'p')} ORDER BY p.id)
    FROM Pret p WHERE p.livreId = d.id)`,
});

/** One book as its reader sees it: with the open loan and the reader's own status. */
export function readLivre(
  database: Reader,
  id: number,
  utilisateur: string | null,
): Livre | undefined {
  return readDocument(database, personalSource, 'WHERE d.id = @id', { id, utilisateur });
}
