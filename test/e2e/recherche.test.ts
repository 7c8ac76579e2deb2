import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright';
import { accessibilityFaults } from './support/accessibility.ts';
import { device, TAILLES, useBrowser } from './support/device.ts';
import { householdWithCatalogues, scanByKeyboard } from './support/recherche.ts';

useBrowser();

/** A busy machine takes its time. */
const PATIENCE = { timeout: 20_000 };

const UN_SEUL = '9782948012017';
const DEUX_EDITIONS = '9782948012024';
const DE_BNF_ET_OPEN_LIBRARY = '9782948012048';
const INCONNU = '9782948012253';
const REVUE = '9772917044002';
const FAUX = '9782070360025';

/** The add screen, with the focus where a scanner types. */
async function ouvrir(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')), PATIENCE)
    .toBe('isbn');
  await expect.poll(() => bouton(page, "Rechercher l'ISBN").isEnabled(), PATIENCE).toBe(true);
}

const bouton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const valeur = (page: Page, champ: string) => page.getByLabel(champ, { exact: true }).inputValue();
const etape = (page: Page) => page.getByRole('region', { name: /^Recherche/ });

test('a pile of books: beep, the form is filled, Enter, next', async () => {
  const { maison } = await householdWithCatalogues();
  const page = await (await device(maison)).open('/livres/ajouter');
  await ouvrir(page);
  await scanByKeyboard(page, UN_SEUL);
  await page.getByText('La fiche est remplie').waitFor();
  await etape(page).getByText('978-2-948012-01-7').waitFor();
  expect(await valeur(page, 'Titre')).toBe('Les travailleurs de la mer');
  expect(await valeur(page, 'Éditeur')).toBe('Les Presses du phare');
  expect(await valeur(page, 'Année')).toBe('2019');
  expect(await valeur(page, 'Nombre de pages')).toBe('612');
  await page.getByRole('listitem').filter({ hasText: 'Victor Hugo' }).waitFor();

  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: '« Les travailleurs de la mer » est en rayon.' }).waitFor();
  await ouvrir(page);
  expect(await valeur(page, 'Titre')).toBe('');
  await scanByKeyboard(page, '9782948012161');
  await page.getByText('La fiche est remplie').waitFor();
  expect(await valeur(page, 'Titre')).toBe("Han d'Islande");
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /Han d.Islande.* est en rayon/ }).click();
  await page.getByRole('heading', { name: /Han d.Islande/ }).waitFor();
});

test('what was just added is taken back, and its form comes back', async () => {
  const { maison } = await householdWithCatalogues();
  const appareil = await device(maison);
  const page = await appareil.open('/livres/ajouter');
  await ouvrir(page);
  await scanByKeyboard(page, UN_SEUL);
  await page.getByText('La fiche est remplie').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /est en rayon/ }).waitFor();
  await bouton(page, 'Annuler').click();
  await page.getByText('« Les travailleurs de la mer » est retiré.').waitFor();
  expect(await valeur(page, 'Titre')).toBe('Les travailleurs de la mer');
  await page.goto(appareil.portal.url);
  await page.getByText('Les rayons sont vides').waitFor();
});

test('several editions are a choice by publisher and year, and the form stays editable', async () => {
  const { maison } = await householdWithCatalogues();
  const page = await (await device(maison)).open('/livres/ajouter');
  await ouvrir(page);
  await scanByKeyboard(page, DEUX_EDITIONS);
  const editions = page.getByRole('list', { name: 'Éditions trouvées' });
  await editions.getByText('Les Presses du phare, 2012').waitFor();
  expect(await valeur(page, 'Titre')).toBe('');
  await editions.getByRole('button', { name: /Club du livre du soir, 2021/ }).click();
  expect(await valeur(page, 'Année')).toBe('2021');
  await editions.getByRole('button', { name: /Les Presses du phare, 2012/ }).click();
  expect(await valeur(page, 'Année')).toBe('2012');
  await page.getByLabel('Année').fill('1892');
  await bouton(page, 'Enregistrer').click();
  await page.getByRole('link', { name: /Le château des Carpathes.* est en rayon/ }).click();
  await page.getByText('1892').waitFor();
});

