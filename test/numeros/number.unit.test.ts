import { expect, test } from 'vitest';
import { doubledNumeros, holdsNumero, numeroKey, numeroKeysOf } from '#shared/numeros';
import { formatNumero } from '#shared/numero-name';

test.each([
  ['13', '13'],
  ['N° 13', '13'],
  ['n°013', '13'],
  ['１３', '13'],
  ['Numéro 13', '13'],
  ['issue 13', '13'],
  ['No 13', '13'],
  ['13 bis', '13 bis'],
  ['Hors-série 013', 'hors serie 13'],
  ['Été n° 03', 'ete 3'],
  // A word that ends like an abbreviation of « number », and zeros that are not leading.
  ['Album 13', 'album 13'],
  ['100', '100'],
  ['10 05', '10 5'],
  ['0', '0'],
  ['000', '0'],
  ['n', 'n'],
  ['★', '★'],
])('the number « %s » is compared as « %s »', (numero, key) => {
  expect(numeroKey(numero)).toBe(key);
});

test.each([
  ['112-113', ['112 113', '112', '113']],
  ['N° 7 et 8', ['7 et 8', '7', '8']],
  ['112/113', ['112 113', '112', '113']],
  ['1 à 3', ['1 a 3', '1', '2', '3']],
  ['13', ['13']],
  ['2026-11', ['2026 11']],
  ['3-250', ['3 250']],
  ['Hors-série 3-4', ['hors serie 3 4']],
])('the issue « %s » counts as %j', (numero, keys) => {
  expect(numeroKeysOf(numero)).toEqual(keys);
});

test('a double issue is asked for by each of its numbers', () => {
  for (const wanted of ['112', 'n° 113', '112-113'])
    expect(holdsNumero({ numero: '112-113' }, wanted), wanted).toBe(true);
  expect(holdsNumero({ numero: '112-113' }, '114')).toBe(false);
});

test('numbers of equal value are listed together', () => {
  const numeros = ['13', '14', 'N° 013', 'Été', '013', 'ete'].map((numero) => ({ numero }));
  expect(doubledNumeros(numeros)).toEqual(['n°\u00a013 et N° 013 et n°\u00a0013', 'Été et ete']);
  expect(doubledNumeros(numeros.slice(0, 2))).toEqual([]);
});

test.each([
  ['113', 'n°\u00a0113'],
  ['113 bis', 'n°\u00a0113 bis'],
  ['Hors-série 3', 'Hors-série 3'],
])('« %s » is written « %s »', (numero, written) => {
  expect(formatNumero(numero)).toBe(written);
});
