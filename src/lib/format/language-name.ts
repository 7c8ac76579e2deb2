import type { Locale } from '#shared/locale';

/** « français », « English »: as those who read it call it. */
export const languageName = (one: Locale): string =>
  new Intl.DisplayNames(one, { type: 'language' }).of(one) ?? one;
