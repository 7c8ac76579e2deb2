import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import {
  ajouterNumero,
  ajouterRevue,
  ajouterSerie,
  lireNumeros,
  lireSerie,
  listerRevues,
  listerSeries,
  modifierNumero,
  modifierRevue,
  modifierSerie,
  supprimerNumero,
  supprimerSerie,
} from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { blockChanges } from './support/souhaits.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer' }).click();

const conflictAlert = (page: Page) => page.getByRole('alert').filter({ hasText: 'Entre-temps' });

const settle = (page: Page, field: string, choice: 'Garder ma saisie' | 'Reprendre la sienne') =>
  conflictAlert(page)
    .getByRole('group', { name: field })
    .getByRole('button', { name: choice })
    .click();

const volumeTitre = (page: Page, position: number) =>
  page.getByRole('combobox', { name: `Titre du volume ${String(position)}`, exact: true });

async function titresOf(house: Household, serieId: number): Promise<string[]> {
  const { places } = await lireSerie(house, serieId);
  return places.map(({ titre }) => titre);
}

test('another’s edit of a series is settled field by field', async () => {
  const house = await household();
  const { id, places: before } = await ajouterSerie(house, {
    titre: 'Une série',
    places: [{ titre: 'Un' }, { titre: 'Deux' }],
  });
  const page = await (await device(house)).open(`/series/${String(id)}/modifier`);
  await page.getByLabel('Titre', { exact: true }).fill('La mienne');
  await volumeTitre(page, 2).fill('Deux bis');
  await modifierSerie(house, id, {
    titre: 'La leur',
    places: [...before, { titre: 'Trois' }],
  });
  await conflictAlert(page).getByText('La leur').waitFor();
  await settle(page, 'Titre', 'Garder ma saisie');
  await settle(page, 'Volumes', 'Reprendre la sienne');
  await conflictAlert(page).waitFor({ state: 'detached' });
  expect(await volumeTitre(page, 3).inputValue()).toBe('Trois');
  await save(page);
  await page.getByRole('heading', { name: 'La mienne' }).waitFor();
  expect(await titresOf(house, id)).toEqual(['Un', 'Deux', 'Trois']);
  const { places: after } = await lireSerie(house, id);
  expect(after.slice(0, 2).map((place) => place.id)).toEqual(before.map((place) => place.id));

  await follow(page, `/series/${String(id)}/modifier`);
  await volumeTitre(page, 1).fill('Un bis');
  await supprimerSerie(house, id);
  await page.getByRole('button', { name: 'Ajouter de nouveau' }).click();
  await expect.poll(() => listerSeries(house)).toMatchObject([{ titre: 'La mienne' }]);
  const [serie] = await listerSeries(house);
  expect(await titresOf(house, serie?.id ?? 0)).toEqual(['Un bis', 'Deux', 'Trois']);
});

test('another’s edit of an issue is settled by the reader', async () => {
  const house = await household();
  const revue = await ajouterRevue(house, { titre: 'La Hulotte' });
  const { id } = await ajouterNumero(house, revue, { numero: '112', themes: ['oiseaux'] });
  const phone = await device(house);
  const page = await phone.open(`/revues/${String(revue.id)}/numeros/${String(id)}/modifier`);
  // The conflict is resolved per field.
  await page.getByLabel('Résumé').fill('Ma saisie.');
  await modifierNumero(house, id, {
    numero: '112',
    resume: 'La leur.',
    themes: ['oiseaux', 'lierre'],
    date: '2026-11',
  });
  await settle(page, 'Résumé', 'Garder ma saisie');
  await settle(page, 'Thèmes', 'Reprendre la sienne');
  await settle(page, 'Date', 'Reprendre la sienne');
  await conflictAlert(page).waitFor({ state: 'detached' });
  await save(page);
  await page.getByText('Ma saisie.').waitFor();
  expect(await lireNumeros(house, revue)).toMatchObject([
    { resume: 'Ma saisie.', themes: ['oiseaux', 'lierre'], date: '2026-11' },
  ]);

  await follow(page, `/revues/${String(revue.id)}`);
  await page.getByRole('button', { name: 'Modifier' }).click();
  await page.getByLabel('ISSN', { exact: true }).fill('0337-2154');
  await modifierRevue(house, revue.id, { titre: 'La Hulotte des Ardennes' });
  await settle(page, 'Titre', 'Reprendre la sienne');
  await save(page);
  await page.getByRole('heading', { name: 'La Hulotte des Ardennes', exact: true }).waitFor();
  expect(await listerRevues(house)).toMatchObject([{ issn: '0337-2154' }]);

  await follow(page, `/revues/${String(revue.id)}/numeros/${String(id)}/modifier`);
  // A deleted issue can be added again.
  await page.getByLabel('Résumé').fill('Tout sur le lierre.');
  await supprimerNumero(house, id);
  await page.getByRole('button', { name: 'Ajouter de nouveau' }).click();
  await page.getByRole('heading', { name: /^N° 112/ }).waitFor();
  const [added] = await lireNumeros(house, revue);
  expect(added).toMatchObject({ numero: '112', resume: 'Tout sur le lierre.' });

  // A record that has changed can be deleted once the change was shown.
  const letNewsThrough = blockChanges(phone);
  await modifierNumero(house, added?.id ?? 0, { numero: '112', une: 'Le lierre' });
  await page.getByRole('button', { name: 'Supprimer' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Le lierre').waitFor();
  expect(await lireNumeros(house, revue)).toHaveLength(1);
  letNewsThrough();
  await dialog.getByRole('button', { name: 'Supprimer quand même' }).click();
  await page.getByText('Aucun numéro', { exact: true }).waitFor();
  await page.getByText('ISSN 0337-2154', { exact: true }).waitFor();
  expect(await lireNumeros(house, revue)).toEqual([]);
});
