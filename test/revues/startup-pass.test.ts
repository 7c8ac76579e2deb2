import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Database } from '#server/plumbing/database/database';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { run } from '../support/lines.ts';
import { ajouterNumero, ajouterRevue } from '../support/revues.ts';
import { documentsOf } from '../support/replication.ts';

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
