import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { backupOf } from '../backup/support.ts';
import { atLeastOne } from '../support/at-least-one.ts';
import { CLIENT, openProvider } from '../support/oidc-provider.ts';
import { ajouterSerie, listerSeries } from './support/collections.ts';
import { acceptInvitation } from './support/comptes.ts';
import { device, type Device } from './support/device.ts';
import { expectFeedback } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { holdWrites } from './support/hold-writes.ts';
import { household } from './support/household.ts';
import { deskScanner, householdWithCatalogues } from './support/recherche.ts';
import { untilEqual } from './support/screens.ts';

/** A periodical's code that no catalogue of the test knows. */
const UNKNOWN_REVUE = '9772917044002';

/** The lazily loaded code of the application. */
const CODE = /^\/_app\/immutable\//;

const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click();

interface Case {
  /** The module that navigates after the response, below `src/`. */
  readonly of: string;
  readonly path: string;
  /** The requests that are delayed. */
  readonly held: RegExp;
  readonly act: (page: Page) => Promise<unknown>;
  /** Called before the response arrives; resolves when its handling is complete. */
  readonly done: (page: Page) => Promise<unknown>;
}

/** Leaves each screen before its response arrives, and checks that the reader stays where they are. */
async function leaveBefore(phone: Device, page: Page, cases: readonly Case[]): Promise<void> {
  for (const { of, path, held, act, done } of atLeastOne(cases)) {
    await follow(page, path);
    const release = holdWrites(phone, held);
    await act(page);
    await follow(page, '/prets');
    const visited: string[] = [];
    const note = () => void visited.push(new URL(page.url()).pathname + new URL(page.url()).search);
    page.on('framenavigated', note);
    const ended = done(page);
    release();
    await ended;
    // The response's handling begins in the next task.
    await page.evaluate(
      () => new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume))),
    );
    const message = `${of} ${path}`;
    expect(await page.getByRole('main').getByRole('alert').count(), message).toBe(0);
    expect(await page.getByRole('status').first().textContent(), message).toBe('');
    await follow(page, '/revues');
    page.off('framenavigated', note);
    expect(visited, message).toEqual(['/revues']);
  }
}

