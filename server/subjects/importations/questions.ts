import { localDay } from '#shared/days';
import type {
  ALire,
  OrdreDates,
  Questions,
  executerImportation,
  OrdreDesNoms,
  OrdreNoms,
} from '#shared/importations';
import { shortened } from '#shared/text';
import { MAX_NIVEAUX } from '#shared/emplacements';
import type { Body } from '#shared/endpoint';
import { turned } from '#server/plumbing/upstream/noms';
import type { ImportRecord } from './record.ts';
import { isOwnershipOpen, type ReadRow, type CleanRow } from './rows.ts';
import { readDay, type OpenDates } from './values.ts';
import { PROGRAMS } from './formats/programs.ts';

// Questions about a file, and how the person's answers change its rows (docs/rules.md § 35, § 36).

interface Answers {
  readonly aLire: ALire;
  readonly ordreDates: OrdreDates;
  readonly openDates: OpenDates | null;
}

const MAX_EXEMPLE_LENGTH = 80;

/** Collects the questions that a file leaves open while its rows are read. */
export class OpenQuestions {
  #aLire = 0;
  #entrees = { lignes: 0, premiere: '', derniere: '' };
  #chemins: NonNullable<Questions['chemins']> | null = null;

  add(record: ImportRecord, { row, refus, isPending, entree }: ReadRow): void {
    if ((refus === null || isPending) && isOwnershipOpen(record)) this.#aLire++;
    if (entree !== undefined) this.#addEntree(entree.date);
    const noms = pathOf(row.emplacement);
    if (noms === null) return;
    const { lignes, ...first } = this.#chemins ?? {
      lignes: 0,
      exemple: shortened(row.emplacement[0] ?? '', MAX_EXEMPLE_LENGTH),
      noms: [...noms],
    };
    this.#chemins = { ...first, lignes: lignes + 1 };
  }

  #addEntree(date: string): void {
    const { lignes, premiere, derniere } = this.#entrees;
    const day = localDay(new Date(date));
    this.#entrees = {
      lignes: lignes + 1,
      premiere: premiere === '' || day < premiere ? day : premiere,
      derniere: day > derniere ? day : derniere,
    };
  }

  questions({ aLire, ordreDates, openDates }: Answers): Questions {
    return {
      ...(this.#aLire > 0 && { aLire: { lignes: this.#aLire, reponse: aLire } }),
      ...(openDates !== null && {
        ordreDates: {
          dates: openDates.count,
          exemple: openDates.exemple,
          jourMois: readDay(openDates.exemple, false) ?? '',
          moisJour: readDay(openDates.exemple, true) ?? '',
          reponse: ordreDates,
        },
      }),
      ...(this.#entrees.lignes > 0 && { datesEntree: this.#entrees }),
      ...(this.#chemins !== null && { chemins: this.#chemins }),
    };
  }
}

// Answers for all books of an import at once

export type ForAll = Pick<Body<typeof executerImportation>, 'chemins' | 'statut' | 'emplacement'>;

export const forAllOf = ({ chemins, statut, emplacement }: ForAll): ForAll => ({
  ...(chemins === true && { chemins }),
  ...(typeof statut === 'number' && { statut }),
  ...(emplacement && emplacement.length > 0 && { emplacement }),
});

/** The names of a path such as « House / Office / Shelf »; `null` for a single name and for too deep a path. */
export function pathOf(emplacement: readonly string[]): readonly string[] | null {
  const [only = '', ...others] = emplacement;
  if (others.length > 0) return null;
  const names = only.split(/[/\\|]/).flatMap((name) => name.trim() || []);
  return names.length > 1 && names.length <= MAX_NIVEAUX ? names : null;
}

/** The changes of a row by the answers. A row with readings keeps its reading state. */
export function changesForAll(row: CleanRow, answers: ForAll): Partial<CleanRow> {
  const { chemins, statut, emplacement } = answers;
  const path = emplacement ?? (chemins === true ? pathOf(row.emplacement) : null);
  return {
    ...(typeof statut === 'number' && row.lectures.length === 0 && { statut }),
    ...(path !== null && { emplacement: path }),
  };
}

// The order of names « Nom Prénom » without a separator

/** The authors of a row in the household's order, if the person says in which order the file has them. */
export const inSaidOrder = (
  auteurs: readonly string[],
  format: string,
  ordre: OrdreNoms | undefined,
): readonly string[] =>
  ordre !== 'prenomNom' && PROGRAMS.some(({ name, isNomPrenom }) => isNomPrenom && name === format)
    ? auteurs.map(turned)
    : auteurs;

/** The changes of a row by that order. */
export function changesOfOrder(
  { auteurs }: CleanRow,
  format: string,
  ordre: OrdreNoms | undefined,
): Pick<CleanRow, 'auteurs'> | null {
  const turnedNoms = inSaidOrder(auteurs, format, ordre);
  return turnedNoms === auteurs ? null : { auteurs: turnedNoms };
}

const EXEMPLES = 3;

/** Guesses the order of names in a file. */
export class NameOrder {
  readonly #format: string;
  /** The names that differ in the other order, with their other form. */
  readonly #noms = new Map<string, string>();

  constructor(format: string) {
    this.#format = format;
  }

  add({ row: { auteurs } }: ReadRow): void {
    for (const [index, inverse] of inSaidOrder(auteurs, this.#format, 'nomPrenom').entries()) {
      const nom = auteurs[index];
      if (nom !== undefined && nom !== inverse) this.#noms.set(nom, inverse);
    }
  }

  /** The guess, with a few names in both orders. */
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
