import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { expectFeedback, undo } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { bar, box } from './support/selection.ts';
import { blockChanges } from './support/souhaits.ts';
import { scanByKeyboard } from './support/recherche.ts';

const DESERT = '9782070408504';
const STRANGER = '9782070360024';
const OTHER = '9782948012017';
/** That of what is lent first. */
const FIRST = '9782253004226';
const DAY_MS = 86_400_000;

/** Sets the page's clock, this many days ahead of the server's. */
const inDays = (page: Page, days: number) => page.clock.setFixedTime(Date.now() + days * DAY_MS);

test('a loan proposes the borrowers who are known', async () => {
  const house = await household();
  const lent = await house.ajouter({ titre: 'Désert' });
  for (const nom of ['Anne', 'Bob', 'Chloé', 'David', 'Élie', 'Sophie'])
    await house.rendre(await house.preter(lent, nom));
  const other = await house.ajouter({ titre: 'Ulysse' });
  const page = await (await device(house)).open(`/livres/${String(lent.id)}`);
  const field = page.getByLabel('Emprunteur');
  const options = page.getByRole('option');
  await field.waitFor();
  expect(await options.count()).toBe(0);
  await field.focus();
  await expect
    .poll(() => options.allInnerTexts())
    .toEqual(['Sophie', 'Élie', 'David', 'Chloé', 'Bob']);
  expect(await accessibilityFaults(page, '/livres/[id]: known borrowers')).toEqual([]);
  await field.fill('so');
  await expect.poll(() => options.allInnerTexts()).toEqual(['Sophie', 'Nouveau\u00a0: so']);
  await field.press('Enter');
  expect(await field.inputValue()).toBe('Sophie');
  await field.fill('so');
  await page.getByRole('option', { name: 'Nouveau : so' }).click();
  await field.press('Enter');
  await page
    .getByRole('main')
    .getByText(/^Prêté à so$/)
    .waitFor();
  await page.getByRole('button', { name: /^Rendu.: / }).click();
  await field.focus();
  // Choosing a known name lends the book.
  await page.getByRole('option', { name: 'David' }).click();
  await page
    .getByRole('main')
    .getByText(/^Prêté à David$/)
    .waitFor();
  await follow(page, `/livres/${String(other.id)}`);
  await field.fill('sophie');
  await field.press('Enter');
  await page
    .getByRole('main')
    .getByText(/^Prêté à Sophie$/)
    .waitFor();
});

