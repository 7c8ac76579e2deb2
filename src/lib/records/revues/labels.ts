import { formatPartialDate } from '$lib/format/partial-date';
import { m } from '$lib/paraglide/messages';
import { formatNumero, type Numero } from '#shared/numeros';

/** An issue's number where it begins a line: « N° 412 ». */
export const capitalNumeroLabel = (numero: string): string =>
  formatNumero(numero).replace(/^n°/u, 'N°');

/** The date of an issue in words, or that there is none. */
export const dateLabel = ({ date }: Pick<Numero, 'date'>): string =>
  date === null ? m.undated() : formatPartialDate(date);

/** The number of an issue, with its date if it has one. */
export const numeroLabel = ({ numero, date }: Pick<Numero, 'numero' | 'date'>): string =>
  date === null
    ? formatNumero(numero)
    : m.last_numero({ numero: formatNumero(numero), date: formatPartialDate(date) });
