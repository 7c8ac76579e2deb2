import { chromium } from 'playwright';
import type { LivreDocument } from '#shared/livres';
import { findBrowser } from '../../test/support/browser.ts';
import { householdOf } from '../support/household.ts';
import { bound, print, told } from '../support/report.ts';
import { pathOf } from './packages.ts';

const BOOKS = 2000;
const ROUNDS = 3;
const PORT = 9222;

/** The parts of a Lighthouse report that are used here; a score is from 0 to 1. */
interface Report {
  readonly lhr: {
    readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
    readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
  };
}

/** What Lighthouse says of a first visit by a phone. */
export async function benchLighthouse(livres: readonly LivreDocument[]): Promise<void> {
  const { default: lighthouse } = (await import(pathOf('lighthouse'))) as {
    default: (url: string, flags: object) => Promise<Report | undefined>;
  };
  const household = await householdOf(livres.slice(0, BOOKS));
  const { args, ...found } = await findBrowser();
  const browser = await chromium.launch({
    ...found,
    args: [...args, `--remote-debugging-port=${String(PORT)}`],
  });
  const flags = { port: PORT, onlyCategories: ['performance'], logLevel: 'error' };
  const reports: Report[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const report = await lighthouse(household.server.url, flags);
    if (report !== undefined) reports.push(report);
  }
  await browser.close();
  await household.end();
  const audit = (name: string) => reports.map(({ lhr }) => lhr.audits[name]?.numericValue ?? NaN);
  const lost = reports.map(({ lhr }) => 100 - 100 * (lhr.categories['performance']?.score ?? NaN));
  print(`Lighthouse, a phone, ${String(BOOKS)} books`, [
    bound('points that performance lacks of a hundred', lost, 5, ''),
    told('first contentful paint', audit('first-contentful-paint'), 'ms'),
    told('largest contentful paint', audit('largest-contentful-paint'), 'ms'),
    told('total blocking time', audit('total-blocking-time'), 'ms'),
    told('speed index', audit('speed-index'), 'ms'),
  ]);
}
