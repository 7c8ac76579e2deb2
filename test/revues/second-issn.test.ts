import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Revue } from '#shared/revues';
import { Database } from '#server/plumbing/database/database';
import { download, importInto } from '../export/support.ts';
import { act, obstaclesTo, undo, undoAct } from '../modifications/support/requests.ts';
import { temporaryFolder } from '../support/database.ts';
import { openHouse, type House } from '../support/house.ts';
import { run } from '../support/lines.ts';
import { ajouterRevue } from '../support/revues.ts';
import { documentsOf } from '../support/replication.ts';
import { houseWithSources, testUpstream } from '../support/upstream.ts';

const PRINTED = '0988-2480';
const ONLINE = '2917-0443';
const OTHER = '0153-4092';

const post = (house: House, saisie: object) => house.ask('ana', 'POST', '/api/revues', saisie);
const put = (house: House, id: number, saisie: object) =>
  house.ask('ana', 'PUT', `/api/revues/${String(id)}`, saisie);

/** The periodicals as « title first second ». */
async function revues(house: House): Promise<string[]> {
  const { body } = await house.ask(null, 'GET', '/api/revues');
  return (body as Revue[]).map(
    ({ titre, issn, secondIssn }) => `${titre} ${issn ?? '-'} ${secondIssn ?? '-'}`,
  );
}

test('a periodical has two ISSNs, dashed, and is found by either', async () => {
  const house = await openHouse();
  const { status, body } = await post(house, {
    titre: 'Zoom',
    issn: '09882480',
    secondIssn: '2917 0443',
  });
  const zoom = { id: 1, titre: 'Zoom', issn: PRINTED, secondIssn: ONLINE };
  expect([status, body]).toEqual([201, zoom]);
  expect(await documentsOf(house, null, 'revues')).toMatchObject([zoom]);
  for (const saisie of [
    { titre: 'Autre', issn: ONLINE },
    { titre: 'Autre', secondIssn: PRINTED },
    // The other field already has this ISSN.
    { titre: 'Autre', issn: OTHER, secondIssn: ONLINE },
  ])
    expect(await post(house, saisie), JSON.stringify(saisie)).toMatchObject({
      status: 200,
      body: zoom,
    });
  const { body: numero } = await house.ask('ana', 'POST', '/api/revues/numeros', {
    revue: { titre: 'Autre', issn: ONLINE },
    numero: { numero: '1' },
  });
  expect(numero).toMatchObject({ revueId: 1 });
  expect(await post(house, { titre: 'zoom', issn: OTHER })).toMatchObject({ status: 201 });
  expect(await revues(house)).toEqual([`Zoom ${PRINTED} ${ONLINE}`, `zoom ${OTHER} -`]);
});

test('a bought issue joins the periodical of its wish’s ISSN, whichever that is', async () => {
  const house = await openHouse();
  await ajouterRevue(house, { titre: 'Zoom', issn: PRINTED, secondIssn: ONLINE });
  const wish = { titre: 'Zoom en ligne', numero: '3', issn: ONLINE };
  const { body } = await house.ask('ana', 'POST', '/api/souhaits-revues', wish);
  const { id } = body as { id: number };
  const bought = await house.ask('ana', 'POST', `/api/souhaits-revues/${String(id)}/achat`, {});
  expect(bought).toMatchObject({ status: 201, body: { revueId: 1, numero: '3' } });
  expect(await revues(house)).toEqual([`Zoom ${PRINTED} ${ONLINE}`]);
});

test('a 977 code finds its periodical by either ISSN', async () => {
  const house = await houseWithSources(await testUpstream());
  await ajouterRevue(house, { titre: 'Autre', issn: OTHER });
  await ajouterRevue(house, { titre: 'Zoom', issn: PRINTED, secondIssn: ONLINE });
  for (const code of ['9770988248015', '9772917044002'])
    expect(await house.ask(null, 'GET', `/api/recherche-isbn/${code}`), code).toMatchObject({
      status: 200,
      body: { revueId: 2 },
    });
});

test('an unknown ISSN fills the free field of the matching periodical', async () => {
  const house = await openHouse();
  await ajouterRevue(house, { titre: 'Zoom', issn: PRINTED });
  await ajouterRevue(house, { titre: 'Rivages' });
  const filled = await post(house, { titre: 'Autre', issn: ONLINE, secondIssn: PRINTED });
  expect(filled).toMatchObject({ status: 200, body: { issn: PRINTED, secondIssn: ONLINE } });
  const both = await post(house, { titre: 'rivages', issn: OTHER, secondIssn: '2049-3630' });
  expect(both).toMatchObject({ status: 200, body: { id: 2, titre: 'Rivages', issn: OTHER } });
  expect(await revues(house)).toEqual([`Rivages ${OTHER} 2049-3630`, `Zoom ${PRINTED} ${ONLINE}`]);
});

test('a single ISSN, or the same one twice, is the first', async () => {
  const house = await openHouse();
  await ajouterRevue(house, { titre: 'Une', secondIssn: PRINTED });
  await ajouterRevue(house, { titre: 'Deux', issn: ONLINE, secondIssn: '29170443' });
  expect(await revues(house)).toEqual([`Deux ${ONLINE} -`, `Une ${PRINTED} -`]);
  // Exchanging the two keeps both.
  await put(house, 1, { titre: 'Une', issn: PRINTED, secondIssn: OTHER });
  const turned = await put(house, 1, { titre: 'Une', issn: OTHER, secondIssn: PRINTED });
  expect(turned).toMatchObject({ status: 200, body: { issn: OTHER, secondIssn: PRINTED } });
});

