import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { ean13CheckDigit } from '#shared/codes';
import { temporaryFolder } from '../../support/database.ts';
import { CLIENT, openProvider } from '../../support/oidc-provider.ts';
import { acceptInvitation, householdWithAccounts } from './comptes.ts';
import { ajouterSerie } from './collections.ts';
import { photo } from './covers.ts';
import { device, type Device } from './device.ts';
import { follow } from './follow.ts';
import { household, type Household } from './household.ts';
import { begins, ends, t } from './messages.ts';
import { deskScanner, householdWithCatalogues } from './recherche.ts';
import type { SheetName } from './sheets.ts';
import { blockChanges } from './souhaits.ts';

/** A household and a page that shows it. */
export interface Start {
  readonly house: Household;
  readonly phone: Device;
  readonly page: Page;
}

export interface Walk {
  readonly start: () => Promise<Start>;
  /** Returns the control that opens the sheet; it has the focus after closing. */
  readonly opener: (start: Start) => Promise<Locator>;
  /** Opens the sheet from its control; by default Enter. */
  readonly press?: (page: Page) => Promise<void>;
  /** False for a sheet that the back button does not close. */
  readonly goesByState?: false;
}

const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first();
export const dialogs = (page: Page): Locator => page.getByRole('dialog');

async function ownHouse(): Promise<Start> {
  const house = await household();
  const regain = await house.ajouter({ titre: 'Regain' });
  await house.preter(regain, 'Luc');
  await house.ajouter({
    titre: 'Nana',
    auteurs: ['Émile Zola'],
    details: [{ nom: 'Provenance', valeur: '12' }],
  });
  await house.ajouter({ titre: 'Nana : roman', auteurs: ['Émile Zola'], format: 'Numerique' });
  await house.souhaiter('alice', { titre: 'Zazie dans le métro' });
  const phone = await device(house);
  const page = await phone.open();
  await page.getByRole('link', { name: 'Regain' }).first().waitFor();
  return { house, phone, page };
}

/** Five series with a first volume each, which the catalogues know by one record. */
const SERIES = ['Akira', 'Blame', 'Monster', 'Pluto', 'Sanctuary'];
const codeOf = (index: number): string => {
  const digits = `97820900100${String(index)}`;
  return digits + ean13CheckDigit(digits);
};

async function scanSession(): Promise<Start> {
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
  await page.getByText(t.soiree_none(), { exact: true }).waitFor();
  const scan = await deskScanner(page);
  for (const index of SERIES.keys()) await scan(codeOf(index));
  await page.getByText(tonight(), { exact: true }).waitFor();
  return { house, phone, page };
}

/** The number of books added in this scan session. */
const tonight = () => t.soiree_count({ livres: t.count_livres({ count: 5 }) });

/** A household with accounts and a provider, whose first member is signed in. */
async function accounts(): Promise<Start> {
  const settings: Record<string, string> = { ACCOUNTS: 'oui' };
  const house = await household(settings);
  const phone = await device(house, { user: null });
  const page = await phone.open(house.firstPath);
  await acceptInvitation(page, 'Claire');
  const provider = await openProvider([`${phone.portal.url}/connexion/retour`]);
  Object.assign(settings, {
    OIDC_ISSUER: provider.issuer,
    OIDC_NAME: 'chez nous',
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
  });
  await house.stop();
  await house.start();
  await page.goto(`${phone.portal.url}/reglages/compte`);
  await button(page, t.se_connecter_with({ fournisseur: 'chez nous' })).waitFor();
  return { house, phone, page };
}

