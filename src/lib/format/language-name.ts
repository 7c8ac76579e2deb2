import type { Locale } from '#shared/locale';

/** « français », « English »: the language's own name. */
export const languageName = (one: Locale): string =>
  new Intl.DisplayNames(one, { type: 'language' }).of(one) ?? one;
