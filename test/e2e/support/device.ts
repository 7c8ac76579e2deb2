import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { Household } from './household.ts';
import { isGivenUp, isIcon, isUnloaded, launch, type LaunchOptions } from './launch.ts';
import { spokenLocale } from './messages.ts';
import { Portal } from './portal.ts';
import { saveFailureScreens } from './failure-screens.ts';

export const SIZES = {
  phone: { width: 360, height: 740 },
  desk: { width: 1280, height: 800 },
} as const;

/** The browser's language for each language of a scenario. */
const LOCALES = { fr: 'fr-FR', en: 'en-GB' } as const;

interface Options {
  user?: string | null;
  size?: keyof typeof SIZES;
  theme?: 'light' | 'dark';
  /** Registers the service worker, which costs a second or two per visit. */
  serviceWorker?: boolean;
  /** Maps a path to the address that the portal forwards to; by default the household's. */
  upstream?: (path: string) => string;
}

/**
 * Without this switch Chromium starts a spare process at each visit, a tenth of its time. The tabs of a device share
 * one process; `useBrowserWith()` gives each its own.
 */
const ONE_PROCESS = '--renderer-process-limit=1';

/** The worker's browser, shared by its files. */
let shared: Promise<Browser> | undefined;
/** The browser of a file that needs its own options. */
let fileBrowser: Browser | undefined;

/** Makes the scenarios of a file use a browser with these options; call it at the top of the file. */
export function useBrowserWith(options: LaunchOptions = {}): void {
  beforeAll(async () => {
    fileBrowser = await launch(options);
  });
  afterAll(async () => {
    await fileBrowser?.close();
    fileBrowser = undefined;
  });
}

/** A reader's phone or computer: a browser profile behind its own portal. */
export class Device {
  readonly portal: Portal;
  readonly context: BrowserContext;
  /** Script errors and violations of the security policy, which fail the scenario. */
  readonly faults: string[] = [];
  /** Files that failed to load while the network was up; not a fault if the page is left next. */
  readonly unloaded: string[] = [];

  constructor(portal: Portal, context: BrowserContext) {
    this.portal = portal;
    this.context = context;
  }

  #note(error: Error): void {
    const text = error.stack ?? error.message;
    if (isIcon(text) || isGivenUp(text)) return;
    if (!isUnloaded(error)) this.faults.push(text);
    else if (this.portal.state === 'open') this.unloaded.push(text);
  }

  /** Opens a tab at a path of the application. */
  async open(path = '/'): Promise<Page> {
    const page = await this.context.newPage();
    page.on('pageerror', (error) => this.#note(error));
    // With a listener the page always reports file choosers. Without it Playwright turns reporting on at the button's
    // press, which a busy page may handle first.
    page.on('filechooser', () => undefined);
    // Leaving a page aborts its pending files; Firefox reports that before the next page has loaded.
    page.on('domcontentloaded', () => void (this.unloaded.length = 0));
    await page.goto(this.portal.url + path);
    return page;
  }

  /**
   * Waits until the service worker is active and the first replica is complete.
   *
   * @param base the application's base path
   */
  async untilOfflineReady(page: Page, base = ''): Promise<void> {
    await page.waitForFunction(
      (prefix) => Object.keys(localStorage).some((key) => key.startsWith(prefix)),
      `rayonnage.${base === '' ? '' : `${base}|`}equal.`,
    );
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active?.state === 'activated') return;
      await new Promise((resolve) =>
        active?.addEventListener(
          'statechange',
          () => active.state === 'activated' && resolve(null),
        ),
      );
    });
  }

  /** Takes the network away: nothing answers, and the browser reports itself offline. */
  async cutNetwork(): Promise<void> {
    await this.context.setOffline(true);
    this.portal.state = 'gone';
    this.portal.cut();
  }

  async restoreNetwork(): Promise<void> {
    this.portal.state = 'open';
    await this.context.setOffline(false);
  }
}

/** A device that is closed after the test. The test fails if one of its pages had a fault. */
export async function device(household: Household, options: Options = {}): Promise<Device> {
  const { user = 'alice', size = 'phone', theme = 'light', serviceWorker = false } = options;
  const { upstream = (path: string) => household.url + path } = options;
  const portal = new Portal(upstream, user, { serviceWorker });
  await portal.open();
  const browser = fileBrowser ?? (await sharedBrowser());
  const context = await browser.newContext({
    viewport: SIZES[size],
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: LOCALES[spokenLocale()],
    timezoneId: 'Europe/Paris',
  });
  context.setDefaultTimeout(45_000);
  const opened = new Device(portal, context);
  await watchPolicy(opened);
  onTestFinished(async ({ task }) => {
    const unloaded = [...opened.unloaded];
    const hasFailed = task.result?.state === 'fail';
    // The screenshot of a failed scenario adds a style, which the policy refuses in Firefox: copy the faults before.
    const faults = hasFailed ? [...opened.faults] : opened.faults;
    if (hasFailed) await saveFailureScreens(task, context);
    // Remove the routes first: a request pending at the end would reach a route of a closed context.
    const endings = context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' }));
    await Promise.all([...endings, context.unrouteAll({ behavior: 'ignoreErrors' })]);
    await context.close();
    await portal.close();
    expect([...unloaded, ...faults]).toEqual([]);
  });
  return opened;
}

/** Starts a new browser if the last one has crashed, so that a crash fails one scenario only. */
async function sharedBrowser(): Promise<Browser> {
  shared ??= launch({ args: [ONE_PROCESS] });
  if (!(await shared).isConnected()) shared = launch({ args: [ONE_PROCESS] });
  return shared;
}

async function watchPolicy({ context, faults }: Device): Promise<void> {
  await context.exposeBinding('tellViolation', (_source, what: string) => {
    if (!isIcon(what)) faults.push(what);
  });
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      // Axe adds a style, which the policy refuses in Firefox.
      const isAxe = Reflect.get(globalThis, 'isAxeAtWork') === true;
      if (isAxe && event.violatedDirective === 'style-src-elem') return;
      const tell = Reflect.get(globalThis, 'tellViolation') as (what: string) => void;
      tell(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
    });
  });
}
