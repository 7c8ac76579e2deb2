import { expect, test } from 'vitest';
import { returnAddress } from '$lib/comptes/comptes';

const ORIGIN = 'https://bibliotheque.example.org';

const after = (retour: string) =>
  returnAddress(new URL(`${ORIGIN}/connexion?${new URLSearchParams({ retour })}`));

test('a sign-in returns to its page', () => {
  expect(after('/prets?tri=date#haut')).toBe('/prets?tri=date#haut');
});

test.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '\\\\evil.example/',
  '/\t/evil.example/',
  '/\n//evil.example/',
  'javascript:alert(1)',
  '/.//evil.example/',
  '/x/..//evil.example',
  'evil.example',
  'https://[',
  '',
])('no return address leads to another host: %j', (retour) => {
  expect(new URL(after(retour), ORIGIN).origin).toBe(ORIGIN);
});

test.each(['/connexion', '/connexion/retour?code=x', '/invitation#y', '/./connexion'])(
  'signing in never returns to a sign-in page: %s',
  (retour) => {
    expect(after(retour)).toBe('/');
  },
);
