import type { Page } from 'playwright';
import { DOORS } from './routes.ts';

/** A screen of the demonstration household. */
export interface Screen {
  readonly name: string;
  readonly path: string;
  /** Names of the links and buttons to press first. */
  readonly press?: readonly (string | RegExp)[];
  /** Set if only this size shows the screen. */
  readonly only?: 'phone';
}

/** The ids of a household with a record of each kind. */
export interface OneOfEach {
  readonly livre: number;
  readonly auteur: number;
  readonly theme: string;
  readonly serie: number;
  readonly revue: number;
  readonly numero: number;
  readonly emplacement: number;
  readonly lecture: number;
}

/** What the tests check of each screen. */
interface RouteChecks {
  /** The screen's address in a household with a record of each kind; by default its route. */
  readonly at?: (of: OneOfEach) => string;
  /** Its pictures, or the reason for having none. */
  readonly pictures: readonly Screen[] | string;
  /** A text shown offline (`test/e2e/offline.test.ts`); `null` if the screen needs the server. */
  readonly offline: string | RegExp | null;
  /** Uses the default frame: one column, and a button to add a book. `src/lib/frame/screens.ts` has the others. */
  readonly isPlain?: true;
}

const ACCOUNTS = 'the demonstration has no accounts';
const LIKE_ANOTHER = 'looks as another one of its kind';

