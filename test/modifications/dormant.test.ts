import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModificationDocument } from '#shared/modifications';
import { forgetOldModifications } from '#server/subjects/modifications/modifications';
import { download, importInto } from '../export/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { openHouse, type House } from '../support/house.ts';
import { run } from '../support/lines.ts';
import { documentsOf } from '../support/replication.ts';
import { ranked } from './support/compare.ts';
import {
  act,
  houseOf,
  livre,
  LIVRES,
  obstaclesTo,
  undoAct,
  undo,
  type Request,
} from './support/requests.ts';

const NUMERO = { revue: { titre: 'Rives' }, numero: { numero: '1', themes: ['Mer'] } };

const dormant = (house: House) =>
  house.context.database.values<string>("SELECT kind || ' ' || id FROM Dormant ORDER BY 1");

test('an unreferenced lookup row is archived until something references it again', async () => {
  const house = await houseOf(
    ['POST', LIVRES, livre('Sido', 'Colette')],
    ['POST', '/api/revues/numeros', NUMERO],
  );
  const themes = async () => (await house.ask('ana', 'GET', '/api/themes')).body;
  const before = await themes();
  await act(house, 'DELETE', '/api/livres/1');
  await act(house, 'DELETE', '/api/numeros/1');
  expect(dormant(house)).toEqual(['Auteur 1', 'Theme 1']);
  expect((await house.ask('ana', 'GET', '/api/auteurs')).body).toEqual([]);
  expect(await documentsOf(house, 'ana', 'auteurs')).toEqual([]);
  expect(await themes()).toEqual([]);
  await act(house, 'POST', LIVRES, livre('Gigi', 'colette'));
  await act(house, 'POST', '/api/revues/numeros', NUMERO);
  expect((await house.ask('ana', 'GET', '/api/auteurs')).body).toMatchObject([
    { id: 1, nom: 'colette', nombreLivres: 1 },
  ]);
  expect(await themes()).toEqual(before);
  expect(dormant(house)).toEqual([]);
});

test('an archived row is purged once no act needs it', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Colette')]);
  const { database } = house.context;
  await act(house, 'DELETE', '/api/livres/1');
  const age = (days: number) =>
    run(
      database,
      `UPDATE Dormant SET depuis = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${days} days')`,
    );
  age(20);
  await forgetOldModifications(database);
  expect(dormant(house)).toEqual(['Auteur 1']);
  age(40);
  run(database, "UPDATE Modification SET date = '2020-01-01T00:00:00.000Z' WHERE id = 1");
  await forgetOldModifications(database);
  expect(dormant(house)).toEqual(['Auteur 1']);
  run(database, 'DELETE FROM Modification');
  age(20);
  await forgetOldModifications(database);
  expect(dormant(house)).toEqual(['Auteur 1']);
  age(40);
  // More rows than one transaction purges.
  run(
    database,
    `WITH RECURSIVE n (id) AS (SELECT 1000 UNION ALL SELECT id + 1 FROM n WHERE id < 3000)
     INSERT INTO Dormant (kind, id, cle, image, depuis)
     SELECT 'Auteur', n.id, 'auteur ' || n.id, image, depuis FROM n, Dormant WHERE kind = 'Auteur'`,
  );
  await forgetOldModifications(database);
  expect(dormant(house)).toEqual([]);
});

test('(c) a merge by the start-up pass can be undone', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const house = await openHouse(path);
  for (const [titre, nom] of [
    ['Un', 'Jean Martin'],
    ['Deux', 'Jeanne Martin'],
  ] as const)
    await act(house, 'POST', LIVRES, livre(titre, nom));
  // As earlier rules stored it: initials beside their full form.
  run(
    house.context.database,
    "UPDATE Auteur SET nom = 'J. Martin', nomNormalise = 'j martin', cleRegroupement = 'j martin' WHERE id = 1",
    "UPDATE Auteur SET nom = 'Jean Martin', nomNormalise = 'jean martin', cleRegroupement = 'jean martin' WHERE id = 2",
  );
  const before = ranked(house.context.database);
  await house.close();
  const again = await openHouse(path);
  expect((await again.ask('bob', 'GET', '/api/auteurs')).body).toMatchObject([{ nombreLivres: 2 }]);
  const [joined] = (await again.ask('bob', 'GET', '/api/modifications'))
    .body as ModificationDocument[];
  expect(joined).toMatchObject({
    utilisateur: null,
    annulable: true,
    resume: 'Fiches mises en ordre au démarrage',
  });
  expect((await undo(again, String(joined?.id))).status).toBe(201);
  expect(ranked(again.context.database)).toEqual(before);
});

