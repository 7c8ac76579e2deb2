import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { draw, type Chart } from './chart.ts';
import { aimOf, figureOf, isMet, spreadText, type Measure, type Section } from './report.ts';

const PAGE = 'docs/performance.md';
const BEGIN = '<!-- figures: written by npm run bench -- books.csv -->';
const END = '<!-- end of figures -->';

/** The figures that the next version's run is compared with. */
const FIGURES = 'bench/figures.json';

/** The ratio from which a figure counts as worse, beyond the noise of a run. */
const WORSE = 1.1;

export type Parts = Readonly<Record<string, readonly Section[]>>;

/** Times are compared on the same machine only, all other figures on any machine. */
interface Figure {
  readonly value: number;
  readonly unit: string;
}

interface Figures {
  readonly machine: string;
  readonly figures: Readonly<Record<string, Figure>>;
}

export const machine = (): string => {
  const [cpu] = cpus();
  return `${cpu?.model.trim() ?? '?'} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
};

/** The share of one processor that an idle machine uses for itself. */
const QUIET = 0.1;

/** @param others how many processors other programs used during the run, `null` if unknown */
export function businessOf(others: number | null): string {
  if (others === null) return 'what else the machine did is not known';
  return others > QUIET
    ? `other programs took ${others.toFixed(1)} of its ${cpus().length} processors meanwhile`
    : 'the machine was quiet';
}

export function writeDocument(parts: Parts, charts: readonly Chart[], others: number | null): void {
  for (const chart of charts) writeFileSync(`docs/images/${chart.file}.svg`, draw(chart));
  const day = new Date().toISOString().slice(0, 10);
  const content = [
    BEGIN,
    `Measured on ${day}: ${machine()}; ${businessOf(others)}.`,
    ...Object.values(parts).flat().map(table),
    ...charts.map(({ file, title }) => `![${title}](images/${file}.svg)`),
    END,
  ].join('\n\n');
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${PAGE} lacks its marks`);
  writeFileSync(PAGE, before + content + after);
  const kept: Figures = { machine: machine(), figures: figuresOf(parts) };
  writeFileSync(FIGURES, `${JSON.stringify(kept, null, 2)}\n`);
  execFileSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', PAGE, FIGURES]);
}

function table({ title, measures }: Section): string {
  const rows = measures.map((measure) =>
    [
      `${isMet(measure) ? '' : '**✗** '}${measure.what}`,
      `${figureOf(measure)}${measure.detail === '' ? '' : ` (${measure.detail})`}`,
      spreadText(measure),
      aimOf(measure),
    ].join(' | '),
  );
  return `### ${title}\n\n| | figure | spread | aim |\n| --- | --- | --- | --- |\n${rows.map((row) => `| ${row} |`).join('\n')}`;
}

/** Sentences about figures that are worse by a tenth than in the last numbered version. */
export function worseThanBefore(parts: Parts): readonly string[] {
  const before = lastVersion();
  if (before === null) return ['No numbered version has figures to compare with.'];
  const isSame = before.figures.machine === machine();
  const lines = Object.entries(figuresOf(parts)).flatMap(([name, { value, unit }]) => {
    const old = before.figures.figures[name];
    if (old === undefined || old.unit !== unit || value <= old.value * WORSE) return [];
    if (!isSame && TIMES.has(unit)) return [];
    return [`✗ ${name}: ${round(old.value)} ${unit} in ${before.version}, ${round(value)} now`];
  });
  const machines = isSame ? '' : ' Times are left out: it was measured on another machine.';
  return lines.length === 0
    ? [`Nothing is worse by a tenth than in ${before.version}.${machines}`]
    : [`Worse by a tenth than in ${before.version}:${machines}`, ...lines];
}

const TIMES = new Set(['ms', 's', 'h']);

function lastVersion(): { version: string; figures: Figures } | null {
  try {
    const version = git('describe', '--tags', '--abbrev=0', '--match', 'v*').trim();
    const figures = JSON.parse(git('show', `${version}:${FIGURES}`)) as Figures;
    return { version, figures };
  } catch {
    return null;
  }
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const figuresOf = (parts: Parts): Record<string, Figure> =>
  Object.fromEntries(
    Object.entries(parts).flatMap(([part, sections]) =>
      sections.flatMap(({ title, measures }) =>
        measures.map((measure) => [nameOf(part, title, measure), figure(measure)] as const),
      ),
    ),
  );

const nameOf = (part: string, title: string, { what }: Measure): string =>
  `${part}: ${title}: ${what}`;

const figure = ({ value, unit }: Measure): Figure => ({ value: round(value), unit });

const round = (value: number): number => Number(value.toPrecision(3));
