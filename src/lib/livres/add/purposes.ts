import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import type { Whose } from './choices.svelte.ts';

/** The purpose of « Ajouter »: determines the initial chips, and where the cross returns to. */
export type Purpose = 'livre' | 'souhait' | 'lecture';

interface PurposeLook {
  /** The name of its drafts. */
  readonly name: string;
  readonly address: string;
  /** The address to return to without a history. */
  readonly back: string;
  readonly heading: () => string;
  readonly title: () => string;
  /** The initial owner, if other than the last choice. */
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
