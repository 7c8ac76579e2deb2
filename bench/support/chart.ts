export interface Chart {
  readonly file: string;
  readonly title: string;
  readonly across: string;
  readonly lines: readonly Line[];
}

interface Line {
  readonly name: string;
  readonly points: readonly (readonly [number, number])[];
}

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 64;
const RIGHT = 190;
const TOP = 40;
const BOTTOM = 44;

/** Readable on white and on black. */
const COLORS = ['#b4552d', '#2f7d6b', '#7a5ea8', '#8a7a1f'];
const GREY = '#888';

export function draw({ title, across, lines }: Chart): string {
  const all = lines.flatMap(({ points }) => points);
  const x = scale(
    all.map(([at]) => at),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = scale(
    all.map(([, value]) => value),
    HEIGHT - BOTTOM,
    TOP,
  );
  const ats = [...new Set(all.map(([at]) => at))];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img" aria-label="${title}">
<text x="${LEFT}" y="20" font-size="14" fill="${GREY}">${title}</text>
${y.decades.map((value) => grid(y.at(value), number(value))).join('\n')}
${ats.map((at) => text(x.at(at), HEIGHT - BOTTOM + 18, number(at), 'middle')).join('\n')}
${text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, across, 'middle')}
${lines.map((line, index) => drawLine(line, COLORS[index % COLORS.length] ?? GREY, x.at, y.at)).join('\n')}
</svg>
`;
}

function drawLine(
  { name, points }: Line,
  color: string,
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  const places = points.map(([at, value]) => [round(x(at)), round(y(value))] as const);
  const [endX = 0, endY = 0] = places.at(-1) ?? [];
  const last = points.at(-1)?.[1] ?? NaN;
  const dots = places.map(([a, b]) => `<circle cx="${a}" cy="${b}" r="3" fill="${color}"/>`);
  return `<polyline points="${places.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join('')}
<text x="${endX + 8}" y="${endY + 4}" fill="${color}">${name}: ${number(last)}</text>`;
}

/** A logarithmic scale over whole decades, mapped to a range of pixels. */
function scale(values: readonly number[], from: number, to: number) {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  const decades = Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
  const at = (value: number) => from + ((Math.log10(value) - first) / (last - first)) * (to - from);
  return { decades, at };
}

const grid = (y: number, name: string): string =>
  `<path d="M${LEFT} ${round(y)}H${WIDTH - RIGHT}" stroke="${GREY}" stroke-opacity="0.3"/>${text(LEFT - 8, y + 4, name, 'end')}`;

const text = (x: number, y: number, content: string, anchor: 'middle' | 'end'): string =>
  `<text x="${round(x)}" y="${round(y)}" fill="${GREY}" text-anchor="${anchor}">${content}</text>`;

const round = (value: number): number => Math.round(value * 10) / 10;

const number = (value: number): string =>
  value >= 10 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)));
