import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import { overwriteGetLocale } from '#messages/runtime';
import { BASE_LOCALE, isLocale, LOCALES, preferredLocale, type Locale } from '#shared/locale';
import { champRefusal } from '#shared/refusals';

/** The parameter of any address that names the language of its answer. */
const LANGUE = /([?&])langue=([^&]*)(?:&|$)/;

/** The cookie of the language chosen on a device (src/lib/format/locale.ts). */
const COOKIE = /(?:^|;)\s*langue=(\w+)\s*(?:;|$)/;

const answering = new AsyncLocalStorage<Locale>();
overwriteGetLocale(() => answering.getStore() ?? BASE_LOCALE);

/** Runs work with a default language for its messages. */
export const inLocale = <T>(locale: Locale, work: () => T): T => answering.run(locale, work);

/** Headers that a response by `localeOf` varies with. */
export const VARY = ['accept-language', 'cookie'];

/** The language of `?langue=`; `null` where an address names none that is known. */
export function askedLocale(url: string): Locale | null {
  const [, , asked] = LANGUE.exec(url) ?? [];
  return isLocale(asked) ? asked : null;
}

/**
 * The language of a response: `?langue=`, else the device's, else the first known one of `Accept-Language`, else the
 * household's (docs/rules.md § 61).
 */
export function localeOf(
  { url, headers }: Pick<FastifyRequest, 'url' | 'headers'>,
  household: Locale,
): Locale {
  const asked = askedLocale(url);
  if (asked !== null) return asked;
  const [, chosen] = COOKIE.exec(headers.cookie ?? '') ?? [];
  if (isLocale(chosen)) return chosen;
  return preferredLocale(headers['accept-language'] ?? '') ?? household;
}

/** An address without its language: a stored response serves any language. */
export const withoutLangue = (url: string): string =>
  url.replace(LANGUE, '$1').replace(/[?&]$/, '');

/** The query without the language. Throws `REQUETE_INVALIDE` for a language that is not known. */
export function besidesLangue({
  langue,
  ...query
}: Readonly<Record<string, string>>): Record<string, string> {
  if (langue !== undefined && !isLocale(langue))
    throw champRefusal('langue', 'LANGUE', { langues: LOCALES });
  return query;
}
