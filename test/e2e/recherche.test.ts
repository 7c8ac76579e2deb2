import { expect, test } from 'vitest';
import type { Page } from 'playwright';
import { addField, resultCard, unfold } from './support/add.ts';
import { faultsInEveryLook } from './support/accessibility.ts';
import { livreRow } from './support/catalogue.ts';
import { device } from './support/device.ts';
import { expectFeedback, undo, view } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { householdWithCatalogues, scanByKeyboard } from './support/recherche.ts';
import type { State } from './support/states.ts';

const ONE_RECORD = '9782948012017';
const TWO_EDITIONS = '9782948012024';
const IN_BOTH = '9782948012048';
const UNKNOWN = '9782948012253';
const INVALID = '9782070360025';

/** Opens the add screen; the focus is in the field for scans. */
async function waitForForm(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('isbn');
  await expect.poll(() => button(page, "Rechercher l'ISBN").isEnabled()).toBe(true);
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const valueOf = (page: Page, label: string) => page.getByLabel(label, { exact: true }).inputValue();
/** The announcement of a result with one book. */
const found = (page: Page) => page.getByText(/^Trouvé/);

test('further fields of a catalogue are taken by a tick only', async () => {
  const { house } = await householdWithCatalogues();
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  await waitForForm(page);
  await scanByKeyboard(page, ONE_RECORD);
  await found(page).waitFor();
  const offered = (name: string | RegExp) => page.getByRole('checkbox', { name });
  await button(page, '3 renseignements de plus').click();
  for (const name of [/^Langue : français/, /^Traduction : Lise Marchand/, /^Collection/])
    expect(await offered(name).isChecked(), String(name)).toBe(false);
  // The source is named once.
  expect(await resultCard(page).getByText('BnF', { exact: true }).count()).toBe(1);
  await offered(/^Langue/).check();
  await offered(/^Traduction/).check();
  await offered(/^Langue/).uncheck();
  await button(page, 'Ajouter').click();
  await expectFeedback(page, 'Livre ajouté : Les travailleurs de la mer');
  const [livre] = (await (await fetch(`${house.url}/api/livres`)).json()) as { details: unknown }[];
  expect(livre?.details).toEqual([{ nom: 'Traduction', valeur: 'Lise Marchand' }]);

  // Typed text is not replaced by the suggestion.
  await waitForForm(page);
  await page.getByLabel('ISBN').fill(TWO_EDITIONS);
  await page.getByRole('button', { name: 'Ajouter un détail' }).click();
  await page.getByLabel('Nom du détail').fill('langue');
  await page.getByPlaceholder('Valeur').fill('latin');
  await button(page, "Rechercher l'ISBN").click();
  await resultCard(page).getByRole('list').getByRole('button').first().click();
  await button(page, '1 renseignement de plus').click();
  await page.getByText('Ce livre a déjà : latin').waitFor();
  expect(await offered(/^Langue/).count()).toBe(0);
});

test('a pile of books is added by beep and Enter', async () => {
  const { house } = await householdWithCatalogues();
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  await waitForForm(page);
  await scanByKeyboard(page, ONE_RECORD);
  await found(page).waitFor();
  await resultCard(page).getByRole('heading').waitFor();
  expect(await valueOf(page, 'Titre')).toBe('Les travailleurs de la mer');
  expect(await valueOf(page, 'Éditeur')).toBe('Les Presses du phare');
  expect(await valueOf(page, 'Année')).toBe('2019');
  expect(await valueOf(page, 'Nombre de pages')).toBe('612');
  await page.getByRole('listitem').filter({ hasText: 'Victor Hugo' }).waitFor();

  const ready = page.locator('button:focus', { hasText: 'Ajouter' });
  await ready.waitFor();
  await page.keyboard.press('Enter');
  await expectFeedback(page, 'Livre ajouté : Les travailleurs de la mer');
  await waitForForm(page);
  expect(await valueOf(page, 'Titre')).toBe('');
  await scanByKeyboard(page, '9782948012161');
  await found(page).waitFor();
  expect(await valueOf(page, 'Titre')).toBe("Han d'Islande");
  await ready.waitFor();
  await page.keyboard.press('Enter');
  await expectFeedback(page, "Livre ajouté : Han d'Islande");

  // Undoing an addition restores its form.
  await undo(page);
  expect(await valueOf(page, 'Titre')).toBe("Han d'Islande");
  expect(await house.titres()).toEqual(['Les travailleurs de la mer']);
  // The next book starts with an empty form, also if no catalogue knows it.
  await page.getByLabel('ISBN').focus();
  await page.getByLabel('ISBN').selectText();
  await scanByKeyboard(page, UNKNOWN);
  await page.getByText('Aucun catalogue ne connaît ce code.').first().waitFor();
  expect(await valueOf(page, 'Titre')).toBe('');
  expect(await page.getByRole('listitem').filter({ hasText: 'Victor Hugo' }).count()).toBe(0);
});

test('several editions are a choice by publisher and year', async () => {
  const { house } = await householdWithCatalogues();
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  await waitForForm(page);
  await scanByKeyboard(page, TWO_EDITIONS);
  const editions = page.getByRole('list', { name: 'Éditions trouvées' });
  const first = editions.getByRole('button', { name: /Les Presses du phare, 2012/ });
  await first.waitFor();
  // The most likely edition is preselected, and can be added directly.
  expect(await first.getAttribute('aria-pressed')).toBe('true');
  expect(await valueOf(page, 'Titre')).toBe('Le château des Carpathes');
  await page.getByText('2 éditions · glissez').waitFor();
  await editions.getByRole('button', { name: /Club du livre du soir, 2021/ }).click();
  expect(await valueOf(page, 'Année')).toBe('2021');
  // An arrow key selects the next card.
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => valueOf(page, 'Année')).toBe('2012');
  expect(await first.evaluate((card) => card === document.activeElement)).toBe(true);
  await page.getByLabel('Année').fill('1892');
  await button(page, 'Ajouter').click();
  await view(page, /^Livre ajouté.*Carpathes/);
  await page.getByText('1892').waitFor();

  await follow(page, '/livres/ajouter');
  await unfold(page);
  await waitForForm(page);
  await page
    .getByLabel('Titre', { exact: true })
    .fill('Les Travailleurs de la mer (exemplaire de Mamie)');
  await page.getByLabel('ISBN').fill(ONE_RECORD);
  await button(page, "Rechercher l'ISBN").click();
  await page.getByText(/Votre saisie est conservée pour.*: Titre\./).waitFor();
  expect(await valueOf(page, 'Titre')).toBe('Les Travailleurs de la mer (exemplaire de Mamie)');
  expect(await valueOf(page, 'Année')).toBe('2019');
});

