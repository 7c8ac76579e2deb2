import { detailKey, KNOWN_DETAILS } from '#shared/detail-names';
import { namedByCritere } from '#shared/details';
import { compareText, searchForm, textKey, wordMatcher } from '#shared/text';
import { langueIn, isLangue } from '#shared/langues';
import { href } from '$lib/format/address';
import { intlLocale } from '$lib/format/locale';
import { detailNom } from './names.ts';
import { derivedFromViews, views } from '$lib/sync/views.svelte';

/** A detail name of the household with its values; in the first spelling. */
export interface KnownNom {
  readonly nom: string;
  /** How many books have a detail of this name. */
  readonly livres: number;
  /** The short values, in their first spelling, with how many books have each; by `textKey`. */
  readonly valeurs: ReadonlyMap<string, { readonly valeur: string; readonly livres: number }>;
}

const noms = derivedFromViews((): ReadonlyMap<string, KnownNom> => {
  const byKey = new Map<
    string,
    { nom: string; livres: number; valeurs: Map<string, { valeur: string; livres: number }> }
  >();
  for (const { details } of views().livres)
    for (const { nom, valeur } of details) {
      const key = detailKey(nom);
      const known = byKey.get(key) ?? {
        nom,
        livres: 0,
        valeurs: new Map<string, { valeur: string; livres: number }>(),
      };
      known.livres += 1;
      if (valeur.length <= MAX_PROPOSED_LENGTH && !valeur.includes('\n')) {
        const valeurKey = textKey(valeur);
        const same = known.valeurs.get(valeurKey) ?? { valeur, livres: 0 };
        same.livres += 1;
        known.valeurs.set(valeurKey, same);
      }
      byKey.set(key, known);
    }
  return byKey;
});

/** Longer values are assumed to be unique. */
const MAX_PROPOSED_LENGTH = 200;

/** The texts that match the typed one, the usual ones first. */
function matching(texts: readonly string[], typed: string): string[] {
  if (searchForm(typed) === '') return [...texts];
  const matches = wordMatcher(typed);
  return texts.filter((text) => text !== typed && matches(textKey(text)));
}

/** Lists the books that have this value under this name (docs/rules.md § 6). */
export const hrefOfDetail = (nom: string, valeur: string): string =>
  href(`/?detail=${encodeURIComponent(`${nom}:${valeur}`)}`);

/** A name with more values is no filter. */
const MAX_SHARED = 12;

const shared = derivedFromViews((): readonly string[] =>
  [...noms()]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([, { nom, valeurs }]) =>
      [...valeurs]
        .filter(([, { livres }]) => livres > 1)
        .sort(([, a], [, b]) => b.livres - a.livres)
        .slice(0, MAX_SHARED)
        .sort(([a], [b]) => compareText(a, b))
        .map(([, { valeur }]) => `${nom}:${valeur}`),
    ),
);

export const detailsView = {
  noms,
  /** The criteria of values that several books have, by name and value: `Prix:12`. */
  shared,
  /** Whether a book has a detail of the name in a criterion. */
  isNamed: (critere: string): boolean => namedByCritere(critere).some((key) => noms().has(key)),
  /** Names for a typed text: the household's by frequency, then predefined ones. */
  searchNoms(typed: string): string[] {
    const used = [...noms().values()]
      .sort((a, b) => b.livres - a.livres || compareText(textKey(a.nom), textKey(b.nom)))
      .map(({ nom }) => nom);
    const others = KNOWN_DETAILS.filter((nom) => !noms().has(detailKey(nom)));
    return matching([...used, ...others].map(detailNom), typed);
  },
  /** Values that the household uses under a name, the most used first. */
  searchValeurs(nom: string, typed: string): string[] {
    const known = [...(noms().get(detailKey(nom))?.valeurs.values() ?? [])];
    const used = known.sort((a, b) => b.livres - a.livres).map(({ valeur }) => valeur);
    return matching(
      isLangue(nom) ? used.map((valeur) => langueIn(intlLocale, valeur)) : used,
      typed,
    );
  },
};
