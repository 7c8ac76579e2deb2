import { numeroDateKey } from '#shared/numero-date';
import { numeroKey, numeroKeysOf, type Numero } from '#shared/numeros';
import { compareText } from '#shared/text';

/** How many taken numbers are skipped before none is proposed. */
const MAX_ATTEMPTS = 1000;

/**
 * The next issue's number: one more than the newest by date, then by entry. Never a taken number; '' if the newest
 * has no digit.
 */
export function nextNumero(numeros: readonly Pick<Numero, 'id' | 'date' | 'numero'>[]): string {
  const [newest] = numeros.toSorted((a, b) => compareText(dateKey(b), dateKey(a)) || b.id - a.id);
  const taken = new Set(numeros.flatMap(({ numero }) => numeroKeysOf(numero)));
  let next = newest === undefined ? '' : numberAfter(newest.numero);
  for (let attempt = 0; next !== '' && taken.has(numeroKey(next)); attempt++)
    next = attempt < MAX_ATTEMPTS ? nextNumber(next) : '';
  return next;
}

/** After a double issue the number after its last one. */
function numberAfter(numero: string): string {
  const numeros = numeroKeysOf(numero);
  return nextNumber(numeros.length > 1 ? (numeros.at(-1) ?? numero) : numero);
}

const dateKey = ({ date }: Pick<Numero, 'date'>): string =>
  date === null ? '' : (numeroDateKey(date) ?? '');

/** Increments the last run of digits, keeping its width, and drops the rest (« 12 bis »); '' without a digit. */
export function nextNumber(numero: string): string {
  const last = [...numero.matchAll(/\d+/gu)].at(-1);
  if (last === undefined) return '';
  const [digits] = last;
  return numero.slice(0, last.index) + String(BigInt(digits) + 1n).padStart(digits.length, '0');
}
