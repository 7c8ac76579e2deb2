import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright';
import type { Livre } from '#shared/livres';
import type { Serie } from '#shared/series';
import { faultsInEveryLook } from './support/accessibility.ts';
import { addField, resultCard, searchForBook } from './support/add.ts';
import { livreRow } from './support/catalogue.ts';
import { ajouterEmplacement, ajouterSerie, rangerLivre } from './support/collections.ts';
import { device } from './support/device.ts';
import { feedback, expectFeedback, UNDONE } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { householdWithCatalogues } from './support/recherche.ts';

const ONE_RECORD = '9782948012017';
const OTHER = '9782948012161';
const ANOTHER = '9782948012031';
const TWO_EDITIONS = '9782948012024';
const UNKNOWN = '9782948012253';

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });

const livresOf = async (house: Household) =>
  (await (await fetch(`${house.url}/api/livres`)).json()) as Livre[];

const topOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().top);

/** Counts a person's actions: presses, and codes typed with Enter. */
class Hand {
  presses = 0;
  codes = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(name: string | RegExp): Promise<void> {
    const control = button(this.#page, name).or(
      this.#page.getByRole('link', { name, ...(typeof name === 'string' && { exact: true }) }),
    );
    await this.pressOn(control.first());
  }

  async pressOn(control: Locator): Promise<void> {
    this.presses++;
    await control.click();
  }

