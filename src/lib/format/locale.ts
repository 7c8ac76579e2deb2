import { BASE_LOCALE, isLocale, type Locale } from '#shared/locale';
import { m } from '#messages';

const compiled = m.locale();

/** The language of this build, in which the device tells all. */
export const locale: Locale = isLocale(compiled) ? compiled : BASE_LOCALE;

/** For `Intl`: English days and sums are written as in Britain. */
export const intlLocale: string = m.intl_locale();

/** What French writes in a way of its own. */
export const inFrench = (text: string, write: (text: string) => string): string =>
  locale === 'fr' ? write(text) : text;
