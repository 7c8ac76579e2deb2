import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import type { Modification } from '#shared/modifications';
import { openHouse, type Answer, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { documentsOf, pullPage } from '../support/replication.ts';
import { ajouterSerie, lireSerie } from '../support/series.ts';
import { householdRows } from './support/household.ts';

const lot = (house: House, body: object, utilisateur: string | null = 'ana'): Promise<Answer> =>
  house.ask(utilisateur, 'POST', '/api/livres/lot', body);

const livresOf = ({ status, body }: Answer): Livre[] => {
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as { livres: Livre[] }).livres;
};

async function houseOf(...titres: string[]): Promise<House> {
  const house = await openHouse();
  for (const titre of titres) await ajouterLivre(house, { titre });
  return house;
}

const newest = async (house: House, utilisateur: string | null = 'ana') =>
  ((await house.ask(utilisateur, 'GET', '/api/modifications?limite=1')).body as Modification[])[0];

test('an action on many books is undone as one act', async () => {
  const house = await houseOf('Un', 'Deux', 'Trois');
  const before = householdRows(house.context.database);
  for (const [action, livre, resume] of [
    [{ action: 'statut', statut: 2 }, { statut: 2 }, 'Marqué comme lu : 2 livres'],
    [{ action: 'format', format: 'Numerique' }, { format: 'Numerique' }, '2 livres modifiés'],
    [
      { action: 'typeDocument', typeDocument: 'Roman' },
      { typeDocument: 'Roman' },
      '2 livres modifiés',
    ],
    [
      { action: 'preter', emprunteur: 'Luc' },
      { pret: { emprunteur: 'Luc' } },
      '2 livres prêtés à Luc',
    ],
  ] as const) {
    const done = livresOf(await lot(house, { ids: [3, 1, 3], ...action }));
    expect(done, action.action).toMatchObject([
      { id: 3, ...livre },
      { id: 1, ...livre },
    ]);
    const act = await newest(house);
    expect(act).toMatchObject({ operation: 'lot', resume });
    await house.ask('ana', 'POST', `/api/modifications/${String(act?.id)}/annulation`);
    expect(householdRows(house.context.database), action.action).toEqual(before);
  }
});

test('unchanged books are counted apart from changed ones', async () => {
  const house = await houseOf('Un', 'Deux', 'Trois', 'Quatre');
  for (const [action, ones, all] of [
    [
      { action: 'typeDocument', typeDocument: 'Roman' },
      '1 livre modifié',
      '3 livres modifiés · 1 inchangé',
    ],
    [
      { action: 'ajouterTheme', theme: 'Mer' },
      'Thème Mer ajouté : 1 livre',
      'Thème Mer ajouté : 3 livres · 1 inchangé',
    ],
  ] as const) {
    await lot(house, { ids: [2], ...action });
    expect(await newest(house)).toMatchObject({ resume: ones });
    await lot(house, { ids: [1, 2, 3, 4], ...action });
    expect(await newest(house)).toMatchObject({
      resume: all,
      arguments: { livres: 3, inchanges: 1 },
    });
  }
});

test('giving loans back leaves a later one of the same book open', async () => {
  const house = await houseOf('Un', 'Deux');
  const lent = livresOf(await lot(house, { ids: [1, 2], action: 'preter', emprunteur: 'Luc' }));
  const prets = lent.map(({ pret }) => pret?.id);
  await lot(house, { ids: [1], action: 'rendre' });
  await lot(house, { ids: [1], action: 'preter', emprunteur: 'Zoé' });
  expect(livresOf(await lot(house, { ids: [1, 2], action: 'rendre', prets }))).toMatchObject([
    { pret: { emprunteur: 'Zoé' } },
    { pret: null },
  ]);
});

test('returning books leaves those at home unchanged', async () => {
  const house = await houseOf('Un', 'Deux');
  await lot(house, { ids: [1], action: 'preter', emprunteur: 'Luc' });
  expect(livresOf(await lot(house, { ids: [1, 2], action: 'rendre' }))).toMatchObject([
    { pret: null },
    { pret: null },
  ]);
  expect(await newest(house)).toMatchObject({ resume: '1 livre rendu' });
});

test('many books are deleted as one act', async () => {
  const house = await houseOf('Un', 'Deux');
  expect(livresOf(await lot(house, { ids: [2, 1], action: 'supprimer' }))).toEqual([]);
  expect(await newest(house)).toMatchObject({ resume: '2 livres supprimés' });
});

