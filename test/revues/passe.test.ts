import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Base } from '#server/database/base';
import { temporaryFolder } from '../support/base.ts';
import { openHouse } from '../support/house.ts';
import { run } from '../support/lines.ts';
import { ajouterNumero, ajouterRevue } from '../support/revues.ts';

test('the start-up pass brings ISSNs and keys into order, and leaves a taken form to its owner', async () => {
  const path = join(temporaryFolder(), 'bibliotheque.sqlite');
  const house = await openHouse(path);
  for (const titre of ['Une', 'Deux', 'Trois', 'Quatre']) await ajouterRevue(house, { titre });
  await ajouterNumero(house, 1, { numero: '12 bis', themes: ['Mer'] });
  await house.close();
  const base = Base.open(path);
  run(
    base,
    "UPDATE Revue SET issn = '0988-2480' WHERE id = 1",
    "UPDATE Revue SET issn = '09882480' WHERE id = 2",
    "UPDATE Revue SET issn = '29170443' WHERE id = 3",
    "UPDATE Revue SET issn = 'inconnu' WHERE id = 4",
    "UPDATE Numero SET numeroNormalise = '12 BIS'",
    "UPDATE Theme SET nomNormalise = 'MER'",
  );
  base.close();

  const again = await openHouse(path);
  const { body } = await again.ask(null, 'GET', '/api/replication/revues');
  expect(body).toMatchObject({
    documents: expect.arrayContaining([
      expect.objectContaining({ id: 1, issn: '0988-2480' }),
      expect.objectContaining({ id: 2, issn: '09882480' }),
      expect.objectContaining({ id: 3, issn: '2917-0443' }),
      expect.objectContaining({ id: 4, issn: 'inconnu' }),
    ]) as unknown,
  });
  expect(
    await again.ask(null, 'POST', '/api/revues/1/numeros', { numero: '12 BIS' }),
  ).toMatchObject({ status: 409 });
  expect(await ajouterNumero(again, 1, { themes: ['mer'] })).toMatchObject({ themes: ['Mer'] });
  const revision = again.context.base.revision();
  await again.close();
  expect((await openHouse(path)).context.base.revision()).toBe(revision);
});
