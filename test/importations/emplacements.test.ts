import { describe, expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { ajouterEmplacement, lines, rangerLivre } from '../support/emplacements.ts';
import { openHouse, type House } from '../support/house.ts';
import { importFile } from './support.ts';

const TABLE = [
  'Titre;Auteurs;Emplacement',
  'Dune;Frank Herbert;Salon > Étagère 3',
  'Emma;Jane Austen;SALON › Étagère 1',
  'Ravage;René Barjavel;Cave',
  'Ida;Gertrude Stein;',
  `Regain;Jean Giono;${Array.from({ length: 7 }, (_, i) => `N${i}`).join(' > ')}`,
].join('\n');

/** The location of each book, by title. */
async function standing(house: House): Promise<Record<string, string | null>> {
  const livres = (await house.ask(null, 'GET', '/api/livres')).body as Livre[];
  const { body } = await house.ask(null, 'GET', '/api/emplacements');
  const noms = new Map((body as { id: number; nom: string }[]).map(({ id, nom }) => [id, nom]));
  return Object.fromEntries(
    livres.map(({ titre, emplacementId }) => [titre, noms.get(emplacementId ?? 0) ?? null]),
  );
}

describe('a column of locations', () => {
  test('makes the tree, and puts the books into it', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Salon');
    const importation = await importFile(house, TABLE);
    expect(await lines(house)).toEqual(['Salon', '- Étagère 3', '- Étagère 1', 'Cave']);
    expect(await standing(house)).toEqual({
      Dune: 'Étagère 3',
      Emma: 'Étagère 1',
      Ravage: 'Cave',
      Ida: null,
      Regain: null,
    });
    expect(importation.avertissements).toMatchObject([
      {
        ligne: 6,
        raison: 'emplacement de trop de niveaux ou de nom trop long, laissé de côté',
      },
    ]);
  });

  test('is undone with the import unless a book uses it', async () => {
    const house = await openHouse();
    await ajouterEmplacement(house, 'Salon');
    const importation = await importFile(house, TABLE);
    const livres = (await house.ask(null, 'GET', '/api/livres?recherche=ravage')).body as Livre[];
    // A person has moved Ravage, so it stays there.
    await rangerLivre(house, livres[0]?.id ?? 0, 3);
    const { body } = await house.ask('alice', 'DELETE', `/api/importations/${importation.id}`);
    expect(body).toEqual({ retires: 4, gardes: 1 });
    expect(await lines(house)).toEqual(['Salon', '- Étagère 1']);
    expect(await standing(house)).toEqual({ Ravage: 'Étagère 1' });
  });

  test.each([
    [
      'BookBuddy',
      'Title,Author,Loaned To,Physical Location,Wish List',
      'Dune,Frank Herbert,,Salon > Haut,',
    ],
    [
      'NeverTooManyBooks',
      '_id,author_details,title,series_details,location',
      '1,"Herbert, Frank",Dune,,Salon > Haut',
    ],
  ])('of %s is read', async (_, header, row) => {
    const house = await openHouse();
    await importFile(house, `${header}\n${row}\n`);
    expect(await lines(house)).toEqual(['Salon', '- Haut']);
    expect(await standing(house)).toEqual({ Dune: 'Haut' });
  });

  test('of our own table is restored unchanged', async () => {
    const house = await openHouse();
    await importFile(house, TABLE);
    const response = await fetch(`${house.url}/api/export/livres.csv`);
    const other = await openHouse();
    await importFile(other, Buffer.from(await response.arrayBuffer()));
    expect(await standing(other)).toEqual(await standing(house));
    expect(await lines(other)).toEqual(await lines(house));
  });
});
