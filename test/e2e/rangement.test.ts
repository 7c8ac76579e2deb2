import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { unfold } from './support/add.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { livreRow, livreTitles, sortBy } from './support/catalogue.ts';
import {
  ajouterEmplacement,
  listerEmplacements,
  ordonnerLivres,
  rangerLivre,
} from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { scanByKeyboard } from './support/recherche.ts';
import { bar, select } from './support/selection.ts';

const link = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name, exact: true });

/** « Salon › Couloir › Étagère 3 », and a packed box in the cellar. */
async function furnished(house: Household) {
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  const couloir = await ajouterEmplacement(house, { nom: 'Couloir', parentId: salon.id });
  const etagere = await ajouterEmplacement(house, { nom: 'Étagère 3', parentId: couloir.id });
  const cave = await ajouterEmplacement(house, { nom: 'Cave' });
  const fermeLe = '2026-03-03T10:00:00.000Z';
  const carton = await ajouterEmplacement(house, { nom: 'Carton 12', parentId: cave.id, fermeLe });
  return { salon, couloir, etagere, cave, carton };
}

const names = async (house: Household) => (await listerEmplacements(house)).map(({ nom }) => nom);

test('rooms and shelves are added one after another', async () => {
  const house = await household();
  const reader = await device(house);
  const page = await reader.open('/rangement');
  await page.getByRole('heading', { name: 'Où sont vos livres ?' }).waitFor();
  expect(await accessibilityFaults(page, '/rangement: no location')).toEqual([]);
  await page.getByRole('button', { name: 'Ajouter une pièce' }).click();
  const first = page.getByRole('textbox', { name: 'Ajouter une pièce ou un meuble' });
  await first.press('Escape');
  const add = page.getByRole('button', { name: 'Ajouter une pièce' });
  await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true);
  await add.press('Enter');
  await first.fill('Salon');
  await first.press('Enter');
  await link(page, 'Salon').waitFor();
  await first.fill('salon');
  await first.press('Enter');
  await page.getByText('Il y a déjà un emplacement Salon à cet endroit.').first().waitFor();
  await link(page, 'Salon').click();
  await page.getByRole('button', { name: 'Ajouter dans Salon' }).click();
  const inside = page.getByRole('form', { name: 'Ajouter dans Salon' }).getByRole('textbox');
  // A form for several additions is closed by Escape, without a button.
  expect(await inside.locator('xpath=ancestor::form').getByText('Annuler').count()).toBe(0);
  const isInside = () => inside.evaluate((field) => field === document.activeElement);
  for (const nom of ['Étagère 1', 'Étagère 2']) {
    await expect.poll(isInside).toBe(true);
    await page.keyboard.type(nom);
    await page.keyboard.press('Enter');
    await link(page, nom).waitFor();
  }
  await expect.poll(isInside).toBe(true);
  await inside.press('Escape');
  await inside.waitFor({ state: 'detached' });
  expect(await names(house)).toEqual(['Salon', 'Étagère 1', 'Étagère 2']);
  await link(page, 'Étagère 1').click();
  await page.getByRole('heading', { name: 'Étagère 1', level: 1 }).waitFor();
  await page.goBack();
  await link(page, 'Étagère 2').waitFor();
  // A new path is shown unfolded.
  await follow(page, '/rangement');
  await link(page, 'Étagère 2').waitFor();
  await page.getByRole('button', { name: 'Ajouter une pièce' }).click();
  await first.fill('Bureau › Bibliothèque › Rayon 1');
  await first.press('Enter');
  await link(page, 'Rayon 1').waitFor();
});