test('books enter a series in order of their volume numbers', async () => {
  const house = await houseOf('Dune, tome 10', 'Sido', 'Dune, tome 2', 'Dune, tome 1');
  await ajouterSerie(house, { titre: 'Dune', places: [{ titre: 'Dune, tome 1', livreId: 4 }] });
  livresOf(await lot(house, { ids: [1, 2, 3, 4], action: 'serie', serieId: 1 }));
  expect((await lireSerie(house, 1)).places).toMatchObject([
    { livreId: 4 },
    { livreId: 3, numero: '2' },
    { livreId: 1, numero: '10' },
    { livreId: 2, numero: null },
  ]);
  expect(await newest(house)).toMatchObject({
    resume: '3 livres placés dans la série Dune · 1 inchangé',
  });
});

test('many books are put into a location at once', async () => {
  const house = await houseOf('Un', 'Deux');
  await house.ask('ana', 'POST', '/api/emplacements', { nom: 'Salon' });
  const placing = { ids: [1, 2], action: 'emplacement' };
  const lieux = async (emplacementId: number | null) =>
    livresOf(await lot(house, { ...placing, emplacementId })).map((livre) => livre.emplacementId);
  expect(await lieux(1)).toEqual([1, 1]);
  expect(await lieux(null)).toEqual([null, null]);
  // A lent book keeps its location.
  livresOf(await lot(house, { ids: [2], action: 'preter', emprunteur: 'Luc' }));
  expect(await lieux(1)).toEqual([1, 1]);
});

test('a lot may be lent since an earlier day', async () => {
  const house = await houseOf('Un', 'Deux');
  const datePret = '2026-01-05T12:00:00.000Z';
  const lent = await lot(house, { ids: [2], action: 'preter', emprunteur: 'Luc', datePret });
  expect(livresOf(lent)).toMatchObject([{ id: 2, pret: { emprunteur: 'Luc', datePret } }]);
});

test('a book takes its place as a series’ missing volume', async () => {
  const house = await houseOf('Dune, tome 2', 'Dune, tome 3');
  const places = [{ titre: 'Dune, tome 1' }, { titre: 'Dune, tome 2', numero: 'II' }];
  await ajouterSerie(house, { titre: 'Dune', places });
  livresOf(await lot(house, { ids: [2, 1], action: 'serie', serieId: 1 }));
  expect((await lireSerie(house, 1)).places).toMatchObject([
    { livreId: null },
    { livreId: 1, numero: 'II' },
    { livreId: 2, numero: '3' },
  ]);
});

test('a series created from books is undone as one modification', async () => {
  const house = await houseOf('Dune, tome 10', 'Sido', 'Dune, tome 2');
  const before = householdRows(house.context.database);
  const body = { ids: [1, 2, 3], action: 'serie', serie: { titre: 'Dune' } };
  livresOf(await lot(house, body));
  const serie = await lireSerie(house, 1);
  expect(serie.titre).toBe('Dune');
  expect(serie.places.map(({ livreId }) => livreId)).toEqual([3, 1, 2]);
  const act = await newest(house);
  expect(act).toMatchObject({ resume: '3 livres placés dans la série Dune' });
  await house.ask('ana', 'POST', `/api/modifications/${String(act?.id)}/annulation`);
  expect(householdRows(house.context.database)).toEqual(before);
});

test('a refused lot names its first obstacle and writes nothing', async () => {
  const house = await houseOf('Un', 'Deux', 'Trois');
  await lot(house, { ids: [2], action: 'preter', emprunteur: 'Luc' });
  const before = householdRows(house.context.database);
  const refusals = [
    [{ action: 'supprimer' }, { code: 'LIVRE_PRETE', emprunteur: 'Luc', livreId: 2 }],
    [
      { action: 'preter', emprunteur: 'Zoé' },
      { code: 'DEJA_PRETE', emprunteur: 'Luc', livreId: 2 },
    ],
    [
      { action: 'format', format: 'Numerique' },
      { code: 'LIVRE_PRETE', livreId: 2 },
    ],
  ] as const;
  for (const [action, refusal] of refusals)
    expect((await lot(house, { ids: [1, 2, 3], ...action })).body).toMatchObject(refusal);
  expect((await lot(house, { ids: [1, 9], action: 'supprimer' })).body).toMatchObject({
    statusCode: 404,
    livreId: 9,
  });
  expect(householdRows(house.context.database)).toEqual(before);
});

