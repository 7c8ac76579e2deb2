import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Base } from '#server/database/base';
import { temporaryFolder } from '../support/base.ts';
import { openHouse } from '../support/house.ts';
import { run } from '../support/lines.ts';
import { souhaiter, souhaiterRevue } from '../support/souhaits.ts';

/** A household that is closed, changed behind the service's back, and opened again. */
async function rouvrir(...statements: string[]) {
  const path = join(temporaryFolder(), 'bibliotheque.sqlite');
  const house = await openHouse(path);
  await souhaiter(house, 'ana', { titre: 'Sido', auteur: 'Colette' });
  await souhaiter(house, 'ana', { titre: 'Chéri', auteur: 'Colette' });
  await souhaiterRevue(house, 'ana', { titre: 'Rivages', numero: '1', issn: '0988-2480' });
  await souhaiterRevue(house, 'ana', { titre: 'Cahiers', numero: '1', issn: '2917-0443' });
  await house.close();
  const base = Base.open(path);
  run(base, ...statements);
  base.close();
  return openHouse(path);
}

test('keys of other rules are made anew, and an ISSN gets its hyphen', async () => {
  const house = await rouvrir(
    "UPDATE Souhait SET cleOeuvre = 'SIDO', auteurNormalise = 'COLETTE' WHERE id = 1",
    "UPDATE RevueSouhaitee SET cleOeuvre = 'RIVAGES', issn = '09882480' WHERE id = 1",
    "UPDATE RevueSouhaitee SET issn = 'inconnu' WHERE id = 2",
  );
  const saisie = { titre: 'sido', auteur: 'colette' };
  expect((await house.ask('ana', 'POST', '/api/souhaits', saisie)).body).toMatchObject({
    code: 'SOUHAIT_EXISTANT',
  });
  const { body } = await house.ask('ana', 'GET', '/api/souhaits-revues');
  expect(body).toMatchObject([{ issn: '0988-2480' }, { issn: 'inconnu' }]);
});

test('a wish whose key is taken keeps its own, the next moves into the room it makes', async () => {
  const house = await rouvrir(
    "UPDATE Souhait SET titre = 'Sido', cleOeuvre = 'autre' WHERE id = 2",
    "UPDATE RevueSouhaitee SET cleOeuvre = 'x' WHERE id = 1",
    "UPDATE RevueSouhaitee SET cleOeuvre = 'rivages' WHERE id = 2",
  );
  const cles = (table: string) =>
    house.context.base
      .prepare<[], { cleOeuvre: string }>(`SELECT cleOeuvre FROM ${table} ORDER BY id`)
      .all()
      .map(({ cleOeuvre }) => cleOeuvre);
  expect(cles('Souhait')).toEqual(['sido', 'autre']);
  expect(cles('RevueSouhaitee')).toEqual(['rivages', 'cahiers']);
});

test('what is in order is not written', async () => {
  const house = await rouvrir();
  const { base } = house.context;
  const revision = base.revision();
  const rows = base.prepare<[], { n: number }>('SELECT max(revision) AS n FROM Journal').get();
  expect(rows?.n).toBe(revision);
  expect(revision).toBe(4);
});
