import type { Livre } from '#shared/livres';
import { afficherIsbn, lireIsbn } from '#shared/isbn';
import { normaliser } from '#shared/text';
import { m } from '$lib/paraglide/messages';
import type { SaisieLivre } from '$lib/ui/formulaire/saisie.svelte';
import { motFormat, motTypeDocument, signature } from '$lib/ui/livres/mots';

/** One field of a book being added beside the same field of one that is there. */
export interface Comparaison {
  readonly nom: string;
  readonly saisi: string;
  readonly present: string;
  readonly differe: boolean;
}

/** What tells two like books apart, field by field; fields that both leave empty are left out. */
export function comparer(saisie: SaisieLivre, livre: Livre): readonly Comparaison[] {
  const champs: readonly [string, string, string | null][] = [
    [m.champ_titre(), saisie.titre, livre.titre],
    [m.champ_auteurs(), saisie.noms.join(', '), signature(livre.auteurs)],
    [m.champ_isbn(), isbnLu(saisie.isbn), livre.isbnAffiche],
    [m.champ_editeur(), saisie.editeur, livre.editeur],
    [m.champ_annee(), saisie.annee, livre.annee === null ? null : String(livre.annee)],
    [
      m.champ_pages(),
      saisie.nombrePages,
      livre.nombrePages === null ? null : String(livre.nombrePages),
    ],
    [m.champ_format(), motFormat[saisie.format](), motFormat[livre.format]()],
    [m.champ_type(), motTypeDocument[saisie.typeDocument](), motTypeDocument[livre.typeDocument]()],
  ];
  return champs
    .map(([nom, saisi, present]) => ({
      nom,
      saisi: saisi.trim(),
      present: present ?? '',
      differe: cle(saisi) !== cle(present ?? ''),
    }))
    .filter(({ saisi, present }) => saisi !== '' || present !== '');
}

/** Hyphens, accents and case make no other book. */
const cle = (texte: string): string => normaliser(texte).replaceAll(' ', '');

/** An ISBN as the library would keep it, so that its ten and its thirteen digits are the same. */
function isbnLu(texte: string): string {
  const isbn = lireIsbn(texte);
  return isbn === null ? texte : afficherIsbn(isbn);
}