  /** Types into the focused element, without a press. */
  async type(code: string): Promise<void> {
    this.codes++;
    await expect
      .poll(() => this.#page.evaluate(() => document.activeElement?.tagName))
      .toBe('INPUT');
    // Slower than a scanner.
    await this.#page.keyboard.type(code, { delay: 90 });
    await this.#page.keyboard.press('Enter');
  }
}

test('adding takes so many presses, and no more', async () => {
  const { house } = await householdWithCatalogues();
  const page = await (await device(house)).open();
  await page.getByRole('link', { name: 'Ajouter', exact: true }).waitFor();
  const hand = new Hand(page);

  // By ISBN: two presses and the code.
  await hand.press('Ajouter');
  await hand.type(ONE_RECORD);
  await resultCard(page).getByRole('heading', { name: 'Les travailleurs de la mer' }).waitFor();
  await hand.press('Ajouter');
  await expectFeedback(page, 'Livre ajouté : Les travailleurs de la mer');
  expect([hand.presses, hand.codes]).toEqual([2, 1]);
  await page.getByText('1 livre sur la planche').waitFor();
  await feedback(page).getByRole('link', { name: 'Voir Les travailleurs de la mer' }).waitFor();

  // The next book: one press and the code.
  await hand.type(OTHER);
  await resultCard(page).getByRole('heading', { name: "Han d'Islande" }).waitFor();
  // The card follows the field directly.
  expect(await topOf(feedback(page))).toBeGreaterThan(await topOf(resultCard(page)));
  await hand.press('Ajouter');
  await expectFeedback(page, "Livre ajouté : Han d'Islande");
  expect([hand.presses, hand.codes]).toEqual([3, 2]);
  expect((await house.titres()).toSorted()).toEqual([
    "Han d'Islande",
    'Les travailleurs de la mer',
  ]);

  // Undo: one press.
  await hand.press('Annuler');
  await expectFeedback(page, UNDONE);
  expect(hand.presses).toBe(4);
  await expect.poll(() => house.titres()).toEqual(['Les travailleurs de la mer']);
  await addField(page).fill('');
  await addField(page).focus();

  // A rating on adding: three presses.
  const before = hand.presses;
  await hand.type(OTHER);
  await resultCard(page).getByRole('heading', { name: "Han d'Islande" }).waitFor();
  await hand.press(/^Ma lecture/);
  await hand.pressOn(page.getByRole('radio', { name: '4 étoiles', exact: true }));
  await hand.press('Ajouter');
  await expectFeedback(page, "Livre ajouté : Han d'Islande");
  expect(hand.presses - before).toBe(3);
  const readings = await house.lectures('alice');
  expect(readings).toMatchObject([{ titre: "Han d'Islande", note: 8, fin: null, statut: 'Lue' }]);
});

test('each answer is a card that one press adds as a book or a wish, and its chips keep their choice', async () => {
  const { house } = await householdWithCatalogues();
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  const etagere = await ajouterEmplacement(house, { nom: 'Étagère 2', parentId: salon.id });
  const page = await (await device(house)).open('/livres/ajouter');

  // A code has its hyphens while nobody types, and stays as a scanner types it.
  const printed = page.getByRole('search').getByText('978-2-948012-01-7');
  await addField(page).focus();
  await page.keyboard.type(ONE_RECORD, { delay: 90 });
  expect(await printed.isVisible()).toBe(false);
  await page.keyboard.press('Enter');
  await resultCard(page).getByRole('heading', { name: 'Les travailleurs de la mer' }).waitFor();
  await printed.waitFor();
  expect(await addField(page).inputValue()).toBe(ONE_RECORD);
  await addField(page).focus();
  await printed.waitFor({ state: 'hidden' });

  // A chip's choice holds for the next book, and is kept on the device.
  await searchForBook(page, ONE_RECORD);
  await button(page, /^Emplacement/).click();
  await page.getByRole('combobox', { name: 'Où ?' }).fill('Salon › Étagère 2');
  await button(page, /^Ma lecture/).click();
  await button(page, 'À lire').click();
  await button(page, 'Ajouter').click();
  await expectFeedback(page, 'Livre ajouté : Les travailleurs de la mer');
  await page.reload();
  await searchForBook(page, OTHER);
  await button(page, /^Emplacement.*Étagère 2/).waitFor();
  await button(page, /^Ma lecture.*À lire/).waitFor();
  expect(await faultsInEveryLook(page, '/livres/ajouter: found')).toEqual([]);
  await button(page, 'Ajouter').click();
  await expectFeedback(page, "Livre ajouté : Han d'Islande");
  expect((await livresOf(house)).map(({ emplacementId }) => emplacementId)).toEqual([
    etagere.id,
    etagere.id,
  ]);

  // Of several editions the likeliest is added by one press.
  await searchForBook(page, TWO_EDITIONS);
  await page.getByText('2 éditions · glissez').waitFor();
  expect(await faultsInEveryLook(page, '/livres/ajouter: editions')).toEqual([]);
  await button(page, 'Ajouter').click();
  await expectFeedback(page, 'Livre ajouté : Le château des Carpathes');
  expect(await livresOf(house)).toContainEqual(
    expect.objectContaining({ annee: 2012, isbn: TWO_EDITIONS }),
  );

  // Words that nobody knows are the title of the card, typed once.
  await searchForBook(page, 'Le cahier de recettes de Mamie');
  await page.getByText('Aucun catalogue ne connaît ce titre.').first().waitFor();
  expect(await page.getByLabel('Titre', { exact: true }).inputValue()).toBe(
    'Le cahier de recettes de Mamie',
  );
  expect(await faultsInEveryLook(page, '/livres/ajouter: unknown')).toEqual([]);
  await button(page, 'Ajouter').click();
  await expectFeedback(page, 'Livre ajouté : Le cahier de recettes de Mamie');
  expect(await house.titres()).toContain('Le cahier de recettes de Mamie');

  // A code that nobody knows is a card with two fields.
  await searchForBook(page, UNKNOWN);
  await page.getByText('Aucun catalogue ne connaît ce code.').first().waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('titre');
  await page.keyboard.type('Le rivage');
  await button(page, 'Photographier la couverture').waitFor();
  await button(page, 'Ajouter').click();
  await expectFeedback(page, 'Livre ajouté : Le rivage');
  expect(await livresOf(house)).toContainEqual(
    expect.objectContaining({ titre: 'Le rivage', isbn: UNKNOWN }),
  );
  const owned = await house.titres();

  // One whose chip says wish becomes a wish, whatever the sheet was opened for.
  await searchForBook(page, ANOTHER);
  await button(page, /^À qui est le livre/).click();
  await button(page, 'Souhait').click();
  await button(page, 'Ajouter').click();
  await expectFeedback(page, /^Souhait ajouté au rang 1/);
  expect(await house.souhaits('alice')).toEqual(['Indiana']);
  expect(await house.titres()).toEqual(owned);
});

test('the choice of the last chip is read whole on a phone', async () => {
  const { house } = await householdWithCatalogues();
  const page = await (await device(house)).open('/livres/ajouter');
  await searchForBook(page, ONE_RECORD);
  await button(page, /^Ma lecture/).click();
  await page.getByRole('radio', { name: '4 étoiles et demie', exact: true }).click();
  const chip = button(page, /^Ma lecture.*Lu, 4 étoiles et demie/);
  await chip.waitFor();
  const endOf = () =>
    chip.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      return left >= 0 ? right : Number.POSITIVE_INFINITY;
    });
  await expect.poll(endOf).toBeLessThanOrEqual(360);
});

