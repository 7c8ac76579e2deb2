import { expect, test } from 'vitest';
import { revokeRestoredAccess } from '#server/subjects/identity/members';
import type { Montre } from '#shared/partages';
import { coverOf, image, put } from '../couvertures/support/choosing.ts';
import { picture } from '../couvertures/support/pictures.ts';
import { download, unzip } from '../export/support.ts';
import { openHome } from '../identity/support.ts';
import { listen } from '../support/events.ts';
import { openHouse, type House } from '../support/house.ts';
import { pullAll } from '../support/replication.ts';

/** Ana wishes for two books, and shares her list. */
async function household(): Promise<House> {
  const house = await openHouse();
  for (const titre of ['Regain', 'Sido'])
    await house.ask('ana', 'POST', '/api/souhaits', { titre, auteur: 'Colette' });
  await show(house, true);
  return house;
}

const show = (house: House, souhaits: boolean) =>
  house.ask('ana', 'PUT', '/api/moi/partage', { lectures: false, souhaits });

const offer = (house: House, who: string | null, id: number, method = 'PUT') =>
  house.ask(who, method, `/api/souhaits/${String(id)}/offre`);

/** Gives one of Ana's wishes by the address of her list. */
async function offerByLink(house: House, id: number, nom: string): Promise<void> {
  const { body } = await house.ask('ana', 'POST', '/api/moi/liste');
  const { adresse } = body as { adresse: string };
  const form = new URLSearchParams({ souhait: String(id), nom });
  await fetch(house.url + adresse, { method: 'POST', body: form });
}

/** The givers of Ana's wishes, as this reader sees them. */
async function offertsFor(house: House, who: string) {
  const montres = (await house.ask(who, 'GET', '/api/maison')).body as Montre[];
  const ana = montres.find(({ utilisateur }) => utilisateur === 'ana');
  return ana?.souhaits?.map(({ offert }) => offert);
}

test('a shown list has title, author and cover of each wish, and nothing else', async () => {
  const house = await household();
  const { body } = await house.ask('bob', 'GET', '/api/maison');
  const wish = { auteur: 'Colette', isbnAffiche: null, couverture: null, offert: null };
  expect(body).toEqual([
    {
      utilisateur: 'ana',
      nomComplet: null,
      souhaits: [
        { id: 1, titre: 'Regain', ...wish },
        { id: 2, titre: 'Sido', ...wish },
      ],
    },
  ]);
});

test('the others see who gives what, and which gifts are their own', async () => {
  const house = await household();
  expect(await offer(house, 'bob', 1)).toMatchObject({
    status: 200,
    body: { moi: true, noms: [] },
  });
  expect(await offertsFor(house, 'bob')).toEqual([{ moi: true, noms: [] }, null]);
  expect(await offertsFor(house, 'carl')).toEqual([{ moi: false, noms: ['bob'] }, null]);
  expect(await offer(house, 'carl', 1)).toMatchObject({
    status: 409,
    body: { code: 'DEJA_OFFERT', nom: 'bob', message: 'bob l’offre déjà.' },
  });
  expect(await offer(house, 'bob', 1)).toMatchObject({ status: 200 });
  expect(await offer(house, 'carl', 1, 'DELETE')).toMatchObject({ status: 204 });
  expect(await offertsFor(house, 'carl')).toEqual([{ moi: false, noms: ['bob'] }, null]);
  expect(await offer(house, 'bob', 1, 'DELETE')).toMatchObject({ status: 204 });
  expect(await offertsFor(house, 'carl')).toEqual([null, null]);
});

const MOMENT = new RegExp(String.raw`${new Date().toISOString().slice(0, 11)}[\d:.]+Z`, 'g');

/** Every response that this reader can get, as text. */
async function allAnswers(house: House, who: string): Promise<string[]> {
  const paths = [
    '/api/maison',
    '/api/moi/partage',
    '/api/souhaits',
    '/api/souhaits/export.txt',
    '/api/souhaits/export.csv',
    '/api/resume',
    '/api/modifications?limite=1000',
    '/api/replication?limite=5000&modifications=true',
    '/api/livres',
  ];
  const texts = await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(house.url + path, { headers: house.headersOf(who) });
      expect(response.status, path).toBe(200);
      const headers = [...response.headers].filter(([name]) => name !== 'date');
      return `${path} ${JSON.stringify(headers)} ${await response.text()}`;
    }),
  );
  const files = await unzip((await download(house, '/api/export.zip', who)).bytes);
  // Exports contain the time of their creation.
  return [...texts, ...files.values()].map((text) => text.replace(MOMENT, ''));
}

