import { expect, test, vi } from 'vitest';
import type { Pret, PretEnCours } from '#shared/prets';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { send } from '../support/server.ts';

const preter = (house: House, id: number, emprunteur: string) =>
  house.ask('alice', 'POST', `/api/livres/${String(id)}/prets`, { emprunteur });
const rendre = (house: House, id: number) =>
  house.ask(null, 'POST', `/api/prets/${String(id)}/retour`);

test('a lent book is returned, and its history is kept', async () => {
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
    'dateRetourPrevue',
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

test('a lent book is refused, naming who has it', async () => {
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

test('only one of ten simultaneous loans succeeds', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  // Writes are executed one at a time: after the first, the unique index refuses the others with the same borrower.
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

test('a loan without a borrower or past day is refused', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const from = (datePret: string) => [{ emprunteur: 'Zoé', datePret }, 'datePret'] as const;
  for (const [body, champ] of [
    [{}, 'emprunteur'],
    [{ emprunteur: '' }, 'emprunteur'],
    [{ emprunteur: '  ' }, 'emprunteur'],
    [{ emprunteur: null }, 'emprunteur'],
    [{ emprunteur: 'a'.repeat(201) }, 'emprunteur'],
    from('2026-01-05'),
    from('hier'),
    from(''),
    from('2026-13-05T12:00:00Z'),
    from('2026-02-31T12:00:00Z'),
    from('2126-01-05T12:00:00Z'),
  ] as const)
    expect(
      await house.ask(null, 'POST', '/api/livres/1/prets', body),
      JSON.stringify(body),
    ).toMatchObject({ status: 400, body: { code: 'REQUETE_INVALIDE', champs: [{ champ }] } });
  const toCome = { emprunteur: 'Zoé', datePret: '2126-01-05T12:00:00Z' };
  expect((await house.ask(null, 'POST', '/api/livres/1/prets', toCome)).body).toMatchObject({
    champs: [{ message: 'La date du prêt ne peut pas être dans le futur.' }],
  });
  expect((await house.ask(null, 'GET', '/api/livres/1/prets')).body).toEqual([]);
});

test('an ebook is not lent', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { format: 'Numerique' });
  expect(await preter(house, 1, 'Zoé')).toMatchObject({
    status: 400,
    body: { code: 'LIVRE_NUMERIQUE' },
  });
});

test('a book that is not there has no loans', async () => {
  const house = await openHouse();
  expect(await house.ask(null, 'GET', '/api/livres/2/prets')).toMatchObject({
    status: 404,
    body: { code: 'INTROUVABLE' },
  });
});

test('a loan begins on the given day, also among several', async () => {
  const house = await openHouse();
  for (const titre of ['Zèbre', 'Âne', 'Chat']) await ajouterLivre(house, { titre });
  const datePret = '2026-01-05T12:00:00Z';
  const path = '/api/livres/1/prets';
  const lent = await house.ask('alice', 'POST', path, { emprunteur: 'Zoé', datePret });
  expect(lent.body).toMatchObject({ datePret: '2026-01-05T12:00:00.000Z' });
  const lot = { ids: [2, 3], action: 'preter', emprunteur: 'Zoé', datePret };
  await house.ask('alice', 'POST', '/api/livres/lot', lot);
  const { body } = await house.ask(null, 'GET', '/api/prets/en-cours');
  expect((body as Pret[]).map((pret) => pret.datePret)).toEqual(
    Array.from({ length: 3 }, () => '2026-01-05T12:00:00.000Z'),
  );
});

test('a device whose clock is ahead lends now', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const datePret = new Date(Date.now() + 600_000).toISOString();
  const lent = await house.ask(null, 'POST', '/api/livres/1/prets', {
    emprunteur: 'Zoé',
    datePret,
  });
  expect(lent.status).toBe(201);
  expect(Date.parse((lent.body as Pret).datePret)).toBeLessThanOrEqual(Date.now());
});

test('a device most of a day ahead lends until today', async () => {
  const house = await openHouse();
  for (const titre of ['Zèbre', 'Âne']) await ajouterLivre(house, { titre });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2099-03-05T22:00:00Z') });
  const pret = {
    emprunteur: 'Zoé',
    datePret: '2099-03-06T18:00:00Z',
    dateRetourPrevue: '2099-03-05',
  };
  expect(await house.ask(null, 'POST', '/api/livres/1/prets', pret)).toMatchObject({
    status: 201,
    body: {
      datePret: expect.stringMatching(/^2099-03-05T22:/) as string,
      dateRetourPrevue: '2099-03-05',
    },
  });
  const lot = { ids: [2], action: 'preter', ...pret };
  expect((await house.ask(null, 'POST', '/api/livres/lot', lot)).status).toBe(200);
});

test('the borrower and the date of a loan are corrected', async () => {
  const house = await openHouse();
  for (const titre of ['Zèbre', 'Âne']) await ajouterLivre(house, { titre });
  const lent = await preter(house, 1, 'sopie');
  const corrected = { emprunteur: 'sophie', datePret: '2026-01-05T12:00:00.000Z' };
  const put = (body: object) => house.ask('bob', 'PUT', '/api/prets/1', body);
  const done = await put(corrected);
  expect(done).toMatchObject({ status: 200, body: { id: 1, livreId: 1, ...corrected } });
  // With a single loan, the borrower's spelling is the typed one.
  expect((await put({ ...corrected, emprunteur: 'Sophie' })).body).toMatchObject({
    emprunteur: 'Sophie',
  });
  await preter(house, 2, 'Ada');
  expect((await put({ ...corrected, emprunteur: ' ada' })).body).toMatchObject({
    emprunteur: 'Ada',
  });
  const stale = await fetch(`${house.url}/api/prets/1`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'If-Match': lent.headers.get('etag') ?? '' },
    body: JSON.stringify(corrected),
  });
  expect(stale.status).toBe(412);
  expect(await stale.json()).toMatchObject({ actuel: { id: 1, emprunteur: 'Ada' } });
  expect((await put({ emprunteur: 'Ada' })).status).toBe(400);
  expect((await house.ask(null, 'PUT', '/api/prets/9', corrected)).status).toBe(404);
  const undo = (answer: { headers: Headers }) =>
    house.ask(
      'alice',
      'POST',
      `/api/modifications/${answer.headers.get('X-Modification') ?? ''}/annulation`,
    );
  expect(await undo(lent)).toMatchObject({
    status: 409,
    body: { raison: 'Le prêt a été corrigé depuis.' },
  });
  await put({ ...corrected, emprunteur: 'sophie' });
  await put(lent.body as object);
  expect((await undo(lent)).status).toBe(201);
});

