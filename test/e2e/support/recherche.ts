import type { Page } from 'playwright';
import { onTestFinished } from 'vitest';
import {
  playUpstream,
  type PlayedUpstream,
  type PlayOptions,
} from '../../../demo/upstream/server.ts';
import { household, type Household } from './household.ts';

/** A household whose service asks played catalogues, which end with the test. */
export async function householdWithCatalogues(
  options: PlayOptions = {},
): Promise<{ house: Household; upstream: PlayedUpstream }> {
  const upstream = await playUpstream(options);
  onTestFinished(() => upstream.close());
  const house = await household({
    BNF_SRU_URL: upstream.bnfSruUrl,
    OPEN_LIBRARY_URL: upstream.openLibraryUrl,
  });
  return { house, upstream };
}

/** Types as a USB scanner does: the digits wherever the focus is, then Enter. */
export async function scanByKeyboard(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
}

/** A USB scanner on the desk: its keys are 8 ms apart, however busy the machine of the test is. */
export async function deskScanner(page: Page): Promise<(code: string) => Promise<void>> {
  const keyboard = await page.context().newCDPSession(page);
  let timestamp = Date.now() / 1000;
  return async (code) => {
    timestamp = Math.max(timestamp + 0.2, Date.now() / 1000);
    const presses = [...code.split(''), 'Enter'].flatMap((key) => {
      timestamp += 0.008;
      const press = keyOf(key);
      return [
        keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', timestamp, ...press }),
        keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', timestamp, key: press.key }),
      ];
    });
    await Promise.all(presses);
  };
}

const keyOf = (key: string) =>
  key === 'Enter'
    ? { key, code: key, text: '\r', windowsVirtualKeyCode: 13 }
    : { key, code: `Digit${key}`, text: key, windowsVirtualKeyCode: key.charCodeAt(0) };
