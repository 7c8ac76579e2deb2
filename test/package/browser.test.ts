import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filledOnce } from '../support/browser.ts';
import { temporaryFolder } from '../support/database.ts';

test('of two first runs the second finds the first’s browser', async () => {
  const parent = join(temporaryFolder(), 'cache');
  const folder = join(parent, 'chromium');
  const run = (name: string) =>
    filledOnce(folder, async (beside) => writeFileSync(join(beside, 'chromium'), name));
  await Promise.all([run('first'), run('second')]);
  await run('third');
  expect(readdirSync(parent)).toEqual(['chromium']);
  expect(readFileSync(join(folder, 'chromium'), 'utf8')).toBe('first');
});
