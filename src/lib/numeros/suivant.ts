import type { Numero } from '#shared/numeros';
import { cleTexte, comparerTextes } from '#shared/text';

/** Where counting ends, should a periodical have every number after its last. */
const ESSAIS = 1000;

/**
 * The number of the issue to come: the one after the newest, which is the latest by its date, then
 * the last entered; « 412 » gives « 413 », « HS 3 » « HS 4 ». Never one that is there; nothing
 * where the newest has no digit.
 */
export function numeroSuivant(numeros: readonly Pick<Numero, 'id' | 'date' | 'numero'>[]): string {
  const [dernier] = numeros.toSorted(
    (a, b) => comparerTextes(b.date ?? '', a.date ?? '') || b.id - a.id,
  );
  const pris = new Set(numeros.map(({ numero }) => cleTexte(numero)));
  let suivant = dernier === undefined ? '' : apres(dernier.numero);
  for (let essai = 0; suivant !== '' && pris.has(cleTexte(suivant)); essai++)
    suivant = essai < ESSAIS ? apres(suivant) : '';
  return suivant;
}

/** One more than the last run of digits, as wide; what follows it (« 12 bis ») is left out. */
function apres(numero: string): string {
  const [, debut = '', chiffres = ''] = /^(.*?)(\d+)\D*$/su.exec(numero) ?? [];
  if (chiffres === '') return '';
  return debut + String(BigInt(chiffres) + 1n).padStart(chiffres.length, '0');
}
