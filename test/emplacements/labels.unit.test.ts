import { expect, it } from 'vitest';
import { locationOfLabel } from '../../src/lib/format/label-address.ts';

it('reads the location of a label under any host name', () => {
  expect(locationOfLabel('https://livres.maison/rangement/12')).toBe(12);
  expect(locationOfLabel('http://192.168.1.4:3000/biblio/rangement/3')).toBe(3);
  for (const other of ['9782070360024', 'https://livres.maison/livres/12', '', '/rangement/0'])
    expect(locationOfLabel(other)).toBeNull();
});
