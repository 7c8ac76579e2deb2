import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { device, TAILLES, useBrowser } from './support/device.ts';
import type { Household } from './support/household.ts';
import { householdWithCatalogues } from './support/recherche.ts';

useBrowser();

/** Patience of a busy machine: no test is about time. */
const DELAI = { timeout: 10_000 };

const MUETTE = 'La Bibliothèque nationale ne répond pas';
const VIDE = 'Aucun livre sous ce nom';

/** A household with two of Jules Verne's books, beside a national library that a test can silence. */
async function maisonReliee() {
  const etat = { muette: false };
  const { maison, amont } = await householdWithCatalogues({
    avant: (_, response) => {
      if (etat.muette) response.writeHead(503).end();
      return etat.muette;
    },
  });
  const { auteurs } = await maison.ajouter({
    titre: 'Le Tour du monde en quatre-vingts jours',
    auteurs: ['Jules Verne'],
  });
  await maison.ajouter({ titre: 'Nana', auteurs: ['Émile Zola'] });
  return { maison, amont, etat, verne: `/auteurs/${auteurs[0]?.id ?? 0}` };
}

/** The address of an author whom the national library does not know. */
async function inconnu(maison: Household): Promise<string> {
  const { auteurs } = await maison.ajouter({ titre: 'Carnets', auteurs: ['Zéphirine Inconnue'] });
  return `/auteurs/${auteurs[0]?.id ?? 0}`;
}

const liste = (page: Page): Locator => page.getByRole('list', { name: 'Bibliographie' });

const oeuvre = (page: Page, titre: string): Locator =>
  liste(page).getByRole('listitem').filter({ hasText: titre });

const nombre = (page: Page) => liste(page).getByRole('listitem').count();

test('a work is owned, with the way to its book, or not; the rest is said', async () => {
  const { maison, verne } = await maisonReliee();
  const appareil = await device(maison, { taille: 'bureau' });
  const page = await appareil.open(verne);
  const tour = oeuvre(page, 'Le tour du monde en quatre-vingts jours');
  await tour.getByText('Dans la bibliothèque').waitFor();
  await tour.getByText('2 éditions').waitFor();
  await oeuvre(page, 'Mathias Sandorf')
    .getByRole('button', { name: 'Mettre sur ma liste' })
    .waitFor();
  await page.getByText(/La comparaison avec la bibliothèque se fait par le titre/).waitFor();
  const toutes = await nombre(page);

  await page.getByRole('radio', { name: 'Dans la bibliothèque', exact: true }).check();
  await expect.poll(() => nombre(page), DELAI).toBe(1);
  await page.getByRole('radio', { name: 'Pas dans la bibliothèque' }).check();
  await expect.poll(() => nombre(page), DELAI).toBe(toutes - 1);
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('ILE mysterieuse');
  await expect.poll(() => nombre(page), DELAI).toBe(1);
  await page.waitForURL(/recherche=ILE/);
  await page.reload();
  await expect.poll(() => nombre(page), DELAI).toBe(1);

  await maison.ajouter({ titre: 'L’Île mystérieuse', auteurs: ['Jules Verne'] });
  await page.getByText('Rien dans cette liste ne répond à la recherche').waitFor();
  await page.goto(appareil.portal.url + verne);
  await tour.getByRole('link').click();
  await page.getByRole('heading', { name: 'Le Tour du monde en quatre-vingts jours' }).waitFor();
});

test('a list of today is not asked for again, but on demand', async () => {
  const { maison, amont, verne } = await maisonReliee();
  const page = await (await device(maison)).open(verne);
  await liste(page).waitFor();
  const demandes = amont.demandes.length;
  expect(demandes).toBeGreaterThan(0);
  await page.reload();
  await liste(page).waitFor();
  await page.getByRole('button', { name: 'Actualiser' }).click();
  await expect.poll(() => amont.demandes.length, DELAI).toBe(demandes * 2);
});

test('a wish goes on the reader’s list with its author and ISBN, once', async () => {
  const { maison, verne } = await maisonReliee();
  const appareil = await device(maison);
  const page = await appareil.open(verne);
  const carpathes = oeuvre(page, 'Le château des Carpathes');
  const demande = page.waitForRequest(
    (r) => r.method() === 'POST' && r.url().endsWith('/souhaits'),
  );
  await carpathes.getByRole('button', { name: 'Mettre sur ma liste' }).click();
  expect((await demande).postDataJSON()).toMatchObject({
    titre: 'Le château des Carpathes',
    auteur: 'Jules Verne',
    isbn: expect.stringMatching(/^97[89]\d{10}$/) as string,
  });
  await carpathes.getByText('Sur votre liste').waitFor();
  await page.getByRole('status').getByText('C’est sur votre liste.').waitFor();
  await page.reload();
  await carpathes.getByText('Déjà sur votre liste').waitFor();

  // Wished for elsewhere, and this device has not heard of it yet.
  await page.route('**/api/replication/**', () => undefined);
  const entete = { SSO_USER: 'alice', 'content-type': 'application/json' };
  const corps = JSON.stringify({ titre: 'Les Indes noires', auteur: 'Jules Verne' });
  await fetch(`${maison.url}/api/souhaits`, { method: 'POST', headers: entete, body: corps });
  const indes = oeuvre(page, 'Les Indes noires');
  await indes.getByRole('button', { name: 'Mettre sur ma liste' }).click();
  await indes.getByText('Déjà sur votre liste').waitFor();
});

