import { m } from '#messages';
import type { FusionMotif } from './auteurs.ts';
import type { Locale } from './locale.ts';

/** Why two authors may be one, for whoever reads it. Apart from the shape: the first load has that, and no room for the words. */
export function formatMotif(
  motif: FusionMotif,
  reading: { readonly locale?: Locale } = {},
): string {
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
