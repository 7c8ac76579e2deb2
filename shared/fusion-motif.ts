import { m } from '#messages';
import { Type, type Static } from 'typebox';
import type { Locale } from './locale.ts';

/** Why two authors may be one (docs/rules.md § 15). */
export const FusionMotif = Type.Union([
  /** One name has a letter more, or another one; two letters that stand beside each other are swapped. */
  Type.Object({ genre: Type.Enum(['lettre', 'inversion'], { type: 'string' }) }),
  /** One name has a word more. */
  Type.Object({ genre: Type.Enum(['mot'], { type: 'string' }), mot: Type.String() }),
  /** The initials of one may be the names of the other, and of how many names. */
  Type.Object({
    genre: Type.Enum(['initiales'], { type: 'string' }),
    court: Type.String(),
    long: Type.String(),
    noms: Type.Integer(),
  }),
]);
export type FusionMotif = Static<typeof FusionMotif>;

/** In a sentence, for whoever reads it. */
export function motifTold(motif: FusionMotif, reading: { readonly locale?: Locale } = {}): string {
  switch (motif.genre) {
    case 'lettre':
      return m.reason_auteurs_lettre({}, reading);
    case 'inversion':
      return m.reason_auteurs_inversees({}, reading);
    case 'mot':
      return m.reason_auteurs_mot({ mot: motif.mot }, reading);
    case 'initiales': {
      const { court, long, noms } = motif;
      return noms === 1
        ? m.reason_auteurs_abrege({ court, long }, reading)
        : m.reason_auteurs_abrege_parmi({ court, long, count: noms }, reading);
    }
  }
}