test('typed data of a loan gives way to another device’s loan, and is settled field by field with its correction', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house)).open(`/livres/${String(livre.id)}`);

  // A borrower typed before another device's loan is gone.
  const field = page.getByLabel('Emprunteur');
  await field.fill('Sophie');
  await page.getByRole('button', { name: 'Fixer un retour' }).click();
  await page.getByLabel('Jusqu’au').fill('2099-01-01');
  const ofBob = await house.preter(livre, 'Bob');
  const lent = page.getByRole('main').getByText('Prêté à Bob', { exact: true });
  await lent.waitFor();
  await house.rendre(ofBob);
  await lent.waitFor({ state: 'hidden' });
  expect(await field.inputValue()).toBe('');
  expect(await page.getByLabel('Jusqu’au').count()).toBe(0);

  // A loan corrected meanwhile is settled field by field.
  const pret = await house.preter(livre, 'Sopie');
  await page.getByRole('button', { name: 'Corriger le prêt' }).click();
  const form = page.getByRole('form', { name: 'Corriger le prêt' });
  await form.getByLabel('Emprunteur').fill('Sophie');
  await house.corriger(pret, 'Sofia');
  await page
    .getByRole('alert')
    .filter({ hasText: /^Entre-temps/ })
    .waitFor();
  await page.getByRole('button', { name: 'Garder ma saisie' }).click();
  await form.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('main').getByText('Prêté à Sophie').waitFor();

  await page.getByRole('button', { name: /^Rendu.: / }).click();
  await page.getByLabel('Emprunteur').fill('Sopie');
  await page.getByRole('button', { name: 'Changer la date' }).click();
  const day = page.getByLabel('Prêté le');
  await day.fill('2126-01-05');
  await page.getByRole('button', { name: 'Prêter', exact: true }).click();
  await page.getByText('La date du prêt ne peut pas être dans le futur.').waitFor();
  await day.fill('2026-01-05');
  await page.getByRole('button', { name: 'Prêter', exact: true }).click();
  await page.getByText(/^le 5 janvier/).waitFor();
  await page.getByRole('button', { name: 'Corriger le prêt' }).click();
  expect(await day.inputValue()).toBe('2026-01-05');
  expect(await day.getAttribute('max'), 'no day to come is offered').toMatch(/^20\d\d-\d\d-\d\d$/);
  await form.getByLabel('Emprunteur').fill('Sophie');
  await day.fill('2026-02-01');
  expect(await accessibilityFaults(page, '/livres/[id]: a loan to correct')).toEqual([]);
  await form.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('main').getByText('Prêté à Sophie').waitFor();
  await page.getByText(/^le 1er février/).waitFor();
  await undo(page);
  await page.getByRole('main').getByText('Prêté à Sopie').waitFor();

  // A correction is refused what lending is refused.
  await page.getByRole('button', { name: 'Corriger le prêt' }).click();
  await form.getByLabel('Prêté le').fill('2026-01-05');
  await form.getByLabel('Jusqu’au').fill('2026-01-04');
  await form.getByRole('button', { name: 'Enregistrer' }).click();
  await form.getByText('La date de retour ne peut pas précéder celle du prêt.').waitFor();
  await form.getByLabel('Jusqu’au').fill('2026-01-05');
  await form.getByRole('button', { name: 'Enregistrer' }).click();
  await page
    .getByText(/^à rendre depuis le 5 janvier/)
    .first()
    .waitFor();
});