test('a batch without its action’s value is refused', async () => {
  const house = await houseOf('Un', 'Deux', 'Trois');
  const before = householdRows(house.context.database);
  expect((await lot(house, { ids: [1], action: 'serie', serieId: 4 })).body).toMatchObject({
    code: 'REQUETE_INVALIDE',
    champs: [{ champ: 'serieId' }],
  });
  for (const [action, champ] of [
    ['statut', 'statut'],
    ['format', 'format'],
    ['typeDocument', 'typeDocument'],
    ['preter', 'emprunteur'],
    ['emplacement', 'emplacementId'],
    ['serie', 'serieId'],
  ])
    expect((await lot(house, { ids: [1], action })).body).toMatchObject({
      champs: [{ champ, message: `est nécessaire pour ${action} (${champ})` }],
    });
  expect(
    (await lot(house, { ids: [1], action: 'emplacement', emplacementId: 4 })).body,
  ).toMatchObject({
    champs: [{ champ: 'emplacementId' }],
  });
  expect((await lot(house, { ids: [], action: 'rendre' })).status).toBe(400);
  expect((await lot(house, { ids: [1], action: 'statut', statut: 1 }, null)).body).toMatchObject({
    code: 'IDENTITE_INCONNUE',
  });
  expect(householdRows(house.context.database)).toEqual(before);
});

test(
  'a thousand books are one modification, which is undone as a whole',
  { tags: 'large' },
  async () => {
    const house = await openHouse();
    const { database } = house.context;
    database.write((tx) => {
      const insert = tx.prepare<[{ titre: string }]>(
        `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
       VALUES (@titre, @titre, @titre, 'Physique', '2026-01-01T00:00:00.000Z')`,
      );
      for (let n = 1; n <= 1000; n++) insert.run({ titre: `livre ${String(n)}` });
    });
    const ids = Array.from({ length: 1000 }, (_, index) => index + 1);
    const before = householdRows(database);
    const start = await pullPage(house, 'ana', {}, 5000);
    expect(livresOf(await lot(house, { ids, action: 'supprimer' }))).toEqual([]);
    const page = await pullPage(house, 'ana', start, 1000);
    expect(page.complet).toBe(true);
    expect(page.changements).toHaveLength(1000);
    const act = await newest(house);
    expect(act).toMatchObject({ resume: '1\u202f000 livres supprimés' });
    const undone = await house.ask(
      'bob',
      'POST',
      `/api/modifications/${String(act?.id)}/annulation`,
    );
    expect(undone.status).toBe(201);
    expect(householdRows(database)).toEqual(before);
    expect((await lot(house, { ids: [...ids, 1001], action: 'rendre' })).status).toBe(400);
  },
);

test('the act of a lot names each of its books', async () => {
  const titres = Array.from({ length: 30 }, (_, index) => `Livre ${String(index + 1)}`);
  const house = await houseOf(...titres);
  const ids = titres.map((_, index) => index + 1);
  const raisonOf = async (id: number | undefined) => {
    const path = `/api/modifications/${String(id)}/annulation`;
    return (await house.ask('ana', 'POST', path)).body as { raison: string };
  };
  await lot(house, { ids, action: 'preter', emprunteur: 'Luc' });
  const lent = await newest(house);
  await house.ask('ana', 'POST', '/api/prets/7/retour');
  expect(await raisonOf(lent?.id)).toMatchObject({
    raison: 'Le livre Livre 7 a été rendu depuis.',
  });
  await lot(house, { ids, action: 'rendre' });
  const returned = await newest(house);
  await house.ask('ana', 'POST', '/api/livres/9/prets', { emprunteur: 'Zoé' });
  expect(await raisonOf(returned?.id)).toMatchObject({
    raison: 'Le livre Livre 9 est prêté à Zoé.',
  });
  await lot(house, { ids: [9], action: 'rendre' });
  await lot(house, { ids, action: 'typeDocument', typeDocument: 'Roman' });
  const typed = await newest(house);
  await lot(house, { ids, action: 'supprimer' });
  const deleted = await newest(house);
  expect(await raisonOf(typed?.id)).toMatchObject({
    raison: 'Le livre Livre 30 a été supprimé depuis.',
  });
  expect(await documentsOf(house, 'ana', 'modifications')).toContainEqual(
    expect.objectContaining({
      id: deleted?.id,
      fiches: titres.map((titre) => expect.objectContaining({ titre, supprimee: true }) as unknown),
    }),
  );
});
