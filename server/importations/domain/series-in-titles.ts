import type { SerieRef } from './row.ts';

/** A title without the series that a program has put into it, and these series. */
export interface TitreParts {
  readonly titre: string;
  readonly series: readonly SerieRef[];
}

const IN_BRACKETS = /^(.*\S)\s*\(([^()]*#\s*\d[^()]*)\)\s*$/su;
const NUMBERED = /^(.+?),?\s*#\s*(\d[\d.,–-]*\w?)$/u;

/** « Titre (Name, #1) », « Titre (A, #1; B, #4) », as Goodreads writes series behind titles. */
export function seriesInBrackets(title: string): TitreParts {
  const [, titre, list] = IN_BRACKETS.exec(title.trim()) ?? [];
  if (titre === undefined || list === undefined) return seriesByTome(title);
  const series = list.split(/;\s*/).flatMap((part) => {
    const [, name, numero] = NUMBERED.exec(part.trim()) ?? [];
    return name === undefined || numero === undefined ? [] : [{ titre: name.trim(), numero }];
  });
  return series.length === 0 ? { titre: title.trim(), series } : { titre, series };
}

const BY_TOME =
  /^(.+?)(?:\s*[,.:–—-]\s*|\s+)(?:tome|vol\.|volume|t\.|#)\s*(\d{1,4})(?![\d])\s*(?:$|[:.,–—-])/iu;

/** « Name, Tome 5 : Titre », « Name, t. 3 », « Peter Pan #1 : Londres »: the title stays whole. */
export function seriesByTome(title: string): TitreParts {
  const titre = title.trim();
  const [, name, numero] = BY_TOME.exec(titre) ?? [];
  if (name === undefined || numero === undefined) return { titre, series: [] };
  return { titre, series: [{ titre: name.trim(), numero }] };
}
