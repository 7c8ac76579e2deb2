import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { chezNous, filterBy, livreTitles } from './support/catalogue.ts';
import { device } from './support/device.ts';
import { expectFeedback, undo } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';

/** Thirty books, some about crime or the sea; as many as « Chez nous » needs. */
async function houseOfPolars(): Promise<Household> {
  const house = await household();
  for (let i = 0; i < 30; i++) {
    const themes = i % 10 === 0 ? ['Polar'] : i % 10 === 1 ? ['Mer'] : [];
    await house.ajouter({ titre: `Livre ${String(i).padStart(2, '0')}`, themes });
  }
  return house;
}

const savedSearches = (page: Page) => page.getByRole('region', { name: 'Listes et recherches' });

const names = (page: Page, list: string) =>
  page.getByRole('region', { name: list }).getByRole('list').getByRole('link').allInnerTexts();

/** Filters by a theme, and saves the search under a name. */
async function keep(page: Page, theme: string, nom: string, ...ticked: string[]) {
  await follow(page, '/');
  await page.getByRole('button', { name: /^Filtres/ }).click();
  await page.getByRole('combobox', { name: 'Thème' }).selectOption(theme);
  await page.getByRole('link', { name: 'Enregistrer la recherche' }).click();
  await page.getByRole('heading', { level: 1, name: 'Enregistrer la recherche' }).waitFor();
  await page.getByRole('textbox', { name: 'Nom' }).fill(nom);
  for (const name of ticked) await page.getByRole('checkbox', { name }).check();
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor({ state: 'attached' });
}