test('the correction of a loan that is returned elsewhere stays', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Désert' });
  const pret = await house.preter(livre, 'Sopie');
  const page = await (await device(house)).open(`/livres/${String(livre.id)}`);
  await page.getByRole('button', { name: 'Corriger le prêt' }).click();
  const form = page.getByRole('form', { name: 'Corriger le prêt' });
  await form.getByLabel('Emprunteur').fill('Sophie');
  await house.rendre(pret);
  await page.getByRole('main').getByText('À la maison').waitFor();
  expect(await form.getByLabel('Emprunteur').inputValue()).toBe('Sophie');
  await form.getByRole('button', { name: 'Enregistrer' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByText('Déjà prêté une fois').click();
  await page.getByRole('main').getByText('Sophie', { exact: true }).waitFor();
});

test('one button lends the first book, then one after another to one person, and they are returned in the same way', async () => {
  const house = await household();
  const page = await (await device(house)).open('/prets');
  await page.getByText('Rien n’est prêté').waitFor();
  await page.getByRole('link', { name: 'Ajouter un livre' }).waitFor();
  await house.ajouter({ titre: 'Regain', isbn: FIRST });
  const lend = page.getByRole('button', { name: /^Prêter/ });
  await lend.waitFor();
  expect(await lend.count()).toBe(1);
  await lend.click();
  await page.waitForURL(/\/prets\?preter$/);

  // Back from giving back to lending shows lending.
  await page.getByRole('heading', { name: 'Prêter des livres' }).waitFor();
  await follow(page, '/prets?rendre');
  await page.getByRole('heading', { name: 'Livres rendus' }).waitFor();
  expect(await page.getByRole('button', { name: 'Rendre', exact: true }).count()).toBe(1);
  await page.goBack();
  await page.getByRole('heading', { name: 'Prêter des livres' }).waitFor();
  await page.getByLabel('Emprunteur').fill('Sophie');
  await page.getByLabel('ISBN').fill(FIRST);
  await page.getByRole('button', { name: 'Prêter', exact: true }).click();
  await page.getByText('prêté à Sophie').first().waitFor();

  // One book after another is lent to one person.
  await house.ajouter({ titre: 'Désert', isbn: DESERT });
  await house.ajouter({ titre: 'L’Étranger', isbn: STRANGER });
  await house.ajouter({ titre: 'Le Désert des Tartares' });
  await house.ajouter({ titre: 'Ulysse' });
  await page.getByRole('link', { name: 'Retour aux prêts' }).click();
  await page.getByRole('link', { name: 'Regain' }).waitFor();
  await page.getByRole('button', { name: 'Prêter des livres' }).click();
  await page.getByRole('heading', { name: 'Prêter des livres' }).waitFor();
  await page.getByLabel('ISBN').fill(DESERT);
  await page.getByRole('button', { name: 'Prêter', exact: true }).click();
  await page.getByText('Indiquez à qui vous prêtez ce livre.').waitFor();
  await scanByKeyboard(page, STRANGER);
  const lentToLuc = page.getByRole('list', { name: 'Livres prêtés' });
  await expect.poll(() => lentToLuc.getByText('en attente').count()).toBe(2);
  // Codes that wait for a borrower survive a reload.
  await page.reload();
  await expect.poll(() => lentToLuc.getByText('en attente').count()).toBe(2);
  await page.getByLabel('Emprunteur').fill('Luc');
  await page.getByLabel('Emprunteur').press('Enter');
  await expect.poll(() => lentToLuc.getByText('prêté à Luc').count()).toBe(2);
  await scanByKeyboard(page, OTHER);
  await lentToLuc.getByText('Pas dans la bibliothèque').waitFor();
  expect(await accessibilityFaults(page, '/prets: scanned books to lend')).toEqual([]);
  await page.getByRole('link', { name: 'Retour aux prêts' }).click();
  await page.getByRole('link', { name: 'Désert' }).waitFor();

  await page.getByRole('button', { name: 'Prêter des livres' }).click();
  expect(await page.getByRole('list', { name: 'Livres prêtés' }).count()).toBe(0);
  await page.getByLabel('Emprunteur').fill('Sophie');
  const field = page.getByLabel('ISBN ou titre');
  // « Désert » is lent, so only the other book is offered.
  await field.fill('désert');
  await expect.poll(() => page.getByRole('option').count()).toBe(1);
  await field.press('Enter');
  const lent = page.getByRole('list', { name: 'Livres prêtés' });
  await lent.getByText('prêté à Sophie').waitFor();
  await field.fill('uly');
  await page.getByRole('option', { name: /^Ulysse/ }).click();
  await expect.poll(() => lent.getByText('prêté à Sophie').count()).toBe(2);
  await field.fill('rien');
  await page.getByRole('button', { name: 'Prêter', exact: true }).click();
  await page.getByText(/^Scannez un ISBN/).waitFor();
  await page.getByRole('link', { name: 'Retour aux prêts' }).click();

  await page.getByRole('link', { name: 'Rendus' }).click();
  await page.getByRole('heading', { name: 'Livres rendus' }).waitFor();
  await scanByKeyboard(page, DESERT);
  const returned = page.getByRole('list', { name: 'Livres rendus' });
  await returned.getByText('rendu par Luc').waitFor();
  await field.fill('tartares');
  await field.press('Enter');
  await returned.getByText('rendu par Sophie').waitFor();
  await scanByKeyboard(page, OTHER);
  await returned.getByText('Pas dans la bibliothèque').waitFor();
  expect(await accessibilityFaults(page, '/prets: scanned books that came back')).toEqual([]);
  await page.getByRole('link', { name: 'Retour aux prêts' }).click();
  await page.getByRole('link', { name: 'Ulysse' }).waitFor();
  expect(await page.getByRole('link', { name: 'Désert' }).count()).toBe(0);
  // Returned loans stay listed, with their borrower.
  await page.getByRole('link', { name: 'Rendus' }).click();
  const earlier = page.getByRole('list', { name: 'Plus tôt' });
  await earlier
    .getByRole('listitem')
    .filter({ hasText: 'Désert' })
    .getByText(/^Luc, le \d/)
    .waitFor();
});

test('all that a person has is given back, or nothing, in one request, and no loan of later', async () => {
  const house = await household();
  const desert = await house.ajouter({ titre: 'Désert' });
  const pret = await house.preter(desert, 'Sophie');
  await house.preter(await house.ajouter({ titre: 'Ulysse' }), 'Luc');
  await house.preter(await house.ajouter({ titre: 'Regain' }), 'Sophie');
  const phone = await device(house);
  const page = await phone.open('/prets');
  const sophie = page.getByRole('list', { name: 'Sophie' });
  await expect.poll(() => sophie.getByRole('listitem').count()).toBe(2);
  await page.getByRole('region', { name: 'Sophie' }).getByText('depuis aujourd’hui').waitFor();
  // On a phone a book's « Retour » goes back to the loans.
  await page.getByRole('list', { name: 'Luc' }).getByRole('link', { name: 'Ulysse' }).click();
  await page.getByRole('heading', { name: 'Ulysse' }).waitFor();
  await page.getByRole('link', { name: 'Retour', exact: true }).click();
  await page.getByRole('heading', { name: 'Prêts', exact: true }).waitFor();

  await expect.poll(() => sophie.getByRole('listitem').count()).toBe(2);
  // Luc has only one book.
  expect(await page.getByRole('button', { name: /^Tout est rendu/ }).count()).toBe(1);
  await page.getByRole('button', { name: 'Tout est rendu Sophie' }).click();
  await expectFeedback(page, '2 livres rendus par Sophie');
  await expect.poll(() => house.lentTitres()).toEqual(['Ulysse']);
  await undo(page);
  await expect.poll(() => house.lentTitres()).toEqual(['Désert', 'Ulysse', 'Regain']);

  // What is selected of several people is given back in one request, too.
  const select = page.getByRole('button', { name: 'Sélectionner', exact: true });
  await select.click();
  expect(await select.getAttribute('aria-pressed')).toBe('true');
  const rendre = bar(page).getByRole('button', { name: 'Rendre' });
  expect(await rendre.isDisabled()).toBe(true);
  await box(page, 'Désert').click();
  await box(page, 'Ulysse').click();
  await bar(page).getByText('2 livres sélectionnés').waitFor();
  expect(await accessibilityFaults(page, '/prets: a selection')).toEqual([]);
  // Offline the button gives its reason.
  await phone.cutNetwork();
  await bar(page)
    .getByText(/hors ligne/i)
    .waitFor();
  expect(await rendre.isDisabled()).toBe(true);
  await phone.restoreNetwork();
  await expect.poll(() => rendre.isEnabled()).toBe(true);
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') requests.push(new URL(request.url()).pathname);
  });
  await rendre.click();
  await bar(page).waitFor({ state: 'detached' });
  await expect.poll(() => house.lentTitres()).toEqual(['Regain']);
  expect(requests.filter((path) => !path.includes('replication'))).toEqual(['/api/livres/lot']);
  await undo(page);
  await expect.poll(() => house.lentTitres()).toEqual(['Désert', 'Ulysse', 'Regain']);

  // All of it, or nothing.
  const main = page.getByRole('main');
  const button = main.getByRole('button', { name: 'Tout est rendu' });
  phone.portal.breaks = (method) => method === 'POST';
  await button.click();
  await main
    .getByRole('alert')
    .getByText(/Une erreur est survenue/)
    .waitFor();
  for (const titre of ['Désert', 'Regain']) await main.getByText(titre).waitFor();
  phone.portal.breaks = null;

  // The book is returned and lent again before the device receives the change.
  blockChanges(phone);
  await house.rendre(pret);
  await house.preter(desert, 'Zoé');
  await button.click();
  await expect.poll(() => house.lentTitres()).toEqual(['Ulysse', 'Désert']);
});

