import type { Page } from 'playwright';

/** A screen of the demonstration's household. */
export interface Screen {
  readonly name: string;
  readonly path: string;
  /** What is pressed first: links and buttons, by their names. */
  readonly press?: readonly (string | RegExp)[];
  /** The route that it shows, where another address leads to it. */
  readonly shows?: string;
  /** The one size that has it. */
  readonly only?: 'phone';
}

export const SCREENS: readonly Screen[] = [
  { name: 'catalogue', path: '/' },
  { name: 'catalogue-recherche', path: '/?recherche=le' },
  { name: 'catalogue-rien', path: '/?recherche=introuvable' },
  { name: 'filtres', path: '/', press: [/^Filtres/] },
  { name: 'menu', path: '/prets', press: ['Menu'], only: 'phone' },
  {
    name: 'livre',
    path: '/?recherche=persepolis',
    press: ['Persepolis'],
    shows: '/livres/[id]',
  },
  { name: 'livre-modifier', path: '/livres/12/modifier' },
  { name: 'livre-ajouter', path: '/livres/ajouter' },
  { name: 'auteurs', path: '/auteurs' },
  { name: 'auteur', path: '/auteurs/13' },
  { name: 'prets', path: '/prets' },
  { name: 'souhaits', path: '/souhaits' },
  { name: 'souhaits-ajouter', path: '/souhaits/ajouter' },
  { name: 'lectures', path: '/lectures' },
  { name: 'lectures-ajouter', path: '/lectures/ajouter' },
  { name: 'annee', path: '/lectures/annee' },
  { name: 'series', path: '/series' },
  { name: 'serie', path: '/series', press: ['Astérix'], shows: '/series/[id]' },
  { name: 'series-ajouter', path: '/series/ajouter' },
  { name: 'revues', path: '/revues' },
  { name: 'revue', path: '/revues/1' },
  { name: 'numero', path: '/revues/1/numeros/1' },
  { name: 'revues-ajouter', path: '/revues/ajouter' },
  { name: 'rangement', path: '/rangement' },
  { name: 'rangement-modifier', path: '/rangement/7/modifier' },
  { name: 'emplacement', path: '/rangement/1' },
  { name: 'rayon', path: '/rangement/4?livre=29' },
  { name: 'ranger', path: '/rangement/ranger?emplacement=3' },
  { name: 'recolement', path: '/rangement/recolement?emplacement=12', press: ['Commencer'] },
  { name: 'etiquettes', path: '/rangement/etiquettes' },
  { name: 'modifications', path: '/modifications' },
  { name: 'corbeille', path: '/modifications?genre=suppressions' },
  { name: 'importer', path: '/importer' },
  { name: 'restaurer', path: '/importer/restaurer' },
  { name: 'a-propos', path: '/a-propos' },
  { name: 'diagnostic', path: '/a-propos/diagnostic' },
  { name: 'aide', path: '/aide' },
  { name: 'reglages', path: '/reglages' },
  { name: 'nulle-part', path: '/nulle-part' },
];

const ACCOUNTS = 'the demonstration has no accounts';
const LIKE_ANOTHER = 'looks as another one of its kind';

/** Screens without a picture, and why. */
export const WITHOUT_PICTURE: Readonly<Record<string, string>> = {
  '/connexion': ACCOUNTS,
  '/connexion/retour': ACCOUNTS,
  '/invitation': ACCOUNTS,
  '/reglages/compte': ACCOUNTS,
  '/reglages/membres': ACCOUNTS,
  '/reglages/details': 'no book of the demonstration has details',
  '/aide/[page]': 'its pictures are those of the help',
  '/imprimer': 'is paper (test/e2e/imprimer.test.ts)',
  '/importer/a-completer': 'shows what no demonstration leaves behind',
  '/lectures/[id]': LIKE_ANOTHER,
  '/lectures/[id]/modifier': LIKE_ANOTHER,
  '/modifications/[id]': LIKE_ANOTHER,
  '/series/[id]/modifier': LIKE_ANOTHER,
  '/revues/[id]/modifier': LIKE_ANOTHER,
  '/revues/[id]/numeros/ajouter': LIKE_ANOTHER,
  '/revues/[id]/numeros/[numero]/modifier': LIKE_ANOTHER,
  '/themes/[nom]': LIKE_ANOTHER,
};

/** How the names of the notes begin that say when a copy was last equal to the server. */
const EQUAL = 'rayonnage.equal.';

/** Waits until the copy is equal to the server: who reads is known by then, and what counts the records. */
export const untilEqual = (page: Page) =>
  page.waitForFunction(
    (begin) => Object.keys(localStorage).some((key) => key.startsWith(begin)),
    EQUAL,
  );

/** Goes to a screen and waits until nothing of it is still to come. */
export async function show(page: Page, origin: string, { path, press = [] }: Screen) {
  // What an earlier visit has noted says nothing of this one.
  if (page.url().startsWith(origin))
    await page.evaluate((begin) => {
      for (const key of Object.keys(localStorage))
        if (key.startsWith(begin)) localStorage.removeItem(key);
    }, EQUAL);
  await page.goto(origin + path);
  await untilEqual(page);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  for (const name of press) {
    const places = ['button', 'link'] as const;
    const [button, link] = places.map((role) => page.getByRole(role, { name, exact: true }));
    if (!button || !link) continue;
    const pressed = button.or(link).filter({ visible: true }).first();
    const to = await pressed.getAttribute('href');
    await pressed.click();
    if (to !== null) await page.waitForURL((url) => url.pathname + url.search === to);
  }
  await page.waitForLoadState('networkidle');
  await page.evaluate(async () => {
    await document.fonts.ready;
    // One outside the window is loaded when it is scrolled to, and never decoded before.
    const seen = [...document.images].filter((image) => {
      const { top, bottom, left, right } = image.getBoundingClientRect();
      const isInWindow = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
      return isInWindow && image.checkVisibility();
    });
    await Promise.all(seen.map((image) => image.decode().catch(() => null)));
  });
}
