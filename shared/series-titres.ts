import type { Serie } from './series.ts';
import { normaliser } from './text.ts';

/** A volume as its title tells it. */
interface TitreTome {
  readonly serie: string;
  readonly numero: string;
  /** The volume's own title; '' where the title tells only series and number. */
  readonly titre: string;
}

const DIGITS = '\\d{1,3}(?:[.,]\\d(?!\\d))?(?:\\s?(?:bis|ter))?';
const TOME_WORD = '(?:tome|volume|vol\\.?|n[°º]\\.?|#|t\\.?(?=\\s*\\d)|livre(?=\\s))';
/** Ends the number: the title's end, or the volume's own title behind a mark. */
const REST = '\\)?(?:\\s*$|\\s*[,:;.–—-]\\s*(.+)$)';

/** « Astérix, tome 7 : … », « Astérix (T. 7) », « Akira n° 3 ». */
const WITH_WORD = new RegExp(
  `^(.+?)(?:\\s*[,:;.(–—-]\\s*|\\s+)${TOME_WORD}\\s*(${DIGITS}|[IVXLC]+)${REST}`,
  'iu',
);
/** « La marée haute : 1 », « Les Tuniques bleues - 12 », « Astérix. 7, Le combat des chefs », « Astérix (7) ». */
const WITH_NUMBER = new RegExp(
  `^(.+?)(?:\\s+[:;–—-]\\s+|,\\s+|\\.\\s+|\\s+\\()(${DIGITS}|[IVX]{2,6})${REST}`,
  'u',
);

/** « La Révolte (The Hunger Games, #3) », as Goodreads writes a series behind a title. */
const IN_BRACKETS = /^(.*\S)\s*\(([^()#]+?),?\s*#\s*(\d[\d.,]*)\)$/u;

/** The series, number and own title that a book's title tells; `null` for one that tells none. */
export function parseTome(titre: string): TitreTome | null {
  const [, own = '', named, place = ''] = IN_BRACKETS.exec(titre.trim()) ?? [];
  if (named !== undefined) return { serie: named.trim(), numero: place, titre: own };
  const [, serie = '', numero = '', rest = ''] =
    WITH_WORD.exec(titre.trim()) ?? WITH_NUMBER.exec(titre.trim()) ?? [];
  if (normaliser(serie) === '' || numero === '') return null;
  return { serie: serie.trim(), numero, titre: rest.trim() };
}

/** A series that a book's title names, or the one that its title would make. */
interface SerieProposal extends TitreTome {
  /** `null` where the house has no series of this title. */
  readonly known: Serie | null;
}

/** The series to propose for a book by its title; `null` where the title tells no number. */
export function proposeSerie(titre: string, series: readonly Serie[]): SerieProposal | null {
  const tome = parseTome(titre);
  return tome === null ? null : { ...tome, known: serieOfTitre(tome.serie, series) };
}

/** A series with the same normalised title, but for the one that is being edited. */
export const serieOfTitre = (
  titre: string,
  series: readonly Serie[],
  exceptId: number | null = null,
): Serie | null => {
  const key = normaliser(titre);
  if (key === '') return null;
  return series.find((serie) => serie.id !== exceptId && normaliser(serie.titre) === key) ?? null;
};
