import { objectKeys } from '#shared/object-keys';
import { m } from '$lib/paraglide/messages';

/** By the last segment of the page's address. */
const HEADINGS = {
  ajouter: m.ajouter_livre,
  scanner: m.aide_scanner,
  chercher: m.aide_chercher,
  rangement: m.aide_rangement,
  preter: m.aide_preter,
  lire: m.aide_lire,
  souhaits: m.aide_souhaits,
  series: m.aide_series,
  revues: m.aide_revues,
  annuler: m.aide_undo,
  'sans-reseau': m.aide_offline,
  telephone: m.aide_install,
  reprendre: m.aide_reprendre,
  sauvegarder: m.aide_sauvegarder,
  'qui-lit': m.aide_qui_lit,
} as const;

export interface Topic {
  readonly name: keyof typeof HEADINGS;
  readonly heading: () => string;
}

export const topics: readonly Topic[] = objectKeys(HEADINGS).map((name) => ({
  name,
  heading: HEADINGS[name],
}));
