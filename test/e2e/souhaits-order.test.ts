import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { expectFeedback } from './support/feedback.ts';
import { household, type Household } from './support/household.ts';
import {
  closeSheet,
  expectList,
  handleOf,
  moveByKeys,
  openSheet,
  pressIn,
  souhaitRow,
  blockChanges,
} from './support/souhaits.ts';

async function houseWithThree(): Promise<Household> {
  const house = await household();
  for (const titre of ['Regain', 'Fondation', 'Désert']) await house.souhaiter('alice', { titre });
  for (const numero of ['113', '114'])
    await house.souhaiterRevue('alice', { titre: `La Hulotte ${numero}`, numero });
  return house;
}

const expectStored = async (house: Household, titres: readonly string[]) => {
  await expect.poll(() => house.souhaits('alice')).toEqual(titres);
};

test('arrows move a wish, and the focus with it', async () => {
  const house = await houseWithThree();
  const page = await (await device(house)).open('/souhaits');
  await expectList(page, 'Livres', ['Regain', 'Fondation', 'Désert']);
  const sheet = await openSheet(page, 'Désert');
  await sheet.getByText('le troisième de la liste').waitFor();
  const up = sheet.getByRole('button', { name: 'Monter' });
  await up.click();
  await expectList(page, 'Livres', ['Regain', 'Désert', 'Fondation']);
  await sheet.getByText('le deuxième de la liste').waitFor();
  const hasFocus = (button: Locator) =>
    button.evaluate((element) => element === document.activeElement);
  expect(await hasFocus(up)).toBe(true);
  await page.keyboard.press('Enter');
  await expectList(page, 'Livres', ['Désert', 'Regain', 'Fondation']);
  await expectStored(house, ['Désert', 'Regain', 'Fondation']);
  await sheet.getByText('le premier de la liste').waitFor();
  await expect.poll(() => hasFocus(sheet.getByRole('button', { name: 'Descendre' }))).toBe(true);
  expect(await up.isDisabled()).toBe(true);
  await closeSheet(page);
  await expectList(page, 'Revues', ['La Hulotte 113', 'La Hulotte 114']);
  await pressIn(page, 'La Hulotte 113', 'Descendre');
  await expectList(page, 'Revues', ['La Hulotte 114', 'La Hulotte 113']);
  await closeSheet(page);
  await expectStored(house, ['Désert', 'Regain', 'Fondation']);

  await pressIn(page, 'Fondation', 'Mettre en tête');
  await expectList(page, 'Livres', ['Fondation', 'Désert', 'Regain']);
  await expectStored(house, ['Fondation', 'Désert', 'Regain']);
  expect(await page.getByRole('button', { name: 'Mettre en tête' }).count()).toBe(0);
  await closeSheet(page);

  // The handle keeps the focus and announces the new place; after the drop it is not held any more.
  await moveByKeys(page, 'Fondation', 'ArrowDown');
  await expectList(page, 'Livres', ['Désert', 'Fondation', 'Regain']);
  await page.getByText('« Fondation » : 2 sur 3.').waitFor({ state: 'attached' });
  const grip = handleOf(page, 'Fondation');
  expect(await hasFocus(grip)).toBe(true);
  expect(await grip.getAttribute('aria-pressed')).toBe('false');
  await moveByKeys(page, 'Fondation', 'ArrowUp');
  await expectList(page, 'Livres', ['Fondation', 'Désert', 'Regain']);
  await expectStored(house, ['Fondation', 'Désert', 'Regain']);

  // Of several orders set during a request, the last one is stored.
  const { promise: arePressed, resolve: release } = Promise.withResolvers<undefined>();
  await page.route('**/api/souhaits/ordre', async (route) => {
    await arePressed;
    await route.continue();
  });
  await moveByKeys(page, 'Fondation', 'ArrowDown', 'ArrowDown');
  await moveByKeys(page, 'Regain', 'ArrowUp');
  release(undefined);
  await expectStored(house, ['Regain', 'Désert', 'Fondation']);
  await expectList(page, 'Livres', ['Regain', 'Désert', 'Fondation']);
});

/** The way from a wish's handle to below another wish. */
async function dragPath(page: Page, from: string, below: string) {
  const start = await handleOf(page, from).boundingBox();
  const target = await souhaitRow(page, below).boundingBox();
  if (start === null || target === null) throw new Error('Not in sight');
  const x = start.x + start.width / 2;
  const y = start.y + start.height / 2;
  return { x, y, end: target.y + target.height * 0.75 };
}

const STEPS = 12;

/** Waits until the wishes appear in this order on the screen, whatever their order in the document. */
const expectSeen = async (page: Page, titres: readonly string[]) => {
  await expect
    .poll(() =>
      page
        .getByRole('list', { name: 'Livres' })
        .getByRole('listitem')
        .evaluateAll((rows) =>
          rows
            .map((row) => ({ row, y: row.getBoundingClientRect().top }))
            .sort((a, b) => a.y - b.y)
            .map(({ row }) => row.getAttribute('aria-label')),
        ),
    )
    .toEqual(titres);
};

test('the mouse drags a wish by its handle', async () => {
  const house = await houseWithThree();
  const page = await (await device(house, { size: 'desk' })).open('/souhaits');
  await expectList(page, 'Livres', ['Regain', 'Fondation', 'Désert']);
  const { x, y, end } = await dragPath(page, 'Regain', 'Désert');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, end, { steps: STEPS });
  await expectSeen(page, ['Fondation', 'Désert', 'Regain']);
  await page.mouse.up();
  await expectStored(house, ['Fondation', 'Désert', 'Regain']);
  await expectList(page, 'Livres', ['Fondation', 'Désert', 'Regain']);
  await page.getByText('« Regain » : 3 sur 3.').waitFor({ state: 'attached' });
});

test('a finger drags a wish by its handle', async () => {
  const house = await houseWithThree();
  const phone = await device(house);
  const page = await phone.open('/souhaits');
  await expectList(page, 'Livres', ['Regain', 'Fondation', 'Désert']);
  const { x, y, end } = await dragPath(page, 'Regain', 'Désert');
  const session = await phone.context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: number[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map((top) => ({ x, y: top })),
    });
  await touch('touchStart', [y]);
  for (let step = 1; step <= STEPS; step++)
    await touch('touchMove', [y + ((end - y) * step) / STEPS]);
  await expectSeen(page, ['Fondation', 'Désert', 'Regain']);
  await touch('touchEnd', []);
  // After the response the next order is sent at once.
  await expectFeedback(page, 'Souhaits réordonnés');
  await expectStored(house, ['Fondation', 'Désert', 'Regain']);
  await expectList(page, 'Livres', ['Fondation', 'Désert', 'Regain']);

  // The device sends an order of three wishes without knowing the fourth.
  const letNewsThrough = blockChanges(phone);
  await house.souhaiter('alice', { titre: 'Malpertuis' });
  await moveByKeys(page, 'Regain', 'ArrowUp');
  await expectList(page, 'Livres', ['Fondation', 'Regain', 'Désert']);
  letNewsThrough();
  await page.getByText('Cette liste a changé entre-temps').waitFor();
  const titres = ['Fondation', 'Désert', 'Regain', 'Malpertuis'];
  await expectList(page, 'Livres', titres);
  expect(await house.souhaits('alice')).toEqual(titres);
});