test('a late response does not navigate once the reader has left the screen', async () => {
  const { house } = await householdWithCatalogues();
  const livre = await house.ajouter({ titre: 'Désert', themes: ['Voyage'] });
  await house.ajouter({ titre: 'Onitsha', themes: ['Voyage'], isbn: '9782070408504' });
  const emprunteA = { nom: 'Lise', depuis: '2026-01-02', aRendre: null };
  await house.ajouter({ titre: 'Ailleurs' });
  const copy = await house.ajouter({ titre: 'Ailleurs' });
  const borrowed = await house.ajouter({ titre: 'Ourika', emprunteA });
  const [serie, cycle] = [
    await ajouterSerie(house, { titre: 'Fondation', parentId: null, nombreTomes: null }),
    await ajouterSerie(house, { titre: 'Chroniques', parentId: null, nombreTomes: null }),
  ];
  await ajouterSerie(house, { titre: 'Empire', parentId: null, nombreTomes: null });
  const lecture = await house.noter('alice', { titre: 'Regain', debut: '2026-03-01' });
  const phone = await device(house);
  const page = await phone.open('/prets');
  // Wait until nothing is loading, since the first case delays such requests.
  await untilEqual(page);
  const deletion = (path: string, held: RegExp, titre: RegExp): Case => ({
    of: 'lib/ui/conflict/DeletionQuestion.svelte',
    path,
    held,
    act: () => press(page, 'Supprimer'),
    done: () => expectFeedback(page, titre),
  });
  const search = (of: string, path: string): Case => ({
    of,
    path,
    held: /^\/api\/recherche/,
    act: async () => {
      await page.getByLabel(/ISBN/).fill(UNKNOWN_REVUE);
      await page.getByLabel(/ISBN/).press('Enter');
    },
    done: () => answered(page, /^\/api\/recherche/),
  });
  await leaveBefore(phone, page, [
    // First: other screens load the same code.
    {
      of: 'lib/recherche/open-scanned.ts',
      path: '/series',
      held: CODE,
      act: async () => {
        const asked = page.waitForRequest((request) => CODE.test(new URL(request.url()).pathname));
        await (
          await deskScanner(page)
        )('9782070408504');
        await asked;
      },
      done: async () => {
        await answered(page, CODE);
        await page.waitForLoadState('networkidle');
      },
    },
    {
      of: 'lib/prets/LivrePrets.svelte',
      path: `/livres/${borrowed.id}`,
      held: /\/emprunt$/,
      act: () => page.getByRole('button', { name: /^Rendu.: Ourika/ }).click(),
      done: () => expectFeedback(page, /^Rendu à Lise\s: /),
    },
    {
      of: 'lib/livres/record/FusionLivres.svelte',
      path: `/livres/${copy.id}`,
      held: /\/fusions$/,
      act: async () => {
        await page.getByRole('button', { name: /^Fusionner les fiches/ }).click();
        const sheet = page.getByRole('dialog');
        await sheet.getByRole('radio').nth(1).check();
        await sheet.getByRole('button', { name: 'Fusionner les fiches' }).click();
      },
      done: () => expectFeedback(page, /^Fiches fusionnées\s: Ailleurs/),
    },
    {
      of: 'lib/themes/RenameTheme.svelte',
      path: '/themes/voyage',
      held: /^\/api\/themes/,
      act: async () => {
        await press(page, 'Renommer');
        await page.getByLabel('Nom', { exact: true }).fill('Ailleurs');
        await press(page, 'Enregistrer');
      },
      done: () => expectFeedback(page, /Ailleurs/),
    },
    deletion(`/livres/${livre.id}`, /^\/api\/livres/, /Désert/),
    deletion(`/series/${serie.id}`, /^\/api\/series/, /Fondation/),
    deletion(`/lectures/${lecture.id}`, /^\/api\/lectures/, /Regain/),
    {
      of: 'lib/ui/form/RecordForm.svelte',
      path: '/series/ajouter',
      held: /^\/api\/series/,
      act: async () => {
        await page.getByLabel('Titre', { exact: true }).fill('Robots');
        await press(page, 'Enregistrer');
      },
      done: () => expectFeedback(page, /Robots/),
    },
    {
      of: 'lib/series/form/SerieFields.svelte',
      path: `/series/ajouter?dans=${cycle.id}`,
      held: /^\/api\/series/,
      act: async () => {
        await page.getByLabel('Titre', { exact: true }).fill('Empire');
        await press(page, 'La mettre dans ce cycle');
      },
      done: () => expectFeedback(page, /Empire/),
    },
    {
      of: 'lib/livres/add/livre-addition.svelte.ts',
      path: '/lectures/ajouter?champ=titre',
      held: /^\/api\/lectures/,
      act: async () => {
        await page.getByLabel('Titre', { exact: true }).fill('Ravage');
        await press(page, 'Ajouter');
      },
      done: () => expectFeedback(page, /Ravage/),
    },
    search('lib/livres/add/AddSheet.svelte', '/livres/ajouter'),
    {
      of: 'lib/souhaits/RevueWishForm.svelte',
      path: '/souhaits/ajouter?genre=revue',
      held: /^\/api\/souhaits-revues/,
      act: async () => {
        await page.getByLabel('Titre', { exact: true }).fill('Topo');
        await press(page, 'Enregistrer');
      },
      done: () => expectFeedback(page, /Topo/),
    },
    {
      of: 'routes/importer/+page.svelte',
      path: '/importer',
      held: /^\/api\/importations\?/,
      act: async () => {
        await page.getByLabel(/ISBN/).fill('9782070360024');
        await press(page, 'Vérifier');
      },
      done: async () => {
        await expect.poll(() => countImportations(house.url)).toBe(1);
      },
    },
  ]);
  const titres = (await listerSeries(house)).map(({ titre }) => titre);
  expect(titres.sort()).toEqual(['Chroniques', 'Empire', 'Robots']);
});

