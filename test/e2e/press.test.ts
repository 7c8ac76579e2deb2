import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { modifierNumero, modifierRevue, modifierSerie } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';
import { fullHouse, type Paths } from './support/undo.ts';

// Another person's change arrives while a finger is down: if the control were replaced, it would receive no click.

interface Press {
  readonly name: string;
  readonly at: (path: Paths) => string;
  readonly target: (page: Page) => Locator;
  /** The change that another person makes. */
  readonly write: (house: Household, path: Paths) => Promise<unknown>;
  /** The element in which the change appears. */
  readonly shown: (page: Page) => Locator;
  readonly outcome: (page: Page) => Locator;
}

const button = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first();
const text = (sentence: string) => (page: Page) => page.getByText(sentence).first();
const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true });
const livreLink = (name: string) => (page: Page) =>
  page.getByRole('main').getByRole('link', { name, exact: true });

const idIn = (path: string): number => Number(path.split('/').at(-1));

const rename = async (house: Household, path: string, titre: string): Promise<unknown> =>
  fetch(`${house.url}/api${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ titre, format: 'Physique' }),
  });

/** A press on a book that another person renames at that moment. */
const renamed = (bis: string) => ({
  at: ({ dune }: Paths) => dune,
  write: (house: Household, { dune }: Paths) => rename(house, dune, bis),
  shown: heading(bis),
});

/** In this order on one household: each press prepares the next one's state. */
const PRESSES: readonly Press[] = [
  {
    name: '« Modifier » of a book',
    ...renamed('Dune, un'),
    target: button('Modifier'),
    outcome: button('Enregistrer'),
  },
  {
    name: 'the row of a book',
    ...renamed('Dune, deux'),
    at: ({ catalogue }) => catalogue,
    target: livreLink('Dune, un'),
    shown: livreLink('Dune, deux'),
    outcome: heading('Dune, deux'),
  },
  {
    name: 'a status',
    ...renamed('Dune, trois'),
    target: (page) => page.getByRole('radio', { name: 'À lire' }),
    outcome: text('Marqué à lire : Dune, trois'),
  },
  {
    name: '« Rendu »',
    at: ({ prets }) => prets,
    target: (page) => page.getByRole('button', { name: /^Rendu.: / }).first(),
    write: (house, { lent }) => rename(house, lent, 'Sido bis'),
    shown: livreLink('Sido bis'),
    outcome: text('Rendu par Luc : Sido bis'),
  },
  {
    name: '« Modifier » of a series',
    at: ({ serie }) => serie,
    target: button('Modifier'),
    write: (house, { serie }) =>
      modifierSerie(house, idIn(serie), { titre: 'Dune, le cycle', places: [{ titre: 'Dune' }] }),
    shown: heading('Dune, le cycle'),
    outcome: button('Enregistrer'),
  },
  {
    name: '« Modifier » of a periodical',
    at: ({ revue }) => revue,
    target: button('Modifier'),
    write: (house, { revue }) => modifierRevue(house, idIn(revue), { titre: 'La Chouette' }),
    shown: heading('La Chouette'),
    outcome: button('Enregistrer'),
  },
  {
    name: '« Modifier » of an issue',
    at: ({ numero }) => numero,
    target: button('Modifier'),
    write: (house, { numero }) =>
      modifierNumero(house, idIn(numero), { numero: '112', resume: 'Tout sur le lierre.' }),
    shown: text('Tout sur le lierre.'),
    outcome: button('Enregistrer'),
  },
  {
    name: '« Enregistrer »',
    at: ({ numero }) => `${numero}/modifier`,
    target: button('Enregistrer'),
    write: (house) => house.ajouter({ titre: 'Regain' }),
    shown: (page) => page.getByRole('link', { name: /^Catalogue\s*4$/ }),
    outcome: text('Modifications enregistrées.'),
  },
  {
    name: '« Supprimer » of a book',
    ...renamed('Dune, quatre'),
    target: button('Supprimer'),
    outcome: text('Livre supprimé : Dune, quatre'),
  },
];

test('a press during another write is done', async () => {
  const { house, path } = await fullHouse();
  const page = await (await device(house, { size: 'desk' })).open();
  for (const { name, at, target, write, shown, outcome } of PRESSES) {
    await follow(page, path.souhaits);
    await follow(page, at(path));
    await expect.poll(() => target(page).isEnabled(), { message: name }).toBe(true);
    await target(page).hover();
    await expect.poll(() => outcome(page).isVisible(), { message: `${name}, before` }).toBe(false);
    await page.mouse.down();
    await write(house, path);
    await shown(page).waitFor();
    await page.mouse.up();
    await expect.poll(() => outcome(page).isVisible(), { message: name }).toBe(true);
  }
});

test('a row pressed while its list scrolls is opened', async () => {
  const house = await household();
  for (let i = 10; i < 40; i++) await house.ajouter({ titre: `Tome ${i}` });
  const page = await (await device(house, { size: 'desk' })).open();
  await livreLink('Tome 12')(page).hover();
  await page.mouse.down();
  await page.evaluate(
    () =>
      new Promise((resume) => {
        addEventListener('scroll', () => requestAnimationFrame(resume), { once: true });
        scrollBy({ top: 2, behavior: 'instant' });
      }),
  );
  await page.mouse.up();
  await heading('Tome 12')(page).waitFor();
});
