import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Auteur } from '#shared/auteurs';
import type { NomInverse } from '#shared/importations';
import { commonSecondWords, invertNom, isDoubtful } from '#shared/nom-inverse';
import { cleRegroupement } from '#shared/text';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { cases } from '../support/random.ts';
import { babelio } from './samples.ts';
import { sendFile } from './support.ts';

describe('a name that stands family name first', () => {
  it.each([
    ['Camus Albert', 'Albert Camus'],
    ['Poe Edgar Allan', 'Edgar Allan Poe'],
    ['Garcia Marquez Gabriel', 'Gabriel Garcia Marquez'],
    ['Le Clézio Jean-Marie', 'Jean-Marie Le Clézio'],
    ['Homère', 'Homère'],
    ['', ''],
  ])('« %s » is turned into « %s »', (nom, turned) => {
    expect(invertNom(nom, new Set(['gabriel']))).toBe(turned);
  });

  it('is doubtful with several words or a particle', () => {
    expect(['Camus Albert', 'Poe Edgar Allan', 'Le Clézio', 'Homère'].map(isDoubtful)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('is turned behind what stands second in several names', () => {
    expect(commonSecondWords(['Poe Edgar Allan', 'Jacobs Edgar Pierre', 'A B C'])).toEqual([
      'edgar',
    ]);
  });

  test('keeps its words, so that it stays the same author', () => {
    fc.assert(
      fc.property(fc.string(), (nom) => {
        expect(cleRegroupement(invertNom(nom))).toBe(cleRegroupement(nom));
      }),
      cases(100),
    );
  });
});

test('doubtful names are shown, and turned only where a person says so; known authors are not asked', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dune', auteurs: ['Frank Patrick Herbert'] });
  const file = babelio(
    ['', 'Le Scarabée d&#39,or', 'Poe Edgar Allan', '', '', '', 'Lu', '4'],
    ['', 'Fragments', 'Sand George Aurore', '', '', '', 'Lu', '0'],
    ['', 'Le Messie', 'Herbert Frank Patrick', '', '', '', 'Lu', '5'],
  );
  const { body: essai } = await sendFile(house, file.bytes, {}, 'alice');
  expect(essai.avertissements).toEqual([{ ligne: 1, raison: '2 notes ne sont pas reprises' }]);
  const path = `/api/importations/${String(essai.id)}`;
  const noms = (await house.ask('alice', 'GET', `${path}/noms`)).body as NomInverse[];
  expect(noms).toEqual([
    { nom: 'Poe Edgar Allan', inverse: 'Edgar Allan Poe' },
    { nom: 'Sand George Aurore', inverse: 'George Aurore Sand' },
  ]);
  await house.ask('alice', 'POST', `${path}/execution`, { nomsInverses: ['Poe Edgar Allan'] });
  const auteurs = (await house.ask('alice', 'GET', '/api/auteurs')).body as Auteur[];
  expect(auteurs.map(({ nom }) => nom).sort()).toEqual([
    'Edgar Allan Poe',
    'Frank Patrick Herbert',
    'Sand George Aurore',
  ]);
});
