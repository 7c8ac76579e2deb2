import { parseTome, type IsSerie } from '#shared/series-titres';
import { partsOf } from '#shared/text';
import type { TitreParts } from './table-format.ts';

// The series that a title names (docs/rules.md § 35).

const IN_BRACKETS = /^(|.*\S)\s*\(([^()]*)\)$/su;
const NUMERO = /^\s*(\d[\d.,–-]*\w?)$/u;

/** « Titre (Name, #1) », « Titre (A, #1; B, #4) » of Goodreads. A title that is nothing else stays whole. */
export function seriesInBrackets(title: string, isSerie?: IsSerie): TitreParts {
  const [, titre, list = ''] = IN_BRACKETS.exec(title.trim()) ?? [];
  if (titre === undefined || !/#\s*\d/.test(list)) return seriesByTome(title, isSerie);
  const series = partsOf(list, ';').flatMap((part) => {
    const sign = part.lastIndexOf('#');
    const name = part.slice(0, Math.max(0, sign)).trim().replace(/,$/, '').trim();
    const [, numero] = NUMERO.exec(part.slice(sign + 1)) ?? [];
    return name === '' || numero === undefined ? [] : [{ titre: name, numero }];
  });
  return { titre: series.length === 0 || titre === '' ? title.trim() : titre, series };
}

/** « Name, Tome 5 : Titre », « Blacksad T3 », « Peter Pan #1 : Londres »: the title stays whole. */
export function seriesByTome(title: string, isSerie?: IsSerie): TitreParts {
  const titre = title.trim();
  const tome = parseTome(titre, isSerie);
  return { titre, series: tome === null ? [] : [{ titre: tome.serie, numero: tome.numero }] };
}
