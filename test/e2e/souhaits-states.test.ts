import { expect, test } from 'vitest';
import { faultsInEveryLook } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';
import { pressIn, expectList } from './support/souhaits.ts';

async function fullHouse() {
  const house = await household();
  await house.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'] });
  await house.souhaiter('alice', { titre: 'Regain', auteur: 'Jean Giono' });
  await house.souhaiter('alice', { titre: 'Désert', auteur: 'J. M. G. Le Clézio' });
  await house.souhaiterRevue('alice', { titre: 'XXI', numero: '62' });
  return house;
}

test.each(['phone', 'desk'] as const)(
  'offline, %s: both lists are shown, and disabled controls say why',
  async (size) => {
    const house = await fullHouse();
    const phone = await device(house, { size, serviceWorker: true });
    const page = await phone.open('/souhaits');
    await expectList(page, 'Livres', ['Regain', 'Désert']);
    await phone.untilOfflineReady(page);
    await phone.cutNetwork();
    await page.reload();
    await expectList(page, 'Livres', ['Regain', 'Désert']);
    await expectList(page, 'Revues', ['XXI']);
    for (const name of size === 'phone' ? ['Regain', 'Désert', 'XXI'] : [])
      await page.getByRole('button', { name, exact: true }).click();
    const buttons = ['Exporter en texte', 'Exporter en CSV', 'Monter', 'Descendre', 'Ajouter'];
    for (const name of [...buttons, 'Je l’ai acheté', 'Modifier', 'Supprimer']) {
      const button = page.getByRole('button', { name, exact: true }).last();
      await expect.poll(() => button.isDisabled(), { message: name }).toBe(true);
      const reasonIds = (await button.getAttribute('aria-describedby'))?.split(' ') ?? [];
      const reason = page.locator(reasonIds.map((id) => `[id="${id}"]`).join(', '));
      await reason.filter({ hasText: /Hors ligne/ }).waitFor();
    }
    expect(await page.getByRole('button', { name: /Déplacer/ }).count()).toBe(0);
    await page.goto(`${phone.portal.url}/souhaits/ajouter`);
    const save = page.getByRole('button', { name: 'Enregistrer' });
    await expect.poll(() => save.isDisabled()).toBe(true);
    await page.getByText('Hors ligne : les catalogues ne répondent pas.').waitFor();
    await page.getByText('Hors ligne : rien ne peut être changé pour le moment.').waitFor();
  },
);

test('every state of the wishes is accessible, in every look', async () => {
  const house = await fullHouse();
  const phone = await device(house);
  const page = await phone.open('/souhaits');
  const faults: string[] = [];
  const look = async (where: string) => {
    faults.push(...(await faultsInEveryLook(page, where)));
  };
  await expectList(page, 'Livres', ['Regain', 'Désert']);
  await look('lists');
  await pressIn(page, 'Regain', 'Modifier');
  await page.getByRole('form').first().waitFor();
  await look('edit');
  await pressIn(page, 'Désert', 'Je l’ai acheté');
  await page.getByRole('button', { name: 'Ajouter quand même' }).waitFor();
  await look('duplicates');
  await pressIn(page, 'XXI', 'Supprimer');
  await page.getByText('Souhait retiré : XXI').waitFor();
  await look('removed');
  for (const genre of ['', '?genre=revue']) {
    await page.goto(`${phone.portal.url}/souhaits/ajouter${genre}`);
    await page.getByLabel('Titre').fill('Désert');
    await look(`add ${genre}`);
  }
  expect(faults).toEqual([]);
});
