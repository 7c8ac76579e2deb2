import { parution } from '$lib/format/parution';
import { m } from '../../paraglide/messages.js';
import type { Numero } from '#shared/numeros';

/** « n° 412 », and « HS 3 » as it is. */
export const motNumero = (numero: string): string =>
  /^\d/.test(numero) ? m.numero_n({ numero }) : numero;

/** The same where it begins a line: « N° 412 ». */
export const motNumeroSeul = (numero: string): string =>
  /^\d/.test(numero) ? m.numero_n_seul({ numero }) : numero;

/** The date of an issue in words, or that there is none. */
export const motDate = ({ date }: Pick<Numero, 'date'>): string =>
  date === null ? m.sans_date() : parution(date);