test('a loan until a day is asked back then', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open(`/livres/${String(id)}`);
  await page.getByLabel('Emprunteur').fill('Sophie');
  await page.getByRole('button', { name: 'Fixer un retour' }).click();
  const until = page.getByLabel('Jusqu’au');
  await until.fill('2020-01-01');
  await page.getByText('La date de retour ne peut pas précéder celle du prêt.').waitFor();
  // In the page's time zone, where the day may differ.
  const day = await page.evaluate(
    (ms) => new Date(Date.now() + ms).toLocaleDateString('sv'),
    10 * DAY_MS,
  );
  await until.fill(day);
  expect(await accessibilityFaults(page, '/livres/[id]: a day of return')).toEqual([]);
  await page.getByRole('button', { name: 'Prêter', exact: true }).click();
  await page
    .getByText(/^à rendre le \d/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Corriger le prêt' }).click();
  expect(await until.inputValue()).toBe(day);

  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await inDays(page, 9);
  await follow(page, '/prets');
  await page.getByRole('link', { name: 'Désert' }).waitFor();
  await page.getByText(/^à rendre le \d/).waitFor();
  expect(await page.getByText(/à redemander/).count()).toBe(0);
  await inDays(page, 11);
  await page.reload();
  await page.getByText('1 livre, 1 à redemander').waitFor();
  await page.getByText(/^à rendre depuis le \d/).waitFor();
  await page.getByRole('button', { name: 'Rappeler Sophie' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rappeler à Sophie' });
  await expect
    .poll(() => dialog.getByLabel('Message').inputValue())
    .toMatch(/«\sDésert\s», à rendre depuis le \d/);
});

test('an overdue loan is claimed once, by a message', async () => {
  const house = await household();
  const lend = async (titre: string) => house.preter(await house.ajouter({ titre }), 'Sophie');
  const { livreId } = await lend('Désert');
  await lend('Ulysse');
  const phone = await device(house);
  await phone.context.addInitScript(() => {
    Object.defineProperty(navigator, 'share', {
      value: (data: ShareData) => {
        document.title = data.text ?? '';
        return Promise.resolve();
      },
    });
  });
  const page = await phone.open('/prets');
  await page.getByRole('link', { name: 'Désert' }).waitFor();
  expect(await page.getByText(/à redemander/).count()).toBe(0);
  await inDays(page, 125);
  await page.reload();
  await page.getByText('2 livres, 2 à redemander').waitFor();
  const sophie = page.getByRole('region', { name: 'Sophie' });
  await sophie.getByText('2 livres · depuis 4 mois').waitFor();
  expect(await sophie.getByText('à redemander', { exact: true }).count()).toBe(2);
  expect(await page.getByRole('link', { name: 'Désert' }).count()).toBe(1);
  expect(await accessibilityFaults(page, '/prets: books to ask back')).toEqual([]);

  await page.getByRole('button', { name: 'Rappeler Sophie' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rappeler à Sophie' });
  const message = dialog.getByLabel('Message');
  await expect.poll(() => message.inputValue()).toMatch(/Désert.*\n.*Ulysse/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  // For a single book, the reminder is on its page.
  await follow(page, `/livres/${String(livreId)}`);
  await page.getByRole('button', { name: 'Rappeler « Désert » à Sophie' }).click();
  const one = /^Bonjour Sophie, j’aimerais récupérer «\sDésert\s», prêté depuis le \d[^\n]+$/;
  await expect.poll(() => message.inputValue()).toMatch(one);
  expect(await accessibilityFaults(page, '/livres/[id]: a reminder')).toEqual([]);
  for (const [name, scheme] of [
    ['SMS', 'sms:?&body='],
    ['E-mail', 'mailto:?subject=Un%20livre%20pr%C3%AAt%C3%A9&body='],
  ] as const) {
    const href = (await dialog.getByRole('link', { name }).getAttribute('href')) ?? '';
    expect(href.slice(0, scheme.length)).toBe(scheme);
    expect(decodeURIComponent(href.slice(scheme.length))).toBe(await message.inputValue());
  }
  await dialog.getByRole('radio', { name: 'Ses 2 livres' }).check();
  await expect
    .poll(() => message.inputValue())
    .toMatch(/^Bonjour Sophie[^\n]+\n– «\sDésert\s», [^\n]+\n– «\sUlysse\s», [^\n]+\nMerci/);
  await dialog.getByRole('button', { name: 'Partager' }).click();
  await expect.poll(() => page.title()).toMatch(/^Bonjour Sophie.*Désert.*Ulysse/);
});

test('the borrower who has kept a book longest comes first', async () => {
  const house = await household();
  const lend = async (titre: string, emprunteur: string, days: number) => {
    const pret = await house.preter(await house.ajouter({ titre }), emprunteur);
    const datePret = new Date(Date.now() - days * DAY_MS).toISOString();
    await house.corriger({ ...pret, datePret }, emprunteur);
  };
  await lend('Regain', 'Luc', 40);
  await lend('Ulysse', 'Sophie', 120);
  await lend('Désert', 'Luc', 500);
  const page = await (await device(house)).open('/prets');
  await page.getByText('3 livres, 2 à redemander').waitFor();
  const people = page.getByRole('main').getByRole('heading', { level: 2 });
  expect(await people.allInnerTexts()).toEqual(['Luc', 'Sophie']);
  const luc = page.getByRole('list', { name: 'Luc' }).getByRole('listitem');
  expect(await luc.locator('p').allInnerTexts()).toEqual([
    expect.stringMatching(/^\d\S* \S+ \d{4}\s+à redemander$/),
    expect.stringMatching(/^\d\S* [^\s\d]+$/),
  ]);

  // A borrower's section disappears with the last book; the focus moves to the next one.
  const rendu = page
    .getByRole('list', { name: 'Sophie' })
    .getByRole('button', { name: /^Rendu.: / });
  await rendu.focus();
  await rendu.press('Enter');
  await expectFeedback(page, 'Rendu par Sophie : Ulysse');
  await page.getByRole('region', { name: 'Sophie' }).waitFor({ state: 'detached' });
  await expect
    .poll(() =>
      luc
        .nth(1)
        .getByRole('button')
        .evaluate((element) => element.matches(':focus')),
    )
    .toBe(true);
  await undo(page);
  await expect.poll(() => people.allInnerTexts()).toEqual(['Luc', 'Sophie']);
});

test('all of many borrowers are shown, the first at once', async () => {
  const house = await household();
  const COUNT = 70;
  for (let n = 0; n < COUNT; n++)
    await house.preter(
      await house.ajouter({ titre: `Tome ${String(n)}` }),
      `Emprunteur ${String(n)}`,
    );
  const page = await (await device(house)).open('/prets');
  const people = page.locator('main section.person');
  await people.first().waitFor();
  await expect.poll(() => people.count()).toBe(COUNT);
  await people.last().scrollIntoViewIfNeeded();
  await people
    .last()
    .getByRole('button', { name: /^Rendu.: / })
    .waitFor();
});

test('invalid dates are shown unchanged on every screen', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Désert' });
  await house.preter(livre, 'Zoé');
  await house.rewrite((tx) => {
    tx.run(
      "UPDATE Pret SET datePret = '2019-13-45T10:00:00.000Z', dateRetourPrevue = '2027-02-30'",
    );
    tx.run("INSERT INTO Emplacement (nom, nomNormalise, fermeLe) VALUES ('Salon', 'salon', 'zzz')");
    tx.run("UPDATE Livre SET dateAjout = '2027-02-30T10:00:00.000Z', emplacementId = 1");
  });
  const page = await (await device(house)).open('/prets');
  const main = page.getByRole('main');
  await main.getByText('2027-02-30').first().waitFor();
  expect(await main.innerText()).toContain('2019-13-45T10:00:00.000Z');
  await follow(page, `/livres/${String(livre.id)}`);
  await main.getByText('2027-02-30').first().waitFor();
  await follow(page, '/rangement/1');
  await main.getByText('zzz').waitFor();
  await follow(page, '/');
  await page.getByText('Désert').first().waitFor();
});
