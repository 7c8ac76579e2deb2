import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { unfold } from './support/add.ts';
import { resize } from './support/accessibility.ts';
import { ajouterRevue } from './support/collections.ts';
import { device, SIZES } from './support/device.ts';
import { feedback, expectFeedback, undo } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { householdKnowingAllCodes, codesOf } from './support/scan-codes.ts';
import { deskScanner } from './support/recherche.ts';
import { save } from './support/undo.ts';

// An addition is confirmed once: by one visible sentence, announced once, which covers no field.

/** Records the announcements of the page's live regions. */
const listen = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const announced: string[] = [];
    Reflect.set(globalThis, 'said', announced);
    new MutationObserver((mutations) => {
      const regions = mutations.map(({ target }) =>
        (target instanceof Element ? target : target.parentElement)?.closest(
          '[aria-live], [role=status], [role=alert]',
        ),
      );
      for (const region of new Set(regions))
        if (region?.textContent) announced.push(region.textContent);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });

/** The announcements of an addition with this title. */
const readOut = (page: Page, titre: string): Promise<string[]> =>
  page.evaluate(
    (words) =>
      (Reflect.get(globalThis, 'said') as string[])
        .map((text) => text.trim().replaceAll(/\s/g, ' '))
        .filter((text) => text.includes(words) && text.includes('ajouté')),
    titre,
  );

/** The visible paragraphs with this title. */
const inSight = (page: Page, titre: string) =>
  page.locator('p:not(.sr-only)').filter({ hasText: titre, visible: true });

const coveredFields = (page: Page): Promise<string[]> =>
  feedback(page).evaluate((bar) => {
    const box = bar.getBoundingClientRect();
    return [...document.querySelectorAll('main :is(input, textarea, select, button)')]
      .filter((field) => {
        const { top, bottom, left, right } = field.getBoundingClientRect();
        return (
          !bar.contains(field) &&
          top < box.bottom &&
          bottom > box.top &&
          left < box.right &&
          right > box.left
        );
      })
      .map((field) => field.outerHTML);
  });

const FORMS = [
  {
    path: '/livres/ajouter?champ=titre',
    titre: 'Les très longues vacances de monsieur Perrichon au bord de la mer',
    says: 'Livre ajouté',
    leadsTo: '/livres/',
  },
  {
    path: '/souhaits/ajouter?champ=titre',
    titre: 'Regain',
    says: 'Souhait ajouté au rang 1',
    leadsTo: '/souhaits',
  },
  {
    path: '/souhaits/ajouter?genre=revue',
    titre: 'Topo',
    says: 'Souhait ajouté au rang 1',
    leadsTo: '/souhaits',
  },
] as const;

test('a saved book or wish is confirmed exactly once', async () => {
  const house = await household();
  const page = await (await device(house)).open();
  for (const { path, titre, says, leadsTo } of FORMS) {
    await follow(page, path);
    const field = page.getByLabel('Titre', { exact: true });
    await field.fill(titre);
    await listen(page);
    await save(page);
    await expectFeedback(page, `${says} : ${titre}`);
    expect(await inSight(page, titre).count(), path).toBe(1);
    expect(await readOut(page, titre), path).toHaveLength(1);
    for (const [name, size] of Object.entries(SIZES)) {
      await resize(page, size);
      expect(await coveredFields(page), `${path}, ${name}`).toEqual([]);
    }
    await resize(page, SIZES.phone);
    const link = feedback(page).getByRole('link', { name: 'Voir' });
    expect(await link.getAttribute('href'), path).toContain(leadsTo);
    await undo(page);
    await expect.poll(() => page.getByText(`${says} : ${titre}`).count()).toBe(0);
  }
  expect(await house.titres()).toEqual([]);

  await follow(page, '/');
  await follow(page, '/livres/ajouter');
  await unfold(page);
  await page.clock.install();
  await page.getByLabel('Titre', { exact: true }).fill('Dune');
  await save(page);
  await expectFeedback(page, 'Livre ajouté : Dune');
  await page.clock.fastForward(60_000);
  expect(await feedback(page).getByRole('button', { name: 'Annuler' }).isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Fermer' }).click();
  await page.getByRole('link', { name: 'Dune', exact: true }).waitFor();
  expect(await feedback(page).count()).toBe(0);
});

test('an issue is confirmed once, where it is seen', async () => {
  const house = await household();
  const revue = await ajouterRevue(house, { titre: 'La Hulotte' });
  const page = await (await device(house)).open(`/revues/${String(revue.id)}/numeros/ajouter`);
  await page.getByLabel('Numéro', { exact: true }).fill('113');
  await listen(page);
  await save(page);
  await expectFeedback(page, 'Numéro ajouté : La Hulotte n° 113');
  await page.getByRole('heading', { name: 'La Hulotte', exact: true }).waitFor();
  expect(await page.getByText('Numéro ajouté', { exact: false }).count()).toBe(1);
  expect(await readOut(page, 'La Hulotte n° 113')).toHaveLength(1);
  await undo(page);
});

test('each book of a pile is confirmed by its line', async () => {
  const { house } = await householdKnowingAllCodes(0);
  const codes = codesOf(3);
  const page = await (await device(house, { size: 'desk' })).open('/livres/ajouter');
  await unfold(page);
  const search = page.getByRole('button', { name: "Rechercher l'ISBN" });
  await expect.poll(() => search.isEnabled()).toBe(true);
  await listen(page);
  const scan = await deskScanner(page);
  const titre = page.getByLabel('Titre', { exact: true });
  for (const code of codes) {
    await scan(code);
    await expect.poll(() => titre.inputValue()).toBe(`Volume ${code}`);
  }
  await page.getByRole('link', { name: '2 livres cette fois', exact: true }).waitFor();
  const [first = '', second = '', last = ''] = codes.map((code) => `Volume ${code}`);
  expect(await feedback(page).count()).toBe(0);
  for (const name of [first, second]) expect(await readOut(page, name), name).toHaveLength(1);
  // The last book is added by hand, so the bar confirms it.
  await save(page);
  await expectFeedback(page, `Livre ajouté : ${last}`);
  expect(await readOut(page, last)).toEqual([expect.stringContaining('Livre ajouté')]);
  await page.getByRole('link', { name: '3 livres cette fois', exact: true }).click();
  await page.getByRole('button', { name: 'Retour au scanner' }).click();
  await page.getByRole('button', { name: '3 livres cette fois' }).click();
  await page.getByRole('button', { name: `Retirer « ${first} »` }).click();
  await expectFeedback(page, `Livre supprimé : ${first}`);
  await expect.poll(() => house.titres()).toEqual([second, last]);
});
