import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright';
import type { RunnerTestCase } from 'vitest';

/** Where a run keeps what its failed scenarios showed; emptied at its start. */
export const FAILURES = '.cache/failures';

/** Keeps the address, the text and a picture of every open page of a scenario that failed. */
export async function keepWhatWasSeen(
  { name, file }: Readonly<RunnerTestCase>,
  context: BrowserContext,
): Promise<void> {
  const scenario = `${file.name.replace(/^.*\/|\.test\.ts$/g, '')} ${name}`;
  const folder = join(FAILURES, scenario.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 120));
  mkdirSync(folder, { recursive: true });
  for (const [index, page] of context.pages().entries()) {
    const path = join(folder, `${String(Date.now())}-${String(index + 1)}`);
    // A page that crashed or never loaded has neither; the assertion is told all the same.
    const text = await page.innerText('body', { timeout: 5_000 }).catch(String);
    writeFileSync(`${path}.txt`, `${page.url()}\n\n${text}\n`);
    await page.screenshot({ path: `${path}.png`, timeout: 5_000 }).catch(() => undefined);
  }
}