test('a late response about an account does not navigate once the reader has left the screen', async () => {
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
  await page.goto(`${phone.portal.url}/prets`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const name = 'Se connecter avec chez nous';
  await leaveBefore(phone, page, [
    {
      of: 'lib/comptes/CompteSheets.svelte',
      path: '/reglages/compte',
      held: /^\/api\/membres/,
      act: async () => {
        await page.getByRole('button', { name: /^Nom/ }).click();
        const sheet = page.getByRole('dialog');
        await sheet.getByLabel('Nom', { exact: true }).fill('Clara');
        await sheet.getByRole('button', { name: 'Changer le nom' }).click();
        await page.keyboard.press('Escape');
      },
      done: () => answered(page, /^\/api\/membres/),
    },
    {
      of: 'routes/connexion/+page.svelte',
      path: '/connexion',
      held: /^\/api\/connexion\/fournisseur/,
      act: async () => {
        await page.getByRole('button', { name: 'Quelqu’un d’autre' }).click();
        await page.getByRole('button', { name }).click();
      },
      done: () => answered(page, /^\/api\/connexion\/fournisseur/),
    },
  ]);
});

test('a late response to a restore does not navigate once the reader has left the screen', async () => {
  const house = await household();
  const phone = await device(house);
  const page = await phone.open('/prets');
  const backup = {
    name: 'sauvegarde',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(await backupOf(['Regain'])),
  };
  await leaveBefore(phone, page, [
    {
      of: 'lib/importations/restoration.svelte.ts',
      path: '/importer',
      held: /^\/api\/restauration/,
      act: async () => {
        await page.getByLabel('Fichier', { exact: true }).setInputFiles(backup);
        await press(page, 'Restaurer');
      },
      done: () => answered(page, /^\/api\/restauration/),
    },
  ]);
});

test('a late answer closes nothing on the screen that has taken the place of its own', async () => {
  const house = await household();
  for (const theme of ['Voyage', 'Exil'])
    await house.ajouter({ titre: `Un ${theme}`, themes: [theme] });
  const phone = await device(house);
  const page = await phone.open('/prets');
  const nom = page.getByLabel('Nom', { exact: true });
  const rename = async (path: string, to: string) => {
    await follow(page, path);
    await press(page, 'Renommer');
    await nom.fill(to);
  };
  await rename('/themes/voyage', 'Ailleurs');
  const release = holdWrites(phone, /^\/api\/themes/);
  await press(page, 'Enregistrer');
  await rename('/themes/exil', 'Loin');
  release();
  await expectFeedback(page, /Ailleurs/);
  expect(await nom.inputValue()).toBe('Loin');
});

test('a write that fails after its screen was left is reported where the reader is, but not on another record', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Regain', themes: ['Voyage'] });
  await house.ajouter({ titre: 'Désert', themes: ['Exil'] });
  const lent = await house.ajouter({ titre: 'Nana' });
  const pret = await house.preter(lent, 'Luc');
  const drop = async ({ id }: { readonly id: number }) => {
    const { ok } = await fetch(`${house.url}/api/livres/${id}`, { method: 'DELETE' });
    expect(ok).toBe(true);
  };
  const phone = await device(house);
  const page = await phone.open(`/livres/${lent.id}`);
  const returned = holdWrites(phone, /retour/);
  await page.getByRole('button', { name: /^Rendu.: / }).click();
  await follow(page, '/revues');
  await house.rendre(pret);
  await drop(lent);
  returned();
  const status = page.getByRole('status');
  await status.getByText(/rien à cette adresse/).waitFor();
  expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);

  await follow(page, '/themes/voyage');
  await press(page, 'Renommer');
  await page.getByLabel('Nom', { exact: true }).fill('Ailleurs');
  const renamed = holdWrites(phone, /^\/api\/themes/);
  await press(page, 'Enregistrer');
  await follow(page, '/themes/exil');
  await press(page, 'Renommer');
  await drop(livre);
  renamed();
  await status.getByText(/thème/).waitFor();
  expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
});

/** Waits until the page has the next response of a path. */
const answered = (page: Page, path: RegExp): Promise<unknown> =>
  page.waitForResponse((response) => path.test(new URL(response.url()).pathname));

async function countImportations(url: string): Promise<number> {
  const response = await fetch(`${url}/api/importations`, { headers: { SSO_USER: 'alice' } });
  return ((await response.json()) as object[]).length;
}
