import { chromium } from 'playwright';
import { findBrowser } from '../test/support/browser.ts';
import type {} from './page/decoding.ts';
import { pageScript, PHONE, slowDown } from './support/page.ts';
import { bound, print, type Measure } from './support/report.ts';

const ROUNDS = 15;
const CODE = '9782070408504';

/** The milliseconds per picture of a reader that scans ten times a second. */
const AIM = 100;

export async function benchDecoding(): Promise<void> {
  const browser = await chromium.launch(await findBrowser());
  const page = await browser.newPage();
  await page.evaluate(await pageScript('decoding'));
  await slowDown(page, PHONE);
  const measures: Measure[] = [];
  const cases: [string, string | null, number][] = [
    ['a barcode held straight, slowed down', CODE, 0],
    ['a barcode at 12 degrees, slowed down', CODE, 12],
    ['a barcode upright, slowed down', CODE, 90],
    ['a picture without a barcode, slowed down', null, 0],
  ];
  for (const [what, code, degrees] of cases) {
    const { times, found } = await page.evaluate(
      ([looked, angle, rounds]) => decoding.read(looked, angle, rounds),
      [code, degrees, ROUNDS] as const,
    );
    if (found.length !== (code === null ? 0 : 1)) throw new Error(`${what}: read ${found.join()}`);
    measures.push(bound(what, times.slice(1), AIM, 'ms'));
  }
  await browser.close();
  print('Reading one picture of the camera, 1024 × 720', measures);
}
