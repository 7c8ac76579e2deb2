import { normaliser } from '#shared/text';
import { readInstant } from './values.ts';

// cspell:disable -- headers of other programs
/** Headers of the day on which a book came into a program's list, normalised; not of when its record was changed. */
const ADDED =
  /^(?:(?:date )?(?:added|created|entered|inserted|catalogued|cataloged)(?: on| at| date)?|dateadded|entry ?date|creation ?date|cdate|timestamp|date (?:d )?(?:ajout|entree|creation|saisie)\b.*|(?:ajoute|cree|saisi) le|date de (?:creation|saisie))$/;
// cspell:enable

export interface EntryDay {
  readonly colonne: string;
  /** In RFC 3339; of a day alone its beginning. */
  readonly date: string;
}

export const isEntryColumn = (colonne: string): boolean => ADDED.test(normaliser(colonne));

/** When a file says that a book was entered; `null` where it says nothing that can be read, or a day to come. */
export function entryOf(
  details: readonly { readonly colonne: string; readonly valeur: string }[],
  monthFirst: boolean,
): EntryDay | null {
  for (const { colonne, valeur } of details) {
    const date = isEntryColumn(colonne) ? readInstant(valeur, monthFirst) : null;
    if (date !== null) return { colonne, date };
  }
  return null;
}
