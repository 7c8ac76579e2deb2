import { LONGUEURS } from '#shared/fields';
import { borner, texteNet } from '#server/upstream/texte';

/**
 * A title without its responsibility, which follows ` / `, and without an edition remark
 * « (Éd. prestige) », which stands before it or in its place; a title that would then be nothing
 * stays whole. ` // ` is a mark of another kind, and belongs to the title.
 */
export function lireTitre(texte: string): string | null {
  const net = texteNet(texte);
  const titre = net.split(/\s\/\s/u)[0] ?? '';
  const sansEdition = titre.split(/\s\[?\(\[?Éd\./u)[0] ?? '';
  return borner(sansEdition, LONGUEURS.titre) ?? borner(net, LONGUEURS.titre);
}

/** A publisher without its place, which stands in brackets at the end; `null` for « [s.n.] ». */
export function lireEditeur(texte: string): string | null {
  const editeur = texteNet(texte).replace(/\s*\([^()]*\)$/u, '');
  return /^\[?s\.\s?n\.\]?$/iu.test(editeur) ? null : borner(editeur, LONGUEURS.nom);
}
