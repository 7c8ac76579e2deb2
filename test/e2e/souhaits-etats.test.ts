import { describe, expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { device, TAILLES, useBrowser } from './support/device.ts';
import { household } from './support/household.ts';
import { faire, montre } from './support/souhaits.ts';

useBrowser();

async function maisonPleine() {
  const maison = await household();
  await maison.ajouter({ titre: 'Désert', auteurs: ['J. M. G. Le Clézio'] });
  await maison.souhaiter('alice', { titre: 'Regain', auteur: 'Jean Giono' });
  await maison.souhaiter('alice', { titre: 'Désert', auteur: 'J. M. G. Le Clézio' });
  await maison.souhaiterRevue('alice', { titre: 'XXI', numero: '62' });
  return maison;
}

test.each(['telephone', 'bureau'] as const)(
  'offline, %s: both lists are there, and what cannot be done says why',
  async (taille) => {
    const maison = await maisonPleine();
    const appareil = await device(maison, { taille });
    const page = await appareil.open('/souhaits');
    await montre(page, 'Livres', ['Regain', 'Désert']);
    await appareil.untilOfflineReady(page);
    await appareil.cutNetwork();
    await page.reload();
    await montre(page, 'Livres', ['Regain', 'Désert']);
    await montre(page, 'Revues', ['XXI']);
    for (const nom of taille === 'telephone' ? ['Regain', 'Désert', 'XXI'] : [])
      await page.getByRole('button', { name: nom, exact: true }).click();
    const boutons = ['Exporter en texte', 'Exporter en CSV', 'Monter', 'Descendre', 'Ajouter'];
    for (const name of [...boutons, 'Je l’ai acheté', 'Modifier', 'Supprimer']) {
      const bouton = page.getByRole('button', { name, exact: true }).last();
      await expect.poll(() => bouton.isDisabled(), { message: name }).toBe(true);
      const raisons = (await bouton.getAttribute('aria-describedby'))?.split(' ') ?? [];
      const raison = page.locator(raisons.map((id) => `[id="${id}"]`).join(', '));
      await raison.filter({ hasText: /Hors ligne/ }).waitFor();
    }
    expect(await page.getByRole('button', { name: /Déplacer/ }).count()).toBe(0);
    await page.goto(`${appareil.portal.url}/souhaits/ajouter`);
    const enregistrer = page.getByRole('button', { name: 'Enregistrer' });
    await expect.poll(() => enregistrer.isDisabled()).toBe(true);
    await page.getByText('Hors ligne : les catalogues ne répondent pas.').waitFor();
    await page.getByText('Hors ligne : rien ne peut être changé pour le moment.').waitFor();
  },
);

const tailles = Object.keys(TAILLES) as (keyof typeof TAILLES)[];

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  test.each(tailles)('nothing of the wishes is out of reach, %s', async (taille) => {
    const maison = await maisonPleine();
    const appareil = await device(maison, { taille, theme });
    const page = await appareil.open('/souhaits');
    const faults: string[] = [];
    const look = async (where: string) => {
      for (const fault of await accessibilityFaults(page)) faults.push(`${where} ${fault}`);
      const large = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      if (large) faults.push(`${where} scrolls sideways`);
    };
    await montre(page, 'Livres', ['Regain', 'Désert']);
    await look('lists');
    await faire(page, 'Regain', 'Modifier');
    await page.getByRole('form').first().waitFor();
    await look('edit');
    await faire(page, 'Désert', 'Je l’ai acheté');
    await page.getByRole('button', { name: 'Ajouter quand même' }).waitFor();
    await look('duplicates');
    await faire(page, 'XXI', 'Supprimer');
    await page.getByText('« XXI » n’est plus sur votre liste.').waitFor();
    await look('taken off');
    for (const genre of ['', '?genre=revue']) {
      await page.goto(`${appareil.portal.url}/souhaits/ajouter${genre}`);
      await page.getByLabel('Titre').fill('Désert');
      await look(`add ${genre}`);
    }
    expect(faults).toEqual([]);
  });
});
