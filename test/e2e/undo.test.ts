import { expect, test } from 'vitest';
import { unfold } from './support/add.ts';
import { ajouterSerie, lireSerie } from './support/collections.ts';
import { MODIFICATIONS } from './support/modifications.ts';
import { device } from './support/device.ts';
import { expectFeedback, undo } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { fullHouse, press, save, stateOf } from './support/undo.ts';

/** Two dozen modifications in turn. */
const LONG = { timeout: 600_000 };

test('each kind of act is undone on a phone', LONG, async () => {
  const { house, path } = await fullHouse();
  const phone = await device(house);
  const page = await phone.open();
  // Each modification is undone, so that the next one starts from this state.
  const before = await stateOf(house);
  for (const { name, at, act, says } of MODIFICATIONS) {
    // Leave the screen of the last modification, so that it is opened anew.
    if (new URL(page.url()).pathname === path[at]) await follow(page, path.catalogue);
    await follow(page, path[at]);
    await act(page);
    await expectFeedback(page, says);
    expect(await stateOf(house), name).not.toEqual(before);
    await undo(page);
    expect(await stateOf(house), name).toEqual(before);
  }
});

test('every kind of addition can be undone', async () => {
  const house = await household();
  const before = await stateOf(house);
  const page = await (await device(house)).open('/souhaits/ajouter');
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('Regain');
  await save(page);
  await expectFeedback(page, 'Souhait ajouté au rang 1 : Regain');
  await undo(page);
  await follow(page, '/series/ajouter');
  await page.getByLabel('Titre', { exact: true }).fill('Fondation');
  await save(page);
  await expectFeedback(page, 'Série ajoutée : Fondation');
  await undo(page);
  await page.getByRole('heading', { name: /ajout.*Fondation.*annul/i }).waitFor();
  await follow(page, '/revues/ajouter');
  await page.getByLabel('Titre', { exact: true }).fill('La Hulotte');
  await page.getByLabel('Numéro', { exact: true }).fill('112');
  await save(page);
  await expectFeedback(page, 'Numéro ajouté : La Hulotte n° 112');
  await undo(page);
  expect(await stateOf(house)).toEqual(before);

  const places = [{ titre: 'L’Aube de Fondation', numero: '2' }];
  const { id } = await ajouterSerie(house, { titre: 'Fondation', places });
  await follow(page, '/livres/ajouter');
  await unfold(page);
  await page.getByLabel('Titre', { exact: true }).fill('L’Aube de Fondation');
  await save(page);
  await expectFeedback(page, 'Livre ajouté : L’Aube de Fondation');
  await press(page, 'Le placer');
  await expectFeedback(page, 'Placé dans la série Fondation : L’Aube de Fondation');
  await undo(page);
  expect((await lireSerie(house, id)).places).toMatchObject([{ livreId: null, numero: '2' }]);
  expect(await house.titres()).toEqual(['L’Aube de Fondation']);
});
