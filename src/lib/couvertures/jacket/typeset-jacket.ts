import { parseTome } from '#shared/series-titres';
import { drawnTitre } from '../../format/french.ts';
import {
  bindingOf,
  leadingOf,
  MIN_WIDTH,
  type Binding,
  type Layout,
  type Volume,
} from './jacket.ts';
import { type Block, fitAuteurs, fitTitre, type Room } from './typesetting.ts';

/** A jacket as it is drawn: lines parted by line breaks, sizes in hundredths of the width. */
export interface Jacket extends Omit<Binding, 'layout'> {
  readonly layout: Layout | 'code';
  readonly titre: string;
  readonly titreSize: number;
  readonly auteurs: string;
  readonly auteursSize: number;
  readonly numero: string;
}

/** In hundredths of the width: the measures of title and authors, the largest font size, and other heights. */
const LAYOUT: Readonly<
  Record<Layout, { measure: number; largest: number; auteurs: number; taken: number }>
> = {
  filet: { measure: 78, largest: 19, auteurs: 80, taken: 38 },
  trait: { measure: 82, largest: 21, auteurs: 82, taken: 34 },
  etiquette: { measure: 70, largest: 16.5, auteurs: 72, taken: 52 },
};
/** Below a rule the number is beside the authors: its gap, and its width per digit. */
const NUMERO_GAP = 4;
const DIGIT_WIDTH = 7;
const MAX_NUMERO = 5;

const AUTEURS_LEADING = 1.2;
const CODE_SIZE = 12;

const kept = new Map<string, Jacket>();
/** Ten thousand books at two widths. */
const MAX_KEPT = 20_000;

/**
 * The jacket of a book without a picture (docs/rules.md § 52), for a width in CSS pixels. Cached, so that scrolling a
 * wall typesets nothing twice.
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
  const given = volume.numero === undefined ? parseTome(titre)?.numero : volume.numero;
  const unit = width / 100;
  const binding = bindingOf(titre, noms[0]);
  const { measure, largest, auteurs: auteursMeasure, taken } = LAYOUT[binding.layout];
  const numero = (given?.length ?? 0) > MAX_NUMERO ? '' : (given ?? '');
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
    // A book without a title yet has a blank jacket.
    titre: titre === '' ? '' : fitted.lines.join('\n'),
    titreSize: fitted.size / unit,
    auteurs: auteurs?.lines.join('\n') ?? '',
    auteursSize: (auteurs?.size ?? 0) / unit,
    numero,
  };
}

/** The longest title determines the font size of its series. */
function fitAmong(titre: string, set: readonly string[], room: Room): Block {
  const fitted = fitTitre(titre, room);
  const tightest = Math.min(fitted.size, ...set.map((other) => fitTitre(other, room).size));
  return tightest < fitted.size
    ? fitTitre(titre, { ...room, largest: tightest, floor: tightest })
    : fitted;
}

const heightOf = (auteurs: Block | null): number =>
  auteurs === null ? 0 : auteurs.lines.length * auteurs.size * AUTEURS_LEADING;

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
