import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renewAll } from '#server/start/context';
import { Database } from '#server/plumbing/database/database';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { run } from '../support/lines.ts';
import { souhaiter, souhaiterRevue } from '../support/souhaits.ts';

/** Closes a household, changes its database by SQL, and opens it again. */
async function reopen(...statements: string[]) {
  const path = join(temporaryFolder(), 'bibliotheque.sqlite');
  const house = await openHouse(path);
  await souhaiter(house, 'ana', { titre: 'Sido', auteur: 'Colette' });
  await souhaiter(house, 'ana', { titre: 'Chéri', auteur: 'Colette' });
  await souhaiterRevue(house, 'ana', { titre: 'Rivages', numero: '1', issn: '0988-2480' });
  await souhaiterRevue(house, 'ana', { titre: 'Cahiers', numero: '1', issn: '2917-0443' });
  await house.close();
  const database = Database.open(path);
  run(database, ...statements);
  database.close();
  return openHouse(path);
}

test('keys of other rules are recomputed', async () => {
  const house = await reopen(
    "UPDATE Souhait SET cleOeuvre = 'SIDO', auteurNormalise = 'COLETTE' WHERE id = 1",
  );
  const saisie = { titre: 'sido', auteur: 'colette' };
  expect((await house.ask('ana', 'POST', '/api/souhaits', saisie)).body).toMatchObject({
    code: 'SOUHAIT_EXISTANT',
  });
});

test('an ISSN gets its hyphen, another text stays', async () => {
  const house = await reopen(
    "UPDATE RevueSouhaitee SET cleOeuvre = 'RIVAGES', issn = '09882480' WHERE id = 1",
    "UPDATE RevueSouhaitee SET issn = 'inconnu' WHERE id = 2",
  );
  const { body } = await house.ask('ana', 'GET', '/api/souhaits-revues');
  expect(body).toMatchObject([{ issn: '0988-2480' }, { issn: 'inconnu' }]);
});

test('the later of two wishes made equal keeps its key', async () => {
  const house = await reopen(
    "UPDATE Souhait SET auteur = 'Sinno, Neige', auteurNormalise = 'sinno neige' WHERE id = 1",
    "UPDATE Souhait SET titre = 'Sido', cleOeuvre = 'sido', auteur = 'Neige Sinno', auteurNormalise = 'neige sinno' WHERE id = 2",
  );
  const keys = house.context.database
    .prepare<[], { auteurNormalise: string }>('SELECT auteurNormalise FROM Souhait ORDER BY id')
    .all()
    .map(({ auteurNormalise }) => auteurNormalise);
  expect(keys).toEqual(['sinno neige', 'neige sinno']);
});

test('a taken key is kept until another makes room', async () => {
  const house = await reopen(
    "UPDATE Souhait SET titre = 'Sido', cleOeuvre = 'autre' WHERE id = 2",
    "UPDATE RevueSouhaitee SET cleOeuvre = 'x' WHERE id = 1",
    "UPDATE RevueSouhaitee SET cleOeuvre = 'rivages' WHERE id = 2",
  );
  const keys = (table: string) =>
    house.context.database
      .prepare<[], { cleOeuvre: string }>(`SELECT cleOeuvre FROM ${table} ORDER BY id`)
      .all()
      .map(({ cleOeuvre }) => cleOeuvre);
  expect(keys('Souhait')).toEqual(['sido', 'autre']);
  expect(keys('RevueSouhaitee')).toEqual(['rivages', 'cahiers']);
});

test('rows in order are not rewritten', async () => {
  const house = await reopen();
  const { database } = house.context;
  const revision = database.revision();
  renewAll(database);
  expect(database.revision()).toBe(revision);
});

test('two wishes that are one work by a later rule both stay, and the household opens', async () => {
  const house = await reopen(
    "UPDATE Souhait SET titre = 'Petit Quai (Le)', cleOeuvre = 'petit quai' WHERE id = 1",
    "UPDATE Souhait SET titre = 'Le Petit Quai', cleOeuvre = 'le petit quai' WHERE id = 2",
  );
  const list = async () =>
    ((await house.ask('ana', 'GET', '/api/souhaits')).body as { titre: string }[]).map(
      ({ titre }) => titre,
    );
  expect(await list()).toEqual(['Petit Quai (Le)', 'Le Petit Quai']);
  const saisie = { titre: 'Petit Quai, Le', auteur: 'Colette' };
  const again = () => house.ask('ana', 'POST', '/api/souhaits', saisie);
  expect(await again()).toMatchObject({ status: 400, body: { code: 'SOUHAIT_EXISTANT' } });
  const { database } = house.context;
  renewAll(database, 'rules');
  expect(database.rules, 'the pass is not played again').toBe('rules');
  await house.ask('ana', 'DELETE', '/api/souhaits/2');
  expect(await again()).toMatchObject({ status: 400, body: { code: 'SOUHAIT_EXISTANT' } });
  expect(await list()).toEqual(['Petit Quai (Le)']);
});
