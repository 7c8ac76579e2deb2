import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { resize } from './support/accessibility.ts';
import { ajouterSerie, lireSerie, modifierSerie } from './support/collections.ts';
import { device, SIZES } from './support/device.ts';
import { feedback, expectFeedback } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { blockChanges } from './support/souhaits.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer' }).click();

const volumeTitre = (page: Page, position: number) =>
  page.getByRole('combobox', { name: `Titre du volume ${String(position)}`, exact: true });

/** « number title » of each place in order, with a star if a book fills it. */
async function places(house: Household, id: number): Promise<string[]> {
  const serie = await lireSerie(house, id);
  return serie.places.map(({ numero, titre, livreId }) =>
    [numero ?? '-', titre, livreId === null ? '' : '*'].join(' ').trim(),
  );
}

const serieIdOf = (page: Page) => Number(/\/series\/(\d+)$/.exec(page.url())?.[1]);

test('a series finds its owned volumes as one types', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Prélude à Fondation', auteurs: ['Isaac Asimov'] });
  await house.ajouter({ titre: 'Seconde Fondation', auteurs: ['Isaac Asimov'] });
  const page = await (await device(house)).open('/series');
  await page.getByText('Pas encore de séries').waitFor();
  await page.getByRole('link', { name: 'Ajouter', exact: true }).click();
  await page.getByLabel('Titre', { exact: true }).fill('Fondation');
  await volumeTitre(page, 1).pressSequentially('prelu');
  await page.getByRole('option', { name: /Prélude à Fondation/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.type('L’Aube de Fondation');
  await page.keyboard.press('Enter');
  await page.keyboard.type('seconde fondation');
  await page.keyboard.press('Enter');
  await page.keyboard.type('De trop');
  await page.keyboard.press('Alt+ArrowUp');
  expect(await volumeTitre(page, 3).inputValue()).toBe('De trop');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Backspace');
  await expect.poll(() => volumeTitre(page, 4).count()).toBe(0);
  await page.getByLabel('Auteur des volumes qui manquent').fill('Isaac Asimov');
  await save(page);
  await page.getByText('2 tomes sur 3 : il manque le tome 2').waitFor();
  await page.getByRole('link', { name: 'Prélude à Fondation' }).click();
  await page.getByRole('heading', { name: 'Prélude à Fondation' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Fondation', exact: true }).click();
  await page.waitForURL(/\/series\/\d+$/);
  expect(await places(house, serieIdOf(page))).toEqual([
    '1 Prélude à Fondation *',
    '2 L’Aube de Fondation',
    '3 seconde fondation *',
  ]);
});

test('twenty volumes are pasted at once with their numbers', async () => {
  const house = await household();
  for (const titre of ['Deux', 'Le volume 7']) await house.ajouter({ titre });
  const phone = await device(house);
  await phone.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const letNewsThrough = blockChanges(phone);
  const page = await phone.open('/series/ajouter');
  await page.getByRole('heading', { name: 'Nouvelle série' }).waitFor();
  // With one series there is nothing to choose.
  expect(await page.getByLabel('Titre', { exact: true }).count()).toBe(0);
  letNewsThrough();
  await page.getByLabel('Titre', { exact: true }).fill('Une série');
  await page.getByRole('button', { name: 'Coller une liste' }).click();
  await page.getByLabel('Titres, un par ligne').fill('1. Un\n2. Deux');
  await page.getByRole('button', { name: 'Ajouter ces volumes' }).click();
  await save(page);
  await page.getByText('1 tome sur 2 : il manque le tome 1').waitFor();
  expect(await places(house, serieIdOf(page))).toEqual(['1 Un', '2 Deux *']);

  await resize(page, SIZES.desk);
  await follow(page, '/series/ajouter');
  await page.getByLabel('Titre', { exact: true }).fill('Les vingt');
  const lines = Array.from({ length: 20 }, (_, i) =>
    i % 2 === 0
      ? `${String(i + 1)}. Le volume ${String(i + 1)}`
      : `Tome ${String(i + 1)} : Le volume ${String(i + 1)} / Une plume`,
  );
  // Firefox writes to the clipboard only after a press.
  await volumeTitre(page, 1).click();
  await page.evaluate((text) => navigator.clipboard.writeText(text), lines.join('\r\n'));
  await page.keyboard.press('ControlOrMeta+v');
  await expect.poll(() => volumeTitre(page, 20).inputValue()).toBe('Le volume 20');
  await save(page);
  await page.getByText('1 tome sur 20 : il manque les tomes 1 à 6 et 8 à 20').waitFor();
  const { places: saved } = await lireSerie(house, serieIdOf(page));
  expect(saved.map(({ numero }) => numero)).toEqual(
    Array.from({ length: 20 }, (_, i) => String(i + 1)),
  );
  expect(saved[6]?.livreId).not.toBeNull();
  expect(saved[1]?.auteur).toBe('Une plume');

  await follow(page, '/series/ajouter');
  await page.getByLabel('Titre', { exact: true }).fill('One Piece');
  await page.getByRole('button', { name: 'Coller une liste' }).click();
  await page.getByLabel('Titres, un par ligne').fill('1\n2\nTome 3');
  await page.getByRole('button', { name: 'Ajouter ces volumes' }).click();
  await save(page);
  await page.getByText('0 volume sur 3 : il manque les tomes 1 à 3').waitFor();
  expect(await places(house, serieIdOf(page))).toEqual([
    '1 One Piece, tome 1',
    '2 One Piece, tome 2',
    '3 One Piece, tome 3',
  ]);
});

test('missing volumes go onto the list of wishes', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Prélude' });
  const missing = ['Un', 'Deux', 'Trois'].map((titre) => ({ titre, auteur: 'Isaac Asimov' }));
  const { id } = await ajouterSerie(house, {
    titre: 'Fondation',
    places: [{ titre: 'Prélude', livreId: livre.id }, ...missing],
  });
  const page = await (await device(house)).open(`/series/${String(id)}`);
  const row = (titre: string) =>
    page
      .getByRole('list', { name: 'Il manque' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: titre }) });
  await row('Deux').getByRole('button', { name: 'Mettre sur ma liste' }).click();
  await row('Deux').getByText('Sur ma liste', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Mettre les 2 sur ma liste' }).click();
  await row('Un').getByText('Sur ma liste', { exact: true }).waitFor();
  await row('Trois').getByText('Sur ma liste', { exact: true }).waitFor();
  const response = await fetch(`${house.url}/api/souhaits`, { headers: { SSO_USER: 'alice' } });
  const souhaits = (await response.json()) as { titre: string }[];
  expect(souhaits.map(({ titre }) => titre)).toEqual(['Deux', 'Un', 'Trois']);

  await page.getByRole('button', { name: 'Supprimer' }).click();
  await page.getByText('Pas encore de séries').waitFor();
  await follow(page, `/series/${String(id)}`);
  await page.getByRole('heading', { name: /^Série supprimée/ }).waitFor();
  await follow(page, `/livres/${String(livre.id)}`);
  await page.getByRole('heading', { name: 'Prélude', exact: true }).waitFor();
});

test('a cycle unfolds into its series at any depth', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Fondation' });
  const cycle = await ajouterSerie(house, { titre: 'Robots et empires' });
  const inner = await ajouterSerie(house, { titre: 'Empire', parentId: cycle.id });
  await ajouterSerie(house, {
    titre: 'Fondation',
    parentId: inner.id,
    places: [{ titre: 'Fondation', livreId: livre.id }, { titre: 'Seconde Fondation' }],
  });
  const page = await (await device(house)).open('/series');
  const links = () => page.getByRole('list', { name: 'Séries' }).getByRole('link').allInnerTexts();
  await page.getByRole('button', { name: /Séries de.*Robots/ }).click();
  await page.getByRole('button', { name: /Séries de.*Empire/ }).click();
  await expect.poll(links).toEqual(['Robots et empires', 'Empire', 'Fondation']);
  await page.getByText('1 sur 2').first().waitFor();
  await page.getByRole('button', { name: /Séries de.*Robots/ }).click();
  await expect.poll(links).toEqual(['Robots et empires']);
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('fond');
  await expect.poll(links).toEqual(['Fondation']);

  await follow(page, `/series/${String(cycle.id)}`);
  await page.getByRole('button', { name: 'Ajouter une série dans ce cycle' }).click();
  await page.getByLabel('Titre', { exact: true }).fill('Les Robots');
  await save(page);
  await page.getByRole('heading', { name: 'Les Robots' }).waitFor();
  expect((await lireSerie(house, serieIdOf(page))).parentId).toBe(cycle.id);

  const other = await ajouterSerie(house, { titre: 'Autre' });
  await follow(page, `/series/${String(cycle.id)}`);
  await page.getByRole('button', { name: 'Modifier' }).click();
  const parent = page.getByLabel('Dans le cycle');
  await parent.selectOption('Autre');
  await modifierSerie(house, other.id, { titre: 'Autre', parentId: cycle.id });
  await save(page);
  await page.getByText('Une série ne peut pas être rangée dans elle-même.').waitFor();
  expect(await parent.getAttribute('aria-invalid')).toBe('true');
  await parent.selectOption('Aucun');
  await save(page);
  await page.getByRole('heading', { name: 'Robots et empires', exact: true }).waitFor();
});

