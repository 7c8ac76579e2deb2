import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { household } from './support/household.ts';

test('no build holds the workshop', async () => {
  const files = globSync('build/client/**/*.{js,css,html}');
  expect(files.length).toBeGreaterThan(50);
  const holding = files.filter((path) => /atelier|data-part/i.test(readFileSync(path, 'utf8')));
  expect(holding).toEqual([]);
  const page = await (await device(await household())).open('/atelier');
  await page.getByRole('heading', { level: 1, name: 'Cette page n’existe pas' }).waitFor();
});
