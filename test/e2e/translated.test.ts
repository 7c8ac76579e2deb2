import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { livreTitles, reverse, searchFor } from './support/catalogue.ts';
import { ajouterEmplacement, ajouterSerie, rangerLivre } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { REBUILT, translate, TRANSLATIONS } from './support/translation.ts';

const titreOf = (id: number) => `Livre ${String(id).padStart(4, '0')}`;

/** A household whose books have their ids as titles. */
async function numberedHouse(count: number): Promise<Household> {
  const house = await household();
  for (let id = 1; id <= count; id++)
    await house.ajouter({ titre: titreOf(id), auteurs: [`Auteur ${String(id)}`] });
  return house;
}

/** The text of each row of the catalogue, and the title of the book that it opens. */
const rows = (page: Page): Promise<readonly (readonly [read: string, opened: string])[]> =>
  page
    .getByRole('list', { name: 'Livres' })
    .getByRole('link')
    .evaluateAll((links) =>
      links.map((link) => {
        const id = /\/livres\/(\d+)/.exec(link.getAttribute('href') ?? '')?.[1] ?? '';
        const words = link.textContent.replaceAll('EN ', '').replaceAll(/\s/gu, ' ');
        return [words, `Livre ${id.padStart(4, '0')}`] as const;
      }),
    );

/** Rows whose text names another book than the one that they open. */
const misread = async (page: Page) =>
  (await rows(page)).filter(([read, opened]) => read !== opened);

/** Waits until the first row opens this book, and compares the text of each row with its book. */
async function expectRows(page: Page, first: number, message: string): Promise<void> {
  await expect.poll(async () => (await rows(page))[0]?.[1], { message }).toBe(titreOf(first));
  await expect.poll(() => misread(page), { message }).toEqual([]);
}

test.each(TRANSLATIONS)(
  'in a page translated by « %s » each row names the book that it opens',
  async (way) => {
    const house = await numberedHouse(60);
    const user = await device(house, { size: 'desk' });
    for (const heeds of [true, false]) {
      const page = await user.open();
      await expect.poll(async () => (await livreTitles(page)).length).toBeGreaterThan(5);
      await translate(page, way, { heeds });
      await expectRows(page, 1, 'translated');
      await searchFor(page, '0059');
      await expectRows(page, 59, 'searched');
      const count = page.getByText(/^(EN )?1 livre/);
      await expect.poll(() => count.count(), { message: 'the count' }).toBe(1);
      await searchFor(page, '');
      await expectRows(page, 1, 'shown again');
      await expect.poll(() => page.getByText(/^(EN )?60 livres/).count()).toBe(1);
      expect(await page.getByText(/^(EN )?1 livre\b/).count()).toBe(0);
      await reverse(page);
      await expectRows(page, 60, 'the order turned round');
      await page.mouse.wheel(0, 1_500);
      await expect.poll(async () => (await rows(page))[0]?.[1]).not.toBe(titreOf(60));
      await expect.poll(() => misread(page), { message: 'scrolled' }).toEqual([]);
      for (const id of [60, 59]) {
        await follow(page, `/livres/${String(id)}`);
        const heading = page.getByRole('heading', { level: 1 });
        await expect.poll(() => heading.innerText()).toMatch(titreOf(id));
        await page
          .getByRole('link', { name: new RegExp(`^(EN )?Auteur ${String(id)}$`) })
          .waitFor();
      }
      await page.close();
    }
  },
);

/** Names and titles of this household that a translation may change. */
const translatableNames = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      const { parentElement: parent, textContent: text } = node;
      const isName =
        text?.includes('Zarbi') && !/[a-zàâçéèêëîïôûù]/.test(text.replaceAll(/Zarbi\w*/g, ''));
      if (isName && !parent?.closest('[translate="no"], script, title, option'))
        found.push(`${text} in ${parent?.outerHTML.slice(0, 120) ?? ''}`);
    }
    return found;
  });

test('no translation changes titles, names and codes', async () => {
  const house = await household();
  const salon = await ajouterEmplacement(house, { nom: 'Zarbisalon' });
  await ajouterEmplacement(house, { nom: 'Zarbietagere', parentId: salon.id });
  const livre = await house.ajouter({
    titre: 'Zarbilivre',
    auteurs: ['Zarbiauteur'],
    editeur: 'Zarbiediteur',
    themes: ['Zarbitheme'],
    isbn: '9782070360024',
  });
  await house.ajouter({ titre: 'Zarbisuite', auteurs: ['Zarbiauteur', 'Zarbiautre'] });
  await rangerLivre(house, livre.id, salon.id);
  await house.rendre(await house.preter(livre, 'Zarbiluc'));
  await house.preter(livre, 'Zarbianne');
  await house.setStatut(livre, 'alice', 2);
  const serie = await ajouterSerie(house, {
    titre: 'Zarbiserie',
    places: [{ titre: 'Zarbilivre', numero: '1', livreId: livre.id }],
  });
  await house.souhaiter('alice', { titre: 'Zarbivoeu', auteur: 'Zarbiauteur' });
  await house.souhaiterRevue('alice', { titre: 'Zarbirevue', numero: '3' });
  const numero = await house.ajouterNumero('Zarbirevue', '7');
  const page = await (await device(house, { size: 'desk' })).open();
  await page.getByRole('link', { name: 'Zarbilivre' }).first().waitFor();
  const paths = [
    '/?affichage=liste',
    '/?affichage=couvertures',
    '/?recherche=zarbi',
    `/livres/${String(livre.id)}`,
    '/auteurs',
    '/auteurs/1',
    '/prets',
    '/souhaits',
    '/series',
    `/series/${String(serie.id)}`,
    '/revues',
    `/revues/${String(numero.revueId)}`,
    `/revues/${String(numero.revueId)}/numeros/${String(numero.id)}`,
    '/themes/Zarbitheme',
    '/rangement',
    `/rangement/${String(salon.id)}`,
    '/lectures',
    '/imprimer',
  ];
  await translate(page, 'rebuild');
  for (const path of paths) {
    await follow(page, path);
    await page.getByText('Zarbi').first().waitFor({ state: 'attached' });
    expect(await translatableNames(page), path).toEqual([]);
    expect(await page.locator(`[${REBUILT}]`).allInnerTexts(), path).toEqual([]);
  }
});
