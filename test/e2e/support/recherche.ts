import type { Page } from 'playwright';
import { onTestFinished } from 'vitest';
import {
  playUpstream,
  type PlayedUpstream,
  type PlayOptions,
} from '../../../demo/upstream/server.ts';
import { household, type Household } from './household.ts';
import { isFirefox } from './launch.ts';

/** A household whose catalogues are simulated by a local server, which is closed after the test. */
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

/** The requests with a code that a catalogue received more than once. */
export const repeatedRequests = ({ requests }: PlayedUpstream): string[] =>
  requests.filter((path, index) => /\d{10}/.test(path) && requests.indexOf(path) < index);

/** Types a code and Enter as a scanner does. Firefox types as fast as it can. */
export async function scanByKeyboard(page: Page, code: string): Promise<void> {
  if (!isFirefox) return (await deskScanner(page))(code);
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
}

/** The characters that a French keyboard layout makes of the keys of a scanned label. */
export const FRENCH_KEYBOARD: Readonly<Record<string, string>> = {
  a: 'q',
  m: ',',
  ':': 'M',
  '/': '!',
  '.': ':',
  ...Object.fromEntries(
    Array.from('0123456789').map((digit, i) => [digit, 'à&é"\'(-è_ç'.charAt(i)]),
  ),
};

const KEY_CODES: Readonly<Record<string, string>> = {
  ':': 'Semicolon',
  '/': 'Slash',
  '.': 'Period',
};

/**
 * A USB scanner whose keys have fixed timestamps, so that a busy machine does not change the gaps.
 *
 * @param keyboard maps the scanner's characters to those of the computer's layout
 * @param isEnded whether the scanner ends a code with Enter
 * @returns types a text; `halfway` runs between two keys, without adding to their gap
 */
export async function deskScanner(
  page: Page,
  keyboard: Readonly<Record<string, string>> = {},
  gapMs = 8,
  isEnded = true,
): Promise<(text: string, halfway?: () => Promise<void>) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  let timestamp = 0;
  const press = async (presses: readonly ReturnType<typeof pressOf>[]) => {
    const sent = presses.flatMap((one) => {
      timestamp += gapMs / 1000;
      return [
        session.send('Input.dispatchKeyEvent', { type: 'keyDown', timestamp, ...one }),
        session.send('Input.dispatchKeyEvent', { type: 'keyUp', timestamp, key: one.key }),
      ];
    });
    await Promise.all(sent);
  };
  return async (text, halfway) => {
    const presses = [
      ...Array.from(text, (char) => pressOf(char, keyboard)),
      ...(isEnded ? [ENTER] : []),
    ];
    // Without Enter the page waits after the last key, so no key may have a timestamp in the future.
    const began = Date.now() / 1000 - (isEnded ? 0 : (presses.length * gapMs) / 1000);
    timestamp = Math.max(timestamp + 0.2, began);
    const half = halfway === undefined ? 0 : 5;
    await press(presses.slice(0, half));
    await halfway?.();
    await press(presses.slice(half));
  };
}

const ENTER = { key: 'Enter', code: 'Enter', text: '\r', windowsVirtualKeyCode: 13 };

function pressOf(char: string, keyboard: Readonly<Record<string, string>>) {
  const key = keyboard[char] ?? char;
  const letterOrDigit = /\d/.test(char) ? `Digit${char}` : `Key${char.toUpperCase()}`;
  const code = KEY_CODES[char] ?? letterOrDigit;
  // The character code of a point is the key code of « Delete ».
  const windowsVirtualKeyCode = /\w/.test(char) ? char.toUpperCase().charCodeAt(0) : 0;
  return { key, code, text: key, windowsVirtualKeyCode };
}
