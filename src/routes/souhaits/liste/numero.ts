import { m } from '$lib/paraglide/messages';

/** An issue's number as one says it: « n° 113 », but « Hors-série 3 ». */
export const nomDuNumero = (numero: string): string =>
  /^\d/.test(numero) ? m.numero_de_revue({ numero }) : numero;