test('what was typed stays, and the screen says so', async () => {
  const { maison } = await householdWithCatalogues();
  const page = await (await device(maison)).open('/livres/ajouter');
  await ouvrir(page);
  await page.getByLabel('Titre').fill('Les Travailleurs de la mer (exemplaire de Mamie)');
  await page.getByLabel('ISBN').fill(UN_SEUL);
  await bouton(page, "Rechercher l'ISBN").click();
  await page.getByText(/Gardé comme vous l’avez écrit.*: Titre\./).waitFor();
  expect(await valeur(page, 'Titre')).toBe('Les Travailleurs de la mer (exemplaire de Mamie)');
  expect(await valeur(page, 'Année')).toBe('2019');
});

test('no candidate, an invalid code and a periodical each have a face of their own', async () => {
  const { maison, amont } = await householdWithCatalogues();
  const page = await (await device(maison)).open('/livres/ajouter');
  await ouvrir(page);
  await scanByKeyboard(page, INCONNU);
  await page.getByText('Aucun catalogue ne connaît ce code.').waitFor();

  const demandes = amont.demandes.length;
  await scanByKeyboard(page, FAUX);
  await page.getByText(/Ce n’est pas un ISBN/).waitFor();
  expect(await page.getByLabel('ISBN').getAttribute('aria-invalid')).toBe('true');
  expect(amont.demandes).toHaveLength(demandes);

  await scanByKeyboard(page, REVUE);
  await etape(page)
    .getByText(/C’est une revue.*Cahiers du rivage/)
    .waitFor();
  await etape(page).getByText('ISSN 2917-0443').waitFor();
  await etape(page).getByText('Elle n’est pas encore dans la maison.').waitFor();
  expect(await valeur(page, 'Titre')).toBe('');
});

test('silent sources are named, and asked again', async () => {
  let muettes = true;
  const { maison } = await householdWithCatalogues({
    avant: (_request, response) => {
      if (muettes) response.writeHead(503).end();
      return muettes;
    },
  });
  const page = await (await device(maison)).open('/livres/ajouter');
  await ouvrir(page);
  await page.getByLabel('Titre').fill('Indiana, je crois');
  await page.getByLabel('ISBN').focus();
  await scanByKeyboard(page, '9782948012031');
  await page.getByText('Ni la Bibliothèque nationale ni Open Library n’ont répondu.').waitFor();
  expect(await valeur(page, 'Titre')).toBe('Indiana, je crois');
  expect(await page.getByText('Aucun catalogue').count()).toBe(0);
  muettes = false;
  await bouton(page, 'Réessayer').click();
  await page.getByText('La fiche est remplie').waitFor();
  expect(await valeur(page, 'Éditeur')).toBe("L'Arbre sec");
});

test('one silent source does not hide what the other knows', async () => {
  const { maison } = await householdWithCatalogues({
    avant: (_request, response, url) => {
      const bnf = url.pathname === '/api/SRU';
      if (bnf) response.writeHead(503).end();
      return bnf;
    },
  });
  const page = await (await device(maison)).open('/livres/ajouter');
  await ouvrir(page);
  await scanByKeyboard(page, DE_BNF_ET_OPEN_LIBRARY);
  await page.getByText('La fiche est remplie').waitFor();
  await page.getByText('D’après Open Library').waitFor();
  await page.getByText('La Bibliothèque nationale n’a pas répondu.').waitFor();
});

