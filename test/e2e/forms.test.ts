import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { searchForBook, unfold } from './support/add.ts';
import {
  ajouterEmplacement,
  ajouterNumero,
  ajouterRevue,
  ajouterSerie,
} from './support/collections.ts';
import { acceptInvitation, householdWithAccounts } from './support/comptes.ts';
import { device, type Device } from './support/device.ts';
import { follow } from './support/follow.ts';
import type { Household } from './support/household.ts';
import { householdWithCatalogues } from './support/recherche.ts';
import { pressIn, blockChanges } from './support/souhaits.ts';

interface Visit {
  readonly house: Household;
  readonly phone: Device;
  readonly page: Page;
  /** Opens the form and waits for its field. */
  readonly open: () => Promise<void>;
  /** A text field of the form. */
  readonly field: () => Locator;
  readonly submit: () => Locator;
}

/** A check of a form, or the reason why it does not apply. */
type Answer = ((visit: Visit) => Promise<void>) | string;

interface FormCase {
  /** Creates the household and the record; returns how to reach the form. */
  readonly make: () => Promise<{
    readonly house: Household;
    readonly path: string;
    /** The API's paths of the record and of its list. */
    readonly api: string;
    readonly list: string;
    /** The change that another device of the reader makes to the field. */
    readonly elsewhere: object;
  }>;
  /** How to get from the screen at the path to the form. */
  readonly way?: (page: Page) => Promise<unknown>;
  readonly label: string;
  readonly key: string;
  readonly prefilled: Answer;
  readonly duplicate: Answer;
  /** The reason why this record cannot be added again. */
  readonly notAgain?: string;
}

const TYPED = 'Ce qui est écrit';
const ELSEWHERE = 'Écrit ailleurs';

const button = (at: Page | Locator, name: string) => at.getByRole('button', { name, exact: true });
const labelled = (page: Page, label: string) => page.getByLabel(label, { exact: true });

