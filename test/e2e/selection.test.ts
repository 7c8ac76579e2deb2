import { expect, test } from 'vitest';
import { resize } from './support/accessibility.ts';
import { filterBy, livreRow, searchFor, sortBy } from './support/catalogue.ts';
import { ajouterSerie, listerSeries } from './support/collections.ts';
import { device, SIZES } from './support/device.ts';
import { expectFeedback, undo } from './support/feedback.ts';
import { household, type Household } from './support/household.ts';
import { bar, box, chosen, houseOf, select, startSelection } from './support/selection.ts';

/** The books by title, as the server returns them to alice. */
async function livresOf(house: Household): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${house.url}/api/livres`, { headers: { SSO_USER: 'alice' } });
  return (await response.json()) as Record<string, unknown>[];
}

test('several books are lent, given back or deleted at once', async () => {
  const house = await houseOf('Alcools', 'Bel-Ami', 'Candide');
  const earlier = await house.ajouter({ titre: 'Désert' });
  await house.rendre(await house.preter(earlier, 'Luc Besson'));
  const before = await livresOf(house);
  const page = await (await device(house)).open();
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(new URL(request.url()).pathname);
  });
  await select(page, 'Alcools', 'Candide');
  await bar(page).getByRole('button', { name: 'Prêter' }).click();
  await page.getByLabel('Emprunteur').fill('lu');
  await page.getByRole('option', { name: 'Luc Besson' }).click();
  await bar(page).getByRole('button', { name: 'Prêter' }).click();
  await expectFeedback(page, '2 livres prêtés à Luc Besson');
  await livreRow(page, 'Candide').getByText('prêté à Luc Besson').waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(writes).toEqual(['/api/livres/lot']);
  await undo(page);
  expect(await livresOf(house)).toEqual(before);

  await house.preter(earlier, 'Luc');
  await livreRow(page, 'Désert').getByText('prêté à Luc').waitFor();
  const lent = await livresOf(house);
  await select(page, 'Alcools', 'Désert');
  await bar(page).getByRole('button', { name: 'Rendre' }).click();
  await expectFeedback(page, '1 livre rendu');
  await undo(page);
  await select(page, 'Alcools', 'Bel-Ami');
  expect(await bar(page).getByRole('button', { name: 'Rendre' }).count()).toBe(0);
  await bar(page).getByRole('button', { name: 'Supprimer' }).click();
  await expectFeedback(page, '2 livres supprimés');
  await expect.poll(() => house.titres()).toEqual(['Candide', 'Désert']);
  await undo(page);
  expect(await livresOf(house)).toEqual(lent);
});

test('offline the line of state is above the selection’s bar', async () => {
  const house = await houseOf('Alcools', 'Bel-Ami');
  const reader = await device(house);
  const page = await reader.open();
  await livreRow(page, 'Bel-Ami').waitFor();
  await startSelection(page);
  await bar(page).waitFor();
  await reader.cutNetwork();
  const line = page.getByRole('status').filter({ hasText: 'Hors ligne' });
  for (const [name, size] of Object.entries(SIZES)) {
    await resize(page, size);
    await line.waitFor();
    const isSeen = () =>
      line.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
    await expect.poll(isSeen, { message: name }).toBe(true);
  }
});

test('Escape closes the innermost open element around the focus', async () => {
  const house = await houseOf('Alcools', 'Bel-Ami');
  const page = await (await device(house, { size: 'desk' })).open('/livres/1');
  const modifier = page.getByRole('button', { name: 'Modifier' });
  await modifier.waitFor();
  await startSelection(page);
  await box(page, 'Bel-Ami').press('Escape');
  await bar(page).waitFor({ state: 'detached' });
  await modifier.waitFor();
  await startSelection(page);
  await bar(page).waitFor();
  await modifier.press('Escape');
  await modifier.waitFor({ state: 'detached' });
});

test('the bar names the author taken off one book or many', async () => {
  const house = await houseOf('Alcools', 'Bel-Ami', 'Candide', 'Désert');
  const desert = await house.ajouter({ titre: 'Émaux' });
  await house.rendre(await house.preter(desert, 'Lise Marchand'));
  const page = await (await device(house)).open();
  const sentence =
    'Prêté à Lise Marchand, comme lors d’un prêt précédent, et non à « lise marchand ».';
  await select(page, 'Alcools', 'Bel-Ami');
  await bar(page).getByRole('button', { name: 'Prêter' }).click();
  await page.getByLabel('Emprunteur').fill('lise marchand');
  await bar(page).getByRole('button', { name: 'Prêter', exact: true }).click();
  await expectFeedback(page, sentence);
  await livreRow(page, 'Bel-Ami').getByText('prêté à Lise Marchand').waitFor();
  await undo(page);
  await livreRow(page, 'Bel-Ami').getByText('prêté à Lise Marchand').waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Candide' }).first().click();
  const main = page.getByRole('main');
  await main.getByRole('heading', { level: 1, name: 'Candide' }).waitFor();
  await main.getByRole('button', { name: 'Prêter' }).click();
  await page.getByLabel('Emprunteur').fill('lise marchand');
  await main.getByRole('button', { name: 'Prêter', exact: true }).last().click();
  await expectFeedback(page, sentence);
});

test('an action on a selection applies to all books or to none', async () => {
  const house = await houseOf('Alcools', 'Bel-Ami');
  const phone = await device(house);
  const page = await phone.open();
  await select(page, 'Alcools', 'Bel-Ami');
  // A lent book does not prevent the others' loan.
  const candide = await house.ajouter({ titre: 'Candide' });
  await box(page, 'Candide').click();
  await house.preter(candide, 'Léa');
  await livreRow(page, 'Candide').getByText('prêté à Léa').waitFor();
  await bar(page).getByRole('button', { name: 'Prêter' }).click();
  await page.getByLabel('Emprunteur').fill('Luc');
  await bar(page).getByRole('button', { name: 'Prêter', exact: true }).click();
  await bar(page)
    .getByText(/Candide.*Ce livre est déjà prêté à Léa/)
    .waitFor();
  await bar(page).getByRole('button', { name: 'Prêter les 2 autres' }).click();
  await expectFeedback(page, '2 livres prêtés à Luc');
  expect(await house.lentTitres()).toEqual(['Candide', 'Alcools', 'Bel-Ami']);

  // A refusal names the book that caused it.
  await house.ajouter({ titre: 'Désert' });
  await livreRow(page, 'Désert').waitFor();
  await select(page, 'Désert', 'Candide');
  await bar(page).getByRole('button', { name: 'Supprimer' }).click();
  await bar(page).getByRole('alert').getByText('« Candide » : ').waitFor();
  await bar(page).getByText('2 livres sélectionnés').waitFor();
  expect(await house.titres()).toEqual(['Alcools', 'Bel-Ami', 'Candide', 'Désert']);

  // A search keeps the selection.
  await page.keyboard.press('Escape');
  await bar(page).waitFor({ state: 'hidden' });
  await select(page, 'Alcools');
  await searchFor(page, 'candide');
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(1);
  await bar(page).getByRole('button', { name: 'Tout sélectionner' }).click();
  await bar(page).getByText('2 livres sélectionnés').waitFor();
  await searchFor(page, '');
  await expect.poll(() => chosen(page)).toEqual(['Alcools', 'Candide']);

  // Offline, books can be selected, but the actions are disabled.
  await phone.cutNetwork();
  const deletion = bar(page).getByRole('button', { name: 'Supprimer' });
  await expect.poll(() => deletion.isDisabled()).toBe(true);
  await box(page, 'Bel-Ami').click();
  await bar(page).getByText('3 livres sélectionnés').waitFor();
  expect(await deletion.isDisabled()).toBe(true);
  const described = await deletion.getAttribute('aria-describedby');
  expect(await page.locator(`#${String(described)}`).innerText()).toMatch(/hors ligne/i);
});

