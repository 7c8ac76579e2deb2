import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import type { Device } from './device.ts';

type ListName = 'Livres' | 'Revues';

const list = (page: Page, name: ListName): Locator => page.getByRole('list', { name });

export const souhaitRow = (page: Page, titre: string): Locator =>
  page.getByRole('listitem', { name: titre, exact: true });

/** Waits until a list shows these titles in this order. */
export const expectList = async (
  page: Page,
  name: ListName,
  titres: readonly string[],
): Promise<void> => {
  await expect
    .poll(() =>
      list(page, name)
        .getByRole('listitem')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label'))),
    )
    .toEqual(titres);
};

/** Opens the sheet of a wish. */
export async function openSheet(page: Page, titre: string): Promise<Locator> {
  const sheet = page.getByRole('dialog', { name: titre, exact: true });
  await souhaitRow(page, titre).getByRole('button', { name: titre, exact: true }).click();
  await sheet.waitFor();
  return sheet;
}

/** Opens the sheet of a wish and presses a button. */
export async function pressIn(page: Page, titre: string, button: string): Promise<void> {
  const sheet = await openSheet(page, titre);
  await sheet.getByRole('button', { name: button, exact: true }).click();
}

/** Closes the open sheet. */
export async function closeSheet(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Moves a wish by the keyboard: picks up its handle, moves it and drops it. */
export async function moveByKeys(page: Page, titre: string, ...keys: readonly string[]) {
  const grip = handleOf(page, titre);
  await grip.focus();
  await page.keyboard.press('Space');
  for (const key of keys) await page.keyboard.press(key);
  await page.keyboard.press('Space');
}

export const handleOf = (page: Page, titre: string): Locator =>
  souhaitRow(page, titre).locator('[data-handle]');

/** Blocks all changes from the server until the returned function is called. */
export function blockChanges({ portal }: Device): () => void {
  const { promise, resolve } = Promise.withResolvers<null>();
  portal.delay = (path) => (path.startsWith('/api/replication') ? promise : Promise.resolve());
  return () => resolve(null);
}