test('a series’ order changes by arrows or by dragging', async () => {
  const house = await household();
  const { id } = await ajouterSerie(house, {
    titre: 'Une série',
    places: ['Un', 'Deux', 'Trois'].map((titre) => ({ titre })),
  });
  const desk = await device(house, { size: 'desk' });
  const page = await desk.open(`/series/${String(id)}`);
  await page.getByRole('button', { name: 'Changer l’ordre' }).click();
  const row = (titre: string) => page.getByRole('listitem').filter({ hasText: titre });
  await row('Trois').getByRole('button', { name: 'Monter' }).click();
  await expect.poll(() => places(house, id)).toEqual(['- Un', '- Trois', '- Deux']);
  await page.keyboard.press('Enter');
  await expect.poll(() => places(house, id)).toEqual(['- Trois', '- Un', '- Deux']);
  await row('Trois').getByRole('button', { name: 'Descendre' }).click();
  await expect.poll(() => places(house, id)).toEqual(['- Un', '- Trois', '- Deux']);
  await row('Un').getByRole('button', { name: 'Descendre' }).click();
  await expect.poll(() => places(house, id)).toEqual(['- Trois', '- Un', '- Deux']);

  const handle = await row('Deux').locator('[data-handle]').boundingBox();
  const target = await row('Trois').boundingBox();
  if (handle === null || target === null) throw new Error('nothing to drag');
  await page.mouse.move(handle.x + 10, handle.y + 10);
  await page.mouse.down();
  await page.mouse.move(handle.x + 10, target.y + 20, { steps: 12 });
  await expect
    .poll(async () => {
      const [dragged, first] = [await row('Deux').boundingBox(), await row('Trois').boundingBox()];
      return dragged !== null && first !== null && dragged.y < first.y;
    })
    .toBe(true);
  await page.mouse.up();
  await expect.poll(() => places(house, id)).toEqual(['- Deux', '- Trois', '- Un']);

  // On its own screen the device has the latest order, so the write is not refused.
  await resize(page, SIZES.phone);
  await page.getByRole('button', { name: 'Terminé', exact: true }).click();
  const missing = page.getByRole('list', { name: 'Il manque' }).getByRole('heading');
  await expect.poll(() => missing.allInnerTexts()).toEqual(['Deux', 'Trois', 'Un']);
  await page.getByRole('button', { name: 'Changer l’ordre' }).click();
  await page.getByRole('button', { name: 'Descendre' }).first().waitFor();
  const letNewsThrough = blockChanges(desk);
  const { places: before } = await lireSerie(house, id);
  await modifierSerie(house, id, { titre: 'Une série', places: [...before, { titre: 'Quatre' }] });
  await page.getByRole('button', { name: 'Descendre' }).first().click();
  await page.getByText(/entre-temps/).waitFor();
  letNewsThrough();
  await page.getByRole('listitem').filter({ hasText: 'Quatre' }).waitFor();
  expect(await places(house, id)).toEqual(['- Deux', '- Trois', '- Un', '- Quatre']);
});