test('a returned loan cannot begin after its return', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  await preter(house, 1, 'Zoé');
  const { body } = await rendre(house, 1);
  const { dateRetour } = body as Pret;
  const from = (datePret: string | null) =>
    house.ask(null, 'PUT', '/api/prets/1', { emprunteur: 'Zoé', datePret });
  // A future date is read as now, which may be the millisecond of the return.
  await expect.poll(() => new Date().toISOString() > (dateRetour ?? '')).toBe(true);
  expect(await from(new Date(Date.parse(dateRetour ?? '') + 1).toISOString())).toMatchObject({
    status: 400,
    body: {
      champs: [
        { champ: 'datePret', message: 'La date du prêt ne peut pas suivre celle du retour.' },
      ],
    },
  });
  expect(await from(dateRetour)).toMatchObject({ status: 200, body: { datePret: dateRetour } });
});

test('a missing loan cannot be returned', async () => {
  expect(await rendre(await openHouse(), 2)).toMatchObject({
    status: 404,
    body: { code: 'INTROUVABLE' },
  });
});

test('open loans are listed oldest first, with their book', async () => {
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

test('a borrower keeps the first spelling of the name', async () => {
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

test('the response to a batch contains the typed name if the stored spelling differs', async () => {
  const house = await openHouse();
  for (let i = 0; i < 4; i++) await ajouterLivre(house, { titre: `Un titre ${String(i)}` });
  const lend = (ids: number[], emprunteur: string) =>
    house.ask('alice', 'POST', '/api/livres/lot', { ids, action: 'preter', emprunteur });
  expect((await lend([1, 2], 'Lise Marchand')).body).not.toHaveProperty('emprunteurSaisi');
  expect((await lend([3, 4], 'lise marchand')).body).toMatchObject({
    emprunteurSaisi: 'lise marchand',
    livres: [{ pret: { emprunteur: 'Lise Marchand' } }, { pret: { emprunteur: 'Lise Marchand' } }],
  });
});

test('the response contains the typed name if the stored spelling differs', async () => {
  const house = await openHouse();
  for (let i = 0; i < 3; i++) await ajouterLivre(house, { titre: `Un titre ${String(i)}` });
  expect((await preter(house, 1, 'Lise Marchand')).body).not.toHaveProperty('emprunteurSaisi');
  const names = { emprunteur: 'Lise Marchand', emprunteurSaisi: 'lise marchand' };
  const { body } = await preter(house, 2, 'lise marchand');
  expect(body).toMatchObject(names);
  const { datePret } = body as Pret;
  expect(
    (await house.ask(null, 'PUT', '/api/prets/2', { emprunteur: 'lise marchand', datePret })).body,
  ).toMatchObject(names);
  expect((await house.ask(null, 'GET', '/api/livres/2/prets')).body).toMatchObject([
    expect.not.objectContaining({ emprunteurSaisi: 'lise marchand' }),
  ]);
});