test('to its owner nothing at all differs by an offer', async () => {
  const house = await household();
  const before = await allAnswers(house, 'ana');
  const stream = await listen(house, 'ana');
  expect(await offer(house, 'bob', 1)).toMatchObject({ status: 200 });
  expect(await allAnswers(house, 'ana')).toEqual(before);
  await offer(house, 'bob', 1, 'DELETE');
  await offer(house, 'carl', 1);
  expect(await allAnswers(house, 'ana')).toEqual(before);
  // A later change is announced by itself.
  await house.ask('bob', 'POST', '/api/livres', { titre: 'Dune', format: 'Physique' });
  await expect.poll(() => stream.revisions().length).toBe(1);
});

test('an offer changes no revision and is no act, of its giver neither', async () => {
  const house = await household();
  const revision = house.context.database.revision();
  const { headers } = await offer(house, 'bob', 1);
  expect(headers.get('X-Modification')).toBeNull();
  expect(house.context.database.revision()).toBe(revision);
  const bob = JSON.stringify(await pullAll(house, 'bob', undefined, undefined, true));
  expect(bob).toMatch(/Regain/);
  expect(bob).not.toMatch(/offert|offre/i);
});

test('offers are in nobody else’s files', async () => {
  const house = await household();
  await offer(house, 'bob', 1);
  const files = await unzip((await download(house, '/api/export.zip', 'bob')).bytes);
  expect([...files.values()].join('\n')).not.toMatch(/Regain|ana/);
});

test('a restored backup shares nothing, and its links are revoked', async () => {
  const house = await household();
  await house.ask('ana', 'POST', '/api/moi/liste');
  house.context.database.write((tx) => revokeRestoredAccess(tx));
  expect((await house.ask('bob', 'GET', '/api/maison')).body).toEqual([]);
  expect((await house.ask('ana', 'GET', '/api/moi/partage')).body).toMatchObject({
    souhaits: false,
    lien: null,
  });
});

