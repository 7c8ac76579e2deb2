import { m } from '#messages';
import type { Locale } from './locale.ts';

/**
 * « n° 113 », but « Hors-série 3 ».
 *
 * @param reading the language, on the server; a device has its own
 */
export const formatNumero = (numero: string, reading: { readonly locale?: Locale } = {}): string =>
  /^\d/.test(numero) ? m.told_numero({ numero }, reading) : numero;
