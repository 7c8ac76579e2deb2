import type { AuteurRef } from '#shared/auteurs';
import { lireBibliographie, type Bibliographie, type Oeuvre } from '#shared/bibliographie';
import type { LivreDocument } from '#shared/livres';
import { cleOeuvre } from '#shared/text';
import { call } from '$lib/api/call';
import { answers, type KeptAnswer } from '$lib/sync/answers.svelte';
import { views } from '$lib/sync/views.svelte';

const FRESH_MS = 24 * 60 * 60 * 1000;

/** More than the server needs for four pages of the source. */
const TIMEOUT_MS = 60_000;

export interface OwnedOeuvre extends Oeuvre {
  readonly livre: LivreDocument | null;
}

/** The last list of an author's works that this device keeps; reactive. */
export const keptBibliographie = (auteurId: number): KeptAnswer<Bibliographie> | null =>
  answers.get(`bibliographie:${auteurId}`);

/** True for a list of less than a day under the author's present name. */
export const isFresh = ({ value, date }: KeptAnswer<Bibliographie>, nom: string): boolean =>
  value.auteur === nom && Date.now() - date.getTime() < FRESH_MS;

/** Asks the national library and keeps its list. Throws the refusal `SOURCE_INJOIGNABLE`. */
export async function refreshBibliographie({ id, nom }: AuteurRef): Promise<void> {
  const list = await call(lireBibliographie, { query: { auteur: nom }, timeoutMs: TIMEOUT_MS });
  await answers.keep(`bibliographie:${id}`, list);
}

/**
 * Says of each work whether the household owns it: by the work key alone (docs/rules.md § 26), and
 * by the books of this device, since a kept list may be older than they are.
 */
export function matchLivres(oeuvres: readonly Oeuvre[]): readonly OwnedOeuvre[] {
  const livres = livresByKey(new Set(oeuvres.map((oeuvre) => oeuvre.cleOeuvre)));
  return oeuvres.map((oeuvre) => ({ ...oeuvre, livre: livres.get(oeuvre.cleOeuvre) ?? null }));
}

/**
 * The book of lowest id for each of these work keys. A key is a beginning of the normalised title,
 * so that it is computed only for the few titles that begin with one of them.
 */
function livresByKey(keys: ReadonlySet<string>): Map<string, LivreDocument> {
  const byKey = new Map<string, LivreDocument>();
  for (const livre of views().livres) {
    if (!beginnings(livre.titreNormalise).some((beginning) => keys.has(beginning))) continue;
    const key = cleOeuvre(livre.titre);
    const other = byKey.get(key);
    if (other === undefined || livre.id < other.id) byKey.set(key, livre);
  }
  return byKey;
}

function beginnings(titreNormalise: string): string[] {
  const words = titreNormalise.split(' ');
  return words.map((_, index) => words.slice(0, index + 1).join(' '));
}
