import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { temporaryFolder } from '../../support/database.ts';
import { device, type Device } from './device.ts';
import { household, type Household } from './household.ts';

/** A household with a new, empty database, as after a start without the volume. */
export const anotherHousehold = (): Promise<Household> =>
  household({ DATABASE_PATH: join(temporaryFolder(), 'bibliotheque.sqlite') });

/** A phone at one address, and a function that makes another household answer there. */
export async function phoneAt(
  first: Household,
  size?: 'desk',
  user = 'alice',
): Promise<{
  readonly phone: Device;
  readonly answerBy: (house: Household, cuts?: boolean) => void;
}> {
  let answering = first;
  const phone = await device(first, {
    serviceWorker: true,
    user,
    ...(size && { size }),
    upstream: (path) => answering.url + path,
  });
  const answerBy = (house: Household, cuts = true) => {
    answering = house;
    if (cuts) phone.portal.cut();
  };
  return { phone, answerBy };
}

export const QUESTION = 'Une autre bibliothèque répond ici';
export const question = (page: Page) => page.getByRole('dialog', { name: QUESTION });

/** Confirms both questions and switches to the other household; the replica is saved first. */
export async function switchHousehold(page: Page): Promise<void> {
  await question(page).getByRole('button', { name: 'Passer à l’autre bibliothèque' }).click();
  const second = page.getByRole('dialog', { name: 'Passer à l’autre bibliothèque' });
  const downloading = page.waitForEvent('download');
  await second.getByRole('button', { name: 'Enregistrer, puis passer' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^rayonnage-copie-.*\.zip$/);
}
