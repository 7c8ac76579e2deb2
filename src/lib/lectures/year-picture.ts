import { bindingOf } from '$lib/couvertures/jacket/jacket';
import { m } from '$lib/paraglide/messages';
import { shortened } from '#shared/text';
import { MONTHS, type YearFigures } from './years.ts';

const SIZE = 1080;
const FRAME = 40;
const LEFT = 88;
const RIGHT = SIZE - LEFT;
const GROUND = 820;
const HIGHEST = 362;
const BOOK = { width: 62, height: 66, gap: 8 } as const;

/** The colours of the light theme, since the picture is kept and printed. */
const INK = '#23201b';
const SOFT = '#6b6458';
const LINE = '#cbc3b4';
const PAPER = '#f8f4ec';
const ACCENT = '#7a2e22';

const SERIF = "'Literata Variable', serif";
const SANS = "'Atkinson Hyperlegible Next Variable', sans-serif";

/**
 * Draws a year of reading as a square picture (PNG, 1080 by 1080), with the application's fonts.
 *
 * @param signature the text in its corner: the application's name, or the reader's if they want it
 */
export async function drawYear(figures: YearFigures, signature: string): Promise<Blob> {
  const fonts = [`600 44px ${SERIF}`, `400 28px ${SANS}`, `italic 400 28px ${SERIF}`];
  await Promise.all(fonts.map((font) => document.fonts.load(font)));
  const canvas = new OffscreenCanvas(SIZE, SIZE);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws no picture');
  drawGround(context);
  drawFigures(context, figures);
  drawPiles(context, figures);
  drawFoot(context, figures, signature);
  return canvas.convertToBlob({ type: 'image/png' });
}

type Context = OffscreenCanvasRenderingContext2D;

interface Text {
  readonly x: number;
  readonly y: number;
  readonly font: string;
  readonly color?: string;
  readonly align?: CanvasTextAlign;
  readonly maxWidth?: number;
}

/** Writes a line, cut at its end where it is too wide; returns its width. */
function write(context: Context, text: string, look: Text): number {
  const { x, y, font, color = INK, align = 'left', maxWidth = RIGHT - LEFT } = look;
  Object.assign(context, { font, fillStyle: color, textAlign: align });
  let shown = text;
  while (shown.length > 1 && context.measureText(shown).width > maxWidth)
    shown = shortened(text, shown.length - 1);
  context.fillText(shown, x, y);
  return context.measureText(shown).width;
}

function drawGround(context: Context): void {
  context.fillStyle = PAPER;
  context.fillRect(0, 0, SIZE, SIZE);
  context.strokeStyle = LINE;
  context.strokeRect(FRAME + 0.5, FRAME + 0.5, SIZE - 2 * FRAME, SIZE - 2 * FRAME);
}

function drawFigures(context: Context, { year, lectures, pages, auteurs }: YearFigures): void {
  const count = lectures.length;
  const heading = `600 44px ${SERIF}`;
  write(context, m.annee_picture_title(), { x: LEFT, y: 130, font: heading });
  write(context, year, { x: RIGHT, y: 130, font: `400 44px ${SERIF}`, align: 'right' });
  const width = write(context, m.number({ count }), {
    x: LEFT,
    y: 428,
    font: `600 320px ${SERIF}`,
  });
  const x = LEFT + width + 44;
  write(context, m.annee_livres({ count }), { x, y: 316, font: heading });
  const small = `400 29px ${SANS}`;
  const lines = [
    ...(pages > 0 ? [m.count_pages({ count: pages })] : []),
    `${m.number({ count: auteurs })} ${m.annee_auteurs({ count: auteurs })}`,
  ];
  for (const [index, line] of lines.entries())
    write(context, line, { x, y: 356 + index * 42, font: small, color: SOFT });
}

function drawPiles(context: Context, { months }: YearFigures): void {
  const column = (RIGHT - LEFT) / 12;
  const tallest = Math.max(...months.map(({ length }) => length));
  const step = Math.min(BOOK.height + BOOK.gap, HIGHEST / Math.max(1, tallest));
  const height = step * (BOOK.height / (BOOK.height + BOOK.gap));
  const colorsOf = clothColors();
  for (const [month, lectures] of months.entries()) {
    const middle = LEFT + column * (month + 0.5);
    for (const [index, { titre, auteurs }] of lectures.entries()) {
      const { cloth, rule } = colorsOf(bindingOf(titre, auteurs[0]).cloth);
      const y = GROUND - index * step - height;
      context.fillStyle = cloth;
      context.fillRect(middle - BOOK.width / 2, y, BOOK.width, height);
      context.fillStyle = rule;
      for (const edge of [middle - BOOK.width / 2, middle + BOOK.width / 2 - 6])
        context.fillRect(edge, y, 6, height);
    }
    const font = `400 25px ${SANS}`;
    const initial = MONTHS[month]?.initial ?? '';
    write(context, initial, { x: middle, y: GROUND + 28, font, color: SOFT, align: 'center' });
  }
  context.fillStyle = INK;
  context.fillRect(LEFT, GROUND, RIGHT - LEFT, 1);
}

interface ClothColors {
  readonly cloth: string;
  readonly rule: string;
}

/** The style sheet alone has the colours of the cloths. */
function clothColors(): (cloth: number) => ClothColors {
  const known = new Map<number, ClothColors>();
  return (number) => {
    const colors = known.get(number) ?? readCloth(number);
    known.set(number, colors);
    return colors;
  };
}

function readCloth(number: number): ClothColors {
  const swatch = document.createElement('span');
  swatch.className = `cloth-${String(number)}`;
  document.body.append(swatch);
  const style = getComputedStyle(swatch);
  const [cloth, rule] = ['--cloth', '--cloth-rule'].map((name) => style.getPropertyValue(name));
  swatch.remove();
  return { cloth: cloth ?? INK, rule: rule ?? SOFT };
}

function drawFoot(context: Context, { best }: YearFigures, signature: string): void {
  const y = 996;
  const font = `600 30px ${SERIF}`;
  const signed = write(context, signature, {
    x: RIGHT,
    y,
    font,
    color: ACCENT,
    align: 'right',
    maxWidth: 400,
  });
  if (best === null) return;
  const label = `${m.detail_pair({ nom: m.annee_best() })} `;
  const width = write(context, label, { x: LEFT, y, font: `400 27px ${SANS}` });
  const x = LEFT + width;
  write(context, best.titre, {
    x,
    y,
    font: `italic 400 29px ${SERIF}`,
    maxWidth: RIGHT - signed - 24 - x,
  });
}
