import { chromium, firefox, type Browser } from 'playwright';
import { inject } from 'vitest';
import type {} from '../../support/browser.ts';

/** A Firefox of the system that scenarios are played in, where `FIREFOX_PATH` names one (docs/browsers.md). */
const FIREFOX_PATH = process.env['FIREFOX_PATH'] ?? '';

export const isFirefox = FIREFOX_PATH !== '';

const FIREFOX_PREFERENCES = {
  // What `newContext` would ask for, which Firefox has no command for.
  'ui.prefersReducedMotion': 1,
  'ui.systemUsesDarkTheme': 0,
  // A mouse, which a Firefox without a window has not: fine, and able to rest on something.
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  // Scrollbars above the page, as a phone has them, and Chromium without a window: beside it they take 12 px.
  'ui.useOverlayScrollbars': 1,
  // On a busy machine a script would be ended after ten seconds.
  'dom.max_script_run_time': 0,
};

/** What Firefox tells as errors of a page, and Chromium does not: files that it could not load to the end. */
const UNLOADED =
  /^(?:TypeError: )?(?:error loading dynamically imported module|Loading module from|downloadable font: download failed|Failed to load ‘)/;

/** Firefox asks for an icon of an answer of the API, too, which the policy of that answer refuses. */
export const isIcon = (told: string): boolean => isFirefox && told.includes('/favicon.ico');

/** Whether a page tells of a file that it has given up as it was left, which is no failure (NS_BINDING_ABORTED). */
export const isGivenUp = (told: string): boolean =>
  isFirefox && told.startsWith('downloadable font') && told.includes('status=2152398850');

/** Whether an error that a page tells may be the loading of a file that was broken off with its page. */
export const isUnloaded = ({ message }: Error): boolean => isFirefox && UNLOADED.test(message);

/** A page lives for seconds: compilers that optimise would take an eighth of the scenarios' time, and win back less. */
const NO_OPTIMISER = '--js-flags=--no-opt --no-maglev';

/** What scenarios ask of a Chromium. */
export interface LaunchOptions {
  readonly args?: readonly string[];
  /** Pages that are left may be put aside whole, which Playwright turns off. */
  readonly backForwardCache?: boolean;
  /** The size of text that its settings say, in pixels. */
  readonly textPx?: number;
}

/** Playwright's own settings, which those of another such switch replace: without them no browser has a mouse. */
const MOUSE =
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4';

/** Starts the browser of the scenarios. */
export async function launch(options: LaunchOptions = {}): Promise<Browser> {
  if (isFirefox) return launchFirefox(options);
  const { args, ...found } = inject('browser');
  const { textPx } = options;
  return chromium.launch({
    ...found,
    ...inject('display'),
    args: [
      ...args,
      NO_OPTIMISER,
      ...(textPx === undefined ? [] : [`${MOUSE},defaultFontSize=${textPx}`]),
      ...(options.args ?? []),
    ],
    ignoreDefaultArgs: options.backForwardCache === true ? ['--disable-back-forward-cache'] : [],
  });
}

async function launchFirefox({ textPx = 16 }: LaunchOptions): Promise<Browser> {
  const browser = await firefox.launch({
    ...inject('display'),
    channel: 'moz-firefox',
    executablePath: FIREFOX_PATH,
    firefoxUserPrefs: { ...FIREFOX_PREFERENCES, 'font.size.variable.x-western': textPx },
  });
  leaveOut(browser, 'emulation.setMediaFeaturesOverride');
  return browser;
}

/** Playwright's connection to a browser, within the process. */
interface Session {
  send: (method: string, params: unknown) => Promise<unknown>;
}

/**
 * Answers a command in Firefox's place. Playwright sends it with every new context, and the present
 * Firefox knows none of this name.
 */
function leaveOut(browser: Browser, left: string): void {
  const { toImpl } = Reflect.get(browser, '_connection') as {
    toImpl: (object: Browser) => { readonly _browserSession: Session };
  };
  const session = toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  session.send = (method, params) => (method === left ? Promise.resolve({}) : send(method, params));
}