test('a book of several volumes counts as each of them', async () => {
  const house = await household();
  const [whole, four] = [
    await house.ajouter({ titre: 'Brumes, intégrale 1-3' }),
    await house.ajouter({ titre: 'Brumes, tome 4' }),
  ];
  const { id } = await ajouterSerie(house, {
    titre: 'Brumes',
    places: [
      { titre: 'Brumes, intégrale', numero: 'Intégrale 1-3', livreId: whole.id },
      { titre: 'La Lande', numero: '2' },
      { titre: 'La Digue', numero: '4', livreId: four.id },
    ],
  });
  const page = await (await device(house)).open(`/series/${String(id)}`);
  await page.getByText('4 tomes sur 4', { exact: true }).waitFor();
  const question = page.getByText('Cette série s’arrête-t-elle au tome 4 ?');
  await question.waitFor();
  await page.getByRole('button', { name: 'Cette série s’arrête-t-elle au tome 4 ? Non' }).click();
  await question.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('4 tomes sur 4', { exact: true }).waitFor();
  expect(await question.count()).toBe(0);
  expect(await page.getByRole('heading', { name: 'Il manque' }).count()).toBe(0);
  await page.getByText('dans « Brumes, intégrale »').waitFor();
  await page.getByRole('link', { name: 'La Lande' }).click();
  await page.getByRole('heading', { name: 'Brumes, intégrale 1-3' }).waitFor();
  await page.getByRole('link', { name: 'Volume suivant, tome 4', exact: true }).waitFor();
  expect(await page.getByRole('link', { name: /ce volume manque/ }).count()).toBe(0);

  await follow(page, `/series/${String(id)}/modifier`);
  const rows = page.getByRole('combobox', { name: /^Titre du volume/ });
  await rows.nth(2).waitFor();
  const described = rows.evaluateAll((inputs) =>
    inputs.map((input) => {
      const state = document.getElementById(input.getAttribute('aria-describedby') ?? '');
      return state?.textContent.trim();
    }),
  );
  expect(await described).toEqual([
    'ce volume est dans la bibliothèque',
    'dans « Brumes, intégrale »',
    'ce volume est dans la bibliothèque',
  ]);
});

