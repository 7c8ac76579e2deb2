import { resolve } from 'node:path';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright';
import { build } from 'vite';
import { CALLER } from './load.ts';

export const PHONE = 4;

/** A phone-sized browser with an empty profile. */
export const phone = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({
    viewport: { width: 360, height: 740 },
    extraHTTPHeaders: { SSO_USER: CALLER },
  });

/** Bundles a file of `bench/page` as one script whose exports are a global of its name. */
export async function pageScript(name: 'bare' | 'bench' | 'decoding' = 'bench'): Promise<string> {
  const outputs = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { '$app/paths': resolve('bench/page/paths.ts') } },
    build: {
      write: false,
      lib: { entry: `bench/page/${name}.ts`, formats: ['iife'], name: 'module' },
    },
  });
  const [output] = [outputs].flat();
  if (output === undefined || !('output' in output)) throw new Error('nothing was built');
  return `${output.output[0].code}; globalThis.${name} = module.${name};`;
}

export async function benchPage(
  context: BrowserContext,
  url: string,
  script: string,
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/api/sante`);
  await page.evaluate(script);
  return page;
}

const sessions = new WeakMap<Page, CDPSession>();

export async function slowDown(page: Page, times: number): Promise<void> {
  // Each page gets a session of its own: the settings of a shared one would stay.
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  await session.send('Emulation.setCPUThrottlingRate', { rate: times });
}

/** When the catalogue was shown, in milliseconds after the navigation began. */
interface Moments {
  painted: number;
  complete: number;
}

export async function openCatalogue(page: Page, url: string, books: number): Promise<Moments> {
  await page.addInitScript(watch, books);
  await page.goto(url);
  const handle = await page.waitForFunction(() => {
    const moments = Reflect.get(globalThis, 'moments') as Partial<Moments>;
    return moments.painted !== undefined && moments.complete !== undefined && moments;
  });
  return (await handle.jsonValue()) as Moments;
}

function watch(books: number): void {
  const moments: Partial<Moments> = {};
  Reflect.set(globalThis, 'moments', moments);
  let seen = false;
  new MutationObserver(() => {
    const row = document.querySelector('[role=listitem]');
    if (row === null) return;
    if (!seen)
      requestAnimationFrame(() => {
        const afterPaint = new MessageChannel();
        afterPaint.port1.onmessage = () => (moments.painted = performance.now());
        afterPaint.port2.postMessage(null);
      });
    seen = true;
    const whole =
      row.ariaSetSize === String(books) && !document.querySelector('[role=progressbar]');
    if (whole) moments.complete ??= performance.now();
  }).observe(document, { childList: true, subtree: true, attributes: true });
}

/** Types searches into the catalogue letter by letter; returns the milliseconds to the laid out list of each. */
export function typeInto(page: Page, searches: readonly string[]): Promise<number[]> {
  return page.evaluate(async (all) => {
    const field = document.querySelector<HTMLInputElement>('input[type=search]');
    const times: number[] = [];
    for (const search of all)
      for (let length = 1; length <= search.length && field !== null; length++) {
        await new Promise(requestAnimationFrame);
        const begin = performance.now();
        field.value = search.slice(0, length);
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        for (let i = 0; i < 5; i++) await Promise.resolve(); // Svelte paints in microtasks
        document.body.getBoundingClientRect();
        times.push(performance.now() - begin);
      }
    return times;
  }, searches);
}
