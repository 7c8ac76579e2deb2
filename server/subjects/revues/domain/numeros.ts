import type { Numero, NumeroSaisi } from '#shared/numeros';
import { found, Refusal } from '#shared/refusals';
import type { RevueSaisie } from '#shared/revues';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { refusingTwins } from '#server/plumbing/database/violations';
import { refusingUnder } from '#server/plumbing/common/entry';
import * as store from '../store/numeros.ts';
import * as themes from '../store/themes.ts';
import { readEntry, type NumeroEntry } from './entry.ts';
import { findOrCreateRevue, lireRevue } from './revues.ts';

/** One issue. Throws `INTROUVABLE`. */
export const lireNumero = (database: Reader, id: number): Numero =>
  found(store.readNumero(database, id));

/** Adds an issue to a periodical. Throws `NUMERO_EXISTANT` where it has that number. */
export function ajouterNumero(database: Transaction, revueId: number, saisie: NumeroSaisi): Numero {
  lireRevue(database, revueId);
  const entry = readEntry(saisie);
  const id = onceInRevue(database, revueId, entry, () =>
    store.insertNumero(database, revueId, entry.numero),
  );
  writeLists(database, id, entry);
  return lireNumero(database, id);
}

/** Adds an issue to a periodical that is found or created in the same transaction. */
export function ajouterRevueNumero(
  database: Transaction,
  revue: RevueSaisie,
  numero: NumeroSaisi,
): Numero {
  const found = refusingUnder('revue', () => findOrCreateRevue(database, revue));
  return refusingUnder('numero', () => ajouterNumero(database, found.revue.id, numero));
}

/**
 * Rewrites a whole issue; another address takes the place of a picture that was sent before issues had their
 * address alone (docs/rules.md § 43). Throws `NUMERO_EXISTANT` where its periodical has that number.
 */
export function modifierNumero(database: Transaction, id: number, saisie: NumeroSaisi): Numero {
  const { revueId, coverUrl } = lireNumero(database, id);
  const entry = readEntry(saisie);
  onceInRevue(database, revueId, entry, () => store.updateNumero(database, id, entry.numero));
  const address = entry.numero.coverUrl;
  if (address !== null && address !== coverUrl) store.dropSentCover(database, id);
  writeLists(database, id, entry);
  themes.deleteUnusedThemes(database);
  return lireNumero(database, id);
}

/** Deletes an issue, and the themes that only it had. */
export function supprimerNumero(database: Transaction, id: number): void {
  if (!store.deleteNumero(database, id)) throw new Refusal('INTROUVABLE');
  themes.deleteUnusedThemes(database);
}

function writeLists(database: Transaction, id: number, entry: NumeroEntry): void {
  const ids = entry.themes.map((nom) => themes.findOrCreateTheme(database, nom));
  themes.writeThemes(database, id, [...new Set(ids)]);
  store.writeArticles(database, id, entry.articles);
}

const onceInRevue = <T>(
  database: Reader,
  revueId: number,
  { numero }: NumeroEntry,
  write: () => T,
): T =>
  refusingTwins(['Numero.revueId', 'Numero.numeroNormalise'], write, () => {
    const twin = store.numeroByKey(database, revueId, numero.numeroNormalise);
    return twin && new Refusal('NUMERO_EXISTANT', { numero: twin });
  });
