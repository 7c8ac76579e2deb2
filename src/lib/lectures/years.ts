import { intlLocale } from '../format/locale.ts';
import { dateOfLecture, type Lecture } from '#shared/lectures';
import type { LivreDocument } from '#shared/livres';
import type { Serie } from '#shared/series';
import { holdingOf } from '#shared/series-gaps';
import { compareText, textKey } from '#shared/text';

const longName = new Intl.DateTimeFormat(intlLocale, { month: 'long', timeZone: 'UTC' });

export const MONTHS: readonly { readonly name: string; readonly initial: string }[] = Array.from(
  { length: 12 },
  (_, month) => {
    const name = longName.format(new Date(Date.UTC(2000, month)));
    return { name, initial: name.charAt(0).toLocaleUpperCase('fr') };
  },
);

/** Finished readings by year, newest first, those without a date last. */
interface ReadingYear {
  /** « 2026 »; '' for readings without a date. */
  readonly year: string;
  readonly lectures: readonly Lecture[];
}

export function byYear(lectures: readonly Lecture[]): ReadingYear[] {
  const read = lectures.filter(({ statut }) => statut === 'Lue');
  return Array.from(
    Map.groupBy(read, (lecture) => dateOfLecture(lecture)?.slice(0, 4) ?? ''),
    ([year, some]) => ({ year, lectures: some }),
  );
}

export interface YearFigures {
  readonly year: string;
  /** The readings that ended in the year, the oldest first. */
  readonly lectures: readonly Lecture[];
  /** By month from January; without readings of which only the year is known. */
  readonly months: readonly (readonly Lecture[])[];
  /** Counts the books of known length. */
  readonly pages: number;
  readonly auteurs: number;
  /** The series that the reader completed in the year. */
  readonly series: readonly Serie[];
  readonly best: Lecture | null;
  readonly longest: { readonly lecture: Lecture; readonly pages: number } | null;
  readonly before: number;
  /** The themes of most readings, the most first. */
  readonly themes: readonly ThemeOfYear[];
  /** By how long their books are, the shorter first; readings of unknown length are in none. */
  readonly lengths: readonly LengthOfYear[];
  /** A reading for each author that the reader had read to an end in no year before. */
  readonly newAuteurs: readonly Lecture[];
  /** A reading for each author that the reader had. */
  readonly knownAuteurs: readonly Lecture[];
}

interface ThemeOfYear {
  readonly nom: string;
  readonly lectures: readonly Lecture[];
}

interface LengthOfYear {
  readonly from: number;
  /** The first length that is longer; `null` for the longest. */
  readonly to: number | null;
  readonly lectures: readonly Lecture[];
}

const MAX_THEMES = 6;

const LENGTHS = [0, 150, 300, 500];

interface Shelf {
  livre(id: number): LivreDocument | undefined;
  readonly series: Iterable<Serie>;
}

export function figuresOf(all: readonly Lecture[], year: string, shelf: Shelf): YearFigures {
  const years = byYear(all);
  const of = (wanted: string) => years.find((one) => one.year === wanted)?.lectures ?? [];
  const lectures = of(year).toReversed();
  const paged = lectures
    .map((lecture) => ({ lecture, pages: shelf.livre(lecture.livreId ?? 0)?.nombrePages ?? 0 }))
    .filter(({ pages }) => pages > 0);
  return {
    year,
    lectures,
    months: Array.from({ length: 12 }, (_, month) =>
      lectures.filter((lecture) => Number(dateOfLecture(lecture)?.slice(5, 7)) === month + 1),
    ),
    pages: paged.reduce((sum, { pages }) => sum + pages, 0),
    auteurs: new Set(lectures.flatMap((lecture) => lecture.auteurs)).size,
    series: endedSeries(shelf.series, firstReads(all), year),
    best: maxBy(lectures, ({ note }) => note ?? 0),
    longest: maxBy(paged, ({ pages }) => pages),
    before: of(String(Number(year) - 1)).length,
    themes: themesOf(lectures, shelf),
    lengths: lengthsOf(paged),
    ...auteursOf(
      lectures,
      years.filter((one) => one.year < year),
    ),
  };
}

function themesOf(lectures: readonly Lecture[], shelf: Shelf): ThemeOfYear[] {
  const read = new Map<string, Lecture[]>();
  for (const lecture of lectures)
    for (const nom of shelf.livre(lecture.livreId ?? 0)?.themes ?? [])
      read.set(nom, [...(read.get(nom) ?? []), lecture]);
  return Array.from(read, ([nom, some]) => ({ nom, lectures: some }))
    .sort((a, b) => b.lectures.length - a.lectures.length || compareText(a.nom, b.nom))
    .slice(0, MAX_THEMES);
}

const lengthsOf = (
  paged: readonly { readonly lecture: Lecture; readonly pages: number }[],
): LengthOfYear[] =>
  LENGTHS.map((from, index) => {
    const to = LENGTHS[index + 1] ?? null;
    const some = paged.filter(({ pages }) => pages >= from && (to === null || pages < to));
    return { from, to, lectures: some.map(({ lecture }) => lecture) };
  });

/** @param before the years that came before, those without a date among them */
function auteursOf(
  lectures: readonly Lecture[],
  before: readonly ReadingYear[],
): Pick<YearFigures, 'newAuteurs' | 'knownAuteurs'> {
  const known = new Set(
    before.flatMap((one) => one.lectures.flatMap(({ auteurs }) => auteurs.map(textKey))),
  );
  const first = new Map<string, Lecture>();
  for (const lecture of lectures)
    for (const auteur of lecture.auteurs.map(textKey))
      if (!first.has(auteur)) first.set(auteur, lecture);
  const readingsOf = (isKnown: boolean) =>
    [...first].filter(([auteur]) => known.has(auteur) === isKnown).map(([, lecture]) => lecture);
  return { newAuteurs: readingsOf(false), knownAuteurs: readingsOf(true) };
}

const endedSeries = (
  series: Iterable<Serie>,
  firsts: ReadonlyMap<number, string>,
  year: string,
): Serie[] =>
  [...series].filter((serie) => {
    const { owned, total } = holdingOf(serie);
    if (total < 2 || owned < total) return false;
    const dates = serie.places.flatMap(({ livreId }) =>
      livreId === null ? [] : [firsts.get(livreId)],
    );
    if (dates.includes(undefined)) return false;
    const last = dates.reduce<string>((max, date) => (date && date > max ? date : max), '');
    return last.startsWith(year);
  });

/** The day on which each owned book was first finished, by id; `''` if unknown. */
function firstReads(lectures: readonly Lecture[]): ReadonlyMap<number, string> {
  const firsts = new Map<number, string>();
  for (const lecture of lectures) {
    if (lecture.livreId === null || lecture.statut !== 'Lue') continue;
    const date = dateOfLecture(lecture) ?? '';
    const known = firsts.get(lecture.livreId);
    if (known === undefined || date < known) firsts.set(lecture.livreId, date);
  }
  return firsts;
}

/** The item with the highest figure, the first of several; `null` where all figures are zero. */
function maxBy<T>(items: readonly T[], figure: (item: T) => number): T | null {
  let best: T | null = null;
  for (const item of items) if (figure(item) > (best === null ? 0 : figure(best))) best = item;
  return best;
}