test('offline each tile of a selection can be focused, does nothing and gives the reason', async () => {
  const house = await houseOf('Alcools', 'Bel-Ami');
  await house.preter(await house.ajouter({ titre: 'Candide' }), 'Luc');
  const desk = await device(house, { size: 'desk' });
  const page = await desk.open();
  await select(page, 'Alcools', 'Candide');
  await desk.cutNetwork();
  const held = bar(page).locator('button[aria-disabled=true]');
  await expect.poll(() => held.count()).toBe(11);
  await bar(page).getByRole('button', { name: 'Tout sélectionner' }).focus();
  const reached: string[] = [];
  for (let i = 0; i < 11; i++) {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const { name, reason } = await page.evaluate(() => {
      const focused = document.activeElement;
      const id = focused?.getAttribute('aria-describedby') ?? '';
      return { name: focused?.textContent.trim(), reason: document.getElementById(id)?.innerText };
    });
    expect(reason, name).toMatch(/hors ligne/i);
    reached.push(name ?? '');
  }
  expect(reached).toEqual(await held.allInnerTexts());
  expect(await bar(page).getByRole('group').count()).toBe(0);
  await desk.restoreNetwork();
  await expect.poll(() => held.count()).toBe(0);
  await bar(page).getByRole('button', { name: 'Rendre' }).press('Enter');
  await expectFeedback(page, '1 livre rendu');
});

