import { expect, test } from 'vitest';
import type { Pret, PretEnCours } from '#shared/prets';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { send } from '../support/server.ts';

const preter = (house: House, id: number, emprunteur: string) =>
  house.ask('alice', 'POST', `/api/livres/${String(id)}/prets`, { emprunteur });
const rendre = (house: House, id: number) =>
  house.ask(null, 'POST', `/api/prets/${String(id)}/retour`);

test('a book is lent, comes back, and keeps its history, newest first', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const lent = await preter(house, 1, ' Zoé ');
  expect(lent).toMatchObject({
    status: 201,
    body: { id: 1, livreId: 1, emprunteur: 'Zoé', dateRetour: null },
  });
  expect(Object.keys(lent.body as object).sort()).toEqual([
    'datePret',
    'dateRetour',
    'emprunteur',
    'id',
    'livreId',
  ]);
  expect(Number(lent.headers.get('x-revision'))).toBe(house.context.database.revision());
  const { datePret } = lent.body as Pret;
  expect(datePret).toMatch(/Z$/);
  expect((await house.ask(null, 'GET', '/api/livres/1')).body).toMatchObject({
    pret: { id: 1, emprunteur: 'Zoé', datePret },
  });

  const back = await rendre(house, 1);
  expect(back).toMatchObject({ status: 200, body: { id: 1, datePret } });
  const again = await rendre(house, 1);
  expect([again.status, again.body]).toEqual([200, back.body]);
  expect((await house.ask(null, 'GET', '/api/livres/1')).body).toMatchObject({ pret: null });

  await preter(house, 1, 'Ada');
  const { body } = await house.ask(null, 'GET', '/api/livres/1/prets');
  expect((body as Pret[]).map(({ id, emprunteur }) => [id, emprunteur])).toEqual([
    [2, 'Ada'],
    [1, 'Zoé'],
  ]);
});

test('a lent book is not lent again, and the refusal names who has it', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  await preter(house, 1, 'Zoé');
  const { status, body } = await preter(house, 1, 'Ada');
  expect({ status, body }).toMatchObject({
    status: 409,
    body: { code: 'DEJA_PRETE', emprunteur: 'Zoé' },
  });
  expect((body as { message: string }).message).toContain('Zoé');
  expect((await house.ask(null, 'GET', '/api/livres/1/prets')).body).toHaveLength(1);
});

test('of ten who lend at once, each on a connection of their own, one does', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  // The service answers one write at a time: whichever comes first, the unique index refuses the
  // others, and each of them is told the same borrower.
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      send(`${house.url}/api/livres/1/prets`, {
        method: 'POST',
        headers: ['Content-Type', 'application/json'],
        body: JSON.stringify({ emprunteur: `Ami ${String(i)}` }),
      }),
    ),
  );
  const lent = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 409);
  expect([lent.length, refused.length]).toEqual([1, 9]);
  const { emprunteur } = lent[0]?.json() ?? {};
  for (const answer of refused)
    expect(answer.json()).toMatchObject({ code: 'DEJA_PRETE', emprunteur });
  const { body } = await house.ask(null, 'GET', '/api/livres/1/prets');
  expect(body).toMatchObject([{ emprunteur, dateRetour: null }]);
});

test.each([
  [{}, 'emprunteur'],
  [{ emprunteur: '' }, 'emprunteur'],
  [{ emprunteur: '  ' }, 'emprunteur'],
  [{ emprunteur: null }, 'emprunteur'],
  [{ emprunteur: 'a'.repeat(201) }, 'emprunteur'],
])('%j lends nothing', async (body, champ) => {
  const house = await openHouse();
  await ajouterLivre(house);
  expect(await house.ask(null, 'POST', '/api/livres/1/prets', body)).toMatchObject({
    status: 400,
    body: { code: 'REQUETE_INVALIDE', champs: [{ champ }] },
  });
});

test('an ebook is not lent', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { format: 'Numerique' });
  expect(await preter(house, 1, 'Zoé')).toMatchObject({
    status: 400,
    body: { code: 'LIVRE_NUMERIQUE' },
  });
});

test('a loan that is not there does not come back', async () => {
  const house = await openHouse();
  expect(await rendre(house, 1)).toMatchObject({ status: 404, body: { code: 'INTROUVABLE' } });
});

test('what is out is listed oldest first, with its book as the caller sees it', async () => {
  const house = await openHouse();
  for (const titre of ['Zèbre', 'Âne', 'Chat']) await ajouterLivre(house, { titre });
  for (const id of [1, 2, 3]) await preter(house, id, `Ami ${String(id)}`);
  await rendre(house, 2);
  await house.ask('alice', 'PUT', '/api/livres/3/statut', { statut: 0 });
  const { body } = await house.ask('alice', 'GET', '/api/prets/en-cours');
  const livre3 = (await house.ask('alice', 'GET', '/api/livres/3')).body;
  expect((body as PretEnCours[]).map(({ id }) => id)).toEqual([1, 3]);
  expect((body as PretEnCours[])[1]?.livre).toEqual(livre3);
});

test('a borrower is one person by normalised name, in the first spelling', async () => {
  const house = await openHouse();
  for (let i = 0; i < 4; i++) await ajouterLivre(house, { titre: `Un titre ${String(i)}` });
  const emprunteur = async (id: number, nom: string) =>
    ((await preter(house, id, nom)).body as Pret).emprunteur;
  expect(await emprunteur(1, 'Zoé')).toBe('Zoé');
  expect(await emprunteur(2, ' zoe')).toBe('Zoé');
  await rendre(house, 1);
  expect(await emprunteur(1, 'ZOÉ')).toBe('Zoé');
  expect(await emprunteur(3, 'Zoé Martin')).toBe('Zoé Martin');
  expect(await emprunteur(4, '?')).toBe('?');
});
