import { expect, test } from 'vitest';
import { openHome } from '../identity/support.ts';
import { documentsOf, pullAll } from '../support/replication.ts';
import { listen } from '../support/events.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { noter } from '../lectures/support.ts';

const show = (house: House, who: string, lectures: boolean, souhaits = false) =>
  house.ask(who, 'PUT', '/api/moi/partage', { lectures, souhaits });

const maison = async (house: House, who: string) =>
  (await house.ask(who, 'GET', '/api/maison')).body;

/** Ana is reading « Dune », of the household, and « Lu ailleurs »; she has read « Sido ». */
async function household(): Promise<House> {
  const house = await openHouse();
  for (const titre of ['Dune', 'Sido']) await ajouterLivre(house, { titre });
  await noter(house, 'ana', {
    livreId: 1,
    debut: '2024-03-12',
    note: 9,
    avis: 'inavouable',
    page: 3,
  });
  await noter(house, 'ana', { titre: 'Lu ailleurs', debut: '2024' });
  await noter(house, 'ana', { livreId: 2, debut: '2023', fin: '2024', note: 2 });
  return house;
}

const SHOWN = [
  { livreId: 1, titre: 'Dune', depuis: '2024-03-12' },
  { livreId: null, titre: 'Lu ailleurs', depuis: '2024' },
];

test('readings are hidden until their reader shares them', async () => {
  const house = await household();
  expect((await house.ask('ana', 'GET', '/api/moi/partage')).body).toEqual({
    lectures: false,
    souhaits: false,
    autres: true,
    lien: null,
  });
  expect(await maison(house, 'bob')).toEqual([]);
  expect(await documentsOf(house, 'bob', 'partages')).toEqual([]);
});

test('a shared reading shows its title and first day, and nothing else', async () => {
  const house = await household();
  const { status, body } = await show(house, 'ana', true);
  expect({ status, body }).toEqual({
    status: 200,
    body: { lectures: true, souhaits: false, autres: true, lien: null },
  });
  expect(await maison(house, 'bob')).toEqual([
    { utilisateur: 'ana', nomComplet: null, lectures: SHOWN },
  ]);
  expect(await documentsOf(house, 'bob', 'partages')).toEqual([
    { id: 1, utilisateur: 'ana', nomComplet: null, lectures: SHOWN, souhaits: null },
  ]);
  expect(JSON.stringify(await pullAll(house, 'bob'))).not.toMatch(/inavouable|"note":|"page":3/);
});

test('a reading that is no longer shared leaves every replica at once', async () => {
  const house = await household();
  await show(house, 'ana', true);
  const copy = await pullAll(house, 'bob');
  const { headers } = await show(house, 'ana', false);
  expect(await maison(house, 'bob')).toEqual([]);
  const after = await pullAll(house, 'bob', copy);
  expect(after.changements).toMatchObject([{ collection: 'partages', id: 1, document: null }]);
  expect(after.revision).toBe(Number(headers.get('X-Revision')));
  // A new device does not learn who had shared what.
  expect(await documentsOf(house, 'carl', 'partages')).toEqual([]);
  // Sharing again creates another record, so that a late page cannot restore the old one.
  await show(house, 'ana', true);
  expect(await documentsOf(house, 'bob', 'partages')).toMatchObject([{ id: 2 }]);
});

test('a shared reading follows the readings, the book’s name and its deletion', async () => {
  const house = await household();
  await show(house, 'ana', true);
  const titres = async () =>
    ((await documentsOf(house, 'bob', 'partages')) as { lectures: { titre: string }[] }[]).flatMap(
      ({ lectures }) => lectures.map(({ titre }) => titre),
    );
  await house.ask('bob', 'PUT', '/api/livres/1', { titre: 'Dune II', format: 'Physique' });
  expect(await titres()).toEqual(['Dune II', 'Lu ailleurs']);
  await house.ask('bob', 'DELETE', '/api/livres/1');
  expect(await documentsOf(house, 'bob', 'partages')).toMatchObject([
    { lectures: [{ livreId: null, titre: 'Dune II' }, {}] },
  ]);
  await house.ask('ana', 'PUT', '/api/livres/2/statut', { statut: 1, jour: '2024-05-01' });
  expect(await titres()).toEqual(['Sido', 'Dune II', 'Lu ailleurs']);
  const away = { titre: 'Lu ailleurs', debut: '2024' };
  await house.ask('ana', 'PUT', '/api/lectures/2', { ...away, abandon: true });
  expect(await titres()).toEqual(['Sido', 'Dune II']);
  await house.ask('ana', 'PUT', '/api/lectures/2', away);
  expect(await titres()).toEqual(['Sido', 'Dune II', 'Lu ailleurs']);
  await house.ask('ana', 'PUT', '/api/lectures/2', { ...away, fin: '2024-06' });
  expect(await titres()).toEqual(['Sido', 'Dune II']);
  await house.ask('ana', 'PUT', '/api/lectures/2', away);
  await house.ask('ana', 'DELETE', '/api/lectures/2');
  expect(await titres()).toEqual(['Sido', 'Dune II']);
  await house.ask('ana', 'PUT', '/api/livres/2/statut', { statut: 2, jour: '2024-05-02' });
  expect(await titres()).toEqual(['Dune II']);
});

