import { m } from '$lib/paraglide/messages';
import type { Whose } from './choices.svelte.ts';

/** What « Ajouter » was opened for: the chips begin with it, and the cross leads back there. */
export type Purpose = 'livre' | 'souhait' | 'lecture';

interface PurposeLook {
  /** The name of its drafts. */
  readonly name: string;
  readonly path: '/livres/ajouter' | '/souhaits/ajouter' | '/lectures/ajouter';
  /** Where it leads back to, without a history. */
  readonly back: '/' | '/souhaits' | '/lectures';
  readonly heading: () => string;
  readonly title: () => string;
  /** Whose the book is, where the last choice does not say it. */
  readonly whose: Whose | null;
}

export const PURPOSES: Readonly<Record<Purpose, PurposeLook>> = {
  livre: {
    ...{ name: 'livres/ajouter', path: '/livres/ajouter', back: '/', whose: null },
    ...{ heading: m.ajouter, title: m.ajouter_livre },
  },
  souhait: {
    ...{ name: 'souhaits/livre', path: '/souhaits/ajouter', back: '/souhaits', whose: 'souhait' },
    ...{ heading: m.ajouter_souhait, title: m.ajouter_souhait },
  },
  lecture: {
    ...{ name: 'lectures/nouvelle', path: '/lectures/ajouter', back: '/lectures' },
    ...{ whose: 'ailleurs', heading: m.ajouter_lecture, title: m.ajouter_lecture },
  },
};