test('an edition both catalogues know is proposed once', async () => {
  let isSilent = (_path: string) => false;
  const { house } = await householdWithCatalogues({
    intercept: (_request, response, { pathname }) => {
      if (isSilent(pathname)) response.writeHead(503).end();
      return isSilent(pathname);
    },
  });
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  await waitForForm(page);
  await scanByKeyboard(page, IN_BOTH);
  await found(page).waitFor();
  await resultCard(page).getByText('BnF, Open Library').waitFor();

  // A silent catalogue does not hide the other's result.
  isSilent = (path) => path === '/api/SRU';
  await button(page, "Rechercher l'ISBN").click();
  await page.getByText('La Bibliothèque nationale n’a pas répondu.').waitFor();
  await resultCard(page).getByText('Open Library', { exact: true }).waitFor();
  await found(page).waitFor();

  isSilent = () => true;
  await page.getByLabel('ISBN').fill('9782948012031');
  await page.getByLabel('Titre', { exact: true }).fill('Indiana, je crois');
  await page.getByLabel('ISBN').press('Enter');
  await page.getByText('Les catalogues ne répondent pas ; l’ISBN est gardé.').first().waitFor();
  expect(await valueOf(page, 'Titre')).toBe('Indiana, je crois');
  expect(await page.getByText('Aucun catalogue').count()).toBe(0);
  isSilent = () => false;
  await button(page, 'Réessayer').click();
  await found(page).waitFor();
  expect(await valueOf(page, 'Éditeur')).toBe("L'Arbre sec");
});

