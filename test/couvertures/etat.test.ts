import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { souhaiter } from '../support/souhaits.ts';
import { picture } from './support/pictures.ts';
import { gives, isbnPath, openSource } from './support/source.ts';

test('a screen brings forward no wish of another person', async () => {
  const source = await openSource();
  const house = await openHouse(undefined, { OPEN_LIBRARY_COVERS_URL: source.url });
  const isbns = ['9782070360024', '9782070360017', '9782070360109', '9782070360420'];
  const more = ['9782070322886', '9782070368051', '9782070366071', '9782070368075'];
  for (const [n, isbn] of [...isbns, ...more].entries()) {
    source.behave(isbnPath(isbn), () => undefined);
    await ajouterLivre(house, { titre: `Livre ${n}`, isbn });
  }
  await souhaiter(house, 'ana', { titre: 'Souhait', isbn: '9782070408504' });
  const front = (who: string | null, body: object) =>
    house.ask(who, 'POST', '/api/couvertures/avancer', body);
  expect((await front('bob', { livres: [8], souhaits: [1] })).status).toBe(204);
  expect((await front(null, { livres: [7, 999] })).status).toBe(204);
  expect((await front(null, { livres: Array.from({ length: 101 }, () => 1) })).status).toBe(400);
  house.context.covers.fetcher.start();
  await eventually(() => source.asked.length).toBe(6);
  expect(source.asked.toSorted()).toEqual(
    ['9782070368075', '9782070366071', ...isbns].map(isbnPath).sort(),
  );
});

test('« Réessayer » requests the failed covers again', async () => {
  const source = await openSource();
  const isbn = '9782070360024';
  source.behave(isbnPath(isbn), (response) => void response.writeHead(500).end());
  const house = await openHouse(undefined, { OPEN_LIBRARY_COVERS_URL: source.url });
  await ajouterLivre(house, { isbn });
  house.context.covers.fetcher.start();
  const etat = async () => (await house.ask(null, 'GET', '/api/couvertures/etat')).body;
  await expect
    .poll(etat)
    .toMatchObject({ attente: 0, plusTard: [{ raison: 'erreur', nombre: 1 }] });
  source.behave(isbnPath(isbn), gives(await picture('#204060')));
  const answer = await house.ask('ana', 'POST', '/api/couvertures/reessayer');
  expect(answer).toMatchObject({ status: 200, body: { attente: 1, plusTard: [] } });
  expect(answer.headers.get('x-modification')).toBeNull();
  await expect.poll(etat).toMatchObject({ gardees: 1, attente: 0 });
});