const readAct = (house: House, who: string | null, id: string) =>
  house.ask(who, 'GET', `/api/modifications/${id}`);

test('a modification is returned with its records', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Colette')]);
  const edited = await act(house, 'PUT', '/api/livres/1', {
    ...livre('Sido', 'Colette'),
    annee: 1929,
  });
  const { status, body } = await readAct(house, null, edited);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: Number(edited),
    utilisateur: 'ana',
    resume: 'Livre modifié : Sido',
    annulable: true,
    annulee: false,
    fiches: [
      { collection: 'livres', id: 1, champs: [{ champ: 'annee', avant: null, apres: 1929 }] },
    ],
  });
});

test('a modification is returned only to those who may read it', async () => {
  const house = await houseOf();
  const wish = await act(house, 'POST', '/api/souhaits', { titre: 'Gigi' });
  expect((await readAct(house, 'ana', wish)).status).toBe(200);
  for (const who of ['bob', null]) expect((await readAct(house, who, wish)).status).toBe(404);
  expect((await readAct(house, 'ana', '99')).status).toBe(404);
});

test('an import that is an obstacle is named, and stays', async () => {
  const house = await houseOf([
    'POST',
    '/api/series',
    { titre: 'Dune', places: [{ titre: 'Un', numero: '1' }] },
  ]);
  const response = await fetch(`${house.url}/api/importations?essai=false`, {
    method: 'POST',
    headers: { ...house.headersOf('ana'), 'Content-Type': 'text/csv' },
    body: 'Titre;Auteurs;Série;Numéro\nDune;Frank Herbert;Dune;1',
  });
  const importation = Number(response.headers.get('X-Modification'));
  for (const query of ['', '?avec=obstacles']) {
    const { status, body } = await house.ask(
      'ana',
      'POST',
      `/api/modifications/1/annulation${query}`,
    );
    expect(status).toBe(409);
    expect(body).toMatchObject({ obstacles: [{ id: importation }] });
  }
});

test('an import that set a status since is an obstacle', async () => {
  const house = await houseOf(
    ['POST', LIVRES, livre('Dune', 'Frank Herbert')],
    ['PUT', '/api/livres/1/statut', { statut: 1 }],
  );
  const taken = await act(house, 'PUT', '/api/livres/1/statut', { statut: null });
  const response = await fetch(`${house.url}/api/importations?essai=false`, {
    method: 'POST',
    headers: { ...house.headersOf('ana'), 'Content-Type': 'text/csv' },
    body: 'Titre;Auteurs;Statut\nDune;Frank Herbert;Lu',
  });
  const importation = Number(response.headers.get('X-Modification'));
  const { status, body } = await undo(house, taken);
  expect(status).toBe(409);
  expect(body).toMatchObject({ obstacles: [{ id: importation }] });
});

test('undoing an export’s import restores an author’s own spelling', async () => {
  const other = await houseOf(['POST', LIVRES, livre('Chéri', 'COLETTE')]);
  const archive = (await download(other, '/api/export.zip')).bytes;
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Colette')]);
  const before = ranked(house.context.database);
  const removal = await act(house, 'DELETE', '/api/livres/1');
  const { body } = await importInto(house, archive);
  await house.ask('ana', 'DELETE', `/api/importations/${String(body['id'])}`);
  expect((await undo(house, removal)).status).toBe(201);
  expect(ranked(house.context.database)).toEqual(before);
});

test('an undo may move a name between two authors', async () => {
  const house = await houseOf();
  const addition = await act(house, 'POST', LIVRES, livre('Sido', 'Willy'));
  const undoing = await undoAct(house, addition);
  await act(house, 'POST', LIVRES, livre('Gigi', 'Colette'));
  await act(house, 'PUT', '/api/auteurs/2', { nom: 'Willy' });
  const before = ranked(house.context.database);
  // The book is restored with its author, and the other author loses that name again.
  const redoing = await undoAct(house, undoing, '?avec=obstacles');
  expect(dormant(house)).toEqual([]);
  await undoAct(house, redoing);
  expect(ranked(house.context.database)).toEqual(before);
});