test('the owner of a wish gets the same response whether it is given or not', async () => {
  const house = await household();
  const refusals = async () => [
    await offer(house, 'ana', 1),
    await offer(house, 'ana', 1, 'DELETE'),
    await offer(house, 'ana', 2),
    await offer(house, 'ana', 99),
  ];
  const bodies = (await refusals()).map(({ status, body }) => ({ status, body }));
  expect(bodies.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  await offer(house, 'bob', 1);
  expect((await refusals()).map(({ status, body }) => ({ status, body }))).toEqual(bodies);
});

test('a hidden wish cannot be given, and a wish hidden again discloses nothing', async () => {
  const house = await household();
  await offer(house, 'bob', 1);
  await show(house, false);
  expect(await offer(house, 'carl', 2)).toMatchObject({ status: 404 });
  expect(await offer(house, 'bob', 1, 'DELETE')).toMatchObject({ status: 404 });
  expect(await offer(house, null, 1)).toMatchObject({ status: 401 });
  expect(await offertsFor(house, 'bob')).toBeUndefined();
  await show(house, true);
  expect(await offertsFor(house, 'bob')).toEqual([{ moi: true, noms: [] }, null]);
});

test('an offer ends with the wish, and is restored with it', async () => {
  const house = await household();
  await offer(house, 'bob', 1);
  await offerByLink(house, 1, 'Mamie');
  const given = [{ moi: true, noms: ['Mamie'] }, null];
  expect(await offertsFor(house, 'bob')).toEqual(given);
  for (const [method, path, body] of [
    ['POST', '/api/souhaits/1/achat', {}],
    ['DELETE', '/api/souhaits/1', undefined],
  ] as const) {
    const { headers } = await house.ask('ana', method, path, body);
    expect(await offertsFor(house, 'bob')).toEqual([null]);
    const act = headers.get('X-Modification') ?? '';
    await house.ask('ana', 'POST', `/api/modifications/${act}/annulation`);
    expect(await offertsFor(house, 'bob')).toEqual(given);
  }
  // Once no undo can restore the wish, the offer is deleted.
  await house.ask('ana', 'DELETE', '/api/souhaits/1');
  house.context.database.write((tx) => tx.run('DELETE FROM Modification'));
  await offer(house, 'bob', 2);
  expect(house.context.database.values('SELECT souhaitId FROM Offre')).toEqual([2]);
  expect(house.context.database.values('SELECT souhaitId FROM OffreDeVisite')).toEqual([]);
});

const offersOf = async (house: House, who = 'bob') =>
  (await house.ask(who, 'GET', '/api/moi/offres')).body;

test('a reader sees their own offers and nobody else’s', async () => {
  const house = await household();
  await offer(house, 'bob', 1);
  await offer(house, 'carl', 2);
  const [one, other] = [
    { id: 1, titre: 'Regain' },
    { id: 2, titre: 'Sido' },
  ].map((offre) => ({ ...offre, de: 'ana', etat: 'tenue', avant: null }));
  expect(await offersOf(house)).toEqual([one]);
  expect(await offersOf(house, 'carl')).toEqual([other]);
  expect(await offersOf(house, 'ana')).toEqual([]);
  expect(await house.ask(null, 'GET', '/api/moi/offres')).toMatchObject({ status: 401 });
});

test.each([
  { titre: 'Colline', auteur: 'Colette' },
  { titre: 'Regain', auteur: 'Jean Giono' },
])('a wish changed to another book ends its offers: $titre, $auteur', async (wording) => {
  const house = await household();
  await offer(house, 'bob', 1);
  const { headers } = await house.ask('ana', 'PUT', '/api/souhaits/1', wording);
  expect(await offertsFor(house, 'carl')).toEqual([null, null]);
  expect(await offertsFor(house, 'bob')).toEqual([null, null]);
  expect(await offersOf(house)).toMatchObject([
    { titre: wording.titre, etat: 'changee', avant: 'Regain' },
  ]);
  // Another reader gives the changed wish; the first giver sees who.
  expect(await offer(house, 'carl', 1)).toMatchObject({ status: 200 });
  expect(await offer(house, 'bob', 1)).toMatchObject({ status: 409, body: { nom: 'carl' } });
  await offer(house, 'carl', 1, 'DELETE');
  const act = headers.get('X-Modification') ?? '';
  await house.ask('ana', 'POST', `/api/modifications/${act}/annulation`);
  expect(await offersOf(house)).toMatchObject([{ titre: 'Regain', etat: 'tenue', avant: null }]);
});

test('a wish with another spelling keeps its offers', async () => {
  const house = await household();
  await offer(house, 'bob', 1);
  await house.ask('ana', 'PUT', '/api/souhaits/1', { titre: 'REGAIN', auteur: 'colette' });
  expect(await offersOf(house)).toMatchObject([{ titre: 'REGAIN', etat: 'tenue' }]);
});

test('a giver is notified of a deleted wish until they dismiss the notice', async () => {
  const house = await household();
  await offer(house, 'bob', 1);
  await house.ask('ana', 'DELETE', '/api/souhaits/1');
  expect(await offersOf(house)).toEqual([
    { id: 1, de: 'ana', titre: 'Regain', etat: 'partie', avant: null },
  ]);
  await show(house, false);
  expect(await offersOf(house)).toEqual([]);
  await show(house, true);
  expect(await offer(house, 'carl', 1, 'DELETE')).toMatchObject({ status: 404 });
  expect(await offer(house, 'ana', 1, 'DELETE')).toMatchObject({ status: 404 });
  expect(await offer(house, 'bob', 1, 'DELETE')).toMatchObject({ status: 204 });
  expect(await offersOf(house)).toEqual([]);
});

test('an offer by the link ends if the wish changes, too', async () => {
  const house = await household();
  await offerByLink(house, 1, 'Mamie');
  expect(await offertsFor(house, 'bob')).toEqual([{ moi: false, noms: ['Mamie'] }, null]);
  await house.ask('ana', 'PUT', '/api/souhaits/1', { titre: 'Colline', auteur: 'Colette' });
  expect(await offertsFor(house, 'bob')).toEqual([null, null]);
});

test('a cover of a shown wish is seen by the others as long as it is shown', async () => {
  const house = await household();
  const couverture = coverOf(
    await put(house, '/api/souhaits/1/couverture', await picture('#123456')),
  );
  const { body } = await house.ask('bob', 'GET', '/api/maison');
  expect(body).toMatchObject([{ souhaits: [{ couverture }, {}] }]);
  const seen = async (who: string | null) =>
    (await image(house, couverture.cle, 'ligne', who)).status;
  expect([await seen('ana'), await seen('bob'), await seen(null)]).toEqual([200, 200, 404]);
  await show(house, false);
  expect([await seen('ana'), await seen('bob')]).toEqual([200, 404]);
});

test('a removed member’s offers end, and name them by their last name', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  const ines = await home.member('Inès');
  await ines.ask('POST', '/api/souhaits', { titre: 'Regain' });
  await ines.ask('PUT', '/api/moi/partage', { lectures: false, souhaits: true });
  await luc.ask('PUT', '/api/souhaits/1/offre');
  const offert = async () =>
    ((await claire.ask('GET', '/api/maison')).body as Montre[])[0]?.souhaits?.[0]?.offert;
  expect(await offert()).toEqual({ moi: false, noms: ['Luc'] });
  expect(JSON.stringify((await ines.ask('GET', '/api/maison')).body)).not.toMatch(/Luc/);
  await claire.ask('DELETE', '/api/membres/2');
  expect(await offert()).toBeNull();
});
