import { expect, test } from 'vitest';
import type { Auteur } from '#shared/auteurs';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { babelio } from './samples.ts';
import { importFile } from './support.ts';

test('a known given name tells where a family name ends', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Ailleurs', auteurs: ['Gabriel Péri'] });
  const noms = [
    'Poe Edgar Allan',
    'Jacobs Edgar Pierre',
    'Vinci Leonardo',
    'Le Clézio',
    'Garcia Marquez Gabriel',
    'Rice Burroughs Edgar',
    'Vargas Llosa Leonardo',
    'Sand Aurore Dupin',
  ];
  const rows = noms.map((nom) => ['', `Titre de ${nom}`, nom, '', '', '', 'Lu', '0']);
  await importFile(house, babelio(...rows).bytes);
  const auteurs = (await house.ask('alice', 'GET', '/api/auteurs')).body as Auteur[];
  expect(auteurs.map(({ nom }) => nom).sort()).toEqual([
    'Edgar Allan Poe',
    'Edgar Pierre Jacobs',
    'Edgar Rice Burroughs',
    'Gabriel Garcia Marquez',
    'Gabriel Péri',
    'Le Clézio',
    'Leonardo Vargas Llosa',
    'Leonardo Vinci',
    'Sand Aurore Dupin',
  ]);
});