test('an archived author’s name is restored beside its current owner', async () => {
  const house = await houseOf(
    ['POST', LIVRES, livre('Sido', 'Wily')],
    ['POST', LIVRES, livre('Dune', 'Herbert')],
  );
  const removed = await act(house, 'DELETE', '/api/livres/1');
  const renamed = await act(house, 'PUT', '/api/auteurs/2', { nom: 'Wily' });
  const changed = await act(house, 'PUT', '/api/livres/2', livre('Dune', 'Colette'));
  await undoAct(house, removed);
  const undoing = await undoAct(house, renamed);
  const redoing = await undoAct(house, undoing);
  await undoAct(house, redoing);
  await undoAct(house, changed);
  expect((await house.ask('ana', 'GET', '/api/livres/2')).body).toMatchObject({
    auteurs: [{ nom: 'Herbert' }],
  });
});

test('a temporary name leaves nothing behind', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Colette', 'Anna')]);
  const shortened = await act(house, 'PUT', '/api/livres/1', livre('Sido', 'Colette'));
  await act(house, 'PUT', '/api/auteurs/1', { nom: 'Anna' });
  // Both authors are restored; one of them had the other's name for a while.
  const back = await undoAct(house, shortened, '?avec=obstacles');
  const there = ranked(house.context.database);
  await undoAct(house, await undoAct(house, back));
  expect(ranked(house.context.database)).toEqual(there);
});

test('an archived author’s later name is an obstacle', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Ida', 'Willy')]);
  const addition = await act(house, 'POST', LIVRES, livre('Dune', 'COLETTE', 'Willy'));
  const undoing = await undoAct(house, addition);
  const renamed = await act(house, 'PUT', '/api/auteurs/1', { nom: 'Colette' });
  await act(house, 'DELETE', '/api/livres/1');
  const before = ranked(house.context.database);
  // Both authors would have one name: the archived one, and the other one after the redo.
  expect(await obstaclesTo(house, undoing)).toEqual([renamed]);
  const redoing = await undoAct(house, undoing, '?avec=obstacles');
  expect((await house.ask('ana', 'GET', '/api/livres/2')).body).toMatchObject({
    auteurs: [{ nom: 'COLETTE' }, { nom: 'Willy' }],
  });
  await undoAct(house, redoing);
  expect(ranked(house.context.database)).toEqual(before);
});

test('the rename of an archived author is an obstacle', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Ida', 'Colette')]);
  const renamed = await act(house, 'PUT', '/api/auteurs/1', { nom: 'Willy' });
  const addition = await act(house, 'POST', LIVRES, livre('Dune', 'COLETTE', 'Willy'));
  const undoing = await undoAct(house, addition);
  await act(house, 'DELETE', '/api/livres/1');
  const back = await undoAct(house, renamed);
  const before = ranked(house.context.database);
  expect(await obstaclesTo(house, undoing)).toEqual([back]);
  const redoing = await undoAct(house, undoing, '?avec=obstacles');
  await undoAct(house, redoing);
  expect(ranked(house.context.database)).toEqual(before);
});

test.each<[string, readonly Request[], string[]]>([
  [
    '/api/livres/1',
    [['POST', LIVRES, livre('Sido', 'Colette')]],
    ['titre', 'format', 'typeDocument', 'auteurs'],
  ],
  ['/api/souhaits/1', [['POST', '/api/souhaits', { titre: 'Dune' }]], ['titre']],
  [
    '/api/lectures/1',
    [['POST', '/api/lectures', { titre: 'Dune', fin: '2026-01' }]],
    ['titre', 'auteurs', 'fin', 'abandon'],
  ],
  [
    '/api/souhaits-revues/1',
    [['POST', '/api/souhaits-revues', { titre: 'Rives', numero: '3' }]],
    ['titre', 'numero'],
  ],
  ['/api/numeros/1', [['POST', '/api/revues/numeros', NUMERO]], ['revueId', 'numero', 'themes']],
])('the deletion of %s lists the entered fields', async (path, additions, champs) => {
  const house = await houseOf(...additions);
  const { body } = await readAct(house, 'ana', await act(house, 'DELETE', path));
  const [fiche] = (body as ModificationDocument).fiches;
  expect(fiche?.champs.map(({ champ }) => champ)).toEqual(champs);
});