test('an owned book is shown with its location and loan, lending takes three presses, and an unknown book is added from the loan form', async () => {
  const { house, upstream } = await householdWithCatalogues();
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  const livre = await house.ajouter({
    titre: 'Les travailleurs de la mer',
    isbn: ONE_RECORD,
  });
  await rangerLivre(house, livre.id, salon.id);
  await house.preter(livre, 'Hugo');
  await house.ajouter({ titre: 'Regain' });
  const page = await (await device(house)).open();
  await livreRow(page, 'Les travailleurs de la mer').waitFor();
  await follow(page, '/livres/ajouter');
  await searchForBook(page, ONE_RECORD);
  const card = resultCard(page);
  for (const text of ['Salon', 'prêté à Hugo']) await card.getByText(text).waitFor();
  await card.getByText('Déjà chez nous').first().waitFor();
  expect(await page.getByText('Aucun catalogue').count()).toBe(0);
  expect(upstream.requests).toEqual([]);
  expect(await faultsInEveryLook(page, '/livres/ajouter: owned')).toEqual([]);
  // An emptied field has no answer.
  await addField(page).fill('');
  await card.waitFor({ state: 'detached' });
  await searchForBook(page, ONE_RECORD);
  await button(page, 'Autre exemplaire').click();
  await button(page, 'Ajouter').click();
  await expectFeedback(page, 'Livre ajouté : Les travailleurs de la mer');
  expect(await house.titres()).toHaveLength(3);
  await searchForBook(page, ONE_RECORD);
  await page.getByRole('link', { name: 'Voir le livre' }).click();
  await page.waitForURL(`**/livres/${livre.id}`);

  // Lending to a person who is known takes three presses.
  await follow(page, '/');
  const hand = new Hand(page);
  await hand.pressOn(livreRow(page, 'Regain').getByRole('link'));
  await hand.pressOn(page.getByRole('combobox', { name: 'Emprunteur' }));
  await hand.pressOn(page.getByRole('option', { name: 'Hugo' }));
  await expectFeedback(page, 'Prêté à Hugo : Regain');
  expect(hand.presses).toBe(3);
  await hand.press('Annuler');
  await expectFeedback(page, UNDONE);
  expect(hand.presses).toBe(4);
  await page.getByText('À la maison').waitFor();

  // One that nobody has recorded is added from a loan, and lent with that.
  await follow(page, '/prets?preter');
  await page.getByLabel('Emprunteur').fill('Zoé');
  await page.getByLabel('ISBN ou titre').fill(OTHER);
  await page.getByLabel('ISBN ou titre').press('Enter');
  await page.getByRole('link', { name: 'Ajouter ce livre' }).click();
  await page.getByText('Prêté à Zoé dès l’ajout').waitFor();
  await resultCard(page).getByRole('heading', { name: "Han d'Islande" }).waitFor();
  await button(page, 'Ajouter').click();
  await expectFeedback(page, "Livre ajouté : Han d'Islande");
  const lent = (await livresOf(house)).find(({ titre }) => titre === "Han d'Islande");
  expect(lent?.pret?.emprunteur).toBe('Zoé');
});

test('a code without a network is noted, and becomes a book later', async () => {
  const { house } = await householdWithCatalogues();
  await house.ajouter({ titre: 'Regain', isbn: ONE_RECORD });
  const phone = await device(house);
  const page = await phone.open('/livres/ajouter');
  await addField(page).waitFor();
  await expect.poll(() => button(page, "Rechercher l'ISBN").isEnabled()).toBe(true);
  await phone.cutNetwork();
  await page.getByRole('status').getByText('Hors ligne').first().waitFor();
  // The replica knows the household's books; the next code belongs to none of them.
  await searchForBook(page, ONE_RECORD);
  await resultCard(page).getByText('Déjà chez nous').first().waitFor();
  await searchForBook(page, OTHER);
  await button(page, 'Noter ce code').click();
  await page.getByRole('link', { name: '1 à finir' }).waitFor();
  await page.getByText('Code noté').waitFor();
  expect(await addField(page).inputValue()).toBe('');
  // What has no code is kept as it is written, and says so where it cannot be added yet.
  await searchForBook(page, 'Bonjour tristesse');
  await page.getByText('Votre saisie reste ici').waitFor();
  expect(await button(page, 'Ajouter').isEnabled()).toBe(false);
  await addField(page).fill('');
  await page.getByLabel('Titre', { exact: true }).fill('');
  await phone.restoreNetwork();
  await page.getByRole('link', { name: '1 livre cette fois' }).waitFor();
  expect((await house.titres()).toSorted()).toEqual(["Han d'Islande", 'Regain']);
});