test('missing volumes are wished, and taken back, without waiting for the screen', async () => {
  const house = await household();
  const titres = ['Un', 'Deux', 'Trois', 'Quatre', 'Cinq', 'Six'];
  const { id } = await ajouterSerie(house, {
    titre: 'Fondation',
    places: titres.map((titre) => ({ titre, auteur: 'Isaac Asimov' })),
  });
  const phone = await device(house);
  const page = await phone.open(`/series/${String(id)}`);
  const writes: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.request().method() === 'POST') writes.push(pathname);
  });
  const all = page.getByRole('button', { name: 'Mettre les 6 sur ma liste' });
  await expect.poll(() => all.isEnabled()).toBe(true);
  // Six writes that each wait for the replica would exceed this test's timeout.
  let letNewsThrough = blockChanges(phone);
  await all.click();
  await expect.poll(() => writes.length).toBe(titres.length);
  letNewsThrough();
  await expectFeedback(page, '6 volumes sont sur votre liste');
  const souhaits = async () => {
    const response = await fetch(`${house.url}/api/souhaits`, { headers: { SSO_USER: 'alice' } });
    return ((await response.json()) as { titre: string }[]).map(({ titre }) => titre);
  };
  expect(await souhaits()).toEqual(titres);
  writes.splice(0);
  letNewsThrough = blockChanges(phone);
  await feedback(page).getByRole('button', { name: 'Annuler' }).click();
  await expect.poll(() => writes.length).toBe(titres.length);
  letNewsThrough();
  await all.waitFor();
  expect(await souhaits()).toEqual([]);
});
