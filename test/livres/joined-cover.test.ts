import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Couverture } from '#shared/couvertures';
import { joinedFields } from '#shared/fusions';
import { livres } from '../catalogue/random.ts';

const PICTURE: Couverture = {
  cle: 'a'.repeat(64),
  couleur: '#112233',
  largeur: 200,
  hauteur: 300,
  source: 'personne',
};
const ADDRESS = 'https://exemple.org/c.jpg';

const [livre] = fc.sample(livres(fc.constant(1)), { seed: 1, numRuns: 1 });

test.each<['garde' | 'part', Couverture | null, string | null, Couverture | null, string | null]>([
  ['garde', null, null, null, null],
  ['garde', PICTURE, null, PICTURE, ADDRESS],
  ['garde', PICTURE, null, null, ADDRESS],
  ['part', null, null, null, ADDRESS],
  ['part', null, null, PICTURE, null],
  ['part', null, ADDRESS, PICTURE, null],
])(
  'of two copies joined, %s gives the cover',
  (coverOf, couverture, coverUrl, picture, address) => {
    if (livre === undefined) throw new Error('no book is drawn');
    const garde = { ...livre, couverture, coverUrl };
    const part = { ...livre, couverture: picture, coverUrl: address };
    expect(joinedFields(garde, part)).toMatchObject({
      coverOf,
      coverUrl: coverOf === 'garde' ? coverUrl : address,
    });
  },
);