test('a lookup given up changes nothing later', async () => {
  const { house, upstream } = await householdWithCatalogues({ delayMs: 3_000 });
  await house.ajouter({ titre: 'Désert', isbn: '9782070408504' });
  const page = await (await device(house)).open();
  // Wait for the replica before the scan.
  await livreRow(page, 'Désert').waitFor();
  await follow(page, '/livres/ajouter');
  await waitForForm(page);
  // The catalogues are not asked about an owned book.
  await scanByKeyboard(page, '9782070408504');
  await page.getByText('Déjà chez nous').first().waitFor();
  await resultCard(page).getByRole('heading', { name: 'Désert' }).waitFor();
  await button(page, 'Autre exemplaire').waitFor();
  expect(await page.locator(':focus').getAttribute('href')).toContain('/livres/');
  expect(upstream.requests).toEqual([]);
  await addField(page).fill('');
  await addField(page).focus();
  await scanByKeyboard(page, ONE_RECORD);
  const asked = () => upstream.requests.some((path) => path.includes(ONE_RECORD));
  await expect.poll(asked).toBe(true);
  await button(page, 'Abandonner').click();
  await button(page, 'Abandonner').waitFor({ state: 'detached' });
  // All requests have been answered.
  await expect.poll(() => upstream.requests.length - upstream.delays.length).toBe(0);
  await page.getByLabel('ISBN').fill('');
  await scanByKeyboard(page, '9782948012161');
  await found(page).waitFor();
  await resultCard(page).getByRole('heading', { name: "Han d'Islande" }).waitFor();
  expect(await page.getByText(/Hors ligne/).count()).toBe(0);
});

test('every end of a lookup has its accessible face', async () => {
  let areSilent = false;
  const { house, upstream } = await householdWithCatalogues({
    intercept: (_request, response) => {
      if (areSilent) response.writeHead(503).end();
      return areSilent;
    },
  });
  await house.ajouter({ titre: 'Désert', isbn: '9782070408504' });
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  await waitForForm(page);
  const faults: string[] = [];
  const seeEnd = async (text: string | RegExp, state: State) => {
    await page.getByText(text).first().waitFor();
    faults.push(...(await faultsInEveryLook(page, state)));
  };
  const look = async (code: string, text: string | RegExp, state: State) => {
    await page.getByLabel('ISBN').fill(code);
    await page.getByLabel('ISBN').press('Enter');
    await seeEnd(text, state);
  };
  await look(ONE_RECORD, /^Trouvé/, '/livres/ajouter: filled by a catalogue');
  expect(await valueOf(page, 'Éditeur')).toBe('Les Presses du phare');
  await look(
    UNKNOWN,
    'Aucun catalogue ne connaît ce code.',
    '/livres/ajouter: a code that nobody knows',
  );
  // Fields filled by a record are cleared for the code of another book.
  for (const field of ['Titre', 'Éditeur']) expect(await valueOf(page, field), field).toBe('');
  await look(TWO_EDITIONS, /éditions portent ce code/, '/livres/ajouter: two editions');
  await look('9782070408504', 'Déjà chez nous', '/livres/ajouter: a book of the house');
  const requests = upstream.requests.length;
  await page.getByLabel('ISBN').focus();
  await page.getByLabel('ISBN').selectText();
  await scanByKeyboard(page, INVALID);
  await seeEnd(/Le dernier chiffre ne correspond pas/, '/livres/ajouter: a wrong code');
  await look(
    '9772917044003',
    /Le code de revue 9772917044003 est faux/,
    '/livres/ajouter: a wrong code of a periodical',
  );
  expect(await page.getByLabel('ISBN').getAttribute('aria-invalid')).toBe('true');
  expect(upstream.requests).toHaveLength(requests);
  areSilent = true;
  await look(ONE_RECORD, /ne répondent pas/, '/livres/ajouter: silent catalogues');
  expect(faults).toEqual([]);
  await page.getByLabel('Titre', { exact: true }).fill('Les travailleurs de la mer');
  await button(page, 'Ajouter').click();
  await expectFeedback(page, 'Livre ajouté : Les travailleurs de la mer');
  expect(await faultsInEveryLook(page, '/livres/ajouter: a book was added')).toEqual([]);
});