test('a reading that is not shared writes no journal entry', async () => {
  const house = await household();
  await show(house, 'ana', true);
  const copy = await pullAll(house, 'bob');
  const bob = await listen(house, 'bob');
  const read = { livreId: 2, debut: '2023', fin: '2024', note: 10, avis: 'autre mot' };
  await house.ask('ana', 'PUT', '/api/lectures/3', read);
  const shown = { livreId: 1, debut: '2024-03-12' };
  await house.ask('ana', 'PUT', '/api/lectures/1', { ...shown, note: 1, avis: 'plat' });
  await house.ask('ana', 'PUT', '/api/lectures/1', { ...shown, page: 40 });
  await house.ask('ana', 'POST', '/api/lectures', { titre: 'Chéri', fin: '2022' });
  await house.ask('ana', 'POST', '/api/lectures', {
    titre: 'Mitsou',
    debut: '2022',
    abandon: true,
  });
  await house.ask('ana', 'DELETE', '/api/lectures/3');
  await house.ask('ana', 'POST', '/api/souhaits', { titre: 'Paul' });
  expect((await pullAll(house, 'bob', copy)).changements).toEqual([]);
  await house.ask('ana', 'PUT', '/api/lectures/1', { livreId: 1, debut: '2024-03-13' });
  await expect.poll(() => bob.revisions().length).toBe(1);
});

test('an unknown caller sees no shared reading, and all of them once they are known', async () => {
  const house = await household();
  await show(house, 'ana', true);
  expect(await house.ask(null, 'GET', '/api/maison')).toMatchObject({ status: 401 });
  expect(await house.ask(null, 'GET', '/api/moi/partage')).toMatchObject({ status: 401 });
  expect(await show(house, null as never, true)).toMatchObject({ status: 401 });
  const unknown = await pullAll(house, null);
  expect(unknown.changements.filter(({ collection }) => collection === 'partages')).toEqual([]);
  const known = await pullAll(house, 'bob', unknown);
  expect(known.changements).toMatchObject([{ collection: 'partages', id: 1 }]);
});

test('sharing is not in the history, and cannot be undone by others', async () => {
  const house = await household();
  const before = (await house.ask('ana', 'GET', '/api/modifications')).body;
  const { headers } = await show(house, 'ana', true);
  expect(headers.get('X-Modification')).toBeNull();
  expect((await house.ask('ana', 'GET', '/api/modifications')).body).toEqual(before);
});

test('without a sign-on layer nobody else can see a reading', async () => {
  const house = await openHouse(undefined, { SIMULATED_USER: 'ana' });
  expect((await house.ask(null, 'GET', '/api/moi/partage')).body).toMatchObject({ autres: false });
});

test('a member is shown by their present name, and not after their removal', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  expect((await claire.ask('GET', '/api/moi/partage')).body).toMatchObject({ autres: false });
  const luc = await home.member('Luc');
  await luc.ask('POST', '/api/lectures', { titre: 'Dune', debut: '2024' });
  expect(
    (await luc.ask('PUT', '/api/moi/partage', { lectures: true, souhaits: false })).body,
  ).toEqual({ lectures: true, souhaits: false, autres: true, lien: null });
  const shown = async () => (await claire.ask('GET', '/api/maison')).body;
  expect(await shown()).toMatchObject([{ utilisateur: 'luc', nomComplet: 'Luc' }]);
  const copy = (await claire.ask('GET', '/api/replication')).body as {
    epoque: string;
    revision: number;
  };
  await luc.ask('PUT', '/api/membres/2', { nom: 'Luc-Antoine', gere: false, exclu: false });
  expect(await shown()).toMatchObject([{ nomComplet: 'Luc-Antoine' }]);
  const since = `/api/replication?epoque=${copy.epoque}&revision=${copy.revision}`;
  expect((await claire.ask('GET', since)).body).toMatchObject({
    changements: [{ collection: 'partages', document: { nomComplet: 'Luc-Antoine' } }],
  });
  await claire.ask('PUT', '/api/membres/2', { nom: 'Luc', gere: false, exclu: true });
  expect(await shown()).toEqual([]);
});