test('without locations pages and lists of books say nothing of them', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Dune' });
  const page = await (await device(house)).open('/');
  await livreRow(page, 'Dune').waitFor();
  const mentions = async () =>
    (await page.locator('body').innerText()).match(/emplacement|où il est|où\s\?|par lieu/gi) ?? [];
  const pages = [
    [
      '/',
      async () => {
        await page.getByRole('button', { name: /, tri et affichage$/ }).click();
        await page.getByRole('dialog', { name: 'Tri et affichage' }).waitFor();
      },
    ],
    [
      '/',
      async () => {
        await page.getByRole('button', { name: /^Filtres/ }).click();
        await page.getByRole('checkbox', { name: 'Sans ISBN' }).waitFor();
      },
    ],
    [`/livres/${id}`, () => page.getByRole('heading', { level: 1, name: 'Dune' }).waitFor()],
    ['/livres/ajouter?champ=titre', () => page.getByRole('textbox', { name: 'Titre' }).waitFor()],
    ['/imprimer', () => page.getByText(/^1 livre/).waitFor()],
  ] as const;
  for (const [path, see] of pages) {
    await follow(page, path);
    await see();
    expect(await mentions(), path).toEqual([]);
    await page.keyboard.press('Escape');
  }
  // With the first location, each of these screens offers locations.
  await ajouterEmplacement(house, { nom: 'Salon' });
  for (const [path, see] of pages) {
    await follow(page, path);
    await see();
    await expect.poll(mentions, { message: path }).not.toEqual([]);
    await page.keyboard.press('Escape');
  }
});

