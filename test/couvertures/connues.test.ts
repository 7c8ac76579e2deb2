import { expect, test } from 'vitest';
import {
  estCouvertureDeLivre,
  estCouvertureDeNumero,
  estCouvertureDeSouhait,
} from '#server/couvertures/store';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { ajouterNumero, ajouterRevue } from '../support/revues.ts';
import { souhaiter } from '../support/souhaits.ts';

const SITE = 'https://couvertures.example';
const adresse = (nom: string) => `https://exemple.fr/${nom}.jpg`;
const secours = (isbn: string) => `${SITE}/b/isbn/${isbn}-L.jpg?default=false`;
const [ISBN, AUTRE] = ['9782070360024', '9782070408504'];

test('covers of books and issues are everyone’s, those of wishes their owner’s', async () => {
  const house = await openHouse(undefined, { OPEN_LIBRARY_COVERS_URL: SITE });
  const { base } = house.context;
  await ajouterLivre(house, { coverUrl: adresse('livre') });
  await ajouterRevue(house);
  await ajouterNumero(house, 1, { coverUrl: adresse('numero') });
  await souhaiter(house, 'ana', { titre: 'A', coverUrl: adresse('souhait'), isbn: ISBN });
  await souhaiter(house, 'ana', { titre: 'B', isbn: AUTRE });

  const connue = (url: string, utilisateur: string | null) =>
    [estCouvertureDeLivre, estCouvertureDeNumero, estCouvertureDeSouhait].some((connait) =>
      connait(base, url, utilisateur),
    );
  for (const qui of ['ana', 'bob', null]) {
    expect(connue(adresse('livre'), qui)).toBe(true);
    expect(connue(adresse('numero'), qui)).toBe(true);
    expect(connue(adresse('autre'), qui)).toBe(false);
    for (const url of [adresse('souhait'), secours(ISBN), secours(AUTRE)])
      expect(connue(url, qui), url).toBe(qui === 'ana');
  }
  await house.ask('ana', 'DELETE', '/api/souhaits/2');
  expect(connue(secours(AUTRE), 'ana')).toBe(false);
});

test('another’s cover is refused as one that never was', async () => {
  const house = await openHouse();
  await souhaiter(house, 'ana', { coverUrl: adresse('souhait') });
  const demander = async (utilisateur: string | null, nom: string) => {
    const path = `/api/couvertures?url=${encodeURIComponent(adresse(nom))}`;
    const { status, body } = await house.ask(utilisateur, 'GET', path);
    return { status, body };
  };
  const refus = await demander('bob', 'jamais');
  expect(refus).toMatchObject({ status: 404, body: { code: 'INTROUVABLE' } });
  for (const qui of ['bob', null]) expect(await demander(qui, 'souhait')).toEqual(refus);
});
