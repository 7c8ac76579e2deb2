import type { LivreDocument } from '#shared/livres';
import { hashOf } from '../../format/cloth.ts';
import { drawnTitre } from '../../format/french.ts';
import { bindingOf, type Layout } from './jacket.ts';
import { isCodeTitre } from './typeset-jacket.ts';
import { endsWithArticle, widthOf } from './typesetting.ts';

/** The data of a spine. An unknown code is its own title. */
export interface SpineVolume extends Pick<
  LivreDocument,
  'titre' | 'auteurs' | 'nombrePages' | 'typeDocument'
> {
  readonly id: number | string;
}

/** How a shelf draws its books, in CSS pixels: a book is `base` wide, plus a pixel per so many pages. */
interface Shelf {
  readonly height: number;
  readonly base: number;
  readonly pagesPerPixel: number;
  readonly max: number;
  readonly hasTitles: boolean;
  /** On a full shelf: draws the first books, the last ones, or scrolls sideways. */
  readonly overfull: 'first' | 'last' | 'scroll';
  /** How far the raised book stands out, and how much taller it is. */
  readonly raise: number;
  readonly growth: number;
}

const still = { hasTitles: false, overfull: 'first', raise: 0, growth: 1 } as const;
const board = { hasTitles: false, overfull: 'last', raise: 4, growth: 1.08 } as const;

/** The shelves by place; one scale for each place, so that a full one looks full. */
export const SHELVES = {
  rangement: { ...still, height: 54, base: 5, pagesPerPixel: 36, max: 20 },
  rangementDesk: { ...still, height: 60, base: 6.5, pagesPerPixel: 30, max: 24 },
  chezNous: { ...still, height: 72, base: 5, pagesPerPixel: 36, max: 20 },
  emplacement: {
    height: 166,
    base: 17,
    pagesPerPixel: 150,
    max: 24,
    hasTitles: true,
    overfull: 'scroll',
    raise: 10,
    growth: 1,
  },
  soiree: { ...board, height: 92, base: 5.7, pagesPerPixel: 100, max: 15 },
  soireeDesk: {
    ...board,
    height: 172,
    base: 15.5,
    pagesPerPixel: 60,
    max: 28,
    hasTitles: true,
  },
  ajouter: { ...board, height: 58, base: 5.7, pagesPerPixel: 60, max: 16, raise: 0 },
  soireeFin: { ...still, height: 66, base: 5.4, pagesPerPixel: 100, max: 15, overfull: 'last' },
  recolement: { ...still, height: 82, base: 11.5, pagesPerPixel: 40, max: 18 },
} as const satisfies Readonly<Record<string, Shelf>>;
export type ShelfName = keyof typeof SHELVES;

/** A spine as it is drawn, in CSS pixels. */
interface Spine {
  readonly id: number | string;
  readonly width: number;
  readonly height: number;
  /** `null` for a code that nobody knows. */
  readonly cloth: number | null;
  readonly layout: Layout;
  /** '' where the place draws no titles, or none fits. */
  readonly titre: string;
  readonly titreSize: number;
}

const UNKNOWN_PAGES = 240;
const GAP = 1;
const MIN_WIDTH = 4;

/** The spines of a shelf that is `room` wide, from left to right; without room for all, each grows thinner alike. */
export function spinesOf(
  volumes: readonly SpineVolume[],
  name: ShelfName,
  room: number,
): readonly Spine[] {
  const shelf: Shelf = SHELVES[name];
  const most = Math.max(0, Math.floor((room + GAP) / (MIN_WIDTH + GAP)));
  const drawn =
    shelf.overfull === 'scroll' || volumes.length <= most
      ? volumes
      : shelf.overfull === 'first'
        ? volumes.slice(0, most)
        : volumes.slice(volumes.length - most);
  const widths = narrowed(
    drawn.map(({ nombrePages }) => widthFor(nombrePages ?? UNKNOWN_PAGES, shelf)),
    room - GAP * (drawn.length - 1),
  );
  return drawn.map((volume, i) => spineOf(volume, shelf, widths[i] ?? MIN_WIDTH));
}

