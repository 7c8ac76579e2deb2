import type { Livre } from '#shared/livres';
import { fitsPlace } from '#shared/series-fit';
import { splitAuteurs, SouhaitAchat, SouhaitSaisi, souhaitKeys } from '#shared/souhaits';
import type { Database } from '#server/database/database';
import { enteredCoverUrl, enteredFields, enteredIsbn } from '#server/domain/entry';
import { ajouterLivre, lireLivre } from '#server/livres/domain/livres';
import { fillPlace, missingPlaceOfSouhait, missingPlaces } from '../store/places.ts';
import { copyChosenCover, readStoredCoverUrl, souhaitTable } from '../store/tables.ts';
import { PersonalList } from './personal-list.ts';

/** The wished books; one work of one author is on a list once. */
export const souhaitList = new PersonalList({
  table: souhaitTable,
  uniqueIndex: 'Souhait_unique',
  readEntry: (saisie: SouhaitSaisi) => {
    const fields = enteredFields(SouhaitSaisi, saisie);
    return {
      ...fields,
      ...souhaitKeys(fields),
      isbn: enteredIsbn(fields.isbn),
      coverUrl: enteredCoverUrl(fields.coverUrl),
    };
  },
});

/**
 * Makes a wish a book, on paper unless said otherwise, and takes it off the list, in one
 * transaction (docs/rules.md § 17). The wish gives what the payload leaves out; its fallback cover
 * stays out, a picture of its own goes along. The missing volume that the wish came from gets the book. Throws `DOUBLON`, which leaves the wish.
 */
export function acheterSouhait(
  database: Database,
  { id, utilisateur }: { id: number; utilisateur: string },
  achat: SouhaitAchat,
  confirmed: boolean,
): Livre {
  return database.write(() => {
    const souhait = souhaitList.get(database, utilisateur, id);
    const given = enteredFields(SouhaitAchat, achat);
    const saisie = {
      ...given,
      titre: given.titre ?? souhait.titre,
      format: given.format ?? 'Physique',
      auteurs: given.auteurs ?? splitAuteurs(souhait.auteur),
      isbn: given.isbn ?? souhait.isbn,
      coverUrl: given.coverUrl ?? readStoredCoverUrl(database, id),
    };
    const livre = ajouterLivre(database, saisie, { confirmed, utilisateur });
    fillPlaceOf(database, id, livre);
    copyChosenCover(database, id, livre.id);
    souhaitList.remove(database, utilisateur, id);
    return lireLivre(database, livre.id, utilisateur);
  });
}

/**
 * Puts a bought book in the missing volume's place that its wish came from, else in the only one that
 * it fits; where several fit, a person decides (docs/rules.md § 19).
 */
function fillPlaceOf(database: Database, souhaitId: number, livre: Livre): void {
  const [fitting, ...others] = missingPlaces(database).filter((place) => fitsPlace(livre, place));
  const only = others.length === 0 ? (fitting?.id ?? null) : null;
  const placeId = missingPlaceOfSouhait(database, souhaitId) ?? only;
  if (placeId !== null) fillPlace(database, placeId, livre.id);
}
