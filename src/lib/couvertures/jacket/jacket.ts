import type { Serie } from '#shared/series';
import { auteurSortKey } from '#shared/sort';
import { CLOTHS, hashOf } from '../../format/cloth.ts';
import { drawnTitre } from '../../format/french.ts';
import { type Block, fitAuteurs, fitTitre, type Room } from './typesetting.ts';

/** How a jacket is laid out: in a frame, below a short rule, or on a paper label. */
const LAYOUTS = ['filet', 'trait', 'etiquette'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** What is printed on the cloth around a label. */
const PATTERNS = ['lozenges', 'stripes', 'waves'] as const;

interface Binding {
  readonly cloth: number;
  readonly layout: Layout;
  readonly pattern: (typeof PATTERNS)[number];
}

const byKey = new Map<string, Binding>();

/** The binding of a first author's books, which are one collection, else of a title (docs/rules.md § 52). */
export function bindingOf(titre: string, auteur: string | undefined): Binding {
  const key = auteur === undefined ? titre : `${auteur}\n`;
  let binding = byKey.get(key);
  if (binding === undefined) {
    binding = bindingOfHash(hashOf(auteur === undefined ? titre : auteurSortKey(auteur)));
    byKey.set(key, binding);
  }
  return binding;
}

const bindingOfHash = (hash: number): Binding => ({
  cloth: hash % CLOTHS,
  layout: LAYOUTS[(hash >>> 8) % 3] ?? 'filet',
  pattern: PATTERNS[(hash >>> 16) % 3] ?? 'lozenges',
});

export interface Volume {
  readonly titre: string;
  readonly auteurs: readonly { readonly nom: string }[];
  readonly numero: string | null;
  /** The titles of its series, which all have one size; empty for a book that stands alone. */
  readonly set: readonly string[];
  /** A comic is as wide as three quarters of its height, everything else as two thirds. */
  readonly isComic: boolean;
}

/** A jacket as it is drawn: lines parted by line breaks, sizes in hundredths of the width. */
export interface Jacket extends Omit<Binding, 'layout'> {
  readonly layout: Layout | 'code';
  readonly titre: string;
  readonly titreSize: number;
  readonly auteurs: string;
  readonly auteursSize: number;
  readonly numero: string;
}

/** A narrower jacket would have letters too small to read: it is set for this width and scaled like a picture. */
export const MIN_WIDTH = 104;
const LARGE_WIDTH = 150;

/** In hundredths of the width: the measures of title and authors, the largest title, and what else takes height. */
const LAYOUT: Readonly<
  Record<Layout, { measure: number; largest: number; auteurs: number; taken: number }>
> = {
  filet: { measure: 78, largest: 15.5, auteurs: 80, taken: 38 },
  trait: { measure: 82, largest: 17, auteurs: 82, taken: 34 },
  etiquette: { measure: 70, largest: 13.5, auteurs: 72, taken: 52 },
};
/** Under a rule the number stands beside the authors and takes their room: this much, and so much for each digit. */
const NUMERO_GAP = 4;
const DIGIT_WIDTH = 7;
const MAX_NUMERO = 5;

const AUTEURS_LEADING = 1.2;
const CODE_SIZE = 12;

const kept = new Map<string, Jacket>();
/** Every one of ten thousand books, at two widths. */
const MAX_KEPT = 20_000;

/**
 * The jacket of a book without a picture (docs/rules.md § 52), set for a width in CSS pixels. It is kept, so that a
 * wall that scrolls sets nothing twice.
 */
export function jacketOf(volume: Volume, width: number): Jacket {
  const drawn = Math.max(width, MIN_WIDTH);
  const { titre, auteurs, numero, set, isComic } = volume;
  const noms = auteurs.map(({ nom }) => nom);
  const key = [drawn, isComic, titre, numero, ...noms, set.length === 0 ? '' : sizeKey(set)].join(
    '\n',
  );
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const jacket = isCodeTitre(titre) ? codeJacket(titre) : typeset(volume, noms, drawn);
  kept.set(key, jacket);
  return jacket;
}

/** Two series of the same titles have the same sizes. */
const setKeys = new WeakMap<readonly string[], string>();
function sizeKey(set: readonly string[]): string {
  let key = setKeys.get(set);
  if (key === undefined) setKeys.set(set, (key = set.join('\t')));
  return key;
}

function typeset(volume: Volume, noms: readonly string[], width: number): Jacket {
  const { titre, isComic, set } = volume;
  const unit = width / 100;
  const binding = bindingOf(titre, noms[0]);
  const { measure, largest, auteurs: auteursMeasure, taken } = LAYOUT[binding.layout];
  const numero = (volume.numero?.length ?? 0) > MAX_NUMERO ? '' : (volume.numero ?? '');
  const besides =
    binding.layout === 'trait' && numero !== '' ? NUMERO_GAP + DIGIT_WIDTH * numero.length : 0;
  const auteurs = fitAuteurs(noms, (auteursMeasure - besides) * unit, Math.max(13, 6.1 * unit));
  const room: Room = {
    measure: measure * unit,
    height: width * (isComic ? 4 / 3 : 3 / 2) - taken * unit - heightOf(auteurs),
    leading: leadingOf(width),
    largest: largest * unit,
    floor: Math.max(13, 8 * unit),
  };
  const fitted = fitAmong(drawnTitre(titre), set.map(drawnTitre), room);
  return {
    ...binding,
    titre: fitted.lines.join('\n'),
    titreSize: fitted.size / unit,
    auteurs: auteurs?.lines.join('\n') ?? '',
    auteursSize: (auteurs?.size ?? 0) / unit,
    numero,
  };
}

/** The title that fits worst says the size for its whole series. */
function fitAmong(titre: string, set: readonly string[], room: Room): Block {
  const fitted = fitTitre(titre, room);
  const tightest = Math.min(fitted.size, ...set.map((other) => fitTitre(other, room).size));
  return tightest < fitted.size
    ? fitTitre(titre, { ...room, largest: tightest, floor: tightest })
    : fitted;
}

const heightOf = (auteurs: Block | null): number =>
  auteurs === null ? 0 : auteurs.lines.length * auteurs.size * AUTEURS_LEADING;

export const leadingOf = (width: number): number => (width < LARGE_WIDTH ? 1.16 : 1.12);

/** True for a book that nobody has named yet: its title is its ISBN, in groups. */
export const isCodeTitre = (titre: string): boolean => /^97[89][\d-]{10,14}$/u.test(titre);

const codeJacket = (code: string): Jacket => ({
  ...bindingOf(code, undefined),
  layout: 'code',
  titre: code.replaceAll('-', '\n'),
  titreSize: CODE_SIZE,
  auteurs: '',
  auteursSize: 0,
  numero: '',
});

/** Fewer volumes do not read as a set. */
const MIN_SET = 3;

const ALONE: readonly string[] = [];
const sets = new WeakMap<Serie, readonly string[]>();

export function setOf(serie: Serie): readonly string[] {
  if (serie.places.length < MIN_SET) return ALONE;
  let set = sets.get(serie);
  if (set === undefined) sets.set(serie, (set = serie.places.map(({ titre }) => titre)));
  return set;
}
