import { rienSiVide } from '#shared/fields';
import { lireIsbn } from '#shared/isbn';
import { lireIssn } from '#shared/issn';
import { champRefuse, Refusal } from '#shared/refusals';

/** A field of a payload that may be left out. */
type Facultatif = string | null | undefined;

/** The bare ISBN-13 that a field says, `null` when it says nothing; refuses what is no ISBN. */
export function isbnSaisi(champ: Facultatif): string | null {
  const texte = rienSiVide(champ);
  if (texte === null) return null;
  const isbn = lireIsbn(texte);
  if (isbn === null) throw new Refusal('ISBN_INVALIDE');
  return isbn;
}

/** The dashed ISSN that a field says, `null` when it says nothing; refuses what is no ISSN. */
export function issnSaisi(champ: Facultatif): string | null {
  const texte = rienSiVide(champ);
  if (texte === null) return null;
  const issn = lireIssn(texte);
  if (issn === null) throw new Refusal('ISSN_INVALIDE');
  return issn;
}

/** The address of a cover. Only its form is checked: no call asks whether there is a picture. */
export function coverUrlSaisie(champ: Facultatif): string | null {
  const texte = rienSiVide(champ);
  if (texte === null) return null;
  const protocole = /\p{Cc}/u.test(texte) ? undefined : URL.parse(texte)?.protocol;
  if (protocole !== 'http:' && protocole !== 'https:')
    throw champRefuse('coverUrl', 'doit être une adresse http ou https');
  return texte;
}
