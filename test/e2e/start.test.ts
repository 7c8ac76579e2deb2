import { expect, test } from 'vitest';
import { device, type Device } from './support/device.ts';
import { household } from './support/household.ts';

const CODE = /^\/_app\/immutable\/.*\.(?:js|css)$/;

/** The files that the first screen asks for before it is there. */
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

test('a start that never succeeds says so', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Regain' });
  const phone = await device(house);
  phone.portal.breaks = (_, path) => CODE.test(path) && path.includes('/entry/');
  const page = await phone.open();
  const told = page.getByRole('alert').filter({ hasText: 'L’application ne s’est pas chargée' });
  await told.waitFor();
  phone.portal.breaks = null;
  phone.unloaded.length = 0;
  await told.getByRole('button', { name: 'Réessayer' }).click();
  await page.getByRole('link', { name: 'Regain' }).waitFor();
});