test.each(['phone', 'desk'] as const)(
  'on a %s a search is kept, opened, given to the house, arranged, renamed, deleted and taken back',
  async (size) => {
    const house = await houseOfPolars();
    const reader = await device(house, { size });
    const page = await reader.open();
    await keep(page, 'Polar', 'Polars du salon', 'Montrer dans « Chez nous »');
    expect(await livreTitles(page)).toEqual(['Livre 00', 'Livre 10', 'Livre 20']);
    await keep(page, 'Mer', 'À lire cet été', 'Partager avec toute la maison');
    await keep(page, 'Mer', 'Embruns');
    await page.getByRole('button', { name: /^Filtres/ }).click();
    const chips = savedSearches(page).getByRole('list').getByRole('link');
    await expect
      .poll(() => chips.allInnerTexts())
      .toEqual(['Polars du salon', 'Embruns', 'À lire cet été']);
    expect(await accessibilityFaults(page, '/: kept searches')).toEqual([]);
    await chips.first().click();
    await expect.poll(() => livreTitles(page)).toEqual(['Livre 00', 'Livre 10', 'Livre 20']);
    expect(await chips.first().getAttribute('aria-current')).toBe('true');

    await savedSearches(page).getByRole('link', { name: 'Tout voir' }).click();
    await page.getByRole('heading', { level: 1, name: 'Listes et recherches' }).waitFor();
    expect(await names(page, 'Les miennes')).toEqual(['Polars du salon', 'Embruns']);
    expect(await names(page, 'Celles de la maison')).toEqual(['À lire cet été']);
    expect(await accessibilityFaults(page, '/selections: two lists')).toEqual([]);
    await page.getByRole('button', { name: 'Changer l’ordre' }).click();
    await page
      .getByRole('listitem', { name: 'Embruns' })
      .getByRole('button', { name: 'Monter' })
      .click();
    await page.getByRole('button', { name: 'Terminé' }).click();
    await expect.poll(() => names(page, 'Les miennes')).toEqual(['Embruns', 'Polars du salon']);

    await page.getByRole('link', { name: 'Polars du salon' }).click();
    await page.getByRole('heading', { level: 1, name: 'Polars du salon' }).waitFor();
    await page.getByRole('heading', { level: 2, name: '3 livres' }).waitFor();
    expect(await accessibilityFaults(page, '/selections/[id]: one of its reader’s')).toEqual([]);
    await page.getByRole('button', { name: 'Partager avec la maison' }).click();
    await expectFeedback(page, /Recherche partagée avec la maison/);
    await page.getByText('Partagée avec la maison.').waitFor();
    const address = new URL(page.url()).pathname;
    await page.getByRole('button', { name: 'Modifier' }).click();
    const nom = page.getByRole('textbox', { name: 'Nom' });
    await nom.waitFor();
    expect(await accessibilityFaults(page, '/selections/[id]/modifier: of the house')).toEqual([]);
    await nom.fill('À lire cet été');
    await page.getByRole('button', { name: 'Enregistrer' }).click();
    await page
      .getByText(/Une recherche s’appelle déjà/)
      .first()
      .waitFor();
    await nom.fill('Polars');
    await page.getByRole('button', { name: 'Enregistrer' }).click();
    await page.getByRole('heading', { level: 1, name: 'Polars', exact: true }).waitFor();

    // Another reader opens it by its address, on another device.
    const other = await device(house, { user: 'bob', size });
    const theirs = await other.open(address);
    await theirs.getByRole('heading', { level: 1, name: 'Polars', exact: true }).waitFor();
    await theirs.getByRole('link', { name: 'Ouvrir dans le catalogue' }).click();
    await expect.poll(() => livreTitles(theirs)).toEqual(['Livre 00', 'Livre 10', 'Livre 20']);
    await follow(theirs, '/selections');
    expect(await names(theirs, 'Celles de la maison')).toEqual(['À lire cet été', 'Polars']);
    expect(await theirs.getByRole('region', { name: 'Les miennes' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Supprimer' }).click();
    await page.getByRole('heading', { level: 1, name: 'Listes et recherches' }).waitFor();
    await expectFeedback(page, /Recherche supprimée/);
    await expect.poll(() => names(page, 'Celles de la maison')).toEqual(['À lire cet été']);
    await undo(page);
    await expect
      .poll(() => names(page, 'Celles de la maison'))
      .toEqual(['À lire cet été', 'Polars']);
  },
);

test('a name that is there is given the new search', async () => {
  const house = await houseOfPolars();
  const page = await (await device(house)).open();
  await keep(page, 'Polar', 'Vacances');
  await follow(page, '/');
  await filterBy(page, 'Lecture', 'Pas commencé');
  await page.getByRole('combobox', { name: 'Thème' }).selectOption('Mer');
  await page.getByRole('link', { name: 'Enregistrer la recherche' }).click();
  await page.getByRole('textbox', { name: 'Nom' }).fill('vacances');
  await page.getByText('« Vacances » existe déjà').waitFor();
  expect(await accessibilityFaults(page, '/selections/ajouter: a name that is there')).toEqual([]);
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect.poll(() => livreTitles(page)).toEqual(['Livre 01', 'Livre 11', 'Livre 21']);
  await follow(page, '/selections');
  await page.getByText('Pas commencé · Mer').waitFor();
  expect(await names(page, 'Les miennes')).toEqual(['Vacances']);
});

test('offline saved searches open, also from « Chez nous », and the screen gives the reason why they cannot be changed', async () => {
  const house = await houseOfPolars();
  const reader = await device(house, { serviceWorker: true });
  const page = await reader.open();
  await keep(page, 'Polar', 'Polars du salon', 'Montrer dans « Chez nous »');
  await reader.untilOfflineReady(page);
  await reader.cutNetwork();
  await page.goto(reader.portal.url);
  const place = await chezNous(page);
  const square = place.getByRole('link', { name: /^Polars du salon/ });
  expect(await square.innerText()).toMatch(/^3\s+Polars du salon/);
  await square.click();
  await expect.poll(() => livreTitles(page)).toEqual(['Livre 00', 'Livre 10', 'Livre 20']);
  await follow(page, '/selections');
  await page.getByRole('link', { name: 'Polars du salon' }).click();
  await page.getByRole('heading', { level: 2, name: '3 livres' }).waitFor();
  const give = page.getByRole('button', { name: 'Partager avec la maison' });
  expect(await give.getAttribute('aria-disabled')).toBe('true');
});

test('criteria that this version does not know are named, and kept', async () => {
  const house = await houseOfPolars();
  const criteres = { theme: 'Polar', demain: 'oui', emplacement: '9' };
  await fetch(`${house.url}/api/selections`, {
    method: 'POST',
    headers: { SSO_USER: 'alice', 'Content-Type': 'application/json' },
    body: JSON.stringify({ nom: 'De demain', criteres }),
  });
  const page = await (await device(house)).open();
  await page.getByRole('button', { name: /^Filtres/ }).click();
  await savedSearches(page).getByRole('link', { name: 'De demain' }).click();
  await page.getByText('Un critère inconnu de cette version est ignoré').waitFor();
  await page.getByText('L’emplacement cherché n’existe plus').waitFor();
  await page.getByRole('heading', { level: 2, name: '3 livres' }).waitFor();
  await page.getByRole('button', { name: 'Modifier' }).click();
  await page.getByRole('textbox', { name: 'Nom' }).fill('D’après-demain');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('heading', { level: 1, name: 'D’après-demain' }).waitFor();
  const answer = await fetch(`${house.url}/api/selections`, { headers: { SSO_USER: 'alice' } });
  expect(await answer.json()).toMatchObject([{ nom: 'D’après-demain', criteres }]);
});

/** A request of another reader, who renames and deletes meanwhile. */
async function ask(house: Household, method: string, path: string, body?: object): Promise<void> {
  const response = await fetch(house.url + path, {
    method,
    headers: { SSO_USER: 'bob', 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status, `${method} ${path}`).toBeLessThan(300);
}

test('saved searches find the same books after renames, and report deleted names', async () => {
  const house = await houseOfPolars();
  await ask(house, 'POST', '/api/emplacements', { nom: 'Salon' });
  const { id } = await house.ajouter({
    titre: 'Escales',
    auteurs: ['Jean Anouilh'],
    themes: ['Océan'],
    details: [{ nom: 'Traduction', valeur: 'Lise Marchand' }],
    editeur: 'Gallimard',
  });
  await ask(house, 'PUT', `/api/livres/${String(id)}/emplacement`, { emplacementId: 1 });
  const searches = {
    'Par thème': { theme: 'océan' },
    'Par détail': { detail: 'Traduction:Lise Marchand' },
    'Par lieu': { emplacement: '1' },
    'Par auteur': { recherche: 'jean anouilh' },
    'Par éditeur': { editeur: 'gallimard' },
  };
  for (const [nom, criteres] of Object.entries(searches))
    await ask(house, 'POST', '/api/selections', { nom, criteres, partagee: true, accueil: true });
  const page = await (await device(house)).open();
  const opens = async (nom: string) => {
    await follow(page, '/');
    await (await chezNous(page)).getByRole('link', { name: new RegExp(`^${nom}`) }).click();
  };
  const finds = async (nom: string) => {
    await opens(nom);
    await expect.poll(() => livreTitles(page)).toEqual(['Escales']);
  };
  await ask(house, 'PUT', '/api/themes/3', { nom: 'Grand large' });
  await ask(house, 'PUT', '/api/details', { nom: 'Traduction', nouveau: 'Traduit par' });
  await ask(house, 'PUT', '/api/emplacements/1', { nom: 'Bureau' });
  await ask(house, 'PUT', '/api/auteurs/1', { nom: 'J.-P. Martin' });
  await follow(page, '/selections');
  for (const words of ['Grand large', 'Traduit par', 'Bureau', 'J.-P. Martin'])
    await page.getByRole('main').getByText(words).first().waitFor();
  for (const nom of Object.keys(searches)) await finds(nom);

  await ask(house, 'DELETE', `/api/livres/${String(id)}`);
  await ask(house, 'DELETE', '/api/emplacements/1');
  const deleted = {
    'Par thème': 'Rien ne porte plus ce nom\u00a0: «\u00a0Grand large\u00a0».',
    'Par détail': 'Rien ne porte plus ce nom\u00a0: «\u00a0Traduit par:Lise Marchand\u00a0».',
    'Par lieu': 'L’emplacement cherché n’existe plus\u00a0: ce critère est ignoré.',
    'Par éditeur': 'Rien ne porte plus ce nom\u00a0: «\u00a0gallimard\u00a0».',
  };
  for (const [nom, words] of Object.entries(deleted)) {
    await opens(nom);
    await page.getByRole('heading', { level: 1, name: nom }).waitFor();
    expect(await page.getByRole('note').filter({ hasText: 'plus' }).innerText()).toBe(words);
  }
});