test('who is not known has no list, and is told so', async () => {
  const { maison, verne } = await maisonReliee();
  const page = await (await device(maison, { user: null })).open(verne);
  await page.getByText('Votre liste est personnelle, et rien ne dit qui vous êtes.').waitFor();
  const bouton = page.getByRole('button', { name: 'Mettre sur ma liste' }).first();
  expect(await bouton.isDisabled()).toBe(true);
});

test('a silent source and an empty list are two messages, one at a time', async () => {
  const { maison, etat, verne } = await maisonReliee();
  const personne = await inconnu(maison);
  const appareil = await device(maison);
  etat.muette = true;
  const page = await appareil.open(personne);
  await page.getByRole('heading', { name: MUETTE }).waitFor();
  expect(await page.getByText(VIDE).count()).toBe(0);
  expect(await page.getByText(/Hors ligne/).count()).toBe(0);

  etat.muette = false;
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await page.getByRole('heading', { name: VIDE }).waitFor();
  expect(await page.getByText(MUETTE).count()).toBe(0);

  etat.muette = true;
  await page.getByRole('button', { name: 'Actualiser' }).click();
  await page.getByRole('heading', { name: MUETTE }).waitFor();
  expect(await page.getByText(VIDE).count()).toBe(0);

  etat.muette = false;
  await page.goto(appareil.portal.url + verne);
  await liste(page).waitFor();
  etat.muette = true;
  await page.getByRole('button', { name: 'Actualiser' }).click();
  await page.getByRole('alert').getByText(MUETTE).waitFor();
  expect(await nombre(page)).toBeGreaterThan(10);
});

test('offline the last list is read, with its date; one never asked for is missed, not empty', async () => {
  const { maison, verne } = await maisonReliee();
  const personne = await inconnu(maison);
  const appareil = await device(maison);
  const page = await appareil.open(verne);
  await liste(page).waitFor();
  await appareil.untilOfflineReady(page);
  await appareil.cutNetwork();
  await page.reload();
  await page.getByText(/^Hors ligne\s: liste du \d/).waitFor();
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('sandorf');
  await expect.poll(() => nombre(page), DELAI).toBe(1);
  for (const name of ['Actualiser', 'Mettre sur ma liste']) {
    const bouton = page.getByRole('button', { name });
    expect(await bouton.isDisabled(), name).toBe(true);
    const raisons = ((await bouton.getAttribute('aria-describedby')) ?? '').split(' ');
    await page
      .locator(`#${raisons.at(-1) ?? ''}`)
      .getByText(/Hors ligne/)
      .waitFor();
  }
  await page.goto(appareil.portal.url + personne);
  await page.getByText('Pas encore de liste ici').waitFor();
  for (const autre of [MUETTE, VIDE]) expect(await page.getByText(autre).count()).toBe(0);
});

test.each(['light', 'dark'] as const)(
  'every state is fit for everyone, %s',
  async (theme) => {
    const { maison, etat, verne } = await maisonReliee();
    await maison.ajouter({ titre: 'Le Rayon vert', auteurs: ['Jules Vernes'] });
    const personne = await inconnu(maison);
    const faults: string[] = [];
    for (const taille of Object.keys(TAILLES) as (keyof typeof TAILLES)[]) {
      const appareil = await device(maison, { taille, theme });
      const page = await appareil.open('/auteurs');
      const look = async (where: string) => {
        for (const fault of await accessibilityFaults(page))
          faults.push(`${taille} ${where} ${fault}`);
      };
      await page.getByRole('button', { name: 'Fusionner' }).first().waitFor();
      await look('suggestions');
      etat.muette = true;
      await page.goto(appareil.portal.url + personne);
      await page.getByText(MUETTE).waitFor();
      await look('silent');
      etat.muette = false;
      await page.getByRole('button', { name: 'Réessayer' }).click();
      await page.getByText(VIDE).waitFor();
      await look('empty');
      await page.goto(appareil.portal.url + verne);
      await liste(page).waitFor();
      await look('list');
      await page.getByRole('button', { name: 'Renommer' }).click();
      await page.getByLabel('Nom', { exact: true }).fill('Zola, Emile');
      await page.getByRole('button', { name: 'Enregistrer' }).click();
      await page.getByRole('button', { name: 'Fusionner', exact: true }).waitFor();
      await look('taken name');
      await page.getByRole('button', { name: 'Annuler' }).click();
      await page.getByRole('button', { name: 'Fusionner avec…' }).click();
      await page.getByRole('combobox').fill('zol');
      await page.getByRole('option').waitFor();
      await look('proposals');
    }
    expect(faults).toEqual([]);
  },
  120_000,
);
