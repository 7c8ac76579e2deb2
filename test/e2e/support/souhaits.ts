import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import type { Device } from './device.ts';

type ListName = 'Livres' | 'Revues';

const list = (page: Page, name: ListName): Locator => page.getByRole('list', { name });

/** The row of a wish. */
export const souhaitRow = (page: Page, titre: string): Locator =>
  page.getByRole('listitem', { name: titre, exact: true });

/** Waits until a list shows these titles in this order. */
export const expectList = (page: Page, name: ListName, titres: readonly string[]): Promise<void> =>
  expect
    .poll(() =>
      list(page, name)
        .getByRole('listitem')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label'))),
    )
    .toEqual(titres);

/** Presses a button of a wish's row, unfolded first where the screen is narrow. */
export async function pressIn(page: Page, titre: string, button: string): Promise<void> {
  const row = souhaitRow(page, titre);
  const unfold = row.getByRole('button', { name: titre, exact: true });
  const action = row.getByRole('button', { name: button, exact: true });
  await row.waitFor();
  if (!(await action.isVisible()) && (await unfold.getAttribute('aria-expanded')) === 'false')
    await unfold.click();
  await action.click();
}

export const handleOf = (page: Page, titre: string): Locator =>
  souhaitRow(page, titre).locator('[data-handle]');

/** Keeps every change from a device until the returned function is called. */
export function withoutNews({ portal }: Device): () => void {
  const { promise, resolve } = Promise.withResolvers<null>();
  portal.delay = (path) => (path.startsWith('/api/replication') ? promise : Promise.resolve());
  return () => resolve(null);
}
