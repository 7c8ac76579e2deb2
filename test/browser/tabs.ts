import { expect, onTestFinished } from 'vitest';

type Application = NonNullable<Window['application']>;

/** The application in a frame, as a tab: with its own memory, and the browser's shared storage. */
export interface OpenTab extends Application {
  /** The titles on its screen. */
  readonly titres: () => string[];
  readonly close: () => void;
}

interface Options {
  /** Changes the frame's globals before the application is loaded. */
  readonly prepare?: (world: Window & typeof globalThis) => void;
  /** Called as soon as the application has started. */
  readonly onStart?: (application: Application) => void;
}

/** Opens a tab and waits for the application's start; the tab is closed after the test. */
export async function openTab({ prepare, onStart }: Options = {}): Promise<OpenTab> {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  onTestFinished(() => frame.remove());
  const page = frame.contentDocument;
  const world = frame.contentDocument?.defaultView;
  const module = page?.createElement('script');
  if (!page || !world || !module) throw new Error('a frame without a document');
  // Globals that the build and vitest define.
  for (const name of Object.keys(globalThis))
    if (/^__(?:SVELTEKIT|vitest_browser_runner)/.test(name))
      Reflect.set(world, name, Reflect.get(globalThis, name));
  prepare?.(world);
  module.type = 'module';
  module.src = new URL('./tab.ts', import.meta.url).href;
  page.body.append(module);
  const application = await expect
    .poll(() => frame.contentWindow?.application, { timeout: 30_000 })
    .toBeDefined()
    .then(() => frame.contentWindow?.application);
  if (!application) throw new Error('the application did not start');
  onStart?.(application);
  return {
    ...application,
    titres: () => application.livresView.search({}).map(({ titre }) => titre),
    close: () => frame.remove(),
  };
}
