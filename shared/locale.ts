/** The languages that `messages/` has, a household's own first. */
export const LOCALES = ['fr', 'en'] as const;
export type Locale = (typeof LOCALES)[number];

/** The default language. */
export const BASE_LOCALE: Locale = 'fr';

export const isLocale = (text: unknown): text is Locale =>
  LOCALES.some((locale) => locale === text);

/** The first accepted language that is supported, `en-GB;q=0.8, fr` as `fr`; `null` without any. */
export function preferredLocale(acceptLanguage: string): Locale | null {
  const wanted = acceptLanguage.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const q = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
    return { locale: tag.split('-')[0], weight: Number(q) };
  });
  const known = wanted.flatMap(({ locale, weight }) =>
    isLocale(locale) && weight > 0 ? [{ locale, weight }] : [],
  );
  // Sorting is stable: of two that are wanted alike the first.
  return known.sort((a, b) => b.weight - a.weight)[0]?.locale ?? null;
}
