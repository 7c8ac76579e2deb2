import { drawLine } from './letters.ts';
import { setText } from './layout.ts';

export const WIDTH = 400;
export const HEIGHT = 600;

export interface Palette {
  readonly ground: string;
  readonly ink: string;
  readonly strong: string;
  readonly soft: string;
}

export interface Words {
  readonly titre: string;
  readonly auteur: string;
}

/** Draws what is on a cover; `random` gives numbers below one, the same for the same book. */
type Design = (words: Words, palette: Palette, random: () => number) => string;

const rect = (x: number, y: number, width: number, height: number, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;
const circle = (x: number, y: number, r: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
const path = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`;
const line = (d: string, stroke: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"/>`;
const range = (count: number) => Array.from({ length: count }, (_, i) => i);

const author = (auteur: string, y: number, colour: string, align: 'left' | 'centre' = 'left') =>
  setText(auteur, { x: 36, y, width: 328, height: 40 }, { colour, size: 14, align, spacing: 4 });

const title = (titre: string, y: number, height: number, colour: string, more: object = {}) =>
  setText(titre, { x: 36, y, width: 328, height }, { colour, size: 40, ...more });

/** A setting sun behind waves. */
const sea: Design = ({ titre, auteur }, { ground, ink, strong, soft }, random) => {
  const sun = 120 + random() * 160;
  const waves = range(5).map((i) => {
    const y = 400 + i * 42;
    const d = `M0 ${y}q50 -26 100 0t100 0t100 0t100 0V600H0Z`;
    return `<g opacity="${0.35 + i * 0.16}">${path(d, i % 2 ? strong : soft)}</g>`;
  });
  return (
    rect(0, 0, WIDTH, HEIGHT, ground) +
    circle(sun, 360, 84, strong) +
    waves.join('') +
    author(auteur, 40, ink) +
    title(titre, 84, 170, ink)
  );
};

/** Several ranges of mountains. */
const mountains: Design = ({ titre, auteur }, { ground, ink, strong, soft }, random) => {
  const range_ = (base: number, height: number, fill: string, opacity: number) => {
    const points = range(7).map(
      (i) => `${i * 80 - 40} ${base - (i % 2 ? height : height * 0.25) * (0.7 + random() * 0.5)}`,
    );
    return `<g opacity="${opacity}">${path(`M-40 ${HEIGHT}L${points.join('L')}L440 ${HEIGHT}Z`, fill)}</g>`;
  };
  return (
    rect(0, 0, WIDTH, HEIGHT, ground) +
    circle(300, 250, 36, soft) +
    range_(430, 150, soft, 0.7) +
    range_(500, 130, strong, 0.75) +
    range_(585, 110, ink, 0.9) +
    title(titre, 56, 140, ink, { align: 'centre' }) +
    author(auteur, 560, ground, 'centre')
  );
};

/** The initial of the title, as large as the cover. */
const initial: Design = ({ titre, auteur }, { ground, ink, strong, soft }) => {
  const first = titre.replace(/^(?:l’|d’|le |la |les |un |une )/iu, '').charAt(0);
  const { width, strokes } = drawLine(first);
  const scale = Math.min(24, 250 / Math.max(width, 4));
  const left = (WIDTH - width * scale) / 2;
  const letter = (dx: number, colour: string, pen: number) =>
    `<g transform="translate(${left + dx} ${205 + dx}) scale(${scale})" fill="none" stroke="${colour}" stroke-width="${pen}" stroke-linecap="round" stroke-linejoin="round">${strokes}</g>`;
  return (
    rect(0, 0, WIDTH, HEIGHT, ground) +
    rect(0, 0, WIDTH, 150, soft) +
    letter(8, soft, 2.2) +
    letter(0, strong, 2.2) +
    title(titre, 44, 84, ink, { size: 30 }) +
    author(auteur, 548, ink)
  );
};

/** A cream cover with a frame of three lines, in the style of old publishers. */
const frame: Design = ({ titre, auteur }, { ink, strong }) =>
  rect(0, 0, WIDTH, HEIGHT, '#f6efdd') +
  [18, 26, 30]
    .map(
      (inset, i) =>
        `<rect x="${inset}" y="${inset}" width="${WIDTH - 2 * inset}" height="${HEIGHT - 2 * inset}" fill="none" stroke="${i === 0 ? ink : strong}" stroke-width="${i === 0 ? 3 : 1.4}"/>`,
    )
    .join('') +
  author(auteur, 84, '#2a2420', 'centre') +
  setText(
    titre,
    { x: 56, y: 190, width: 288, height: 200 },
    { colour: strong, size: 38, align: 'centre', weight: 0.15 },
  ) +
  line('M170 500H230M185 512H215', '#2a2420', 2);

/** Quarters of circles on a grid. */
const tiles: Design = ({ titre, auteur }, { ground, ink, strong, soft }, random) => {
  const size = 80;
  const cells = range(25).map((i) => {
    const [x, y] = [(i % 5) * size, Math.floor(i / 5) * size];
    const turn = Math.floor(random() * 4) * 90;
    const fill = [strong, soft, ink][Math.floor(random() * 3)] ?? ink;
    const shape = path(`M0 0H${size}A${size} ${size} 0 0 1 0 ${size}Z`, fill);
    return `<g transform="translate(${x} ${y}) rotate(${turn} ${size / 2} ${size / 2})">${shape}</g>`;
  });
  return (
    rect(0, 0, WIDTH, HEIGHT, ground) +
    cells.join('') +
    title(titre, 434, 90, ink, { size: 32 }) +
    author(auteur, 556, ink)
  );
};

/** The moon and stars over a night. */
const night: Design = ({ titre, auteur }, { ground, ink, strong, soft }, random) => {
  const stars = range(60).map(() =>
    circle(random() * WIDTH, random() * 420, 0.8 + random() * 1.8, soft),
  );
  return (
    rect(0, 0, WIDTH, HEIGHT, ink) +
    stars.join('') +
    circle(276, 150, 66, soft) +
    circle(300, 136, 60, ink) +
    path(`M0 470Q100 430 200 468T400 452V600H0Z`, strong) +
    title(titre, 268, 150, ground) +
    author(auteur, 548, ground)
  );
};

/** A branch with its leaves. */
const leaves: Design = ({ titre, auteur }, { ground, ink, strong, soft }, random) => {
  const leaf = (x: number, y: number, turn: number, fill: string) =>
    `<g transform="translate(${x} ${y}) rotate(${turn})">${path('M0 0C26 -26 70 -30 104 0C70 30 26 26 0 0Z', fill)}${line('M8 0H88', ground, 1.6)}</g>`;
  const pairs = range(6).map((i) => {
    const y = 560 - i * 62;
    const [left, right] = [-150 + random() * 16, -30 - random() * 16];
    return leaf(200, y, left, i % 2 ? soft : strong) + leaf(200, y, right, i % 2 ? strong : soft);
  });
  return (
    rect(0, 0, WIDTH, HEIGHT, ground) +
    line('M200 620C196 500 206 380 200 200', ink, 3) +
    pairs.join('') +
    rect(0, 0, WIDTH, 176, ground) +
    title(titre, 48, 76, ink, { align: 'centre', size: 32 }) +
    author(auteur, 148, strong, 'centre')
  );
};

/** Circles within circles. */
const rings: Design = ({ titre, auteur }, { ground, ink, strong, soft }, random) => {
  const [x, y] = [120 + random() * 160, 380];
  const rounds = range(7).map((i) =>
    circle(x, y, 238 - i * 34, [strong, ground, soft][i % 3] ?? soft),
  );
  return (
    rect(0, 0, WIDTH, HEIGHT, ground) +
    rounds.join('') +
    rect(0, 0, WIDTH, 130, ground) +
    title(titre, 40, 84, ink, { size: 34 }) +
    rect(0, 540, WIDTH, 60, ink) +
    author(auteur, 563, ground)
  );
};

/** Bands of colour, the title in the widest. */
const bands: Design = ({ titre, auteur }, { ground, ink, strong, soft }) =>
  rect(0, 0, WIDTH, 130, strong) +
  rect(0, 130, WIDTH, 250, ground) +
  rect(0, 380, WIDTH, 130, soft) +
  rect(0, 510, WIDTH, 90, ink) +
  circle(200, 380, 54, strong) +
  title(titre, 168, 130, ink, { align: 'centre', size: 36 }) +
  author(auteur, 60, ground, 'centre');

/** A lit window in a wall. */
const windows: Design = ({ titre, auteur }, { ground, ink, strong, soft }, random) => {
  const lit = Math.floor(random() * 9);
  const panes = range(9).map((i) => {
    const [x, y] = [76 + (i % 3) * 92, 240 + Math.floor(i / 3) * 98];
    return path(
      `M${x} ${y + 76}V${y + 32}A32 32 0 0 1 ${x + 64} ${y + 32}V${y + 76}Z`,
      i === lit ? soft : ink,
    );
  });
  return (
    rect(0, 0, WIDTH, HEIGHT, strong) +
    panes.join('') +
    title(titre, 48, 150, ground) +
    author(auteur, 558, ground)
  );
};

/** For comics: halftone dots and a burst. */
const burst: Design = ({ titre, auteur }, { ground, ink, strong, soft }, random) => {
  const dots = range(300).map((i) => {
    const [column, row] = [i % 20, Math.floor(i / 20)];
    return circle(column * 21 + (row % 2) * 10, 240 + row * 25, 1.5 + row * 0.5, soft);
  });
  const points = range(28).map((i) => {
    const [angle, r] = [(i * Math.PI) / 14, i % 2 ? 96 : 150 + random() * 26];
    return `${(200 + r * Math.cos(angle)).toFixed(1)} ${(390 + r * Math.sin(angle)).toFixed(1)}`;
  });
  return (
    rect(0, 0, WIDTH, HEIGHT, ground) +
    dots.join('') +
    path(`M${points.join('L')}Z`, strong) +
    circle(200, 390, 58, ground) +
    rect(0, 0, WIDTH, 196, ink) +
    title(titre, 40, 96, ground, { weight: 0.19, size: 38 }) +
    author(auteur, 164, soft)
  );
};

/** One line, drawn without lifting the pen. */
const thread: Design = ({ titre, auteur }, { ground, ink, strong, soft }, random) => {
  const points = range(9).map(() => `${40 + random() * 320} ${230 + random() * 300}`);
  const [first = '', ...rest] = points;
  return (
    rect(0, 0, WIDTH, HEIGHT, ground) +
    rect(0, 0, 14, HEIGHT, strong) +
    circle(290, 420, 70, soft) +
    line(
      `M${first}${rest.map((point, i) => (i % 2 ? ` ${point}` : `Q${point}`)).join('')}`,
      strong,
      5,
    ) +
    title(titre, 52, 150, ink) +
    author(auteur, 556, ink)
  );
};

export const DESIGNS: readonly Design[] = [
  sea,
  mountains,
  initial,
  frame,
  tiles,
  night,
  leaves,
  rings,
  bands,
  windows,
  thread,
];

/** For comics: the burst is more frequent than the other designs. */
export const COMICS: readonly Design[] = [burst, tiles, burst, night, windows, burst, sea];