test('a location that is moved or deleted loses no book', async () => {
  const house = await household();
  const { couloir, etagere } = await furnished(house);
  const livre = await house.ajouter({ titre: 'Dune' });
  await rangerLivre(house, livre.id, etagere.id);
  const reader = await device(house);
  const page = await reader.open(`/rangement/${couloir.id}`);
  await page.getByRole('heading', { name: 'Couloir', level: 1 }).waitFor();
  await page.getByText('1 livre', { exact: true }).first().waitFor();
  await page
    .getByRole('navigation', { name: 'Chemin' })
    .getByRole('link', { name: 'Salon' })
    .waitFor();
  await page.getByRole('button', { name: 'Modifier' }).click();
  await page.getByRole('textbox', { name: 'Nom' }).fill('Bibliothèque du couloir');
  await page.getByRole('combobox', { name: 'Rangé dans' }).selectOption({ label: 'Cave' });
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('heading', { name: 'Bibliothèque du couloir', level: 1 }).waitFor();
  await page
    .getByRole('navigation', { name: 'Chemin' })
    .getByRole('link', { name: 'Cave' })
    .waitFor();
  await link(page, 'Étagère 3').click();
  await page.getByRole('heading', { name: 'Étagère 3', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Fermer ce carton' }).click();
  await page.getByText(/^fermé/).waitFor();
  await page.getByRole('button', { name: 'Rouvrir ce carton' }).click();
  await page.getByText(/^fermé/).waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('heading', { name: 'Bibliothèque du couloir', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Supprimer' }).click();
  await page.getByRole('heading', { name: 'Cave', level: 1 }).waitFor();
  await link(page, 'Étagère 3').waitFor();
  await link(page, 'Dune').waitFor();
  await page.getByRole('button', { name: /^Annuler/ }).click();
  await link(page, 'Bibliothèque du couloir').waitFor();
});

test('the keyboard moves a location and arranges the rooms', async () => {
  const house = await household();
  const { cave } = await furnished(house);
  const page = await (await device(house)).open('/rangement');
  await link(page, 'Couloir').press('Enter');
  const edit = page.getByRole('button', { name: 'Modifier' });
  await edit.press('Enter');
  const nom = page.getByRole('textbox', { name: 'Nom' });
  await nom.waitFor();
  expect(await accessibilityFaults(page, '/rangement/[id]/modifier: as it is')).toEqual([]);
  await nom.fill('Bibliothèque du couloir');
  await page.getByRole('combobox', { name: 'Rangé dans' }).selectOption({ label: 'Cave' });
  await nom.press('Enter');
  await page.getByRole('heading', { name: 'Bibliothèque du couloir', level: 1 }).waitFor();
  expect(await names(house)).toEqual([
    'Salon',
    'Cave',
    'Carton 12',
    'Bibliothèque du couloir',
    'Étagère 3',
  ]);
  const all = await listerEmplacements(house);
  expect(all.find(({ nom: each }) => each.startsWith('Biblio'))?.parentId).toBe(cave.id);

  await follow(page, '/rangement');
  await link(page, 'Bibliothèque du couloir').waitFor();
  await page.getByRole('button', { name: 'Changer l’ordre' }).click();
  await page
    .getByRole('listitem', { name: 'Cave' })
    .getByRole('button', { name: 'Monter' })
    .click();
  await expect
    .poll(() => names(house))
    .toEqual(['Cave', 'Carton 12', 'Bibliothèque du couloir', 'Étagère 3', 'Salon']);
  await page
    .getByRole('listitem', { name: 'Cave' })
    .getByRole('button', { name: 'Descendre' })
    .click();
  await expect
    .poll(() => names(house))
    .toEqual(['Salon', 'Cave', 'Carton 12', 'Bibliothèque du couloir', 'Étagère 3']);

  await follow(page, `/rangement/${cave.id}`);
  await page.getByRole('heading', { name: 'Cave', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Changer l’ordre' }).click();
  await page
    .getByRole('listitem', { name: 'Bibliothèque du couloir' })
    .getByRole('button', { name: 'Monter' })
    .click();
  await expect
    .poll(() => names(house))
    .toEqual(['Salon', 'Cave', 'Bibliothèque du couloir', 'Étagère 3', 'Carton 12']);
});

test('a book or a selection is sent to its location', async () => {
  const house = await household();
  const { etagere, carton } = await furnished(house);
  const dune = await house.ajouter({ titre: 'Dune' });
  const emma = await house.ajouter({ titre: 'Emma' });
  const page = await (await device(house)).open(`/livres/${dune.id}`);
  const region = page.getByRole('region', { name: 'Où ?' });
  const where = page.getByRole('combobox', { name: 'Où ?' });
  await region.getByRole('button', { name: 'Choisir l’emplacement' }).click();
  await where.fill('etag');
  await region.getByRole('option', { name: 'Salon › Couloir › Étagère 3' }).click();
  await region.getByRole('button', { name: 'Enregistrer' }).click();
  await region.getByRole('link', { name: 'Étagère 3' }).waitFor();
  await follow(page, `/livres/${emma.id}`);
  await region.getByRole('button', { name: 'Ranger dans Étagère 3' }).click();
  await region.getByRole('link', { name: 'Étagère 3' }).waitFor();
  await region.getByRole('button', { name: 'Changer' }).click();
  await where.fill('Salon › Vitrine');
  await region.getByRole('button', { name: 'Enregistrer' }).click();
  await region.getByRole('link', { name: 'Vitrine' }).waitFor();
  expect(await names(house)).toContain('Vitrine');
  await region.getByRole('button', { name: 'Changer' }).click();
  await region.getByRole('button', { name: 'Retirer l’emplacement' }).click();
  await region.getByRole('button', { name: 'Choisir l’emplacement' }).waitFor();

  await follow(page, '/livres/ajouter');
  await unfold(page);
  const chip = page.getByRole('button', { name: /^Emplacement/ });
  await chip.click();
  await where.fill('Salon › Couloir › Étagère 3');
  for (const titre of ['Antigone', 'Bel-Ami']) {
    await page.getByRole('textbox', { name: 'Titre', exact: true }).fill(titre);
    await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
    await page.getByText(`Livre ajouté : ${titre}`).waitFor();
    await chip.getByText('Étagère 3').waitFor();
  }
  const placesOf = async () => {
    const livres = (await (await fetch(`${house.url}/api/livres`)).json()) as Livre[];
    return livres.map(({ titre, emplacementId }) => [titre, emplacementId]);
  };
  const titres = ['Antigone', 'Bel-Ami', 'Dune'];
  const others = [['Emma', null]];
  expect(await placesOf()).toEqual([...titres.map((titre) => [titre, etagere.id]), ...others]);
  await follow(page, '/');
  await select(page, ...titres);
  await bar(page).getByRole('button', { name: 'Rangement' }).click();
  // A name that no other location has is enough, without its path.
  await bar(page).getByRole('combobox', { name: 'Où ?' }).fill('carton 12');
  await bar(page).getByRole('button', { name: 'Enregistrer' }).click();
  await bar(page).waitFor({ state: 'detached' });
  expect(await placesOf()).toEqual([...titres.map((titre) => [titre, carton.id]), ...others]);
});

test('the catalogue filters and sorts by location', async () => {
  const house = await household();
  const { salon, etagere, carton } = await furnished(house);
  const [antigone, dune] = [
    await house.ajouter({ titre: 'Antigone' }),
    await house.ajouter({ titre: 'Dune' }),
  ];
  await house.ajouter({ titre: 'Emma' });
  await rangerLivre(house, antigone.id, carton.id);
  await rangerLivre(house, dune.id, etagere.id);
  const hamlet = await house.ajouter({ titre: 'Hamlet', annee: 1949 });
  await rangerLivre(house, hamlet.id, carton.id);
  await house.preter(hamlet, 'Tante Hélène');
  const reader = await device(house);
  const page = await reader.open('/');
  await livreRow(page, 'Antigone').getByText('dans Carton 12').waitFor();
  await livreRow(page, 'Hamlet')
    .getByText('prêté à Tante Hélène (place : Carton 12)', { exact: true })
    .waitFor();
  expect(await livreRow(page, 'Dune').getByText('Étagère').count()).toBe(0);
  await sortBy(page, 'Emplacement');
  await page.getByRole('heading', { name: 'Étagère 3 · Salon › Couloir' }).waitFor();
  expect(await livreTitles(page)).toEqual(['Dune', 'Antigone', 'Hamlet', 'Emma']);
  await page.getByRole('heading', { name: 'Sans emplacement' }).waitFor();
  await follow(page, '/?tri=alphabetique');
  await page.getByRole('button', { name: /^Filtres/ }).click();
  await page.getByRole('combobox', { name: 'Emplacement' }).selectOption(String(salon.id));
  await page.getByRole('button', { name: 'Fermer' }).first().click();
  await expect.poll(() => livreTitles(page)).toEqual(['Dune']);
  await livreRow(page, 'Dune').getByText('Couloir › Étagère 3').waitFor();
  await follow(page, '/?recherche=carton');
  await page
    .getByRole('region', { name: 'Emplacements' })
    .getByRole('link', { name: 'Carton 12' })
    .click();
  await page.getByText(/^fermé le 3 mars/).waitFor();
  await link(page, 'Antigone').waitFor();
  // A location's page does not repeat that location in its rows.
  expect(await livreRow(page, 'Antigone').getByText('dans Carton 12').count()).toBe(0);
  await follow(page, `/rangement/${salon.id}`);
  await page.getByRole('heading', { name: 'Étagère 3 · Couloir', exact: true }).waitFor();
  await follow(page, `/livres/${hamlet.id}`);
  await page.getByRole('term').getByText('Année', { exact: true }).waitFor();
  await page.getByRole('definition').getByText('1949', { exact: true }).waitFor();
  await follow(page, `/livres/${antigone.id}`);
  const where = page.getByRole('region', { name: 'Où ?' });
  await where.getByRole('link', { name: 'Carton 12' }).waitFor();
  await where.getByText(/^fermé le 3 mars/).waitFor();
  await follow(page, '/rangement');
  await link(page, 'Carton 12').waitFor();
  await page.getByRole('link', { name: '1 sans emplacement' }).waitFor();
  // The spine of « Dune » on its shelf, and the box.
  await expect.poll(() => page.locator('.rayon .spine').count()).toBe(1);
  expect(await page.locator('.rayon .carton').count()).toBe(1);
  await reader.cutNetwork();
  await link(page, 'Cave').click();
  await link(page, 'Carton 12').waitFor();
  const add = page.getByRole('button', { name: 'Ajouter dans Cave' });
  await expect.poll(() => add.isDisabled()).toBe(true);
});

test('a shelf shows the place of a book in its order', async () => {
  const house = await household();
  const { etagere } = await furnished(house);
  const livres = [];
  for (const titre of ['Sido', 'Les Choses', 'L’Amant', 'Ravage']) {
    const livre = await house.ajouter({ titre });
    await rangerLivre(house, livre.id, etagere.id);
    livres.push(livre);
  }
  const reader = await device(house);
  const page = await reader.open('/rangement');
  await page.getByRole('button', { name: 'Rechercher' }).click();
  const field = page.getByRole('searchbox');
  await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true);
  await field.fill('amant');
  expect(await accessibilityFaults(page, '/rangement: a search')).toEqual([]);
  await link(page, 'L’Amant').click();
  await page.getByRole('heading', { name: 'Étagère 3', level: 1 }).waitFor();
  const position = page.getByRole('status').filter({ hasText: /parmi|le |prêté/ });
  await position.getByText('parmi 4', { exact: true }).waitFor();

  const ids = livres.map(({ id }) => id);
  await ordonnerLivres(house, etagere.id, ids);
  await position.getByText('le troisième, après Les Choses').waitFor();
  const raised = page.locator('.spine.raised');
  await expect.poll(() => raised.getAttribute('data-index')).toBe('2');
  expect(await livreTitles(page)).toEqual(['Sido', 'Les Choses', 'L’Amant', 'Ravage']);
  await page.getByRole('combobox', { name: 'Ordre' }).selectOption({ label: 'Titre' });
  await expect.poll(() => livreTitles(page)).toEqual(['L’Amant', 'Les Choses', 'Ravage', 'Sido']);
  const [leftmost] = livres;
  if (leftmost) await house.preter(leftmost, 'Hugo');
  await position.getByText('le deuxième, après Les Choses').waitFor();
  await reader.cutNetwork();
  await page.getByRole('button', { name: 'Montrer tous les livres' }).click();
  await position.waitFor({ state: 'detached' });
});

test('a shelf keeps the order in which its books were checked or put away', async () => {
  const house = await household();
  const { etagere, cave } = await furnished(house);
  const isbns = ['9782070360024', '9782070408504', '9782253004226'];
  for (const [index, isbn] of isbns.entries()) {
    const { id } = await house.ajouter({ titre: `Livre ${index + 1}`, isbn });
    await rangerLivre(house, id, etagere.id);
  }
  const page = await (await device(house)).open(`/rangement/recolement?emplacement=${etagere.id}`);
  const scan = async (...codes: (string | undefined)[]) => {
    for (const code of codes) await scanByKeyboard(page, code ?? '');
  };
  await page.getByRole('button', { name: 'Commencer' }).click();
  await page.getByText('0 vu sur 3', { exact: true }).waitFor();
  await scan(isbns[2], isbns[0], isbns[1]);
  await page.getByText('3 vus sur 3', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Terminer' }).click();
  await page.getByRole('button', { name: 'Garder cet ordre' }).click();
  await page.getByText('Ordre gardé', { exact: true }).waitFor();
  expect(await accessibilityFaults(page, '/rangement/recolement: an order kept')).toEqual([]);
  await follow(page, `/rangement/${etagere.id}`);
  await expect.poll(() => livreTitles(page)).toEqual(['Livre 3', 'Livre 1', 'Livre 2']);

  await follow(page, `/rangement/ranger?emplacement=${cave.id}`);
  await scan(isbns[1], isbns[2]);
  await page.getByText('Rangé : Livre 3').first().waitFor();
  await follow(page, `/rangement/${cave.id}`);
  await page.getByRole('heading', { name: 'Cave', level: 1 }).waitFor();
  await expect
    .poll(async () => {
      const livres = (await (await fetch(`${house.url}/api/livres`)).json()) as Livre[];
      return livres
        .filter(({ emplacementId }) => emplacementId === cave.id)
        .sort((a, b) => Number(a.rang) - Number(b.rang))
        .map(({ titre, rang }) => [titre, rang]);
    })
    .toEqual([
      ['Livre 2', 0],
      ['Livre 3', 1],
    ]);
});

test('hundreds of shelves open on a wide screen', async () => {
  const house = await household();
  const titres = Array.from({ length: 300 }, (_, i) => `Livre ${String(i + 1)} mot`);
  for (const titre of titres) await house.ajouter({ titre });
  const ids: number[] = [];
  for (const [i, titre] of titres.entries()) {
    // Twelve rooms with cupboards, nested up to four levels.
    const parentId = i % 60 < 12 ? (ids[i % 12] ?? null) : (ids[i - 12] ?? null);
    const nom = titre.replace('Livre', 'Étagère');
    ids.push((await ajouterEmplacement(house, { nom, parentId })).id);
  }
  await house.rewrite((tx) => void tx.run('UPDATE Livre SET emplacementId = id'));
  const page = await (await device(house, { size: 'desk' })).open('/rangement');
  await link(page, 'Étagère 1 mot').waitFor();
  // Books are drawn only on the shelves near the window.
  const drawn = () => page.locator('.board > .spine').count();
  await expect.poll(drawn).toBeGreaterThan(3);
  expect(await drawn()).toBeLessThan(150);
  // The rooms' shelves are rendered one room after another.
  await link(page, 'Étagère 24 mot').waitFor();
  const last = page.locator('.board').last();
  expect(await last.locator('.spine').count()).toBe(0);
  // The last shelf changes while shelves are being rendered.
  await expect
    .poll(async () => {
      await last.scrollIntoViewIfNeeded();
      return last.locator('.spine').count();
    })
    .toBeGreaterThan(0);
});
