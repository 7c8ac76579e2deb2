import { parseTome } from './series-titres.ts';
import { textKey } from './text.ts';

/** Between a series and the volume's own title: « Blacksad : Âme rouge », « Blacksad – Âme rouge ». */
const SEPARATOR = /(?<!\s)(?:\s*[:;,]|\s+[–—-])\s+/gu;

interface BesideSerie {
  /** The title without the series. */
  readonly titre: string;
  /** Whether the title is the series' own, so that the number is enough. */
  readonly isSerie: boolean;
}

/**
 * The title of a book shown beside its series, without repeating it: « Blacksad, tome 3 : Âme rouge » of « Blacksad »
 * is « Âme rouge ». A title that does not begin with its series is unchanged.
 */
export function titreBeside(titre: string, serie: string): BesideSerie {
  const key = textKey(serie);
  const isOfSerie = (text: string) => textKey(text) === key;
  const tome = parseTome(titre, isOfSerie);
  if (tome !== null && isOfSerie(tome.serie))
    return tome.titre === ''
      ? { titre: serie, isSerie: true }
      : { titre: capital(tome.titre), isSerie: false };
  if (isOfSerie(titre)) return { titre, isSerie: true };
  for (const { 0: mark, index } of titre.matchAll(SEPARATOR))
    if (isOfSerie(titre.slice(0, index)))
      return { titre: capital(titre.slice(index + mark.length)), isSerie: false };
  return { titre, isSerie: false };
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase('fr') + text.slice(1);
