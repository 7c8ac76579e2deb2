import { expect, test } from 'vitest';
import { deNom, withDe } from '#shared/elision';

test.each([
  ['Victor Hugo', 'De Victor Hugo', 'de Victor Hugo'],
  ['Elena Ferrante', 'D’Elena Ferrante', 'd’Elena Ferrante'],
  ['Hergé', 'D’Hergé', 'd’Hergé'],
  ['Inès', 'D’Inès', 'd’Inès'],
  ['Éric', 'D’Éric', 'd’Éric'],
])('%s stands behind the preposition as %s', (nom, alone, within) => {
  expect([withDe(nom), deNom(nom)]).toEqual([alone, within]);
});
