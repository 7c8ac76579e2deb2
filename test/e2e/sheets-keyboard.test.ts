import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { t } from './support/messages.ts';
import { dialogs, WALKS, type Walk } from './support/sheet-walks.ts';

const closing = () => new RegExp(`^(?:${t.close()}|${t.cancel()})$`);

const hasFocus = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element === document.activeElement);

/** Opens a sheet and closes it; waits until the opener has the focus again. */
async function openAndClose(
  page: Page,
  opener: Locator,
  { press = () => page.keyboard.press('Enter') }: Walk,
  close: () => Promise<void>,
  message: string,
): Promise<void> {
  const before = await dialogs(page).count();
  // A sheet removed with its state stays in the page until its `close` event is handled.
  const elements = await page.locator('dialog').count();
  await press(page);
  await expect.poll(() => dialogs(page).count(), { message }).toBe(before + 1);
  await close();
  await expect.poll(() => dialogs(page).count(), { message }).toBe(before);
  await expect.poll(() => page.locator('dialog').count(), { message }).toBe(elements);
  await expect.poll(() => hasFocus(opener), { message }).toBe(true);
}

const byStart = Map.groupBy(Object.entries(WALKS), ([, { start }]) => start);

test.each([...byStart].map(([start, walks]) => [start.name, start, walks] as const))(
  'the focus goes back to what opened a sheet: %s',
  async (_, start, walks) => {
    const begun = await start();
    const { page } = begun;
    for (const [name, walk] of walks) {
      const opener = await walk.opener(begun);
      await opener.focus();
      await openAndClose(page, opener, walk, () => page.keyboard.press('Escape'), name);
      const shut = () =>
        dialogs(page).last().getByRole('button', { name: closing() }).last().press('Enter');
      await openAndClose(page, opener, walk, shut, `${name}, by its button`);
      const go = () =>
        dialogs(page)
          .last()
          .evaluate((sheet) => void sheet.dispatchEvent(new Event('close')));
      if (walk.goesByState !== false) await openAndClose(page, opener, walk, go, `${name}, gone`);
      // Close the sheets that contain the opener.
      while ((await dialogs(page).count()) > 0) {
        await page.keyboard.press('Escape');
        await dialogs(page).last().waitFor({ state: 'detached' });
      }
    }
    expect(walks.length).toBeGreaterThan(0);
  },
);
