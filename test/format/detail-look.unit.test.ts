import { expect, test } from 'vitest';
import { shownValeur } from '../../src/lib/details/look.ts';

test.each([
  ['Langue', 'fre', 'français'],
  ['langue', 'en', 'anglais'],
  ['Langue', 'français, latin', 'français, latin'],
  ['Langue', 'xyz', 'xyz'],
  ['Prix', '12.50 EUR', '12,50 €'],
  ['Prix', 'EUR 12', '12 €'],
  ['prix', '9,9CHF', '9,90 CHF'],
  ['Prix', '12 €', '12 €'],
  ['Prix', '12', '12'],
  ['Prix', 'EUR 12 EUR', 'EUR 12 EUR'],
  ['Prix', 'offert', 'offert'],
  ['Note', 'fre', 'fre'],
])('%s « %s » is shown as « %s »', (nom, valeur, shown) => {
  expect(shownValeur({ nom, valeur }).replaceAll(/\s/g, ' ')).toBe(shown);
});
