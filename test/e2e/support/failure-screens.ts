import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright';
import type { RunnerTestCase } from 'vitest';

/** Screens of failed scenarios; the folder is emptied at the start of a run. */
export const FAILURE_FOLDER = '.cache/failures';

/** The part of a page's text that is printed: a machine of CI keeps no files. */
const PRINTED_CHARACTERS = 1_500;

/** Stores the address, the text and a picture of every open page of a failed scenario. */
export async function saveFailureScreens(
  { name, file }: Readonly<RunnerTestCase>,
  context: BrowserContext,
): Promise<void> {
  const scenario = `${file.name.replace(/^.*\/|\.test\.ts$/g, '')} ${name}`;
  const folder = join(FAILURE_FOLDER, scenario.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 120));
  mkdirSync(folder, { recursive: true });
  for (const [index, page] of context.pages().entries()) {
    const path = join(folder, `${String(Date.now())}-${String(index + 1)}`);
    // A crashed page has no text and no picture; the assertion's own error must still be reported.
    const text = await page.innerText('body', { timeout: 5_000 }).catch(String);
    writeFileSync(`${path}.txt`, `${page.url()}\n\n${text}\n`);
    process.stdout.write(`${scenario}: ${page.url()}\n${text.slice(0, PRINTED_CHARACTERS)}\n`);
    await page.screenshot({ path: `${path}.png`, timeout: 5_000 }).catch(() => undefined);
  }
}
