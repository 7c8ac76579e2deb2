import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Database } from '#server/plumbing/database/database';
import { temporaryFolder } from '../support/database.ts';
import { download, importInto } from '../export/support.ts';
import { openHouse } from '../support/house.ts';
import { run } from '../support/lines.ts';
import { ajouterNumero, ajouterRevue } from '../support/revues.ts';
import { documentsOf } from '../support/replication.ts';

test('two issues that were two numbers stay two, and are edited as they are', async () => {
  const path = join(temporaryFolder(), 'bibliotheque.sqlite');
  const house = await openHouse(path);
  await ajouterRevue(house, { titre: 'Rivages' });
  await ajouterNumero(house, 1, { numero: '13' });
  await ajouterNumero(house, 1, { numero: '14' });
  await house.close();
  const database = Database.open(path);
  run(database, "UPDATE Numero SET numero = 'N° 13', numeroNormalise = 'n 13' WHERE id = 2");
  database.close();

  const again = await openHouse(path);
  const edit = { numero: 'N° 13', une: 'La mer' };
  expect(await again.ask(null, 'PUT', '/api/numeros/2', edit)).toMatchObject({ status: 200 });
  expect(await again.ask(null, 'POST', '/api/revues/1/numeros', { numero: 'n°13' })).toMatchObject({
    status: 409,
    body: { numero: { id: 1 } },
  });
  const { bytes } = await download(again, '/api/export.zip');
  const other = await openHouse();
  expect((await importInto(other, bytes)).body).toMatchObject({ refuses: [] });
  const { body } = await other.ask(null, 'GET', '/api/revues/1/numeros');
  expect(body).toMatchObject([{ numero: '13' }, { numero: 'N° 13', une: 'La mer' }]);
});

test('the start-up pass repairs ISSNs and keys, keeping taken ones', async () => {
  const path = join(temporaryFolder(), 'bibliotheque.sqlite');
  const house = await openHouse(path);
  for (const titre of ['Une', 'Deux', 'Trois', 'Quatre']) await ajouterRevue(house, { titre });
  await ajouterNumero(house, 1, { numero: '12 bis', themes: ['Mer'] });
  await house.close();
  const database = Database.open(path);
  run(
    database,
    "UPDATE Revue SET issn = '0988-2480' WHERE id = 1",
    "UPDATE Revue SET issn = '09882480' WHERE id = 2",
    "UPDATE Revue SET issn = '29170443' WHERE id = 3",
    "UPDATE Revue SET issn = 'inconnu' WHERE id = 4",
    "UPDATE Numero SET numeroNormalise = '12 BIS'",
    "UPDATE Theme SET nomNormalise = 'MER'",
  );
  database.close();

  const again = await openHouse(path);
  expect(await documentsOf(again, null, 'revues')).toMatchObject([
    { id: 1, issn: '0988-2480' },
    { id: 2, issn: '09882480' },
    { id: 3, issn: '2917-0443' },
    { id: 4, issn: 'inconnu' },
  ]);
  expect(
    await again.ask(null, 'POST', '/api/revues/1/numeros', { numero: '12 BIS' }),
  ).toMatchObject({ status: 409 });
  expect(await ajouterNumero(again, 1, { themes: ['mer'] })).toMatchObject({ themes: ['Mer'] });
  const revision = again.context.database.revision();
  await again.close();
  expect((await openHouse(path)).context.database.revision()).toBe(revision);
});
