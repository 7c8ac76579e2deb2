import { expect, test } from 'vitest';
import { livreRow } from './support/catalogue.ts';
import { device, type Device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const CODE = /^\/_app\/immutable\/.*\.(?:js|css)$/;

/** The files that the HTML's first screen loads. */
async function filesOfTheStart(phone: Device): Promise<readonly string[]> {
  const asked = new Set<string>();
  phone.portal.breaks = (_, path) => {
    if (CODE.test(path)) asked.add(path);
    return false;
  };
  const page = await phone.open();
  await page.getByRole('link', { name: 'Regain' }).waitFor();
  await page.close();
  return [...asked];
}

test('a file that fails once is asked for again', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Regain' });
  const files = await filesOfTheStart(await device(house));
  expect(files.length).toBeGreaterThan(5);
  const phone = await device(house);
  for (const file of files) {
    let isBroken = true;
    phone.portal.breaks = (_, path) => {
      const breaks = isBroken && path === file;
      if (breaks) isBroken = false;
      return breaks;
    };
    const page = await phone.open();
    await page.getByRole('link', { name: 'Regain' }).waitFor();
    const unstyled = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(
            ({ sheet }) => sheet === null,
          ).length,
      );
    await expect.poll(unstyled, { message: file }).toBe(0);
    await page.close();
    await phone.context.clearCookies();
  }
});

test('a start that never succeeds reports it', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Regain' });
  const phone = await device(house);
  phone.portal.breaks = (_, path) => CODE.test(path) && path.includes('/entry/');
  const page = await phone.open();
  const message = page.getByRole('alert').filter({ hasText: 'L’application ne s’est pas chargée' });
  await message.waitFor();
  phone.portal.breaks = null;
  phone.unloaded.length = 0;
  await message.getByRole('button', { name: 'Réessayer' }).click();
  await page.getByRole('link', { name: 'Regain' }).waitFor();
});

/** Features that a browser lacks or blocks in a private window, a web view or an insecure context. */
const PARTS = [
  'caches',
  'BroadcastChannel',
  'indexedDB',
  'localStorage',
  'sessionStorage',
  'navigator.credentials',
  'navigator.locks',
  'navigator.mediaDevices',
  'navigator.serviceWorker',
  'navigator.storage',
] as const;

test('a browser that lacks or refuses a part of itself starts all the same', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Regain' });
  const visits = [
    { lacked: PARTS, refused: [] },
    ...PARTS.map((part) => ({ lacked: [], refused: [part] })),
  ];
  for (const visit of visits) {
    const phone = await device(house, { serviceWorker: true });
    await phone.context.addInitScript(({ lacked, refused }) => {
      const define = (path: string, get: () => undefined) => {
        const name = path.replace('navigator.', '');
        Object.defineProperty(path === name ? globalThis : navigator, name, { get });
      };
      for (const path of lacked) define(path, () => undefined);
      for (const path of refused)
        define(path, () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        });
    }, visit);
    const page = await phone.open();
    const message = visit.refused[0] ?? 'all at once';
    await expect.poll(() => livreRow(page, 'Regain').count(), { message, timeout: 20_000 }).toBe(1);
    await page.close();
  }
});

test('a browser that registers no worker, or never answers for its locks, starts all the same', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Regain' });
  const phone = await device(house, { serviceWorker: true });
  await phone.context.addInitScript(() => {
    const refuse = () => Promise.reject(new DOMException('not allowed', 'SecurityError'));
    Object.defineProperty(navigator.serviceWorker, 'register', { value: refuse });
    Object.defineProperty(navigator.locks, 'request', {
      value: () => new Promise(() => undefined),
    });
    Object.defineProperty(navigator.storage, 'persist', { value: refuse });
    Object.defineProperty(navigator.storage, 'estimate', { value: refuse });
  });
  const page = await phone.open();
  await livreRow(page, 'Regain').waitFor();
  await follow(page, '/a-propos');
  await page.getByText('Livres : 1').waitFor();
});
