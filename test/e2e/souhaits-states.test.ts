import { expect, test } from 'vitest';
import { unfold } from './support/add.ts';
import { faultsInEveryLook, resize } from './support/accessibility.ts';
import { device, SIZES } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { closeSheet, expectList, openSheet, pressIn } from './support/souhaits.ts';
import type { State } from './support/states.ts';

async function fullHouse() {
  const house = await household();
  await house.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'] });
  await house.souhaiter('alice', { titre: 'Regain', auteur: 'Jean Giono' });
  await house.souhaiter('alice', { titre: 'Désert', auteur: 'J. M. G. Le Clézio' });
  await house.souhaiterRevue('alice', { titre: 'XXI', numero: '62' });
  return house;
}

/** Buttons that are disabled offline: of one wish, and of the whole list. */
const ORDER = ['Monter', 'Descendre'];
const ACTIONS = [...ORDER, 'Je l’ai acheté', 'Modifier', 'Supprimer'];
const EXPORTS = ['Exporter en texte', 'Exporter en CSV'];

test('offline both lists show why they cannot change', async () => {
  const house = await fullHouse();
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open('/souhaits');
  await expectList(page, 'Livres', ['Regain', 'Désert']);
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await page.reload();
  await expectList(page, 'Livres', ['Regain', 'Désert']);
  await expectList(page, 'Revues', ['XXI']);
  const expectReasons = async (names: readonly string[], where: string) => {
    for (const name of names) {
      const button = page.getByRole('button', { name, exact: true }).last();
      const message = `${name}, ${where}`;
      await expect.poll(() => button.isDisabled(), { message }).toBe(true);
      const reasonIds = (await button.getAttribute('aria-describedby'))?.split(' ') ?? [];
      const reason = page.locator(reasonIds.map((id) => `[id="${id}"]`).join(', '));
      await reason.filter({ hasText: /Hors ligne/ }).waitFor();
    }
  };
  for (const [size, viewport] of Object.entries(SIZES)) {
    await resize(page, viewport);
    await expectReasons(['Ajouter'], size);
    expect(await page.locator('[data-handle]').count(), size).toBe(0);
    for (const titre of ['Regain', 'Désert', 'XXI']) {
      await openSheet(page, titre);
      await expectReasons(
        ACTIONS.filter((name) => titre !== 'XXI' || !ORDER.includes(name)),
        size,
      );
      await closeSheet(page);
    }
    await page.getByRole('button', { name: 'Autres actions' }).click();
    await expectReasons(EXPORTS, size);
    await closeSheet(page);
  }
  await follow(page, '/souhaits/ajouter');
  await unfold(page);
  await page.getByText('Le code est cherché dans votre bibliothèque seulement.').waitFor();
  await page.getByText('Notez votre souhait ici').waitFor();
  for (const [size, viewport] of Object.entries(SIZES)) {
    await resize(page, viewport);
    const note = page.getByRole('button', { name: 'Noter pour plus tard', exact: true });
    await expect.poll(() => note.isEnabled(), { message: size }).toBe(true);
    expect(await page.getByRole('button', { name: 'Ajouter', exact: true }).count(), size).toBe(0);
  }
});

test('every state of the wishes is accessible, in every look', async () => {
  const house = await fullHouse();
  const page = await (await device(house)).open('/souhaits');
  const faults: string[] = [];
  const look = async (state: State) => {
    faults.push(...(await faultsInEveryLook(page, state)));
  };
  await expectList(page, 'Livres', ['Regain', 'Désert']);
  await look('/souhaits: lists');
  await pressIn(page, 'Regain', 'Modifier');
  await page.getByRole('form').first().waitFor();
  await look('/souhaits: a wish to edit');
  await closeSheet(page);
  await pressIn(page, 'Désert', 'Je l’ai acheté');
  await page.getByRole('button', { name: 'Ajouter quand même' }).waitFor();
  await look('/souhaits: a book that the house has');
  await closeSheet(page);
  await openSheet(page, 'Désert');
  await look('/souhaits: a wish');
  await closeSheet(page);
  await page.getByRole('button', { name: 'Autres actions' }).click();
  await look('/souhaits: other actions');
  await closeSheet(page);
  await pressIn(page, 'XXI', 'Supprimer');
  await page.getByText('Souhait retiré : XXI').waitFor();
  await look('/souhaits: a wish that is gone');
  for (const [path, state] of [
    ['/souhaits/ajouter', '/souhaits/ajouter: a book'],
    ['/souhaits/ajouter?genre=revue', '/souhaits/ajouter: a periodical'],
  ] as const) {
    await follow(page, path);
    if (!path.endsWith('revue')) await unfold(page);
    await page.getByLabel('Titre', { exact: true }).fill('Désert');
    await look(state);
  }
  expect(faults).toEqual([]);
});
