import { expect, onTestFinished } from 'vitest';

type Application = NonNullable<Window['application']>;

/** A tab: the application in a frame, with its own memory and the browser's one storage. */
export interface Onglet {
  readonly application: Application;
  /** The titles that it would paint. */
  titres(): string[];
  fermer(): void;
}

/** Opens a tab and waits until the application has started; closed when the test ends. */
export async function ouvrirOnglet(surDemarrage?: (application: Application) => void) {
  const cadre = document.createElement('iframe');
  document.body.append(cadre);
  onTestFinished(() => cadre.remove());
  const page = cadre.contentDocument;
  const module = page?.createElement('script');
  if (!page || !module) throw new Error('a frame without a document');
  module.type = 'module';
  module.src = new URL('./onglet.ts', import.meta.url).href;
  page.body.append(module);
  const application = await expect
    .poll(() => cadre.contentWindow?.application, { timeout: 10_000 })
    .toBeDefined()
    .then(() => cadre.contentWindow?.application);
  if (!application) throw new Error('the application did not start');
  surDemarrage?.(application);
  const { bibliotheque } = application;
  return {
    application,
    titres: () => bibliotheque.chercher({}).map(({ titre }) => titre),
    fermer: () => cadre.remove(),
  } satisfies Onglet;
}
