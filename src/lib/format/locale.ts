import { BASE_LOCALE, isLocale, type Locale } from '#shared/locale';
import { m } from '#messages';

const compiled = m.locale();

/** The language of this build. */
export const locale: Locale = isLocale(compiled) ? compiled : BASE_LOCALE;

/** The locale for `Intl`: English dates and numbers as in Britain. */
export const intlLocale: string = m.intl_locale();

/** Applies a rule of French typography only in French. */
export const inFrench = (text: string, write: (text: string) => string): string =>
  locale === 'fr' ? write(text) : text;
