import { isSameEdition, type EditionPrint } from '#shared/doublons';
import type { LivreDocument } from '#shared/livres';

interface Reunis {
  /** The first copy of each edition, in the given order. */
  readonly livres: readonly LivreDocument[];
  /** The number of copies by the first one's id, if several. */
  readonly counts: ReadonlyMap<number, number>;
}

interface Edition {
  readonly print: EditionPrint;
  readonly id: number;
  count: number;
}

/** One row for the copies of an edition (docs/rules.md § 58) with equal titles. */
export function reunir(livres: readonly LivreDocument[]): Reunis {
  const byKey = new Map<string, Edition[]>();
  const editions: Edition[] = [];
  const firsts = livres.filter((livre) => {
    const print = printOf(livre);
    const keys = [
      `titre ${print.cleOeuvre}`,
      ...(livre.isbn === null ? [] : [`isbn ${livre.isbn}`]),
    ];
    for (const key of keys) {
      const known = byKey.get(key)?.find((one) => isSameEdition(one.print, print));
      if (known === undefined) continue;
      known.count++;
      return false;
    }
    const edition = { print, id: livre.id, count: 1 };
    editions.push(edition);
    for (const key of keys) {
      const same = byKey.get(key);
      if (same === undefined) byKey.set(key, [edition]);
      else same.push(edition);
    }
    return true;
  });
  const several = editions.filter(({ count }) => count > 1);
  return { livres: firsts, counts: new Map(several.map(({ id, count }) => [id, count])) };
}

/** By normalised title: computing the work key of ten thousand books would take a second. */
const printOf = ({ isbn, titreNormalise, auteurs, editeur, annee }: LivreDocument) => ({
  isbn,
  editeur,
  annee,
  cleOeuvre: titreNormalise,
  auteurs: auteurs.map(({ id }) => id),
});