/** `test/architecture` compares the routes with `src/routes`. */
export const SCREENS: Readonly<Record<string, RouteChecks>> = {
  '/': {
    pictures: [
      // « Chez nous » appears from the second visit on.
      { name: 'catalogue', path: '/', press: [/^Auteurs/, /^Catalogue/] },
      { name: 'catalogue-recherche', path: '/?recherche=le' },
      { name: 'catalogue-rien', path: '/?recherche=introuvable' },
      { name: 'filtres', path: '/', press: [/^Filtres/] },
    ],
    offline: 'Désert',
  },
  '/a-propos': {
    pictures: [{ name: 'a-propos', path: '/a-propos' }],
    offline: 'Dernière version vue du serveur',
  },
  '/a-propos/diagnostic': {
    pictures: [{ name: 'diagnostic', path: '/a-propos/diagnostic' }],
    offline: 'Diagnostic',
  },
  '/aide': { pictures: [{ name: 'aide', path: '/aide' }], offline: 'Hors ligne' },
  '/aide/[page]': {
    at: () => '/aide/preter',
    offline: 'Prêter',
    pictures: 'its pictures are those of the help',
  },
  '/auteurs': { pictures: [{ name: 'auteurs', path: '/auteurs' }], offline: 'J. M. G. Le Clézio' },
  '/auteurs/[id]': {
    at: ({ auteur }) => `/auteurs/${auteur}`,
    offline: 'Désert',
    pictures: [{ name: 'auteur', path: '/auteurs/13' }],
  },
  '/connexion': { offline: null, pictures: ACCOUNTS },
  '/connexion/retour': { offline: null, pictures: ACCOUNTS },
  '/importer': {
    pictures: [{ name: 'importer', path: '/importer' }],
    offline: 'Babelio, Goodreads',
  },
  '/importer/a-completer': {
    isPlain: true,
    pictures: 'shows what no demonstration leaves behind',
    offline: 'À compléter',
  },
  '/imprimer': {
    pictures: 'is paper (test/e2e/imprimer.test.ts)',
    offline: 'Imprimer le catalogue',
  },
  '/invitation': { offline: null, pictures: ACCOUNTS },
  '/lectures': {
    pictures: [{ name: 'lectures', path: '/lectures' }],
    offline: 'Regain',
  },
  '/lectures/[id]': {
    at: ({ lecture }) => `/lectures/${lecture}`,
    offline: 'Regain',
    pictures: LIKE_ANOTHER,
  },
  '/lectures/[id]/modifier': {
    at: ({ lecture }) => `/lectures/${lecture}/modifier`,
    offline: /^Modifier/,
    pictures: LIKE_ANOTHER,
  },
  '/lectures/ajouter': {
    pictures: [{ name: 'lectures-ajouter', path: '/lectures/ajouter' }],
    offline: 'Ajouter une lecture',
  },
  '/lectures/annee': {
    isPlain: true,
    pictures: [{ name: 'annee', path: '/lectures/annee' }],
    offline: 'Mon année',
  },
  '/livres/[id]': {
    at: ({ livre }) => `/livres/${livre}`,
    offline: /^Prêté à Luc/,
    pictures: [{ name: 'livre', path: '/?recherche=persepolis', press: ['Persepolis'] }],
  },
  '/livres/[id]/modifier': {
    at: ({ livre }) => `/livres/${livre}/modifier`,
    offline: 'Modifier « Désert »',
    pictures: [{ name: 'livre-modifier', path: '/livres/12/modifier' }],
  },
  '/livres/ajouter': {
    pictures: [{ name: 'livre-ajouter', path: '/livres/ajouter' }],
    offline: 'Un code scanné ou tapé, un titre, un auteur.',
  },
  '/modifications': {
    pictures: [
      { name: 'modifications', path: '/modifications' },
      { name: 'corbeille', path: '/modifications?genre=suppressions' },
    ],
    offline: 'Prêté à Luc : Désert',
  },
  '/modifications/[id]': {
    at: () => '/modifications/1',
    offline: /Désert/,
    pictures: LIKE_ANOTHER,
  },
  '/prets': {
    pictures: [
      { name: 'menu', path: '/prets', press: ['Menu'], only: 'phone' },
      { name: 'prets', path: '/prets' },
    ],
    offline: 'Luc',
  },
  '/rangement': { pictures: [{ name: 'rangement', path: '/rangement' }], offline: 'Carton 12' },
  '/rangement/[id]': {
    at: ({ emplacement }) => `/rangement/${emplacement}`,
    offline: /^fermé le 3 mars/,
    pictures: [
      { name: 'emplacement', path: '/rangement/1' },
      { name: 'rayon', path: '/rangement/4?livre=29' },
    ],
  },
  '/rangement/[id]/modifier': {
    at: ({ emplacement }) => `/rangement/${emplacement}/modifier`,
    offline: /^Modifier/,
    pictures: [{ name: 'rangement-modifier', path: '/rangement/7/modifier' }],
  },
  '/rangement/etiquettes': {
    pictures: [{ name: 'etiquettes', path: '/rangement/etiquettes' }],
    offline: 'Étiquettes',
  },
  '/rangement/ranger': {
    at: ({ emplacement }) => `/rangement/ranger?emplacement=${emplacement}`,
    offline: /^Ranger/,
    pictures: [{ name: 'ranger', path: '/rangement/ranger?emplacement=3' }],
  },
  '/rangement/recolement': {
    pictures: [
      { name: 'recolement', path: '/rangement/recolement?emplacement=12', press: ['Commencer'] },
    ],
    offline: /^Vérifier/,
  },
  '/reglages': { pictures: [{ name: 'reglages', path: '/reglages' }], offline: 'Thème' },
  '/reglages/compte': { offline: null, pictures: ACCOUNTS },
  '/reglages/details': { pictures: 'no book of the demonstration has details', offline: 'Détails' },
  '/reglages/membres': { offline: null, pictures: ACCOUNTS },
  '/revues': { pictures: [{ name: 'revues', path: '/revues' }], offline: 'Géo' },
  '/revues/[id]': {
    at: ({ revue }) => `/revues/${revue}`,
    offline: 'Géo',
    pictures: [{ name: 'revue', path: '/revues/1' }],
  },
  '/revues/[id]/modifier': {
    at: ({ revue }) => `/revues/${revue}/modifier`,
    offline: /^Modifier/,
    pictures: LIKE_ANOTHER,
  },
  '/revues/[id]/numeros/[numero]': {
    at: ({ revue, numero }) => `/revues/${revue}/numeros/${numero}`,
    offline: 'Géo',
    pictures: [{ name: 'numero', path: '/revues/1/numeros/1' }],
  },
  '/revues/[id]/numeros/[numero]/modifier': {
    at: ({ revue, numero }) => `/revues/${revue}/numeros/${numero}/modifier`,
    offline: /^Modifier/,
    pictures: LIKE_ANOTHER,
  },
  '/revues/[id]/numeros/ajouter': {
    at: ({ revue }) => `/revues/${revue}/numeros/ajouter`,
    offline: /numéro/,
    pictures: LIKE_ANOTHER,
  },
  '/revues/ajouter': {
    pictures: [{ name: 'revues-ajouter', path: '/revues/ajouter' }],
    offline: /revue/,
  },
  '/selections': {
    pictures: 'the demonstration keeps no search (test/e2e/selections.test.ts)',
    offline: 'Ni liste, ni recherche enregistrée',
  },
  '/selections/[id]': {
    // The household of these tests has no saved search.
    at: () => '/selections/1',
    offline: 'Liste ou recherche introuvable',
    pictures: 'the demonstration keeps no search',
  },
  '/selections/[id]/modifier': {
    at: () => '/selections/1/modifier',
    offline: 'Liste ou recherche introuvable',
    pictures: 'the demonstration keeps no search',
  },
  '/selections/ajouter': {
    pictures: 'the demonstration keeps no search',
    offline: 'Enregistrer la recherche',
  },
  '/series': {
    pictures: [{ name: 'series', path: '/series' }],
    offline: 'Fondation',
  },
  '/series/[id]': {
    at: ({ serie }) => `/series/${serie}`,
    offline: 'Fondation',
    pictures: [{ name: 'serie', path: '/series', press: ['Astérix'] }],
  },
  '/series/[id]/modifier': {
    at: ({ serie }) => `/series/${serie}/modifier`,
    offline: /^Modifier/,
    pictures: LIKE_ANOTHER,
  },
  '/series/ajouter': {
    pictures: [{ name: 'series-ajouter', path: '/series/ajouter' }],
    offline: /série/,
  },
  '/souhaits': {
    pictures: [{ name: 'souhaits', path: '/souhaits' }],
    offline: 'Aucun souhait',
  },
  '/souhaits/ajouter': {
    pictures: [{ name: 'souhaits-ajouter', path: '/souhaits/ajouter' }],
    offline: 'Ajouter un souhait',
  },
  '/souhaits/de/[id]': {
    // The household of these tests has no shared list.
    at: () => '/souhaits/de/1',
    offline: 'Cette liste n’est pas partagée',
    pictures: 'the demonstration’s household shows none',
  },
  '/themes/[nom]': {
    at: ({ theme }) => `/themes/${theme}`,
    offline: 'Désert',
    isPlain: true,
    pictures: LIKE_ANOTHER,
  },
};

