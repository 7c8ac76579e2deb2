import { expect, test } from 'vitest';
import type { Page } from 'playwright';
import type { Livre } from '#shared/livres';
import { readLivres } from '../../demo/livres.ts';
import { accessibilityFaults, faultsInEveryLook } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { household, type Household } from './support/household.ts';
import { deskScanner } from './support/recherche.ts';

const COUNT = 40;
const WAIT = { timeout: 60_000 };

async function ask<T>(house: Household, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(house.url + path, {
    method,
    headers: { 'Content-Type': 'application/json', SSO_USER: 'alice' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

/** Two locations in a room, and books of the demonstration, those with a code first. */
async function furnished(count: number) {
  const house = await household();
  for (const [nom, parentId] of [
    ['Salon', null],
    ['Étagère 3', 1],
    ['Cave', null],
  ] as const)
    await ask(house, 'POST', '/api/emplacements', { nom, parentId });
  const livres: Livre[] = [];
  const saisies = readLivres().sort((a, b) => Number(!a.isbn) - Number(!b.isbn));
  for (const saisie of saisies.slice(0, count)) livres.push(await house.ajouter(saisie));
  return { house, livres };
}

const standingIn = async (house: Household, id: number | 'aucun') =>
  (await ask<Livre[]>(house, 'GET', `/api/livres?emplacement=${id}`)).length;

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click();

test('forty books put away are undone as one', async () => {
  const { house, livres } = await furnished(COUNT);
  const page = await (await device(house, { size: 'desk' })).open('/rangement/ranger');
  await page.getByLabel('Emplacement', { exact: true }).fill('Salon › Étagère 3');
  await expect
    .poll(() => page.getByRole('button', { name: 'Scanner', exact: true }).isEnabled())
    .toBe(true);
  const scan = await deskScanner(page);
  const lines = page.getByRole('list', { name: 'Livres scannés' }).getByRole('listitem');
  let count = 0;
  for (const { isbn, titre } of livres) {
    if (isbn !== null) await scan(isbn);
    else {
      await page.getByLabel('ISBN ou titre').fill(titre);
      const proposed = page.getByRole('listbox', { name: 'Livres de la bibliothèque' });
      await proposed.getByRole('option').first().click();
    }
    await expect.poll(() => lines.count()).toBe(++count);
  }
  await page.getByText('40 livres rangés ici', { exact: true }).waitFor(WAIT);
  expect(await accessibilityFaults(page, '/rangement/ranger: books put away')).toEqual([]);
  expect(await standingIn(house, 2)).toBe(COUNT);
  await press(page, 'Terminer');
  await page.getByText('40 livres rangés dans Étagère 3', { exact: true }).waitFor();
  await press(page, 'Annuler');
  await expect.poll(() => standingIn(house, 2), WAIT).toBe(0);
});

test('a shelf checked without a network survives a reload', async () => {
  const { house, livres } = await furnished(12);
  const [lent, away, stranger, ...here] = livres;
  if (lent === undefined || away === undefined || stranger === undefined) throw new Error('few');
  const ids = [lent, away, ...here].map(({ id }) => id);
  await ask(house, 'POST', '/api/livres/lot', { ids, action: 'emplacement', emplacementId: 2 });
  await ask(house, 'PUT', `/api/livres/${stranger.id}/emplacement`, { emplacementId: 3 });
  await ask(house, 'POST', `/api/livres/${lent.id}/prets`, { emprunteur: 'Zoé' });
  const phone = await device(house);
  const page = await phone.open('/rangement/recolement?emplacement=1');
  await page.getByRole('button', { name: 'Commencer' }).waitFor();
  // Codes scanned before the beginning count.
  await (
    await deskScanner(page)
  )(here[0]?.isbn ?? '');
  await page.getByText(/^1 code retenu/).waitFor();
  await press(page, 'Commencer');
  await page.getByText('1 vu sur 10', { exact: true }).waitFor();
  await press(page, 'Abandonner');
  await press(page, 'Commencer');
  await page.getByText('0 vu sur 10', { exact: true }).waitFor();
  // Without a scan, the screen proposes nothing.
  expect(await page.getByRole('button', { name: 'Terminer' }).isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: /^Retirer/ }).count()).toBe(0);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  const scanLabel = async (id: number) => {
    await page.getByLabel('ISBN ou titre').fill(`https://livres.maison/rangement/${id}`);
    await page.getByLabel('ISBN ou titre').press('Enter');
  };
  await scanLabel(3);
  await page.getByText('0 vu sur 1', { exact: true }).waitFor();
  await scanLabel(1);
  await page.getByText('0 vu sur 10', { exact: true }).waitFor();
  await phone.cutNetwork();
  const scan = await deskScanner(page);
  for (const { isbn } of here) await scan(isbn ?? '');
  await page.getByText('9 vus sur 10', { exact: true }).waitFor();
  for (const code of [stranger.isbn ?? '', '9782948012253', here[0]?.isbn ?? '']) await scan(code);
  await page.getByText('Ce code est déjà scanné.', { exact: true }).waitFor();
  // A repeated message is announced again, so its text node is replaced.
  const status = page.getByRole('status').filter({ hasText: 'Ce code est déjà scanné.' });
  const words = await status.evaluateHandle((status) =>
    [...status.childNodes].filter(({ textContent }) => textContent?.trim()),
  );
  await scan(here[0]?.isbn ?? '');
  await expect
    .poll(() => words.evaluate((nodes) => nodes.some((one) => one.isConnected)))
    .toBe(false);
  await scanLabel(3);
  await page.getByText(/^Finissez d’abord de vérifier «.Salon.»\.$/).waitFor();
  await page.getByText('9 vus sur 10', { exact: true }).waitFor();

  await phone.restoreNetwork();
  await page.reload();
  await page.getByText('9 vus sur 10', { exact: true }).waitFor();
  await section(page, 'Pas attendus ici').getByText(stranger.titre, { exact: true }).waitFor();
  await section(page, 'Pas encore vus').getByText(away.titre).waitFor();
  await section(page, 'Prêtés, donc absents').getByText('prêté à Zoé').waitFor();
  await section(page, 'Pas dans la bibliothèque')
    .getByText('9782948012253', { exact: true })
    .waitFor();
  expect(await section(page, 'Pas dans la bibliothèque').getByRole('listitem').count()).toBe(1);
  expect(await accessibilityFaults(page, '/rangement/recolement: under way')).toEqual([]);
  await press(page, 'Terminer');
  const count = page.getByRole('button', { name: /^9 livres à leur place sur 10 attendus$/ });
  await count.waitFor();
  expect(await page.getByRole('list', { name: 'À leur place' }).count()).toBe(0);
  await count.click();
  const present = page.getByRole('list', { name: 'À leur place' }).getByRole('listitem');
  await expect.poll(() => present.count()).toBe(9);
  expect(await faultsInEveryLook(page, '/rangement/recolement: the end')).toEqual([]);
  const missing = section(page, 'Manquent ici');
  const remove = missing.getByRole('button', { name: 'Le retirer d’ici', exact: true });
  await expect.poll(() => remove.isEnabled()).toBe(true);
  await remove.click();
  await missing.getByText('retiré', { exact: true }).waitFor();
  await expect.poll(() => standingIn(house, 'aucun'), WAIT).toBe(1);
  // An action is undone at its own row, by the keyboard too.
  await missing.getByRole('button', { name: 'Annuler' }).press('Enter');
  await remove.waitFor();
  await expect.poll(() => standingIn(house, 'aucun'), WAIT).toBe(0);
  await remove.click();
  const strangers = section(page, 'Pas attendus ici');
  await strangers.getByText('978-2-948012-25-3').first().waitFor();
  await press(page, 'Le ranger ici');
  await strangers.getByText('rangé ici', { exact: true }).waitFor();
  await expect.poll(() => standingIn(house, 1), WAIT).toBe(11);
  expect(await standingIn(house, 'aucun')).toBe(1);
  await press(page, 'Le rappeler');
  await page.getByRole('dialog', { name: 'Rappeler à Zoé' }).waitFor();
  await page.keyboard.press('Escape');
  // The result stays, for printing.
  await page.reload();
  await count.waitFor();
  await section(page, 'Manquent ici').getByText(away.titre).waitFor();
  await page.getByRole('button', { name: 'Imprimer' }).waitFor();
  await press(page, 'Étagère suivante');
  await page.getByText('0 vu sur 0', { exact: true }).waitFor();
});

test('a stocktaking begun in version 1.0 is continued', async () => {
  const { house, livres } = await furnished(2);
  const [seen, unseen] = livres;
  if (seen === undefined || unseen === undefined) throw new Error('few');
  const ids = [seen.id, unseen.id];
  await ask(house, 'POST', '/api/livres/lot', { ids, action: 'emplacement', emplacementId: 2 });
  const phone = await device(house);
  const stored = { emplacementId: 2, livreIds: [seen.id], codes: ['9782948012253'] };
  await phone.context.addInitScript((note) => {
    // Firefox opens a tab with a blank page, whose storage is not accessible.
    if (document.URL !== 'about:blank') localStorage.setItem('rayonnage.recolement', note);
  }, JSON.stringify(stored));
  const page = await phone.open('/rangement/recolement');
  await page.getByText('1 vu sur 2', { exact: true }).waitFor();
  await page.getByText('9782948012253', { exact: true }).waitFor();
});

test('a finished check shows whole titles from its top', async () => {
  const { house, livres } = await furnished(12);
  await ask(house, 'POST', '/api/emplacements', { nom: 'Deuxième rayonnage', parentId: 2 });
  const ids = livres.map(({ id }) => id);
  await ask(house, 'POST', '/api/livres/lot', { ids, action: 'emplacement', emplacementId: 4 });
  const page = await (await device(house)).open('/rangement/recolement?emplacement=3');
  await page.setViewportSize({ width: 360, height: 740 });
  await press(page, 'Commencer');
  const scan = await deskScanner(page);
  for (const { isbn } of livres) if (isbn !== null) await scan(isbn);
  const strangers = section(page, 'Pas attendus ici');
  await strangers.getByRole('listitem').nth(9).waitFor();
  await press(page, 'Terminer');
  await page.getByRole('button', { name: /^0 livre à sa place sur 0 attendu$/ }).waitFor();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  const titre = strangers.getByRole('listitem').first().locator('.row-title');
  expect((await titre.boundingBox())?.width).toBeGreaterThan(170);
  const isWhole = (each: Element) => each.scrollHeight <= each.clientHeight + 1;
  expect(await titre.evaluate(isWhole)).toBe(true);
});

test('a book with an unreadable code is ticked by hand', async () => {
  const { house, livres } = await furnished(3);
  const ids = livres.map(({ id }) => id);
  await ask(house, 'POST', '/api/livres/lot', { ids, action: 'emplacement', emplacementId: 2 });
  const phone = await device(house);
  const page = await phone.open('/rangement/recolement?emplacement=2');
  await press(page, 'Commencer');
  await page.getByText('0 vu sur 3', { exact: true }).waitFor();
  await phone.cutNetwork();
  const missing = section(page, 'Pas encore vus');
  const here = missing.getByRole('button', { name: /^Il est là/ });
  const titre = await missing
    .getByRole('listitem')
    .first()
    .locator('[dir=auto]')
    .first()
    .innerText();
  await here.first().press('Enter');
  await page.getByText('1 vu sur 3', { exact: true }).waitFor();
  await section(page, 'À leur place').getByText(titre, { exact: true }).waitFor();
  const isNext = () => here.first().evaluate((each) => each === document.activeElement);
  await expect.poll(isNext).toBe(true);
  await here.first().press('Enter');
  await here.first().press('Enter');
  await page.getByText('3 vus sur 3', { exact: true }).waitFor();
  await missing.waitFor({ state: 'detached' });

  // A book can be unticked; the focus then moves to its neighbour.
  const present = section(page, 'À leur place').getByRole('button', { name: /^Ne plus compter/ });
  await present.first().press('Enter');
  await page.getByText('2 vus sur 3', { exact: true }).waitFor();
  await missing.getByRole('listitem').waitFor();
  const isKept = () => present.first().evaluate((each) => each === document.activeElement);
  await expect.poll(isKept).toBe(true);
  await page
    .getByRole('status')
    .getByText(/^Plus compté\s:/)
    .waitFor();
});

test('a book is put away once the service says so', async () => {
  const { house, livres } = await furnished(5);
  const phone = await device(house, { size: 'desk' });
  const page = await phone.open('/rangement/ranger');
  const lines = page.getByRole('list', { name: 'Livres scannés' }).getByRole('listitem');
  await page.getByText('Choisissez un emplacement, puis', { exact: false }).waitFor();
  const scan = await deskScanner(page);
  const [first, second, ...others] = livres;
  if (!first?.isbn || !second?.isbn) throw new Error('no code');
  await scan(first.isbn);
  await lines.getByText(`En attente d’un emplacement : ${first.titre}`).waitFor();
  let isHeld = true;
  const barrier = Promise.withResolvers<undefined>();
  phone.portal.delay = (path) =>
    isHeld && path.endsWith('/emplacement') ? barrier.promise : Promise.resolve();
  await page.getByLabel('Emplacement', { exact: true }).fill('Salon › Étagère 3');
  await scan(second.isbn);
  await lines.getByText(`Enregistrement… ${second.titre}`).waitFor();
  await scan(second.isbn);
  await lines.getByText(`Déjà à cet endroit : ${second.titre}`).waitFor();
  for (const { isbn } of others) await scan(isbn ?? '');
  await expect.poll(() => lines.count()).toBe(6);
  expect(await page.getByText(/^Rangé\s:/).count()).toBe(0);

  await page.reload();
  await lines.getByText(`Enregistrement… ${second.titre}`).waitFor();
  expect(await lines.count()).toBe(5);
  expect(await accessibilityFaults(page, '/rangement/ranger: a book being written')).toEqual([]);
  isHeld = false;
  barrier.resolve(undefined);
  await expect.poll(() => lines.getByText(/^(Rangé|Déjà à cet endroit)\s:/).count(), WAIT).toBe(5);
  expect(await standingIn(house, 2)).toBe(5);

  await phone.cutNetwork();
  await page
    .getByText(/^Hors ligne/)
    .first()
    .waitFor();
  await page.getByLabel('Emplacement', { exact: true }).fill('Cave');
  await expect.poll(() => lines.count()).toBe(0);
  await (
    await deskScanner(page)
  )(first.isbn);
  await lines.getByText(`Pas encore rangé dans Cave : ${first.titre}`).waitFor();
  await phone.restoreNetwork();
  await press(page, 'Ranger le livre qui attend');
  await lines.getByText(`Rangé : ${first.titre}`).waitFor(WAIT);
});

test('a book that waits to be put away is kept for a week', async () => {
  const { house, livres } = await furnished(2);
  const phone = await device(house, { size: 'desk' });
  const page = await phone.open('/rangement/ranger');
  const lines = page.getByRole('list', { name: 'Livres scannés' }).getByRole('listitem');
  await page.getByText('Choisissez un emplacement, puis', { exact: false }).waitFor();
  const scan = await deskScanner(page);
  for (const { isbn } of livres) await scan(isbn ?? '');
  await expect.poll(() => lines.count()).toBe(2);
  const grow = (titre: string, days: number) =>
    page.evaluate(
      ([id, age]) => {
        const keys = Object.keys(localStorage).filter((key) =>
          localStorage.getItem(key)?.includes(`"livreId":${id}`),
        );
        for (const key of keys) {
          const stored = JSON.parse(localStorage.getItem(key) ?? '') as { date: number };
          localStorage.setItem(key, JSON.stringify({ ...stored, date: stored.date - age }));
        }
        return keys.length;
      },
      [livres.find((livre) => livre.titre === titre)?.id ?? 0, days * 86_400_000] as const,
    );
  const [older, younger] = livres.map(({ titre }) => titre);
  expect(await grow(older ?? '', 7.1)).toBe(1);
  expect(await grow(younger ?? '', 6.9)).toBe(1);
  await page.reload();
  await lines.getByText(`En attente d’un emplacement : ${younger ?? ''}`).waitFor();
  expect(await lines.count()).toBe(1);
});

test('a stocktaking in two tabs, or of two readers, loses nothing', async () => {
  const { house, livres } = await furnished(8);
  const ids = livres.map(({ id }) => id);
  const put = (some: readonly number[], emplacementId: number) =>
    ask(house, 'POST', '/api/livres/lot', { ids: some, action: 'emplacement', emplacementId });
  await put(ids.slice(0, 4), 2);
  await put(ids.slice(4), 3);
  const isbn = (index: number) => livres[index]?.isbn ?? '';
  const phone = await device(house);
  const begin = async (page: Page, place: string) => {
    await page.getByLabel('Emplacement', { exact: true }).fill(place);
    await press(page, 'Commencer');
  };
  const one = await phone.open('/rangement/recolement');
  const two = await phone.open('/rangement/recolement');
  await two.getByRole('button', { name: 'Commencer' }).waitFor();
  await begin(one, 'Salon › Étagère 3');
  await (
    await deskScanner(one)
  )(isbn(0));
  await one.getByText('1 vu sur 4', { exact: true }).waitFor();
  // Tabs with different locations are independent, after a reload too.
  await begin(two, 'Cave');
  await (
    await deskScanner(two)
  )(isbn(4));
  await two.getByText('1 vu sur 4', { exact: true }).waitFor();
  await one.reload();
  await one.getByText('1 vu sur 4', { exact: true }).waitFor();
  await one
    .getByText(livres[0]?.titre ?? '')
    .first()
    .waitFor();
  await one.getByRole('region', { name: 'Pas attendus ici' }).waitFor({ state: 'detached' });

  // A new tab takes over the location of a closed one; tabs with the same location share their scans.
  await two.close();
  const three = await phone.open('/rangement/recolement');
  await three.getByText('1 vu sur 4', { exact: true }).waitFor();
  await press(three, 'Mettre de côté');
  const cave = three.getByRole('button', { name: 'Reprendre Cave' });
  await cave.waitFor();
  await expect.poll(() => cave.evaluate((one) => one === document.activeElement)).toBe(true);
  await three.getByRole('button', { name: 'Reprendre Salon › Étagère 3' }).click();
  await three.getByText('1 vu sur 4', { exact: true }).waitFor();
  await (
    await deskScanner(one)
  )(isbn(1));
  await three.getByText('2 vus sur 4', { exact: true }).waitFor();
  await (
    await deskScanner(three)
  )(isbn(2));
  await one.getByText('3 vus sur 4', { exact: true }).waitFor();
  await press(three, 'Terminer');
  await one.getByRole('button', { name: /^3 livres à leur place sur 4 attendus$/ }).waitFor();

  // Another reader of the device sees none of the scans, and deletes none.
  phone.portal.user = 'bruno';
  const other = await phone.open('/rangement/recolement');
  await other.getByRole('button', { name: 'Commencer' }).waitFor();
  expect(await other.getByRole('button', { name: /^Reprendre/ }).count()).toBe(0);
  await begin(other, 'Cave');
  await (
    await deskScanner(other)
  )(isbn(5));
  await other.getByText('1 vu sur 4', { exact: true }).waitFor();
  await press(other, 'Abandonner');
  await other.close();
  phone.portal.user = 'alice';
  const again = await phone.open('/rangement/recolement?emplacement=3');
  await again.getByText('1 vu sur 4', { exact: true }).waitFor();
});

test('a stocktaking begins once it is known who reads, with the label and the codes read before', async () => {
  const { house, livres } = await furnished(2);
  const ids = livres.map(({ id }) => id);
  await ask(house, 'POST', '/api/livres/lot', { ids, action: 'emplacement', emplacementId: 2 });
  const page = await (await device(house, { size: 'desk' })).open('/rangement/recolement');
  const start = page.getByRole('button', { name: 'Commencer' });
  await start.waitFor();
  // The button gives its reason.
  expect(await start.isDisabled()).toBe(true);
  const reason = (await start.getAttribute('aria-describedby')) ?? '';
  expect(await page.locator(`[id="${reason}"]`).innerText()).toBe(
    'Choisissez d’abord un emplacement.',
  );
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route(/immutable.*\.js$/, async (route) => {
    const response = await route.fetch();
    // Delay RxDB: the replica is read before the code that writes to it is loaded, and before the reader is known.
    if ((await response.text()).includes('RxDB Error-Code')) await released;
    await route.fulfill({ response });
  });
  await page.reload();
  await page.getByLabel('Emplacement', { exact: true }).fill('Cave');
  expect(await start.isDisabled()).toBe(true);
  const scan = await deskScanner(page);
  await scan('https://livres.maison/rangement/2');
  await expect
    .poll(() => page.getByLabel('Emplacement', { exact: true }).inputValue())
    .toBe('Salon › Étagère 3');
  await scan(livres[0]?.isbn ?? '');
  await page.getByText(/code retenu/).waitFor();
  release(undefined);
  await page.getByText('1 vu sur 2', { exact: true }).waitFor();
});

test('more than a thousand books are sent away from a shelf at once', async () => {
  const house = await household();
  await ask(house, 'POST', '/api/emplacements', { nom: 'Cave', parentId: null });
  const count = 1_002;
  const ids: number[] = [];
  for (let start = 0; start < count; start += 50) {
    const added = Array.from({ length: Math.min(50, count - start) }, (_, i) =>
      house.ajouter({ titre: `Livre ${String(start + i)}` }),
    );
    ids.push(...(await Promise.all(added)).map(({ id }) => id));
  }
  for (const some of [ids.slice(0, 1_000), ids.slice(1_000)])
    await ask(house, 'POST', '/api/livres/lot', {
      ids: some,
      action: 'emplacement',
      emplacementId: 1,
    });
  const page = await (await device(house)).open('/rangement/recolement?emplacement=1');
  await press(page, 'Commencer');
  await page.getByRole('button', { name: 'Il est là : Livre 0', exact: true }).click();
  await press(page, 'Terminer');
  await page.getByRole('button', { name: 'Les retirer d’ici' }).click();
  await expect.poll(() => standingIn(house, 'aucun'), WAIT).toBe(count - 1);
  await page.getByRole('button', { name: 'Annuler' }).click();
  await expect.poll(() => standingIn(house, 'aucun'), WAIT).toBe(0);
});
