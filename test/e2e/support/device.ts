import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { Household } from './household.ts';
import { isGivenUp, isIcon, isUnloaded, launch, type LaunchOptions } from './launch.ts';
import { spokenLocale } from './messages.ts';
import { Portal } from './portal.ts';
import { keepWhatWasSeen } from './seen.ts';

export const SIZES = {
  phone: { width: 360, height: 740 },
  desk: { width: 1280, height: 800 },
} as const;

/** What a browser says that it reads. */
const LOCALES = { fr: 'fr-FR', en: 'en-GB' } as const;

interface Options {
  user?: string | null;
  size?: keyof typeof SIZES;
  theme?: 'light' | 'dark';
  /** Whether it keeps the application for offline use, which takes a second or two of every visit. */
  serviceWorker?: boolean;
  /** Where its portal asks for a path, in place of the household's own address. */
  upstream?: (path: string) => string;
}

/**
 * Chromium would start a process ahead at each visit, a tenth of its price, for a site that no scenario goes to. The
 * tabs of a device share one by this: where their threads matter, `useBrowserWith()` gives each its own.
 */
const ONE_PROCESS = '--renderer-process-limit=1';

/** The browser of this worker, for one file of scenarios after the other; it ends with the worker. */
let shared: Promise<Browser> | undefined;
/** The browser of a file that asks for options of its own. */
let own: Browser | undefined;

/** Has the scenarios of a file use a browser with these options; to be called at its top. */
export function useBrowserWith(options: LaunchOptions = {}): void {
  beforeAll(async () => {
    own = await launch(options);
  });
  afterAll(async () => {
    await own?.close();
    own = undefined;
  });
}

/** A reader's phone or computer: a browser profile behind a portal of its own. */
export class Device {
  readonly portal: Portal;
  readonly context: BrowserContext;
  /** What no scenario may cause: errors of scripts, and breaches of the security policy. */
  readonly faults: string[] = [];
  /** Files that a page could not load with the network there: faults too, unless that page is left next. */
  readonly unloaded: string[] = [];

  constructor(portal: Portal, context: BrowserContext) {
    this.portal = portal;
    this.context = context;
  }

  #note(error: Error): void {
    const told = error.stack ?? error.message;
    if (isIcon(told) || isGivenUp(told)) return;
    if (!isUnloaded(error)) this.faults.push(told);
    else if (this.portal.state === 'open') this.unloaded.push(told);
  }

  /** A tab, open at a path of the application. */
  async open(path = '/'): Promise<Page> {
    const page = await this.context.newPage();
    page.on('pageerror', (error) => this.#note(error));
    // While anybody listens, a page asks the test for files: a busy one that is told so first when a button is pressed
    // may take the press before it knows.
    page.on('filechooser', () => undefined);
    // What was still loading when a page is left is broken off: Firefox tells it before the next page is there.
    page.on('domcontentloaded', () => void (this.unloaded.length = 0));
    await page.goto(this.portal.url + path);
    return page;
  }

  /**
   * Waits until the application can start without a network, and has its first copy whole.
   *
   * @param base where it lives on its host
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

  /** No network at all: nothing answers, and the browser knows it. */
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

/** A device that ends with the test, which fails when a page of it was at fault. */
export async function device(household: Household, options: Options = {}): Promise<Device> {
  const { user = 'alice', size = 'phone', theme = 'light', serviceWorker = false } = options;
  const { upstream = (path: string) => household.url + path } = options;
  const portal = new Portal(upstream, user, { serviceWorker });
  await portal.open();
  const browser = own ?? (await sharedBrowser());
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
    // Of a scenario that failed before: a picture adds a style, which Firefox refuses it.
    const faults = hasFailed ? [...opened.faults] : opened.faults;
    if (hasFailed) await keepWhatWasSeen(task, context);
    // What a page still asks for as its scenario ends meets a route whose answer goes with the context.
    const endings = context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' }));
    await Promise.all([...endings, context.unrouteAll({ behavior: 'ignoreErrors' })]);
    await context.close();
    await portal.close();
    expect([...unloaded, ...faults]).toEqual([]);
  });
  return opened;
}

/** One that has ended, as a Firefox may, is the fault of the scenario that it ended in, and not of those after. */
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
      // Axe adds a style, which Firefox refuses it.
      const isAxe = Reflect.get(globalThis, 'isAxeAtWork') === true;
      if (isAxe && event.violatedDirective === 'style-src-elem') return;
      const tell = Reflect.get(globalThis, 'tellViolation') as (what: string) => void;
      tell(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
    });
  });
}
