import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { faultsInEveryLook } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import type { Household } from './support/household.ts';
import { householdWithCatalogues } from './support/recherche.ts';
import { blockChanges } from './support/souhaits.ts';
import type { State } from './support/states.ts';

const SILENT = 'La Bibliothèque nationale ne répond pas';
const EMPTY = 'Aucun livre sous ce nom';

/** A household with two books by Jules Verne, and a simulated national library that can be silenced. */
async function houseWithSources() {
  const source = { isSilent: false };
  const { house, upstream } = await householdWithCatalogues({
    intercept: (_, response) => {
      if (source.isSilent) response.writeHead(503).end();
      return source.isSilent;
    },
  });
  const { auteurs } = await house.ajouter({
    titre: 'Le Tour du monde en quatre-vingts jours',
    auteurs: ['Jules Verne'],
  });
  await house.ajouter({ titre: 'Nana', auteurs: ['Émile Zola'] });
  return { house, upstream, source, verne: `/auteurs/${auteurs[0]?.id ?? 0}` };
}

/** The address of an author that the national library does not know. */
async function unknownAuteur(house: Household): Promise<string> {
  const { auteurs } = await house.ajouter({ titre: 'Carnets', auteurs: ['Zéphirine Inconnue'] });
  return `/auteurs/${auteurs[0]?.id ?? 0}`;
}

const list = (page: Page): Locator => page.getByRole('list', { name: 'Bibliographie' });

const oeuvreRow = (page: Page, titre: string): Locator =>
  list(page).getByRole('listitem').filter({ hasText: titre });

const count = (page: Page) => list(page).getByRole('listitem').count();

test('each work is owned or can be wished for', async () => {
  const { house, verne } = await houseWithSources();
  const phone = await device(house, { size: 'desk' });
  const page = await phone.open(verne);
  const tour = oeuvreRow(page, 'Le tour du monde en quatre-vingts jours');
  await tour.getByText('Dans la bibliothèque').waitFor();
  await tour.getByText('2 éditions').waitFor();
  await oeuvreRow(page, 'Mathias Sandorf')
    .getByRole('button', { name: 'Mettre sur ma liste' })
    .waitFor();
  await page.getByText(/La comparaison se fait par le titre/).waitFor();
  const all = await count(page);

  await page.getByRole('radio', { name: 'Dans la bibliothèque', exact: true }).check();
  await expect.poll(() => count(page)).toBe(1);
  await page.getByRole('radio', { name: 'Pas dans la bibliothèque' }).check();
  await expect.poll(() => count(page)).toBe(all - 1);
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('ILE mysterieuse');
  await expect.poll(() => count(page)).toBe(1);
  await page.waitForURL(/recherche=ILE/);
  await page.reload();
  await expect.poll(() => count(page)).toBe(1);

  await house.ajouter({ titre: 'L’Île mystérieuse', auteurs: ['Jules Verne'] });
  await page.getByText('Aucune œuvre ne correspond à la recherche').waitFor();
  await follow(page, verne);
  await tour.getByRole('link').click();
  await page.getByRole('heading', { name: 'Le Tour du monde en quatre-vingts jours' }).waitFor();
});

test('a work is wished for once, with author and ISBN', async () => {
  const { house, upstream, verne } = await houseWithSources();
  const phone = await device(house);
  const page = await phone.open(verne);
  await list(page).waitFor();
  const requestCount = upstream.requests.length;
  expect(requestCount).toBeGreaterThan(0);
  const wished = oeuvreRow(page, 'Le château des Carpathes');
  await wished.getByRole('button', { name: 'Mettre sur ma liste' }).click();
  await wished.getByText('Sur ma liste', { exact: true }).waitFor();
  const response = await fetch(`${phone.portal.url}/api/souhaits`);
  expect(await response.json()).toMatchObject([
    {
      titre: 'Le château des Carpathes',
      auteur: 'Jules Verne',
      isbn: expect.stringMatching(/^97[89]\d{10}$/) as string,
    },
  ]);
  await page.getByText('Souhait ajouté : Le château des Carpathes').waitFor();
  const pulled = page.waitForResponse((r) => r.url().includes('/api/replication?'));
  await page.reload();
  await wished.getByText('Sur ma liste', { exact: true }).waitFor();
  await pulled;
  // Today's list is requested again only on demand.
  await page.getByRole('button', { name: 'Actualiser' }).click();
  await expect.poll(() => upstream.requests.length).toBe(requestCount * 2);

  // Add the wish on another device, without this one receiving the change.
  const letNewsThrough = blockChanges(phone);
  const headers = { SSO_USER: 'alice', 'content-type': 'application/json' };
  const body = JSON.stringify({ titre: 'Les Indes noires', auteur: 'Jules Verne' });
  await fetch(`${house.url}/api/souhaits`, { method: 'POST', headers, body });
  const wishedElsewhere = oeuvreRow(page, 'Les Indes noires');
  await wishedElsewhere.getByRole('button', { name: 'Mettre sur ma liste' }).click();
  await wishedElsewhere.getByText('Sur ma liste', { exact: true }).waitFor();
  letNewsThrough();

  phone.portal.user = null;
  await page.goto(phone.portal.url + verne);
  await page
    .getByText('Cette liste est personnelle, et Rayonnage ne sait pas qui vous êtes.')
    .waitFor();
  const button = page.getByRole('button', { name: 'Mettre sur ma liste' }).first();
  expect(await button.isDisabled()).toBe(true);
});

