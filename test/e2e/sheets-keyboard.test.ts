import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { ean13CheckDigit } from '#shared/codes';
import { temporaryFolder } from '../support/database.ts';
import { CLIENT, openProvider } from '../support/oidc-provider.ts';
import { arrive, home } from './support/comptes.ts';
import { ajouterSerie } from './support/collections.ts';
import { photo } from './support/covers.ts';
import { device, type Device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { deskScanner, householdWithCatalogues } from './support/recherche.ts';
import type { SheetName } from './support/sheets.ts';
import { withoutNews } from './support/souhaits.ts';

/** Where a walk begins: a household, and a device that shows it. */
interface Start {
  readonly house: Household;
  readonly phone: Device;
  readonly page: Page;
}

interface Walk {
  readonly start: () => Promise<Start>;
  /** Goes to what opens the sheet, which has the focus when it opens. */
  readonly opener: (start: Start) => Promise<Locator>;
  /** Opens it from there; by Enter where left out. */
  readonly press?: (page: Page) => Promise<void>;
  /** False for what stays on its screen when it is closed: its state alone does not take it away. */
  readonly goesByState?: false;
}

const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first();
const dialogs = (page: Page): Locator => page.getByRole('dialog');

async function ownHouse(): Promise<Start> {
  const house = await household();
  const regain = await house.ajouter({ titre: 'Regain' });
  await house.preter(regain, 'Luc');
  await house.ajouter({
    ...{ titre: 'Nana', auteurs: ['Émile Zola'] },
    details: [{ nom: 'Prix', valeur: '12' }],
  });
  await house.ajouter({ titre: 'Nana : roman', auteurs: ['Émile Zola'], format: 'Numerique' });
  await house.souhaiter('alice', { titre: 'Zazie dans le métro' });
  const phone = await device(house);
  const page = await phone.open();
  await page.getByRole('link', { name: 'Regain' }).first().waitFor();
  return { house, phone, page };
}

/** Volumes of five series, each known to the catalogues by one record. */
const SERIES = ['Akira', 'Blame', 'Monster', 'Pluto', 'Sanctuary'];
const codeOf = (index: number): string => {
  const digits = `97820900100${String(index)}`;
  return digits + ean13CheckDigit(digits);
};

async function evening(): Promise<Start> {
  const { house } = await householdWithCatalogues({
    intercept: (_request, response, url) => {
      const index = /^\/isbn\/97820900100(\d)/.exec(url.pathname)?.[1];
      if (index === undefined) return false;
      const record = { title: `${SERIES[Number(index)] ?? ''}, tome 1`, publish_date: '2020' };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(
        JSON.stringify({
          key: `/books/OL${index}M`,
          type: { key: '/type/edition' },
          ...record,
        }),
      );
      return true;
    },
  });
  const phone = await device(house);
  const page = await phone.open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  for (const index of SERIES.keys()) await scan(codeOf(index));
  await page.getByText('5 livres ce soir', { exact: true }).waitFor();
  return { house, phone, page };
}

/** A house of accounts, whose first member is signed in; a provider may sign in, too. */
async function accounts(): Promise<Start> {
  const settings: Record<string, string> = { ACCOUNTS: 'oui' };
  const house = await household(settings);
  const phone = await device(house, { user: null });
  const page = await phone.open(house.firstPath);
  await arrive(page, 'Claire');
  const provider = await openProvider([`${phone.portal.url}/connexion/retour`]);
  Object.assign(settings, {
    ...{ OIDC_ISSUER: provider.issuer, OIDC_NAME: 'chez nous' },
    ...{ OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
  });
  await house.stop();
  await house.start();
  await page.goto(`${phone.portal.url}/reglages/compte`);
  await button(page, 'Se connecter avec chez nous').waitFor();
  return { house, phone, page };
}

/** A tablet on which a member with a code and another one read. */
async function tablet(): Promise<Start> {
  const house = await home();
  const phone = await device(house, { user: null, size: 'desk' });
  const page = await phone.open(house.firstPath);
  await arrive(page, 'Claire');
  await follow(page, '/reglages/compte');
  await button(page, 'Code sur un appareil partagé').click();
  await page.getByLabel('Code', { exact: true }).fill('4711');
  await button(page, 'Demander ce code').click();
  await dialogs(page).waitFor({ state: 'detached' });
  await follow(page, '/reglages/membres');
  await page.getByLabel('Nom', { exact: true }).fill('Luc');
  await button(page, 'Inviter').click();
  const link = await page.getByText(/\/invitation#/).textContent();
  const other = await device(house, { user: null });
  await arrive(await other.open(/\/invitation#\S+/.exec(link ?? '')?.[0] ?? ''));
  await follow(page, '/reglages');
  return { house, phone, page };
}

/** A phone whose copy another household answers to; it was asked, and has kept its own. */
async function elsewhere(): Promise<Start> {
  const house = await household();
  await house.ajouter({ titre: 'Regain' });
  const other = await household({ DATABASE_PATH: join(temporaryFolder(), 'autre.sqlite') });
  let answering = house;
  const phone = await device(house, { upstream: (path) => answering.url + path });
  const page = await phone.open();
  await page.getByRole('link', { name: 'Regain' }).first().waitFor();
  answering = other;
  phone.portal.cut();
  await dialogs(page).waitFor();
  await page.keyboard.press('Escape');
  await dialogs(page).waitFor({ state: 'detached' });
  return { house, phone, page };
}

const at =
  (path: string, name: string | RegExp) =>
  async ({ page }: Start): Promise<Locator> => {
    await follow(page, path);
    return button(page, name);
  };

const inCover =
  (name: string) =>
  async ({ page }: Start): Promise<Locator> => {
    await follow(page, '/livres/1');
    await button(page, 'Changer la couverture').press('Enter');
    return dialogs(page).getByRole('button', { name, exact: true });
  };

async function choosePicture(page: Page): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  const buffer = await photo('#aa3322', 300, 400);
  await (await chooser).setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer });
}

async function missingVolume({ house, page }: Start): Promise<Locator> {
  const places = [{ titre: 'Un de Baumugnes', numero: '2' }];
  const { id } = await ajouterSerie(house, { titre: 'Pan', places });
  await follow(page, `/series/${String(id)}`);
  return button(page, 'Un de Baumugnes, ce volume manque');
}

/** A book that another person has just edited, whose news have not come. */
async function editedElsewhere({ house, phone, page }: Start): Promise<Locator> {
  const { id } = await house.ajouter({ titre: 'Désert' });
  await follow(page, '/');
  await page.getByRole('link', { name: 'Désert' }).first().waitFor();
  await follow(page, `/livres/${String(id)}`);
  await button(page, 'Supprimer').waitFor();
  withoutNews(phone);
  const { ok } = await fetch(`${house.url}/api/livres/${String(id)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ titre: 'Désert', format: 'Physique', editeur: 'Folio' }),
  });
  expect(ok).toBe(true);
  return button(page, 'Supprimer');
}

/** A code that was scanned in another household, which waits there. */
async function leftElsewhere(start: Start): Promise<Locator> {
  // The screen looks when it opens.
  await follow(start.page, '/');
  await start.page.evaluate(() => {
    const scan = { date: Date.now(), bibliotheque: 'another' };
    localStorage.setItem('rayonnage.scan|alice|etagere|1', JSON.stringify(scan));
  });
  return at('/reglages', /^Laissé dans une autre bibliothèque/)(start);
}

/** A screen of whose parts none comes any more. */
async function withoutParts(): Promise<Start> {
  const start = await ownHouse();
  await follow(start.page, '/prets');
  await button(start.page, /^Rappeler/).waitFor();
  await start.page.route('**/_app/immutable/**', (route) => route.abort());
  return start;
}

const compte = (name: string | RegExp): Walk => ({
  start: accounts,
  opener: ({ page }) => Promise.resolve(button(page, name)),
});
const own = (path: string, name: string | RegExp): Walk => ({
  start: ownHouse,
  opener: at(path, name),
});

/** In the order in which one household after the other is walked: what ends a walk stands last in its own. */
const WALKS: Readonly<Record<SheetName, Walk>> = {
  menu: { ...own('/', 'Menu'), goesByState: false },
  filters: { ...own('/', /^Filtres/), goesByState: false },
  tri: own('/', /, tri et affichage$/),
  shortcuts: {
    start: ownHouse,
    opener: at('/', 'Menu'),
    press: (page) => page.keyboard.press('?'),
  },
  couverture: own('/livres/1', 'Changer la couverture'),
  autres: { start: ownHouse, opener: inCover('Autres couvertures') },
  crop: { start: ownHouse, opener: inCover('Choisir une image'), press: choosePicture },
  fusion: own('/livres/3', /^Réunir les fiches/),
  keeper: own('/livres/3', 'Supprimer'),
  rappel: own('/prets', /^Rappeler/),
  manquant: { start: ownHouse, opener: missingVolume },
  souhait: own('/souhaits', /Zazie/),
  more: own('/souhaits', 'Autres actions'),
  library: own('/reglages', /^Nom de la bibliothèque/),
  export: own('/reglages', /^Exporter/),
  sauvegardes: own('/reglages', /^Sauvegardes/),
  setting: own('/reglages', /^Thème/),
  detail: own('/reglages/details', /^Renommer/),
  saveCopy: own('/reglages/compte', 'Sauver cette copie'),
  langue: own('/reglages/compte', /^Langue/),
  left: { start: ownHouse, opener: leftElsewhere },
  deletion: { start: ownHouse, opener: editedElsewhere },
  partFailed: {
    start: withoutParts,
    opener: ({ page }) => Promise.resolve(button(page, /^Rappeler/)),
  },
  eveningEmprunt: {
    start: evening,
    opener: ({ page }) => Promise.resolve(button(page, 'Livres empruntés')),
  },
  eveningRows: {
    start: evening,
    opener: ({ page }) => Promise.resolve(button(page, '5 livres ce soir')),
  },
  series: {
    start: evening,
    opener: async ({ page }) => {
      await button(page, 'Terminer').click();
      return button(page, 'et 2 autres');
    },
  },
  nom: compte(/^Nom/),
  portrait: compte(/^Portrait/),
  motDePasse: compte(/^Mot de passe/),
  clesAcces: compte(/^Clés d’accès/),
  fournisseur: compte('Se connecter avec chez nous'),
  code: compte(/^Code sur un appareil partagé/),
  sessions: compte(/^Appareils connectés/),
  agenda: compte(/^Agenda des retours/),
  cles: compte(/^Clés pour scripts/),
  signOut: compte('Se déconnecter'),
  membre: { start: tablet, opener: at('/reglages/membres', 'Luc') },
  visage: { start: tablet, opener: at('/connexion', /^Claire/) },
  otherHousehold: {
    start: elsewhere,
    opener: ({ page }) => Promise.resolve(button(page, /^Copie gardée/)),
  },
};

const hasFocus = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element === document.activeElement);

/** Opens a sheet from its opener, and waits until what closes it has given the focus back. */
async function openAndClose(
  page: Page,
  opener: Locator,
  { press = () => page.keyboard.press('Enter') }: Walk,
  close: () => Promise<void>,
  message: string,
): Promise<void> {
  const before = await dialogs(page).count();
  // One that goes with its state is in the page until its end is heard.
  const elements = await page.locator('dialog').count();
  await press(page);
  await expect.poll(() => dialogs(page).count(), { message }).toBe(before + 1);
  await close();
  await expect.poll(() => dialogs(page).count(), { message }).toBe(before);
  await expect.poll(() => page.locator('dialog').count(), { message }).toBe(elements);
  await expect.poll(() => hasFocus(opener), { message }).toBe(true);
}

const byStart = Map.groupBy(Object.entries(WALKS), ([, { start }]) => start);

test.each([...byStart].map(([start, walks]) => [start.name, start, walks] as const))(
  'the focus goes back to what opened a sheet: %s',
  async (_, start, walks) => {
    const begun = await start();
    const { page } = begun;
    for (const [name, walk] of walks) {
      const opener = await walk.opener(begun);
      await opener.focus();
      await openAndClose(page, opener, walk, () => page.keyboard.press('Escape'), name);
      const shut = () =>
        dialogs(page)
          .last()
          .getByRole('button', { name: /^(?:Fermer|Annuler)$/ })
          .last()
          .press('Enter');
      await openAndClose(page, opener, walk, shut, `${name}, by its button`);
      const go = () =>
        dialogs(page)
          .last()
          .evaluate((sheet) => void sheet.dispatchEvent(new Event('close')));
      if (walk.goesByState !== false) await openAndClose(page, opener, walk, go, `${name}, gone`);
      // What the opener itself stands in is left with it.
      while ((await dialogs(page).count()) > 0) {
        await page.keyboard.press('Escape');
        await dialogs(page).last().waitFor({ state: 'detached' });
      }
    }
    expect(walks.length).toBeGreaterThan(0);
  },
);