test('several books get one reading status, type or series', async () => {
  const house = await houseOf('Dune, tome 10', 'Dune, tome 2', 'Sido');
  const before = await livresOf(house);
  const page = await (await device(house)).open();
  const set = async (tile: string, choice: string, says: string, change: object) => {
    await select(page, 'Dune, tome 2', 'Dune, tome 10');
    await bar(page).getByRole('button', { name: tile }).click();
    await bar(page).getByRole('button', { name: choice, exact: true }).click();
    await expectFeedback(page, says);
    expect(await livresOf(house), tile).toMatchObject([change, change, before[2]]);
    await undo(page);
    expect(await livresOf(house), tile).toEqual(before);
  };
  await set('Type', 'Roman', '2 livres modifiés', { typeDocument: 'Roman' });
  await set('Format', 'Numérique', '2 livres modifiés', { format: 'Numerique' });

  // In the order of the volumes, whatever the order of the presses.
  await select(page, 'Dune, tome 10', 'Sido', 'Dune, tome 2');
  await bar(page).getByRole('button', { name: 'Série' }).click();
  await bar(page).getByRole('button', { name: 'Enregistrer' }).click();
  const field = page.getByLabel('Série', { exact: true });
  await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true);
  await field.fill('Le cycle de Dune');
  await bar(page).getByRole('button', { name: 'Enregistrer' }).click();
  await expectFeedback(page, '3 livres placés dans la série Le cycle de Dune');
  const [serie] = await listerSeries(house);
  expect(serie?.places.map(({ titre }) => titre)).toEqual([
    'Dune, tome 2',
    'Dune, tome 10',
    'Sido',
  ]);
  await undo(page);
  expect(await listerSeries(house)).toEqual([]);

  await ajouterSerie(house, { titre: 'Dune', places: [{ titre: 'Dune, tome 1' }] });
  await select(page, 'Dune, tome 2');
  await bar(page).getByRole('button', { name: 'Série' }).click();
  await page.getByLabel('Série', { exact: true }).fill('du');
  await page.getByRole('option', { name: 'Dune' }).click();
  await bar(page).getByRole('button', { name: 'Enregistrer' }).click();
  await expectFeedback(page, '1 livre placé dans la série Dune');
  expect((await listerSeries(house)).map(({ places }) => places.length)).toEqual([2]);
});

