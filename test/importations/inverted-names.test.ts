import { expect, test } from 'vitest';
import type { Auteur } from '#shared/auteurs';
import type { NomInverse } from '#shared/importations';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { babelio } from './samples.ts';
import { sendFile } from './support.ts';

test('doubtful names are turned only where a person says so', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dune', auteurs: ['Frank Patrick Herbert'] });
  const file = babelio(
    ['', 'Le Scarabée d&#39,or', 'Poe Edgar Allan', '', '', '', 'Lu', '4'],
    ['', 'Fragments', 'Sand George Aurore', '', '', '', 'Lu', '0'],
    ['', 'Le Messie', 'Herbert Frank Patrick', '', '', '', 'Lu', '5'],
  );
  const { body: essai } = await sendFile(house, file.bytes, {}, 'alice');
  expect(essai.avertissements).toEqual([]);
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