/** A shared tablet with two members, one of them with a password. */
async function tablet(): Promise<Start> {
  const house = await householdWithAccounts();
  const phone = await device(house, { user: null, size: 'desk' });
  const page = await phone.open(house.firstPath);
  await acceptInvitation(page, 'Claire');
  await follow(page, '/reglages/compte');
  await button(page, t.code_shared()).click();
  await page.getByLabel(t.code(), { exact: true }).fill('4711');
  await button(page, t.code_ask()).click();
  await dialogs(page).waitFor({ state: 'detached' });
  await follow(page, '/reglages/membres');
  await page.getByLabel(t.field_nom(), { exact: true }).fill('Luc');
  await button(page, t.invite_action()).click();
  const link = await page.getByText(/\/invitation#/).textContent();
  const other = await device(house, { user: null });
  await acceptInvitation(await other.open(/\/invitation#\S+/.exec(link ?? '')?.[0] ?? ''));
  await follow(page, '/reglages');
  return { house, phone, page };
}

/** A phone whose replica belongs to another household than the one that answers; its reader chose to keep it. */
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

/** A name on the screen; a function, since the language is set per test. */
type Name = () => string | RegExp;

const at =
  (path: string, name: Name) =>
  async ({ page }: Start): Promise<Locator> => {
    await follow(page, path);
    return button(page, name());
  };

const inCover =
  (name: () => string) =>
  async ({ page }: Start): Promise<Locator> => {
    await follow(page, '/livres/1');
    await button(page, t.couverture_change()).press('Enter');
    return dialogs(page).getByRole('button', { name: name(), exact: true });
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
  return button(page, `Un de Baumugnes, ${t.volume_missing()}`);
}

/** The row of a book that was read. */
async function readBook({ house, page }: Start): Promise<Locator> {
  await house.noter('alice', { livreId: 1, fin: '2026-05-02', note: 6 });
  await follow(page, '/');
  return button(page, t.rate_livre({ titre: 'Regain' }));
}

/** A book that somebody else has just edited; the device has not received the change. */
async function editedElsewhere({ house, phone, page }: Start): Promise<Locator> {
  const { id } = await house.ajouter({ titre: 'Désert' });
  await follow(page, '/');
  await page.getByRole('link', { name: 'Désert' }).first().waitFor();
  await follow(page, `/livres/${String(id)}`);
  await button(page, t.supprimer()).waitFor();
  blockChanges(phone);
  const { ok } = await fetch(`${house.url}/api/livres/${String(id)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ titre: 'Désert', format: 'Physique', editeur: 'Folio' }),
  });
  expect(ok).toBe(true);
  return button(page, t.supprimer());
}

/** A code that was scanned in another household and is pending there. */
async function orphansOfOthers(start: Start): Promise<Locator> {
  // The start screen is what looks for pending codes.
  await follow(start.page, '/');
  await start.page.evaluate(() => {
    const scan = { date: Date.now(), bibliotheque: 'another' };
    localStorage.setItem('rayonnage.scan|alice|etagere|1', JSON.stringify(scan));
  });
  return at('/reglages', () => begins(t.left_elsewhere()))(start);
}

/** A screen whose lazily loaded modules fail from now on. */
async function withoutParts(): Promise<Start> {
  const start = await ownHouse();
  await follow(start.page, '/prets');
  await button(start.page, begins(t.rappeler())).waitFor();
  await start.page.route('**/_app/immutable/**', (route) => route.abort());
  return start;
}

const compte = (name: Name): Walk => ({
  start: accounts,
  opener: ({ page }) => Promise.resolve(button(page, name())),
});
const ownWalk = (path: string, name: Name): Walk => ({
  start: ownHouse,
  opener: at(path, name),
});

/** Names in the households of these walks, which are in no message. */
export const OWN_WORDS =
  /Regain|Nana|roman|Émile Zola|Zazie dans le métro|Provenance|Pan|Un de Baumugnes|Désert|Folio|(?:Akira|Blame|Monster|Pluto|Sanctuary)(?:, tome 1)?|chez nous|claire|luc/g;

/** Walks of one household follow each other; a walk that changes its household for good is the last. */
export const WALKS: Readonly<Record<SheetName, Walk>> = {
  menu: { ...ownWalk('/', t.menu), goesByState: false },
  filters: { ...ownWalk('/', () => begins(t.filters())), goesByState: false },
  rate: { start: ownHouse, opener: readBook },
  tri: ownWalk('/', () => ends(t.tri_and_display())),
  shortcuts: {
    start: ownHouse,
    opener: at('/', t.menu),
    press: (page) => page.keyboard.press('?'),
  },
  couverture: ownWalk('/livres/1', t.couverture_change),
  autres: { start: ownHouse, opener: inCover(t.couverture_others) },
  crop: { start: ownHouse, opener: inCover(t.image_choose), press: choosePicture },
  fusion: ownWalk('/livres/3', () =>
    begins(t.fiches_reunir(), t.fiches_reunir_with({ where: '…' }).split('…')[0]),
  ),
  keeper: ownWalk('/livres/3', t.supprimer),
  rappel: ownWalk('/prets', () => begins(t.rappeler())),
  manquant: { start: ownHouse, opener: missingVolume },
  souhait: ownWalk('/souhaits', () => /Zazie/),
  more: ownWalk('/souhaits', t.souhaits_more),
  library: ownWalk('/reglages', () => begins(t.library_name())),
  export: ownWalk('/reglages', () => begins(t.exports())),
  sauvegardes: ownWalk('/reglages', () => begins(t.sauvegardes())),
  setting: ownWalk('/reglages', () => begins(t.theme())),
  detail: ownWalk('/reglages/details', () => begins(t.detail_rename({ nom: 'Provenance' }))),
  saveCopy: ownWalk('/reglages/compte', t.save_copy),
  langue: ownWalk('/reglages/compte', () => begins(t.langue())),
  left: { start: ownHouse, opener: orphansOfOthers },
  deletion: { start: ownHouse, opener: editedElsewhere },
  partFailed: {
    start: withoutParts,
    opener: ({ page }) => Promise.resolve(button(page, begins(t.rappeler()))),
  },
  scanSessionChoices: {
    start: scanSession,
    opener: ({ page }) => Promise.resolve(button(page, t.soiree_choices())),
  },
  scanSessionRows: {
    start: scanSession,
    opener: ({ page }) => Promise.resolve(button(page, tonight())),
  },
  series: {
    start: scanSession,
    opener: async ({ page }) => {
      await button(page, t.finish()).click();
      return button(page, t.and_others({ count: 2 }));
    },
  },
  nom: compte(() => begins(t.field_nom())),
  portrait: compte(() => begins(t.portrait())),
  motDePasse: compte(() => begins(t.mot_de_passe())),
  clesAcces: compte(() => begins(t.passkeys())),
  fournisseur: compte(() => t.se_connecter_with({ fournisseur: 'chez nous' })),
  code: compte(() => begins(t.code_shared())),
  sessions: compte(() => begins(t.sessions())),
  agenda: compte(() => begins(t.agenda())),
  cles: compte(() => begins(t.cles())),
  signOut: compte(t.se_deconnecter),
  membre: { start: tablet, opener: at('/reglages/membres', () => 'Luc') },
  visage: { start: tablet, opener: at('/connexion', () => /^Claire/) },
  otherHousehold: {
    start: elsewhere,
    opener: ({ page }) =>
      Promise.resolve(
        button(
          page,
          begins(t.status_other_kept_undated(), t.status_other_kept({ day: '…' }).split('…')[0]),
        ),
      ),
  },
};
