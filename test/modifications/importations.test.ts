import { expect, test } from 'vitest';
import type { Modification } from '#shared/modifications';
import { goodreads } from '../importations/samples.ts';
import { importFile, sendFile } from '../importations/support.ts';
import { download, importInto } from '../export/support.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { documentsOf } from '../support/replication.ts';
import { act, obstaclesTo, undoAct } from './support/requests.ts';

const list = async (house: House, utilisateur: string | null): Promise<Modification[]> =>
  (await house.ask(utilisateur, 'GET', '/api/modifications')).body as Modification[];

const DUNE = { Title: 'Dune', Author: 'Frank Herbert', 'Exclusive Shelf': 'read' };
const WISH = { Title: 'Ubik', Author: 'Philip K. Dick', Bookshelves: 'wishlist' };

test('an import is one act, silent about wishes and statuses', async () => {
  const house = await openHouse();
  const { id } = await importFile(house, goodreads(DUNE, WISH));
  for (const who of ['alice', 'bob', null])
    expect(await list(house, who)).toMatchObject([
      {
        utilisateur: 'alice',
        operation: 'importer',
        resume: 'Import : 1 livre',
        annulable: false,
        annulee: false,
      },
    ]);
  expect(await documentsOf(house, 'bob', 'modifications')).toMatchObject([{ importationId: id }]);
});

test('each answer about an import names its act', async () => {
  const house = await openHouse();
  const real = await sendFile(house, goodreads(DUNE), { essai: 'false' });
  const dryRun = await sendFile(house, goodreads(WISH));
  const path = `/api/importations/${String(dryRun.body.id)}`;
  const executed = await house.ask('alice', 'POST', `${path}/execution`, {});
  const undone = await house.ask('alice', 'DELETE', path);
  const named = [real, dryRun, executed, undone].map(({ headers }) =>
    headers.get('X-Modification'),
  );
  const [undoing, wish, dune] = (await list(house, 'alice')).map(({ id }) => String(id));
  expect(named).toEqual([dune, null, wish, undoing]);
});

test('an import of wishes and statuses alone belongs to its person', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Dune', auteurs: ['Frank Herbert'] });
  await importFile(house, goodreads(DUNE, WISH));
  expect((await list(house, 'alice'))[0]).toMatchObject({
    resume: 'Import : 1 souhait, 1 statut',
  });
  for (const who of ['bob', null]) expect(await list(house, who)).toHaveLength(1);
});

test('a dry run is no act', async () => {
  const house = await openHouse();
  await sendFile(house, goodreads(DUNE));
  expect(await list(house, 'alice')).toEqual([]);
});

test('an import that gives nothing is no act', async () => {
  const house = await openHouse();
  await importFile(house, goodreads(DUNE));
  await importFile(house, goodreads(DUNE));
  expect(await list(house, 'alice')).toHaveLength(1);
});

test('an import is undone by its own operation alone', async () => {
  const house = await openHouse();
  const { id } = await importFile(house, goodreads(DUNE));
  const [act] = await list(house, 'alice');
  const path = `/api/modifications/${String(act?.id)}/annulation`;
  expect((await house.ask('alice', 'POST', path)).body).toMatchObject({
    code: 'ANNULATION_IMPOSSIBLE',
    raison: 'Un import s’annule sur son propre écran.',
  });
  await house.ask('alice', 'DELETE', `/api/importations/${String(id)}`);
  expect(await list(house, 'bob')).toMatchObject([
    { operation: 'annulerImportation', resume: 'Import annulé : 1 livre retiré' },
    { operation: 'importer', annulee: true, annulable: false },
  ]);
});

test('an import that filled a record is named as obstacle', async () => {
  const revue = { titre: 'Sud', issn: '0153-4092' };
  const other = await openHouse();
  await act(other, 'POST', '/api/revues', revue);
  const house = await openHouse();
  const undone = await undoAct(house, await act(house, 'POST', '/api/revues', revue));
  await act(house, 'POST', '/api/revues', { titre: revue.titre });
  await importInto(house, (await download(other, '/api/export.zip')).bytes);
  const [imported] = await list(house, 'ana');
  expect(await obstaclesTo(house, undone)).toEqual([String(imported?.id)]);
});