test('a slow lookup is given up, and nothing of it arrives later', async () => {
  const { maison, amont } = await householdWithCatalogues({ delai: 2_000 });
  const page = await (await device(maison)).open('/livres/ajouter');
  await ouvrir(page);
  await scanByKeyboard(page, UN_SEUL);
  await etape(page).getByText('978-2-948012-01-7').waitFor();
  await bouton(page, 'Abandonner').click();
  await etape(page).waitFor({ state: 'detached' });
  await expect.poll(() => amont.attentes.length, PATIENCE).toBeGreaterThan(0);
  await page.getByLabel('ISBN').fill('');
  await scanByKeyboard(page, '9782948012161');
  await page.getByText('La fiche est remplie').waitFor();
  expect(await valeur(page, 'Titre')).toBe("Han d'Islande");
  expect(await page.getByText(/Hors ligne/).count()).toBe(0);
});

test('a code that is owned is told at once, before the catalogues answer', async () => {
  const { maison } = await householdWithCatalogues({ delai: 3_000 });
  await maison.ajouter({ titre: 'Désert', isbn: '9782070408504' });
  const page = await (await device(maison)).open('/livres/ajouter');
  await ouvrir(page);
  await scanByKeyboard(page, '9782070408504');
  await page.getByText('Déjà dans la bibliothèque').waitFor();
  await page.getByRole('link', { name: 'Désert' }).waitFor();
  await bouton(page, 'Abandonner').waitFor();
});

test('offline the form reads, and a code is still answered from the device', async () => {
  const { maison } = await householdWithCatalogues();
  await maison.ajouter({ titre: 'Désert', isbn: '9782070408504' });
  const appareil = await device(maison);
  const page = await appareil.open('/livres/ajouter');
  await ouvrir(page);
  await appareil.untilOfflineReady(page);
  await appareil.cutNetwork();
  await page.reload();
  await page.getByText(/Hors ligne, dernière mise à jour/).waitFor();
  for (const name of ["Rechercher l'ISBN", 'Enregistrer']) {
    await expect.poll(() => bouton(page, name).isDisabled(), PATIENCE).toBe(true);
    const raison = await bouton(page, name).getAttribute('aria-describedby');
    await page
      .locator(`#${raison ?? 'sans-raison'}`)
      .getByText(/Hors ligne/)
      .waitFor();
  }
  await page.getByLabel('ISBN').focus();
  await scanByKeyboard(page, '9782070408504');
  await page.getByText('Déjà dans la bibliothèque').waitFor();
  await scanByKeyboard(page, UN_SEUL);
  await page.getByText('Pas dans la bibliothèque').waitFor();
  expect(await page.getByLabel('ISBN').inputValue()).toBe(UN_SEUL);
});

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  test.each(Object.keys(TAILLES) as (keyof typeof TAILLES)[])(
    'every end of a lookup can be read by everyone, %s',
    async (taille) => {
      let muettes = false;
      const { maison } = await householdWithCatalogues({
        avant: (_request, response) => {
          if (muettes) response.writeHead(503).end();
          return muettes;
        },
      });
      await maison.ajouter({ titre: 'Désert', isbn: '9782070408504' });
      const page = await (await device(maison, { theme, taille })).open('/livres/ajouter');
      await ouvrir(page);
      const faults: string[] = [];
      const regarder = async (code: string, texte: string | RegExp) => {
        await page.getByLabel('ISBN').fill(code);
        await page.getByLabel('ISBN').press('Enter');
        await page.getByText(texte).first().waitFor();
        faults.push(...(await accessibilityFaults(page)));
      };
      await regarder(UN_SEUL, 'La fiche est remplie');
      await regarder(DEUX_EDITIONS, /éditions portent ce code/);
      await regarder(INCONNU, 'Aucun catalogue ne connaît ce code.');
      await regarder('9782070408504', 'Déjà dans la bibliothèque');
      await regarder(FAUX, /Ce n’est pas un ISBN/);
      await regarder(REVUE, /C’est une revue/);
      muettes = true;
      await regarder(UN_SEUL, /n’ont répondu/);
      expect(faults).toEqual([]);
      await bouton(page, 'Enregistrer').click();
      await page.getByText('est en rayon').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    },
  );
});
