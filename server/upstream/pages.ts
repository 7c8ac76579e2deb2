import { NOMBRE_PAGES_MAXIMUM } from '#shared/livres';

const INTERVALLE = /\d\s*[-\u2010-\u2015]\s*\d/u;
const CROCHETS = /[([]([^()[\]]*)[)\]]/gu;

/** Longer descriptions say no more of the pages, and a hostile one could be very long. */
const LONGUEUR_LUE = 500;

/** Stands for a bracket whose content stays, and is neither a digit nor a blank. */
const BORD = '|';

/**
 * The page count that a catalogue's description proposes: the largest whole number directly
 * followed by `p.`, `page` or `pages`, outside brackets that hold a range, and before any ` + `,
 * where what accompanies the book begins (contract.md « Page count », specification « Page count
 * prefill »). `null` when nothing says it: leaves (`f.`), volumes and centimetres are no pages.
 */
export function nombreDePages(description: string): number | null {
  const livre = sansIntervalles(description.slice(0, LONGUEUR_LUE).split(/\s\+\s/u)[0] ?? '');
  const nombres = Array.from(
    livre.matchAll(/(?<!\d|\d[.,])(\d+)\s*(?:p\.|pages?\b)/giu),
    (trouve) => Number(trouve[1]),
  );
  const pages = Math.max(0, ...nombres);
  return pages >= 1 && pages <= NOMBRE_PAGES_MAXIMUM ? pages : null;
}

/** Takes out the brackets that hold a range, the inner ones first. */
function sansIntervalles(texte: string): string {
  const suite = texte.replace(CROCHETS, (_, contenu: string) =>
    INTERVALLE.test(contenu) ? BORD : BORD + contenu + BORD,
  );
  return suite === texte ? texte : sansIntervalles(suite);
}