function spineOf(volume: SpineVolume, shelf: Shelf, width: number): Spine {
  const { id, titre, auteurs } = volume;
  const { cloth, layout } = bindingOf(titre, auteurs[0]?.nom);
  const height = shelf.height * shareOf(volume);
  const isCode = isCodeTitre(titre);
  const fitted =
    shelf.hasTitles && width >= MIN_TITLED
      ? fitSpineTitre(drawnTitre(titre), lengthFor(layout, height), width)
      : { text: '', size: 0 };
  return {
    id,
    width,
    height,
    layout,
    cloth: isCode && auteurs.length === 0 ? null : cloth,
    titre: fitted.text,
    titreSize: fitted.size,
  };
}

/** The height of a title as a share, always the same for a title; comics are the tallest. */
function shareOf({ titre, typeDocument }: SpineVolume): number {
  const hash = hashOf(titre) >>> 4;
  return typeDocument === 'BandeDessinee' ? 0.96 + 0.02 * (hash % 3) : 0.74 + 0.04 * (hash % 6);
}

const widthFor = (pages: number, { base, pagesPerPixel, max }: Shelf): number =>
  Math.min(max, Math.round((base + pages / pagesPerPixel) * 2) / 2);

/** The widths if there is room; otherwise each is reduced by the same share, down to the minimum. */
function narrowed(widths: readonly number[], room: number): readonly number[] {
  let share = 1;
  // Spines at their minimum give nothing more: each round leaves fewer that do.
  for (;;) {
    const isLeast = (width: number) => width * share <= MIN_WIDTH;
    const giving = widths.filter((width) => !isLeast(width));
    const sum = giving.reduce((total, width) => total + width, 0);
    const next = (room - MIN_WIDTH * (widths.length - giving.length)) / sum;
    if (giving.length === 0 || next >= share) break;
    share = next;
  }
  return share === 1 ? widths : widths.map((width) => Math.max(MIN_WIDTH, width * share));
}

/** The sizes of a title in pixels; a spine narrower than the last width bears none. */
const LARGEST = 11.5;
const SMALLEST = 9;
const SHARE_OF_WIDTH = 0.62;
const MIN_TITLED = 13;
/** Small letters are wider than those of a jacket, which the table has. */
const SMALL_OPTICAL_SIZE = 1.04;

/** The length that the bands of a layout leave to the title of a spine. */
const LEFT: Readonly<Record<Layout, (height: number) => number>> = {
  filet: (height) => 0.8 * height - 16,
  trait: (height) => 0.91 * height - 8,
  etiquette: (height) => 0.78 * height - 8,
};
const lengthFor = (layout: Layout, height: number): number => LEFT[layout](height);

/** Sets a title on one line: as large as it fits, else without its subtitle, else its first words. */
export function fitSpineTitre(
  titre: string,
  length: number,
  width: number,
): { readonly text: string; readonly size: number } {
  const largest = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(SHARE_OF_WIDTH * width * 4) / 4));
  const sizeFor = (text: string) =>
    Math.floor((length / ((widthOf(text) / 100) * SMALL_OPTICAL_SIZE)) * 4) / 4;
  const [main = titre] = titre.split(/\s(?::|ou)\s/u);
  for (const text of [titre, main])
    if (sizeFor(text) >= SMALLEST) return { text, size: Math.min(largest, sizeFor(text)) };
  const words = main.split(' ');
  while (words.length > 1) {
    words.pop();
    const text = `${words.join(' ').replace(/[,;]$/u, '')}…`;
    if (!endsWithArticle(words.join(' ')) && sizeFor(text) >= SMALLEST)
      return { text, size: SMALLEST };
  }
  return { text: '', size: 0 };
}
