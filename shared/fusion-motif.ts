import { m } from '#messages';
import type { FusionMotif } from './auteurs.ts';
import type { Locale } from './locale.ts';

/**
 * The reason why two authors may be one, as a sentence. In a file of its own: the first load needs the schema, but
 * not the messages.
 */
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
