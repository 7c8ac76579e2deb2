import type { Livre } from '#shared/livres';
import { found, Refusal } from '#shared/refusals';
import {
  splitAuteurs,
  SouhaitAchat,
  SouhaitSaisi,
  souhaitKeys,
  type Souhait,
} from '#shared/souhaits';
import type { Transaction } from '#server/plumbing/database/transaction';
import { enteredCoverUrl, enteredFields, enteredIsbn } from '#server/plumbing/common/entry';
import { ajouterLivre, lireLivre } from '#server/subjects/livres/domain/livres';
import { copyChosenCover } from '#server/subjects/livres/store/livres';
import { placerAchat } from '#server/subjects/series/domain/placement';
import { readPlace } from '#server/subjects/series/store/document';
import { readPlaceOfSouhait, writePlaceOfSouhait } from '../store/places.ts';
import { readStoredCoverUrl, souhaitTable } from '../store/tables.ts';
import { PersonalList } from './personal-list.ts';

/** The wished books; one work of one author is on a list once. */
export const souhaitList = new PersonalList({
  table: souhaitTable,
  unique: ['Souhait.utilisateur', 'Souhait.cleOeuvre', 'Souhait.auteurNormalise'],
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
 * transaction (docs/rules.md § 17). The wish gives what the payload leaves out; its fallback cover stays out, a
 * picture of its own goes along. The missing volume that the wish came from gets the book. Throws `DOUBLON`,
 * which leaves the wish.
 */
export function acheterSouhait(
  database: Transaction,
  { id, utilisateur }: { id: number; utilisateur: string },
  achat: SouhaitAchat,
  confirmed: boolean,
): Livre {
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
  placerAchat(database, livre, readPlaceOfSouhait(database, id));
  copyChosenCover(database, id, livre.id);
  souhaitList.remove(database, utilisateur, id);
  return lireLivre(database, livre.id, utilisateur);
}

/**
 * Puts a missing volume on one reader's wish list, which remembers the place for the day it is bought
 * (docs/rules.md § 19). Throws `PLACE_OCCUPEE` for an owned one.
 */
export function souhaiterPlace(
  database: Transaction,
  utilisateur: string,
  placeId: number,
): Souhait {
  const place = found(readPlace(database, placeId));
  if (place.livreId !== null) throw new Refusal('PLACE_OCCUPEE');
  const { titre, auteur, isbn } = place;
  const souhait = souhaitList.add(database, utilisateur, { titre, auteur, isbn });
  writePlaceOfSouhait(database, souhait.id, placeId);
  return souhait;
}
