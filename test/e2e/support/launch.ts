import { chromium, firefox, type Browser } from 'playwright';
import { inject } from 'vitest';
import type {} from '../../support/browser.ts';

/** The path of an installed Firefox to run the scenarios in (docs/browsers.md). */
const FIREFOX_PATH = process.env['FIREFOX_PATH'] ?? '';

export const isFirefox = FIREFOX_PATH !== '';

const FIREFOX_PREFERENCES = {
  // Firefox lacks the command behind the option `reducedMotion` of `newContext`.
  'ui.prefersReducedMotion': 1,
  'ui.systemUsesDarkTheme': 0,
  // A fine pointer that can hover: Firefox without a window has no mouse.
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  // Overlay scrollbars as on a phone; otherwise they take 12 px of the page.
  'ui.useOverlayScrollbars': 1,
  // By default Firefox stops a script after ten seconds, which a busy machine exceeds.
  'dom.max_script_run_time': 0,
};

/** Firefox reports files that it could not load as errors of the page, Chromium does not. */
const UNLOADED =
  /^(?:TypeError: )?(?:error loading dynamically imported module|Loading module from|downloadable font: download failed|Failed to load ‘)/;

/** Firefox also requests the icon for a response of the API, whose policy refuses it. */
export const isIcon = (text: string): boolean => isFirefox && text.includes('/favicon.ico');

/** Whether an error only reports a file that was aborted as its page was left (NS_BINDING_ABORTED). */
export const isGivenUp = (text: string): boolean =>
  isFirefox && text.startsWith('downloadable font') && text.includes('status=2152398850');

/** Whether an error may report a file that was aborted with its page. */
export const isUnloaded = ({ message }: Error): boolean => isFirefox && UNLOADED.test(message);

/** Optimising compilers would take an eighth of the scenarios' time, and gain less: a page lives for seconds. */
const NO_OPTIMISER = '--js-flags=--no-opt --no-maglev';

export interface LaunchOptions {
  readonly args?: readonly string[];
  /** Enables the back/forward cache, which Playwright disables. */
  readonly backForwardCache?: boolean;
  /** The font size of the browser's settings, in pixels. */
  readonly textPx?: number;
}

/** Playwright's own value of a switch that ours replaces; without it the browser has no mouse. */
const MOUSE =
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4';

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

/** Playwright's connection to the browser, inside this process. */
interface Session {
  send: (method: string, params: unknown) => Promise<unknown>;
}

/**
 * Answers a command in Firefox's place: Playwright sends it for every new context, but current Firefox does not know
 * it.
 */
function leaveOut(browser: Browser, left: string): void {
  const { toImpl } = Reflect.get(browser, '_connection') as {
    toImpl: (object: Browser) => { readonly _browserSession: Session };
  };
  const session = toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  session.send = (method, params) => (method === left ? Promise.resolve({}) : send(method, params));
}
