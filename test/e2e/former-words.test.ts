import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { everyScreen } from './support/every-screen.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { anotherHousehold, switchHousehold, phoneAt, question } from './support/other-household.ts';

const READERS = ['alice', 'carla'] as const;
type Reader = (typeof READERS)[number];

/** Fills a household with a record of each kind, shared and personal; each text names its owner. */
async function houseOf(house: Household, name: string): Promise<readonly string[]> {
  const common = `Zq${name}maison`;
  const { routes } = await everyScreen(house, {
    titre: common,
    numero: '12',
    auteur: common,
    emprunteur: common,
    emplacement: common,
    theme: common,
  });
  for (const reader of READERS) {
    const word = `Zq${name}${reader}`;
    await house.souhaiter(reader, { titre: word });
    await house.noter(reader, { titre: word, debut: '2026-03-01' });
  }
  return routes;
}

/** Texts of another household or reader that a page shows, in its markup, its fields and its address. */
async function wordsOfOthers(page: Page, house: string, reader: Reader): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
    const texts = fields.map(({ value }) => value);
    return [document.documentElement.outerHTML, ...texts, location.href].join('\n');
  });
  // File names of the application may contain these letters.
  const words = texts.match(/Zq(?:un|deux)(?:maison|alice|carla)/gi) ?? [];
  const ownWords = [`zq${house}maison`, `zq${house}${reader}`];
  return words.filter((word) => !ownWords.includes(word.toLowerCase()));
}

test('no screen of any tab shows a word of the reader or the household before', async () => {
  const [first, second] = [await household(), await anotherHousehold()];
  const routesOf = { un: await houseOf(first, 'un'), deux: await houseOf(second, 'deux') };
  const { phone, answerBy } = await phoneAt(first, 'desk');
  const tabs = [await phone.open('/souhaits'), await phone.open('/')];
  await phone.untilOfflineReady(tabs[1] as Page);

  /** Visits all screens in both tabs, and types into a search and a form. */
  const walk = async (house: keyof typeof routesOf, reader: Reader) => {
    for (const [nth, page] of tabs.entries()) {
      await page.bringToFront();
      await expect
        .poll(() => wordsOfOthers(page, house, reader), { message: `tab ${nth}` })
        .toEqual([]);
      const found: string[] = [];
      for (const route of routesOf[house]) {
        await follow(page, route);
        const words = await wordsOfOthers(page, house, reader);
        found.push(...words.map((word) => `${route}: ${word}`));
      }
      expect(found, `${reader}, house ${house}, tab ${nth}`).toEqual([]);
    }
    const [forms, search] = tabs as [Page, Page];
    await follow(forms, '/series/ajouter');
    await forms.getByLabel('Titre', { exact: true }).fill(`Zq${house}${reader}`);
    await follow(search, '/');
    await search.getByRole('searchbox').fill(`Zq${house}${reader}`);
    await search.waitForURL(/recherche=Zq/);
  };

  const passTo = async (house: Household) => {
    answerBy(house);
    const [page] = tabs as [Page, Page];
    await page.bringToFront();
    await question(page).waitFor();
    await switchHousehold(page);
  };

  await walk('un', 'alice');
  // Without a reload: the server's next response is for another reader.
  phone.portal.user = 'carla';
  await first.ajouter({ titre: 'Sido' });
  await walk('un', 'carla');
  await passTo(second);
  await walk('deux', 'carla');
  phone.portal.user = 'alice';
  await passTo(first);
  await walk('un', 'alice');
});
