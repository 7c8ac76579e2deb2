import type { Auteur } from '#shared/auteurs';
import type { LivreDocument } from '#shared/livres';
import { auteurSortKey } from '#shared/sort';
import { plainLetters, searchForm, wordMatcher } from '#shared/text';
import { SvelteMap } from 'svelte/reactivity';
import { perIdentity } from '$lib/sync/identity.svelte';
import { derivedFromViews, views } from '$lib/sync/views.svelte';

const livresByAuteur = derivedFromViews(() => {
  const byAuteur = new Map<number, LivreDocument[]>();
  for (const livre of views().livres)
    for (const { id } of livre.auteurs) {
      const livres = byAuteur.get(id);
      if (livres) livres.push(livre);
      else byAuteur.set(id, [livre]);
    }
  return byAuteur;
});

const sortKeys = new Map<string, string>();

/** « Nom, Prénom ». Cached, because all names are sorted again when one changes. */
export function sortKey(nom: string): string {
  const known = sortKeys.get(nom);
  if (known !== undefined) return known;
  const key = auteurSortKey(nom);
  sortKeys.set(nom, key);
  return key;
}

/** Without authors without books, whom the server keeps for a refused merge (docs/rules.md § 15). */
const counted = derivedFromViews((): readonly Auteur[] =>
  [...views().auteurs.values()].flatMap((auteur) => {
    const nombreLivres = livresByAuteur().get(auteur.id)?.length ?? 0;
    return nombreLivres === 0 ? [] : [{ ...auteur, nombreLivres }];
  }),
);

const all = derivedFromViews((): readonly Auteur[] =>
  counted()
    .map((auteur) => ({ auteur, key: sortKey(auteur.nom) }))
    // By UTF-16 unit, four times as fast as by code point.
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.auteur.id - b.auteur.id))
    .map(({ auteur }) => auteur),
);

/** Half of an idle period, of which a browser gives twenty a second. */
const SLICE_MS = 25;

/** Prepares a part of the authors' screens: sort keys, books, order; false once all is done. */
export function sortNextAuteurs(): boolean {
  const end = performance.now() + SLICE_MS;
  for (const { nom } of views().auteurs.values()) {
    if (sortKeys.has(nom)) continue;
    if (performance.now() > end) return true;
    sortKey(nom);
  }
  for (const make of [livresByAuteur, counted, all]) {
    if (performance.now() > end) return true;
    make();
  }
  return false;
}

const byId = derivedFromViews(() => new Map(counted().map((auteur) => [auteur.id, auteur])));

/** The id of the remaining author, by the merged one's. */
const successors = perIdentity(() => new SvelteMap<number, number>());

export const auteursView = {
  /** By family name. */
  all,
  count: (): number => counted().length,
  get: (id: number): Auteur | undefined => byId().get(id),
  livresOf: (id: number): readonly LivreDocument[] => livresByAuteur().get(id) ?? [],
  /** Known for merges while the page is open. */
  successorOf: (id: number): number | undefined => successors().get(id),
  /** The authors whose names contain every word of a text, the likeliest first; none for an empty text. */
  search(text: string): readonly Auteur[] {
    const words = searchForm(text).split(' ');
    if (words[0] === '') return [];
    const matches = wordMatcher(text);
    return all()
      .filter(({ nomNormalise }) => matches(nomNormalise))
      .sort(
        (a, b) =>
          countPrefixes(b, words) - countPrefixes(a, words) || b.nombreLivres - a.nombreLivres,
      );
  },
};

/** How many of the words begin a word of the name, since people remember beginnings. */
const countPrefixes = ({ nomNormalise }: Auteur, words: readonly string[]) =>
  words.filter((word) => ` ${plainLetters(nomNormalise)}`.includes(` ${word}`)).length;

/** Call before the other records are deleted, so that their pages can redirect to the remaining author. */
export function recordSuccessor(ids: readonly number[], kept: Auteur): void {
  for (const id of ids) if (id !== kept.id) successors().set(id, kept.id);
}
