import type { ImportFormat, OrdreDesNoms, OrdreNoms } from '#shared/importations';
import { turned } from '#server/plumbing/upstream/noms';
import { PROGRAMS } from './formats/programs.ts';
import type { CleanRow, ReadRow } from './rows.ts';

// Names that stand « Nom Prénom » without a sign that parts them (docs/rules.md § 35).

/** The authors of a row as the household writes them, where its file has their names in the order that its person says. */
export const inSaidOrder = (
  auteurs: readonly string[],
  format: ImportFormat,
  ordre: OrdreNoms | undefined,
): readonly string[] =>
  ordre !== 'prenomNom' && PROGRAMS.some(({ name, isNomPrenom }) => isNomPrenom && name === format)
    ? auteurs.map(turned)
    : auteurs;

/** What the order changes of a row. */
export function changesOfOrder(
  { auteurs }: CleanRow,
  format: ImportFormat,
  ordre: OrdreNoms | undefined,
): Pick<CleanRow, 'auteurs'> | null {
  const turnedNoms = inSaidOrder(auteurs, format, ordre);
  return turnedNoms === auteurs ? null : { auteurs: turnedNoms };
}

const EXEMPLES = 3;

/** In which order a file seems to have the names of its authors (docs/rules.md § 35). */
export class NameOrder {
  readonly #format: ImportFormat;
  /** The names that stand otherwise in the other order, with what they are there. */
  readonly #noms = new Map<string, string>();

  constructor(format: ImportFormat) {
    this.#format = format;
  }

  add({ row: { auteurs } }: ReadRow): void {
    for (const [index, inverse] of inSaidOrder(auteurs, this.#format, 'nomPrenom').entries()) {
      const nom = auteurs[index];
      if (nom !== undefined && nom !== inverse) this.#noms.set(nom, inverse);
    }
  }

  /** With a few names in both orders. */
  guess(): OrdreDesNoms {
    const noms = Array.from(this.#noms, ([nom, inverse]) => ({ nom, inverse }));
    // Given names repeat from author to author more than family names do.
    const count = (place: 0 | 1) => new Set(noms.map(({ nom }) => nom.split(' ')[place])).size;
    return {
      ordre: count(0) < count(1) ? 'prenomNom' : 'nomPrenom',
      noms: noms.length,
      exemples: noms.slice(0, EXEMPLES),
    };
  }
}
