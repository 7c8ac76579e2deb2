import { expect, test } from 'vitest';
import { isKnownCover } from '#server/subjects/couvertures/couvertures';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { ajouterNumero, ajouterRevue } from '../support/revues.ts';
import { souhaiter } from '../support/souhaits.ts';

const SITE = 'https://couvertures.example';
const address = (nom: string) => `https://exemple.fr/${nom}.jpg`;
const fallback = (isbn: string) => `${SITE}/b/isbn/${isbn}-L.jpg?default=false`;
const [ISBN, OTHER] = ['9782070360024', '9782070408504'];

test('covers of wishes are known to their owner alone', async () => {
  const house = await openHouse(undefined, { OPEN_LIBRARY_COVERS_URL: SITE });
  const { database } = house.context;
  await ajouterLivre(house, { coverUrl: address('livre') });
  await ajouterRevue(house);
  await ajouterNumero(house, 1, { coverUrl: address('numero') });
  await souhaiter(house, 'ana', { titre: 'A', coverUrl: address('souhait'), isbn: ISBN });
  await souhaiter(house, 'ana', { titre: 'B', isbn: OTHER });

  const isKnown = (url: string, utilisateur: string | null) =>
    isKnownCover(database, url, utilisateur);
  for (const who of ['ana', 'bob', null]) {
    expect(isKnown(address('livre'), who)).toBe(true);
    expect(isKnown(address('numero'), who)).toBe(true);
    expect(isKnown(address('autre'), who)).toBe(false);
    for (const url of [address('souhait'), fallback(ISBN), fallback(OTHER)])
      expect(isKnown(url, who), url).toBe(who === 'ana');
  }
  await house.ask('ana', 'DELETE', '/api/souhaits/2');
  expect(isKnown(fallback(OTHER), 'ana')).toBe(false);
});

test('another reader’s cover is refused like an unknown one', async () => {
  const house = await openHouse();
  await souhaiter(house, 'ana', { coverUrl: address('souhait') });
  const ask = async (utilisateur: string | null, nom: string) => {
    const path = `/api/couvertures?url=${encodeURIComponent(address(nom))}`;
    const { status, body } = await house.ask(utilisateur, 'GET', path);
    return { status, body };
  };
  const refusal = await ask('bob', 'jamais');
  expect(refusal).toMatchObject({ status: 404, body: { code: 'INTROUVABLE' } });
  for (const who of ['bob', null]) expect(await ask(who, 'souhait')).toEqual(refusal);
});
