import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { device, SIZES } from './support/device.ts';
import { everyScreen } from './support/every-screen.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { setLanguage, t } from './support/messages.ts';
import { buildLanguages } from './support/build-languages.ts';
import { DOORS, ROUTES } from './support/routes.ts';
import { untilEqual } from './support/screens.ts';
import { dialogs, OWN_WORDS, WALKS } from './support/sheet-walks.ts';
import { textFaultsOf } from './support/text-faults.ts';

buildLanguages('pseudo');

const sizes = ['phone', 'desk'] as const satisfies readonly (keyof typeof SIZES)[];

/** Column headings of the imported table. */
const COLUMNS = /Titre|Auteur|Pages|Année|Statut|Prêté à|Étiquettes/g;

/** Collects the faults of screens, each with its screen. */
class Findings {
  readonly unsaid: string[] = [];
  readonly cut: string[] = [];

  async look(page: Page, where: string): Promise<void> {
    const look = () => textFaultsOf(page, [OWN_WORDS, COLUMNS]);
    let found = await look();
    // A generated cover is typeset once its size is known, and a sheet may still be moving.
    await expect
      .poll(
        async () => {
          found = await look();
          return found.unsaid.length + found.cut.length;
        },
        { timeout: 1500 },
      )
      .toBe(0)
      .catch(() => null);
    const { unsaid, cut } = found;
    this.unsaid.push(...unsaid.map((text) => `${where}: ${text}`));
    this.cut.push(...cut.map((text) => `${where}: ${text}`));
  }

  async walk(page: Page, routes: readonly string[], where = ''): Promise<void> {
    for (const route of routes) {
      await follow(page, route);
      await page.waitForLoadState('networkidle');
      await this.look(page, route + where);
    }
  }

  expectNone(): void {
    expect([...new Set(this.unsaid)], 'no sentence of the catalogues').toEqual([]);
    expect([...new Set(this.cut)], 'cut').toEqual([]);
  }
}

const TEXTS = {
  titre: 'Zqtitre',
  numero: '12',
  auteur: 'Zqauteur',
  emprunteur: 'Zqluc',
  emplacement: 'Zqsalon',
  theme: 'Zqtheme',
};

test.each(sizes)('every text of the screens comes from the messages: %s', async (size) => {
  setLanguage('pseudo');
  const house = await household();
  const { routes } = await everyScreen(house, TEXTS);
  const reader = await device(house, { size });
  const page = await reader.open();
  await untilEqual(page);
  const findings = new Findings();
  await findings.walk(page, routes);
  await reader.cutNetwork();
  await findings.walk(page, routes, ' offline');
  findings.expectNone();
});

test('so is every screen of a house that has nothing', async () => {
  setLanguage('pseudo');
  const page = await (await device(await household())).open();
  await untilEqual(page);
  const findings = new Findings();
  const routes = ROUTES.filter((route) => !route.includes('[') && !DOORS.includes(route));
  await findings.walk(page, [...routes, '/livres/9', '/series/9', '/nulle-part', '/?recherche=Zq']);
  findings.expectNone();
});

test('every text of the forms comes from the messages, and is entirely visible', async () => {
  setLanguage('pseudo');
  const house = await household();
  const { routes } = await everyScreen(house, TEXTS);
  const page = await (await device(house)).open();
  await untilEqual(page);
  const findings = new Findings();
  const save = page.getByRole('main').getByRole('button', { name: t.save(), exact: true });
  let forms = 0;
  for (const route of routes.filter((path) => /ajouter|modifier/.test(path)))
    for (const value of ['', 'Zq¤']) {
      await follow(page, route);
      await page.waitForLoadState('networkidle');
      if (!(await save.isVisible())) continue;
      forms++;
      for (const field of await page
        .getByRole('main')
        .locator('input[type=text], input:not([type])')
        .all())
        if ((await field.isVisible()) && (await field.isEditable())) await field.fill(value);
      await save.click();
      await page.waitForLoadState('networkidle');
      await findings.look(page, `${route}, ${value === '' ? 'nothing' : 'anything'} given`);
    }
  expect(forms).toBeGreaterThan(15);
  findings.expectNone();
});