const send = async (house: Household, method: string, path: string, body?: object) => {
  const response = await fetch(house.url + path, {
    method,
    headers: { SSO_USER: 'alice', ...(body && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
};

/** Expects the focused field to show this message. */
async function expectRefused(page: Page, field: Locator, sentence: string | RegExp): Promise<void> {
  await expect
    .poll(() => field.evaluate((one) => one === document.activeElement && one.ariaInvalid))
    .toBe('true');
  const id = await field.getAttribute('aria-describedby');
  await page
    .locator(`[id="${id ?? ''}"]`)
    .getByText(sentence)
    .waitFor();
}

async function save(page: Page): Promise<void> {
  const submit = button(page, 'Enregistrer').or(button(page, 'Ajouter'));
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await submit.click();
}

/** Another code clears the fields that catalogues have filled in, and keeps typed ones. */
const prefilledByCode =
  (path: string, written: string): Answer =>
  async ({ page }) => {
    await follow(page, path);
    await unfold(page);
    const ask = button(page, "Rechercher l'ISBN");
    const lookUp = async (code: string) => {
      await expect.poll(() => ask.isEnabled()).toBe(true);
      await searchForBook(page, code);
    };
    await lookUp('9782948012017');
    const titre = labelled(page, 'Titre');
    await expect.poll(() => titre.inputValue()).toBe('Les travailleurs de la mer');
    await labelled(page, written).fill('2001');
    await lookUp('9782948012161');
    await expect.poll(() => titre.inputValue()).toBe("Han d'Islande");
    expect(await labelled(page, written).inputValue()).toBe('2001');
  };

/** A duplicate name is refused at its field. */
const refusedTwin =
  (path: string, texts: Readonly<Record<string, string>>, at: string, sentence: string): Answer =>
  async ({ page }) => {
    await follow(page, path);
    if (path === '/souhaits/ajouter') await unfold(page);
    for (const [label, text] of Object.entries(texts))
      await labelled(page, label).first().fill(text);
    await save(page);
    await expectRefused(page, labelled(page, at).first(), sentence);
  };

const FORMS: Readonly<Record<string, FormCase>> = {
  book: {
    async make() {
      const { house } = await householdWithCatalogues();
      const { id } = await house.ajouter({ titre: 'Regain', auteurs: ['Jean Giono'] });
      const regain = { titre: 'Regain', auteurs: ['Jean Giono'], format: 'Physique' };
      const elsewhere = { ...regain, editeur: ELSEWHERE };
      return {
        house,
        path: `/livres/${id}/modifier`,
        api: `/api/livres/${id}`,
        list: '/api/livres',
        elsewhere,
      };
    },
    label: 'Éditeur',
    key: 'editeur',
    prefilled: prefilledByCode('/livres/ajouter', 'Année'),
    async duplicate({ house, page }) {
      await follow(page, '/livres/ajouter');
      await unfold(page);
      await labelled(page, 'Titre').fill('Regain');
      await labelled(page, 'Auteurs').fill('Jean Giono');
      await button(page, 'Ajouter').click();
      const question = page.getByRole('region', { name: /^Ce livre ressemble/ });
      await expect
        .poll(() => question.evaluate((one) => one === document.activeElement))
        .toBe(true);
      await button(question, 'Ajouter quand même').click();
      await expect.poll(() => house.titres()).toEqual(['Regain', 'Regain']);
    },
  },
  wish: {
    async make() {
      const { house } = await householdWithCatalogues();
      const { id } = await house.souhaiter('alice', { titre: 'Sido' });
      return {
        house,
        path: '/souhaits',
        api: `/api/souhaits/${id}`,
        list: '/api/souhaits',
        elsewhere: { titre: ELSEWHERE },
      };
    },
    way: (page) =>
      page
        .getByRole('listitem')
        .first()
        .getAttribute('aria-label')
        .then((titre) => pressIn(page, titre ?? '', 'Modifier')),
    label: 'Titre',
    key: 'titre',
    prefilled: 'What is found by the code of a wish takes the place of what was typed to find it.',
    duplicate: refusedTwin(
      '/souhaits/ajouter',
      { Titre: 'Sido' },
      'Titre',
      'C’est déjà sur votre liste.',
    ),
  },
  reading: {
    async make() {
      const { house } = await householdWithCatalogues();
      const { id } = await house.noter('alice', { titre: 'Regain', fin: '2026-03-01' });
      return {
        house,
        path: `/lectures/${id}/modifier`,
        api: `/api/lectures/${id}`,
        list: '/api/lectures',
        elsewhere: { titre: 'Regain', fin: '2026-03-01', avis: ELSEWHERE },
      };
    },
    label: 'Avis',
    key: 'avis',
    prefilled: prefilledByCode('/lectures/ajouter', 'Avis'),
    duplicate: 'A book is read as often as one likes.',
  },
  issue: {
    async make() {
      const { house } = await householdWithCatalogues();
      const revue = await ajouterRevue(house, { titre: 'Géo' });
      const { id } = await ajouterNumero(house, revue, { numero: '12' });
      const path = `/revues/${revue.id}/numeros/${id}/modifier`;
      return {
        house,
        path,
        api: `/api/numeros/${id}`,
        list: '/api/numeros',
        elsewhere: { numero: '12', une: ELSEWHERE },
      };
    },
    label: 'À la une',
    key: 'une',
    async prefilled({ page }) {
      await follow(page, '/revues/1/numeros/ajouter');
      const numero = labelled(page, 'Numéro');
      await expect.poll(() => numero.inputValue()).toBe('13');
      // Only typed text is a draft.
      await follow(page, '/aide');
      await follow(page, '/revues/1/numeros/ajouter');
      await expect.poll(() => numero.inputValue()).toBe('13');
      expect(await page.getByText('Brouillon repris').count()).toBe(0);
    },
    duplicate: refusedTwin(
      '/revues/1/numeros/ajouter',
      { Numéro: '12' },
      'Numéro',
      'Cette revue a déjà un numéro 12.',
    ),
  },
  periodical: {
    async make() {
      const { house } = await householdWithCatalogues();
      const revue = await ajouterRevue(house, { titre: 'Géo', issn: '0220-8245' });
      await ajouterNumero(house, revue, { numero: '12' });
      const [path, api] = [`/revues/${revue.id}/modifier`, `/api/revues/${revue.id}`];
      return {
        house,
        path,
        api,
        list: '/api/revues',
        elsewhere: { titre: ELSEWHERE, issn: '0220-8245' },
      };
    },
    label: 'Titre',
    key: 'titre',
    async prefilled({ page }) {
      await follow(page, '/revues/ajouter');
      const numero = labelled(page, 'Numéro');
      await labelled(page, 'Titre').fill('Géo');
      await expect.poll(() => numero.inputValue()).toBe('13');
      await labelled(page, 'Titre').fill('Géographie');
      await expect.poll(() => numero.inputValue()).toBe('');
      await numero.fill('3');
      await labelled(page, 'Titre').fill('Géo');
      await page.getByText(/est déjà dans la bibliothèque.: le numéro s’y ajoute/).waitFor();
      expect(await numero.inputValue()).toBe('3');
    },
    async duplicate({ house, page }) {
      // Adding a known ISSN opens the existing record and says so; only an edit can create a duplicate.
      const other = await ajouterRevue(house, { titre: 'Terre sauvage' });
      await follow(page, `/revues/${other.id}/modifier`);
      await labelled(page, 'ISSN').fill('0220-8245');
      await save(page);
      const sentence = 'Cet ISSN est déjà celui de la revue Géo.';
      await expectRefused(page, labelled(page, 'ISSN'), sentence);
    },
  },
  series: {
    async make() {
      const { house } = await householdWithCatalogues();
      const serie = { parentId: null, nombreTomes: null };
      const { id } = await ajouterSerie(house, { titre: 'Fondation', ...serie });
      return {
        house,
        path: `/series/${id}/modifier`,
        api: `/api/series/${id}`,
        list: '/api/series',
        elsewhere: { titre: ELSEWHERE, ...serie, places: [] },
      };
    },
    label: 'Titre',
    key: 'titre',
    prefilled: 'Only a row without a title has a number that nobody wrote, and it is not sent.',
    duplicate: refusedTwin(
      '/series/ajouter',
      { Titre: 'Fondation' },
      'Titre',
      'Ouvrez-la, ou créez-en une autre.',
    ),
  },
  location: {
    async make() {
      const { house } = await householdWithCatalogues();
      const { id } = await ajouterEmplacement(house, { nom: 'Salon' });
      return {
        house,
        path: `/rangement/${id}/modifier`,
        api: `/api/emplacements/${id}`,
        list: '/api/emplacements',
        elsewhere: { nom: 'Salon', note: ELSEWHERE },
      };
    },
    label: 'Note',
    key: 'note',
    prefilled: 'Nothing is proposed for a location.',
    async duplicate({ page }) {
      await follow(page, '/rangement');
      await button(page, 'Ajouter une pièce').click();
      const nom = page.getByRole('textbox', { name: 'Ajouter une pièce ou un meuble' });
      await nom.fill('Salon');
      await nom.press('Enter');
      await expectRefused(page, nom, 'Il y a déjà un emplacement Salon à cet endroit.');
      await nom.fill('Cave');
      await nom.press('Enter');
      await expect.poll(() => nom.inputValue()).toBe('');
    },
  },
  loan: {
    async make() {
      const { house } = await householdWithCatalogues();
      const livre = await house.ajouter({ titre: 'Regain' });
      await house.ajouter({ titre: 'Sido' });
      const { id, datePret } = await house.preter(livre, 'Luc');
      return {
        house,
        path: `/livres/${livre.id}`,
        api: `/api/prets/${id}`,
        list: `/api/livres/${livre.id}/prets`,
        elsewhere: { emprunteur: ELSEWHERE, datePret },
      };
    },
    way: (page) => button(page, 'Corriger le prêt').click(),
    label: 'Emprunteur',
    key: 'emprunteur',
    prefilled: 'The day of a loan is today’s until it is asked for: nothing is filled in.',
    async duplicate({ house, phone, page }) {
      // A lent book has no form for lending: only a device without the change still shows it.
      await follow(page, '/livres/2');
      await labelled(page, 'Emprunteur').fill('Paul');
      await expect.poll(() => button(page, 'Prêter').isEnabled()).toBe(true);
      const letNewsThrough = blockChanges(phone);
      await send(house, 'POST', '/api/livres/2/prets', { emprunteur: 'Luc' });
      await button(page, 'Prêter').click();
      await page.getByRole('alert').getByText('Ce livre est déjà prêté à Luc.').waitFor();
      expect(await labelled(page, 'Emprunteur').inputValue()).toBe('Paul');
      letNewsThrough();
    },
    notAgain: 'A loan goes with its book only, and the form goes with it.',
  },
};

const forgetDrafts = (page: Page) =>
  page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('rayonnage.draft|')) localStorage.removeItem(key);
  });

const untilKept = (page: Page) =>
  page.waitForFunction(() =>
    Object.keys(localStorage).some((key) => key.startsWith('rayonnage.draft|')),
  );

/** The checks of every record's form, in the order of one visit. */
const PROPERTIES: Readonly<
  Record<
    string,
    (visit: Visit, place: Awaited<ReturnType<FormCase['make']>>, form: FormCase) => Promise<void>
  >
> = {
  async draft({ page, open, field }) {
    await open();
    await field().fill(TYPED);
    await untilKept(page);
    await follow(page, '/aide');
    await open();
    await page.getByText('Brouillon repris').waitFor();
    await expect.poll(() => field().inputValue()).toBe(TYPED);
    await button(page, 'Effacer').click();
    await page.getByText('Brouillon repris').waitFor({ state: 'detached' });
    expect(await field().inputValue()).not.toBe(TYPED);
  },

  async 'refusal by field'({ page, field, submit }, { api }, { key }) {
    await field().fill(TYPED);
    const sentence = 'Ce mot n’est pas d’ici.';
    const json = {
      statusCode: 400,
      code: 'REQUETE_INVALIDE',
      message: sentence,
      champs: [{ champ: key, message: sentence }],
    };
    await page.route(`**${api}`, (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 400, json }) : route.fallback(),
    );
    await expect.poll(() => submit().isEnabled()).toBe(true);
    await submit().click();
    await expectRefused(page, field(), sentence);
    // The message is shown at the field only.
    expect(await page.getByRole('alert').filter({ hasText: sentence }).count()).toBe(0);
    await page.unroute(`**${api}`);
  },

  async 'offline reason'({ phone, page, field, submit }) {
    await submit().focus();
    await phone.cutNetwork();
    await expect.poll(() => submit().isDisabled()).toBe(true);
    const reason = (await submit().getAttribute('aria-describedby')) ?? '';
    await page
      .locator(`[id="${reason}"]`)
      .getByText(/Hors ligne/)
      .waitFor();
    expect(await submit().evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    expect(await field().inputValue()).toBe(TYPED);
    await phone.restoreNetwork();
    await expect.poll(() => submit().isEnabled()).toBe(true);
    expect(await submit().evaluate((one) => one === document.activeElement)).toBe(true);
  },

  async conflict({ house, page, field, submit }, { api, elsewhere }, { label }) {
    await send(house, 'PUT', api, elsewhere);
    const difference = page.getByRole('alert').getByRole('group', { name: label });
    await difference.getByText(ELSEWHERE).waitFor();
    // With the conflict unresolved, the form is not sent, and the question gets the focus.
    await submit().click();
    await expect
      .poll(() => difference.evaluate((one) => one.contains(document.activeElement)))
      .toBe(true);
    await button(difference, 'Garder ma saisie').click();
    await difference.waitFor({ state: 'detached' });
    await expect.poll(() => submit().evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await field().inputValue()).toBe(TYPED);
  },

  async again({ house, page }, { api, list }, { notAgain }) {
    if (notAgain !== undefined) return;
    await send(house, 'DELETE', api);
    await button(page, 'Ajouter de nouveau').click();
    const stored = async () =>
      (await fetch(house.url + list, { headers: { SSO_USER: 'alice' } })).text();
    await expect.poll(stored).toContain(TYPED);
  },
};

test.each(Object.entries(FORMS))('the form of a %s has all that forms have', async (_, form) => {
  const place = await form.make();
  const { house, path } = place;
  const phone = await device(house);
  const page = await phone.open('/aide');
  const open = async () => {
    await follow(page, path);
    await form.way?.(page);
    await visit.field().waitFor();
  };
  const entryForm = page.locator('form.entry-form');
  const visit: Visit = {
    house,
    phone,
    page,
    open,
    field: () => entryForm.getByLabel(form.label, { exact: true }),
    submit: () => button(entryForm, 'Enregistrer'),
  };
  const asked = [form.duplicate, form.prefilled].filter((answer) => typeof answer !== 'string');
  for (const ask of asked) {
    await ask(visit);
    await follow(page, '/aide');
    await forgetDrafts(page);
  }
  for (const play of Object.values(PROPERTIES)) await play(visit, place, form);
});

/** Forms of an account hold secrets and belong to their reader alone. */
test('the forms of an account have the applicable properties of a form', async () => {
  const reasons = {
    draft: 'A password and a code are kept nowhere.',
    conflict: 'It is asked for its name anew by each sheet, and nobody else writes it.',
    again: 'An account that is removed ends its sessions.',
  };
  expect(Object.values(reasons)).not.toContain('');
  const house = await householdWithAccounts();
  const phone = await device(house, { user: null });
  const page = await phone.open(house.firstPath);

  // The identifier is derived from the name until a person types one.
  const identifiant = labelled(page, 'Identifiant');
  await labelled(page, 'Nom').fill('Claire');
  await expect.poll(() => identifiant.inputValue()).toBe('claire');
  await acceptInvitation(page);

  // A duplicate is refused at its field.
  await follow(page, '/reglages');
  await page.getByRole('link', { name: 'Membres' }).click();
  const nom = labelled(page, 'Nom');
  await nom.fill('Claire');
  await expect.poll(() => button(page, 'Inviter').isEnabled()).toBe(true);
  await button(page, 'Inviter').click();
  await expectRefused(page, nom, 'Cet identifiant est déjà pris : choisissez-en un autre.');

  // Controls disabled offline say why.
  await follow(page, '/reglages');
  await page.getByRole('link', { name: 'Mon compte' }).click();
  // « Réglages » has the library's name.
  await page.waitForURL('**/reglages/compte');
  await page.getByRole('button', { name: /^Nom Claire/ }).click();
  const sheet = page.getByRole('dialog');
  const change = button(sheet, 'Changer le nom');
  await change.focus();
  await phone.cutNetwork();
  await expect.poll(() => change.isDisabled()).toBe(true);
  const reason = (await change.getAttribute('aria-describedby')) ?? '';
  await page
    .locator(`[id="${reason}"]`)
    .getByText(/Hors ligne/)
    .waitFor();
  expect(await change.evaluate((one) => one === document.activeElement)).toBe(true);
  await phone.restoreNetwork();
  await expect.poll(() => change.isEnabled()).toBe(true);
  await page.keyboard.press('Escape');

  // A wrong password is refused at its field, on the sign-in page too.
  const other = await device(house, { user: null });
  const door = await other.open('/connexion');
  await labelled(door, 'Identifiant').fill('claire');
  await labelled(door, 'Mot de passe').fill('pas la bonne');
  await button(door, 'Se connecter').click();
  await expectRefused(door, labelled(door, 'Mot de passe'), /ou mot de passe incorrect/);
});
