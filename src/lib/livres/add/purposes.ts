import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import type { Whose } from './choices.svelte.ts';

/** What « Ajouter » was opened for: the chips begin with it, and the cross leads back there. */
export type Purpose = 'livre' | 'souhait' | 'lecture';

interface PurposeLook {
  /** The name of its drafts. */
  readonly name: string;
  readonly address: string;
  /** Where it leads back to, without a history. */
  readonly back: string;
  readonly heading: () => string;
  readonly title: () => string;
  /** Whose the book is, where the last choice does not say it. */
  readonly whose: Whose | null;
}

export const PURPOSES: Readonly<Record<Purpose, PurposeLook>> = {
  livre: {
    name: 'livres/ajouter',
    address: href('/livres/ajouter'),
    back: href('/'),
    whose: null,
    heading: m.ajouter,
    title: m.ajouter_livre,
  },
  souhait: {
    name: 'souhaits/livre',
    address: href('/souhaits/ajouter'),
    back: href('/souhaits'),
    whose: 'souhait',
    heading: m.ajouter_souhait,
    title: m.ajouter_souhait,
  },
  lecture: {
    name: 'lectures/nouvelle',
    address: href('/lectures/ajouter'),
    back: href('/lectures'),
    whose: 'ailleurs',
    heading: m.ajouter_lecture,
    title: m.ajouter_lecture,
  },
};