/** The addresses of all screens but those for signing in, which need a state of their own. */
export const addressesIn = (of: OneOfEach): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(SCREENS).flatMap(([route, { at = () => route }]) =>
      DOORS.includes(route) ? [] : [[route, at(of)]],
    ),
  );

/** Each address with a text that it shows offline. */
export const offlineIn = (of: OneOfEach): readonly (readonly [string, string | RegExp])[] =>
  Object.entries(addressesIn(of)).flatMap(([route, address]) => {
    const shown = SCREENS[route]?.offline ?? null;
    return shown === null ? [] : [[address, shown]];
  });

export const PICTURES: readonly Screen[] = [
  ...Object.values(SCREENS).flatMap(({ pictures }) =>
    typeof pictures === 'string' ? [] : pictures,
  ),
  { name: 'nulle-part', path: '/nulle-part' },
];

/** The prefix of the notes that record when a replica was last in sync. */
const EQUAL = 'rayonnage.equal.';

/** Waits until the replica is in sync: the reader and the counts of records are known then. */
export const untilEqual = (page: Page) =>
  page.waitForFunction(
    (begin) => Object.keys(localStorage).some((key) => key.startsWith(begin)),
    EQUAL,
  );

/** Opens a screen and waits until it is complete. */
export async function show(page: Page, origin: string, { path, press = [] }: Screen) {
  // Remove the notes of earlier visits, which say nothing about this one.
  if (page.url().startsWith(origin))
    await page.evaluate((begin) => {
      for (const key of Object.keys(localStorage))
        if (key.startsWith(begin)) localStorage.removeItem(key);
    }, EQUAL);
  await page.goto(origin + path);
  await untilEqual(page);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  if (press.length > 0) await page.waitForLoadState('networkidle');
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
  // The letters beside a long list come after it.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.railed.long')].every(({ lastElementChild }) =>
      lastElementChild?.classList.contains('track'),
    ),
  );
  await page.evaluate(async () => {
    await document.fonts.ready;
    // Images outside the window are loaded lazily, and would never be decoded.
    const seen = [...document.images].filter((image) => {
      const { top, bottom, left, right } = image.getBoundingClientRect();
      const isInWindow = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
      return isInWindow && image.checkVisibility();
    });
    await Promise.all(seen.map((image) => image.decode().catch(() => null)));
  });
}
