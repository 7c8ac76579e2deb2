import { intlLocale } from './locale.ts';

/** « 12,3 Mo », « 640 ko »: decimal units, as browsers and systems count storage. */
export function formatBytes(bytes: number): string {
  const isLarge = bytes >= 999_500;
  const format = new Intl.NumberFormat(intlLocale, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  });
  return format.format(bytes / (isLarge ? 1_000_000 : 1_000));
}