test('a range of volumes, pasted titles and the missing volumes of a series are added at once', async () => {
  const house = await household();
  const page = await (await device(house)).open('/livres/ajouter');

  // A code of another day, with which nobody went on, does not come back.
  await addField(page).fill('978294801');
  // The draft is stored once the reader is known, which is after the field appears.
  await page.waitForFunction(() =>
    Object.keys(localStorage).some((key) => localStorage.getItem(key)?.includes('978294801')),
  );
  await page.reload();
  await expect.poll(() => addField(page).inputValue()).toBe('978294801');
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) {
      const text = localStorage.getItem(key) ?? '';
      if (!text.includes('978294801')) continue;
      const draft = JSON.parse(text) as { date: number };
      localStorage.setItem(key, JSON.stringify({ ...draft, date: draft.date - 86_400_000 }));
    }
  });
  await page.reload();
  await page.getByRole('button', { name: 'Sans ISBN, à la main' }).waitFor();
  await expect.poll(() => addField(page).inputValue()).toBe('');

  // A span of volumes is so many books, added and undone at once.
  await searchForBook(page, 'Astérix 1-4');
  await page.getByRole('heading', { name: '4 volumes' }).waitFor();
  await button(page, 'Ajouter les 4').click();
  await expectFeedback(page, '4 volumes ajoutés');
  const series = async () => (await (await fetch(`${house.url}/api/series`)).json()) as Serie[];
  expect(
    (await series()).map(({ titre, places }) => [
      titre,
      places.map(({ numero, livreId }) => [numero, livreId !== null]),
    ]),
  ).toEqual([['Astérix', ['1', '2', '3', '4'].map((numero) => [numero, true])]]);
  // Offer no button to add what the household owns.
  await searchForBook(page, 'Astérix 3-6');
  await button(page, 'Ajouter les 2').waitFor();
  await feedback(page).getByRole('button', { name: 'Annuler' }).click();
  await expect.poll(() => house.titres()).toEqual([]);

  // Titles that are pasted are a book each.
  const serie = await ajouterSerie(house, {
    titre: 'Blacksad',
    places: [{ titre: 'Quelque part entre les ombres', numero: '1' }],
  });
  await follow(page, `/livres/ajouter?dans=${serie.id}`);
  await page.getByText('Dans la série « Blacksad », tome 1').waitFor();
  await addField(page).evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'Quelque part entre les ombres\nArctic-Nation\n');
    field.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await button(page, 'Ajouter les 2').click();
  await expectFeedback(page, '2 volumes ajoutés');
  const found = (await series()).find(({ titre }) => titre === 'Blacksad');
  expect(found?.places.map(({ numero, livreId }) => [numero, livreId !== null])).toEqual([
    ['1', true],
    ['2', true],
  ]);

  // The missing volumes of a series are owned by one press.
  const before = await house.titres();
  const un = await house.ajouter({ titre: 'Astérix, tome 1' });
  const { id } = await ajouterSerie(house, {
    titre: 'Astérix',
    places: [
      { titre: 'Astérix, tome 1', numero: '1', livreId: un.id },
      { titre: 'Le combat des chefs', numero: '4' },
    ],
  });
  await follow(page, `/series/${id}`);
  await button(page, 'J’ai ceux-ci').click();
  await expectFeedback(page, '3 volumes ajoutés');
  expect((await house.titres()).filter((titre) => !before.includes(titre)).toSorted()).toEqual([
    'Astérix, tome 1',
    'Astérix, tome 2',
    'Astérix, tome 3',
    'Le combat des chefs',
  ]);
  await feedback(page).getByRole('button', { name: 'Annuler' }).click();
  await expect
    .poll(async () => (await house.titres()).toSorted())
    .toEqual(['Astérix, tome 1', ...before].toSorted());
});

test('on a desk the sheet is centred, for every kind of record', async () => {
  const page = await (await device(await household(), { size: 'desk' })).open('/livres/ajouter');
  for (const path of ['/livres/ajouter', '/souhaits/ajouter', '/lectures/ajouter']) {
    await follow(page, path);
    await addField(page).waitFor();
    const aside = await page.evaluate(() => {
      const box = document.querySelector('.add-sheet')?.getBoundingClientRect();
      return box && [box.left, document.documentElement.clientWidth - box.right].map(Math.round);
    });
    expect(aside?.[0], path).toBeGreaterThan(300);
    expect(aside?.[0], path).toBe(aside?.[1]);
  }
});

test('the card shrinks into its spine, and stands still for who wants no motion', async () => {
  const { house } = await householdWithCatalogues();
  const page = await (await device(house)).open('/livres/ajouter');
  await addField(page).waitFor();
  await page.evaluate(() => {
    const seen: string[] = [];
    Reflect.set(globalThis, 'seen', seen);
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof HTMLElement && node.className === 'shrinking')
            seen.push(`${Math.round(node.getBoundingClientRect().width)} px`);
    }).observe(document.body, { childList: true });
  });
  const seen = () => page.evaluate(() => Reflect.get(globalThis, 'seen') as string[]);
  const add = async (code: string) => {
    await searchForBook(page, code);
    await resultCard(page).getByRole('heading').first().waitFor();
    await button(page, 'Ajouter').click();
    await resultCard(page).waitFor({ state: 'detached' });
    await page.locator('.spine.raised').waitFor();
  };
  await add(ONE_RECORD);
  expect(await seen()).toEqual([]);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await add(OTHER);
  await expect.poll(seen).toEqual(['328 px']);
  await page.locator('.shrinking').waitFor({ state: 'detached' });
});