test('offline the last list is shown with its date', async () => {
  const { house, verne } = await houseWithSources();
  const nobody = await unknownAuteur(house);
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open(verne);
  await list(page).waitFor();
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await page.reload();
  await page.getByText(/^Hors ligne\s: Liste du \d/).waitFor();
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('sandorf');
  await expect.poll(() => count(page)).toBe(1);
  for (const name of ['Actualiser', 'Mettre sur ma liste']) {
    const button = page.getByRole('button', { name });
    expect(await button.isDisabled(), name).toBe(true);
    const reasonIds = ((await button.getAttribute('aria-describedby')) ?? '').split(' ');
    await page
      .locator(`#${reasonIds.at(-1) ?? ''}`)
      .getByText(/Hors ligne/)
      .waitFor();
  }
  await page.goto(phone.portal.url + nobody);
  await page.getByText('Bibliographie pas encore téléchargée').waitFor();
  for (const other of [SILENT, EMPTY]) expect(await page.getByText(other).count()).toBe(0);
});

test('a silent source is distinguished from an empty list', async () => {
  const { house, source, verne } = await houseWithSources();
  await house.ajouter({ titre: 'Le Rayon vert', auteurs: ['Jules Vernes'] });
  const nobody = await unknownAuteur(house);
  const faults: string[] = [];
  const phone = await device(house);
  const page = await phone.open('/auteurs');
  const look = async (state: State) => {
    faults.push(...(await faultsInEveryLook(page, state)));
  };
  await page.getByRole('button', { name: /^Noms qui se ressemblent/ }).click();
  await page.getByRole('button', { name: 'Fusionner' }).first().waitFor();
  await look('/auteurs: names alike');
  source.isSilent = true;
  await follow(page, nobody);
  await page.getByRole('heading', { name: SILENT }).waitFor();
  expect(await page.getByText(EMPTY).count()).toBe(0);
  expect(await page.getByText(/Hors ligne/).count()).toBe(0);
  await look('/auteurs/[id]: a silent source');
  source.isSilent = false;
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await page.getByRole('heading', { name: EMPTY }).waitFor();
  expect(await page.getByText(SILENT).count()).toBe(0);
  await look('/auteurs/[id]: no works');
  source.isSilent = true;
  await page.getByRole('button', { name: 'Actualiser' }).click();
  await page.getByRole('heading', { name: SILENT }).waitFor();
  expect(await page.getByText(EMPTY).count()).toBe(0);
  source.isSilent = false;
  await follow(page, verne);
  await list(page).waitFor();
  await look('/auteurs/[id]: works');
  source.isSilent = true;
  await page.getByRole('button', { name: 'Actualiser' }).click();
  await page.getByRole('alert').getByText(SILENT).waitFor();
  expect(await count(page)).toBeGreaterThan(10);
  source.isSilent = false;
  await page.getByRole('button', { name: 'Renommer' }).click();
  await page.getByLabel('Nom', { exact: true }).fill('Zola, Emile');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('button', { name: 'Fusionner', exact: true }).waitFor();
  await look('/auteurs/[id]: a name that is taken');
  await page.getByRole('button', { name: 'Annuler' }).click();
  await page.getByRole('button', { name: 'Fusionner avec…' }).click();
  await page.getByRole('combobox').fill('zol');
  await page.getByRole('option').waitFor();
  await look('/auteurs/[id]: an author to merge with');
  expect(faults).toEqual([]);
});