test('no ISSN is on two periodicals, as the first or as the second', async () => {
  const house = await openHouse();
  await ajouterRevue(house, { titre: 'Une', issn: PRINTED, secondIssn: ONLINE });
  await ajouterRevue(house, { titre: 'Deux', issn: OTHER });
  const before = await revues(house);
  for (const [saisie, champ] of [
    [{ issn: PRINTED }, 'issn'],
    [{ issn: '29170443' }, 'issn'],
    [{ issn: OTHER, secondIssn: PRINTED }, 'secondIssn'],
    [{ issn: OTHER, secondIssn: ONLINE }, 'secondIssn'],
  ] as const)
    expect(await put(house, 2, { titre: 'Deux', ...saisie }), champ).toMatchObject({
      status: 409,
      body: {
        code: 'REVUE_EXISTANTE',
        message: 'Cet ISSN est déjà celui de la revue Une.',
        revue: { id: 1, titre: 'Une' },
        champ,
      },
    });
  for (const answer of [
    await post(house, { titre: 'Trois', secondIssn: '2917-0444' }),
    await put(house, 2, { titre: 'Deux', issn: OTHER, secondIssn: '9772917044002' }),
  ])
    expect(answer).toMatchObject({ status: 400, body: { code: 'ISSN_INVALIDE' } });
  expect(await revues(house)).toEqual(before);
});

test('a second ISSN is a field of the history, can be undone, and is an obstacle to restoring another', async () => {
  const house = await openHouse();
  const une = (issn: string | null, secondIssn: string | null) => ({
    titre: 'Une',
    issn,
    secondIssn,
  });
  await act(house, 'POST', '/api/revues', une(PRINTED, null));
  const edit = await act(house, 'PUT', '/api/revues/1', une(PRINTED, ONLINE));
  expect((await house.ask('ana', 'GET', `/api/modifications/${edit}`)).body).toMatchObject({
    resume: 'Revue modifiée : Une',
    fiches: [{ champs: [{ champ: 'secondIssn', avant: null, apres: ONLINE }] }],
  });
  await undoAct(house, edit);
  expect(await revues(house)).toEqual([`Une ${PRINTED} -`]);

  const removal = await act(house, 'PUT', '/api/revues/1', une(OTHER, null));
  const taken = { titre: 'Deux', issn: ONLINE, secondIssn: PRINTED };
  const other = await act(house, 'POST', '/api/revues', taken);
  expect(await obstaclesTo(house, removal)).toEqual([other]);
  expect(await undo(house, removal)).toMatchObject({
    body: { raison: 'Une autre revue porte cet ISSN depuis.' },
  });
  await house.ask('ana', 'DELETE', '/api/revues/2');
  const turned = await act(house, 'PUT', '/api/revues/1', une(OTHER, PRINTED));
  expect(await obstaclesTo(house, removal)).toEqual([turned]);
  expect(await undo(house, removal)).toMatchObject({
    body: { raison: 'Son autre ISSN est le même depuis.' },
  });
  expect(await revues(house)).toEqual([`Une ${OTHER} ${PRINTED}`]);
});

test('an archive brings both ISSNs, also to a periodical that has one of them', async () => {
  const from = await openHouse();
  await ajouterRevue(from, { titre: 'Zoom', issn: PRINTED, secondIssn: ONLINE });
  await ajouterRevue(from, { titre: 'Rivages', issn: OTHER });
  const { bytes } = await download(from, '/api/export.zip');
  const empty = await openHouse();
  expect((await importInto(empty, bytes)).body).toMatchObject({ refuses: [] });
  expect(await revues(empty)).toEqual(await revues(from));

  const house = await openHouse();
  await ajouterRevue(house, { titre: 'Le Zoom', issn: ONLINE });
  await ajouterRevue(house, { titre: 'Les Rivages', issn: '2049-3630', secondIssn: OTHER });
  const before = await revues(house);
  const { body } = await importInto(house, bytes);
  expect(body).toMatchObject({ refuses: [] });
  expect(await revues(house)).toEqual([
    `Le Zoom ${ONLINE} ${PRINTED}`,
    `Les Rivages 2049-3630 ${OTHER}`,
  ]);
  await house.ask('ana', 'DELETE', `/api/importations/${String(body['id'])}`);
  expect(await revues(house)).toEqual(before);
});

test('the start-up pass gives no ISSN to two periodicals, nor twice to one', async () => {
  const path = join(temporaryFolder(), 'bibliotheque.sqlite');
  const house = await openHouse(path);
  await ajouterRevue(house, { titre: 'Une', issn: PRINTED, secondIssn: ONLINE });
  await ajouterRevue(house, { titre: 'Deux' });
  await ajouterRevue(house, { titre: 'Trois', issn: OTHER });
  await ajouterRevue(house, { titre: 'Quatre', issn: '2049-3630' });
  await ajouterRevue(house, { titre: 'Cinq' });
  await house.close();
  const database = Database.open(path);
  run(
    database,
    "UPDATE Revue SET issn = '29170443' WHERE id = 2",
    "UPDATE Revue SET secondIssn = '03178471' WHERE id = 3",
    "UPDATE Revue SET secondIssn = '20493630' WHERE id = 4",
    "UPDATE Revue SET issn = '15340481', secondIssn = '1534-0481' WHERE id = 5",
  );
  database.close();
  expect(await revues(await openHouse(path))).toEqual([
    'Cinq 15340481 1534-0481',
    'Deux 29170443 -',
    'Quatre 2049-3630 20493630',
    `Trois ${OTHER} 0317-8471`,
    `Une ${PRINTED} ${ONLINE}`,
  ]);
});