test('a selection outlasts a search, a filter and another order', async () => {
  const house = await houseOf('Alcools', 'Bel-Ami', 'Candide');
  await house.preter(await house.ajouter({ titre: 'Désert' }), 'Luc');
  const page = await (await device(house)).open();
  await select(page, 'Alcools', 'Candide');
  await searchFor(page, 'bel');
  await livreRow(page, 'Alcools').waitFor({ state: 'detached' });
  await bar(page).getByText('2 livres sélectionnés').waitFor();
  await searchFor(page, '');
  await filterBy(page, 'Disponibilité', 'Prêtés');
  await livreRow(page, 'Alcools').waitFor({ state: 'detached' });
  await bar(page).getByText('2 livres sélectionnés').waitFor();
  await filterBy(page, 'Disponibilité', 'Tous');
  await sortBy(page, 'Derniers ajouts');
  await box(page, 'Alcools').waitFor();
  expect((await chosen(page)).toSorted()).toEqual(['Alcools', 'Candide']);
});

test('a long list is selected as a whole', async () => {
  const house = await household();
  const lines = Array.from(
    { length: 1_005 },
    (_, i) => `Livre ${String(i).padStart(4, '0')};Auteur`,
  );
  const table = ['titre;auteurs', ...lines].join('\n');
  const answer = await fetch(`${house.url}/api/importations?essai=false&nom=livres.csv`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: table,
  });
  expect(answer.status).toBe(201);
  const page = await (await device(house)).open();
  await page.getByText('1 005 livres', { exact: false }).first().waitFor();
  await startSelection(page);
  await bar(page).getByRole('button', { name: 'Tout sélectionner' }).click();
  await bar(page)
    .getByText(/au plus à la fois.* 5 de trop/)
    .waitFor();
  expect(await bar(page).getByRole('button', { name: 'Supprimer' }).isDisabled()).toBe(true);
  for (let i = 0; i < 5; i++) await box(page, `Livre 000${String(i)}`).click();
  await bar(page).getByText('1 000 livres sélectionnés').waitFor();
  await bar(page).getByRole('button', { name: 'Type' }).click();
  await bar(page).getByRole('button', { name: 'Roman' }).click();
  await expectFeedback(page, /livres modifiés/);
  await undo(page);
});

test('many books are marked as read without a date, today or on a date', async () => {
  const house = await houseOf('Alcools', 'Bel-Ami');
  const page = await (await device(house)).open();
  const readings = async () => {
    const headers = { SSO_USER: 'alice' };
    const response = await fetch(`${house.url}/api/lectures`, { headers });
    return ((await response.json()) as { fin: string | null; statut: string }[]).map(
      ({ fin, statut }) => [fin, statut],
    );
  };
  const ask = async () => {
    await select(page, 'Alcools', 'Bel-Ami');
    await bar(page).getByRole('button', { name: 'Lecture' }).click();
    await bar(page).getByRole('button', { name: 'Lu', exact: true }).click();
  };
  const when = page.getByLabel('Lus quand ?');
  const read = async (name: string, days: readonly unknown[]) => {
    await bar(page).getByRole('button', { name, exact: true }).click();
    await expectFeedback(page, 'Marqué comme lu : 2 livres');
    expect(await readings()).toEqual(days.map((day) => [day, 'Lue']));
    await undo(page);
    expect(await readings()).toEqual([]);
  };
  await ask();
  await expect.poll(() => when.evaluate((each) => each === document.activeElement)).toBe(true);
  await read('Lus, sans date', [null, null]);
  await ask();
  await read('Lus aujourd’hui', Array(2).fill(expect.stringMatching(/^\d{4}-\d\d-\d\d$/)));
  await ask();
  await when.fill('bientôt');
  await bar(page).getByRole('button', { name: 'Lus à cette date' }).click();
  await page.getByText(/Indiquez une date/).waitFor();
  await when.fill('mars 2019');
  await read('Lus à cette date', ['2019-03', '2019-03']);
});
