import { parseTome } from '#shared/series-titres';
import type { SerieRef } from './row.ts';

/** A title without the series that a program has put into it, and these series. */
export interface TitreParts {
  readonly titre: string;
  readonly series: readonly SerieRef[];
}

const IN_BRACKETS = /^(|.*\S)\s*\(([^()]*#\s*\d[^()]*)\)\s*$/su;
const NUMBERED = /^(.+?),?\s*#\s*(\d[\d.,–-]*\w?)$/u;

/**
 * « Titre (Name, #1) », « Titre (A, #1; B, #4) », as Goodreads writes series behind titles. A title that is
 * nothing else stays whole.
 */
export function seriesInBrackets(title: string): TitreParts {
  const [, titre, list] = IN_BRACKETS.exec(title.trim()) ?? [];
  if (titre === undefined || list === undefined) return seriesByTome(title);
  const series = list.split(/;\s*/).flatMap((part) => {
    const [, name, numero] = NUMBERED.exec(part.trim()) ?? [];
    return name === undefined || numero === undefined ? [] : [{ titre: name.trim(), numero }];
  });
  return { titre: series.length === 0 || titre === '' ? title.trim() : titre, series };
}

/** « Name, Tome 5 : Titre », « Blacksad T3 », « Peter Pan #1 : Londres »: the title stays whole. */
export function seriesByTome(title: string): TitreParts {
  const titre = title.trim();
  const tome = parseTome(titre);
  return { titre, series: tome === null ? [] : [{ titre: tome.serie, numero: tome.numero }] };
}