/** A table with a row for each remark of the report, and an unknown column. */
const TABLE = [
  ['Titre', 'Auteur', 'ISBN', 'Pages', 'Année', 'Statut', 'Prêté à', 'Zqcolonne', 'Étiquettes'],
  ['Zqun', 'Zqauteur', '', '12', '1999', 'lu', 'Zqluc', 'Zqv', 'Zqtag'],
  ['Zqdeux', '', '123', 'Zq', 'Zq', 'Zq', '', '', ''],
  ['', '', '', '', '', '', '', '', ''],
  ['', 'Zqauteur', '', '', '', '', '', '', ''],
  ['Zqtitre', 'Zqauteur', '9782070408504', '', '', 'à lire', '', '', ''],
  ['Zqtrois, tome 1', 'Zqauteur', '9782070408505', '', '', '', '', '', ''],
]
  .map((row) => row.join(';'))
  .join('\n');

test('every text of an import’s report, and of the history after it, comes from the messages', async () => {
  setLanguage('pseudo');
  const house = await household();
  await everyScreen(house, TEXTS);
  const page = await (await device(house)).open('/importer');
  await untilEqual(page);
  const findings = new Findings();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const give = (name: string, buffer: Buffer) =>
    page
      .getByLabel(t.importation_fichier(), { exact: true })
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  for (const [name, bytes] of [
    ['Zqvide.csv', ''],
    ['Zqrien.csv', 'Zqa;Zqb\nZqc;Zqd'],
    ['Zqimage.png', '\u0089Zq\r\n\u001a\n'],
    ['Zqtable.csv', TABLE],
  ] as const) {
    await give(name, Buffer.from(bytes));
    await press(t.verifier());
    await page.waitForLoadState('networkidle');
    await page.getByText(t.importation_checking()).waitFor({ state: 'hidden' });
    await findings.look(page, `${name} checked`);
    // The form for naming the columns replaces the choice of a file.
    if (['Zqrien.csv', 'Zqimage.png'].includes(name)) await press(t.close());
  }
  await page.locator('form .foot-bar').getByRole('button').click();
  await page.getByRole('heading', { name: t.importation_faite_heading() }).waitFor();
  await page.getByRole('region', { name: t.feedback() }).waitFor();
  await findings.look(page, 'imported');
  await press(t.importation_undo());
  await page.getByRole('heading', { name: t.importation_annulee_heading() }).waitFor();
  await findings.look(page, 'undone');
  await findings.walk(page, ['/importer', '/modifications', '/modifications?genre=suppressions']);
  findings.expectNone();
});

const byStart = Map.groupBy(Object.entries(WALKS), ([, { start }]) => start);

test.each([...byStart].map(([start, walks]) => [start.name, start, walks] as const))(
  'so is every sheet: %s',
  async (_, start, walks) => {
    setLanguage('pseudo');
    const begun = await start();
    const { page } = begun;
    const size = page.viewportSize() ?? SIZES.phone;
    const findings = new Findings();
    for (const [name, walk] of walks) {
      const opener = await walk.opener(begun);
      await opener.focus();
      const before = await dialogs(page).count();
      await (walk.press ?? (() => page.keyboard.press('Enter')))(page);
      await expect.poll(() => dialogs(page).count(), { message: name }).toBe(before + 1);
      for (const size of sizes) {
        await page.setViewportSize(SIZES[size]);
        await findings.look(page, `${name} (${size})`);
      }
      await page.setViewportSize(size);
      for (let open = before + 1; open > 0; open--) {
        await page.keyboard.press('Escape');
        await expect
          .poll(() => dialogs(page).count(), { message: name, timeout: 5000 })
          .toBe(open - 1);
      }
    }
    findings.expectNone();
  },
);
