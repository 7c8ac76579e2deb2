import type { ImportFormat } from '#shared/importations';
import { normaliser } from '#shared/text';
import type { Lecture, RawRow } from '../row.ts';

/** The trimmed cell under a header, in lower case; '' where the file has no such column. */
export type Cell = (header: string) => string;

/** A program's tables: how their header is known, and what its columns mean (docs/rules.md § 35). */
export interface TableFormat {
  readonly name: ImportFormat;
  readonly recognises: (has: (...headers: string[]) => boolean) => boolean;
  readonly read: (cell: Cell) => RawRow;
}

/** The first cell that says something. */
export const firstOf = (cell: Cell, ...headers: string[]): string =>
  headers.map(cell).find((text) => text !== '') ?? '';

/** The first of the reading states that one of these texts names; `null` where none does. */
export function readLecture(...texts: readonly string[]): Lecture | null {
  for (const text of texts) {
    const found = LECTURES.get(normaliser(text));
    if (found !== undefined) return found;
  }
  return null;
}

// cspell:disable -- words that other programs write
const LECTURES: ReadonlyMap<string, Lecture> = new Map(
  Object.entries({
    lu: ['read', 'lu', 'lus', 'completed', 'finished', 'termine', 'read but unowned'],
    enCours: ['currently reading', 'reading', 'en cours', 'in progress', 'en cours de lecture'],
    aLire: ['to read', 'a lire', 'want to read', 'not begun', 'unread', 'tbr', 'non lu'],
    souhait: ['wishlist', 'wish list', 'wish', 'pense bete', 'envies', 'souhaits', 'a acheter'],
    abandoned: ['did not finish', 'dnf', 'abandoned', 'abandonne', 'stopped reading', 'stopped'],
  } satisfies Record<Lecture, string[]>).flatMap(([lecture, names]) =>
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- its own keys, to TypeScript any text
    names.map((name) => [name, lecture as Lecture]),
  ),
);
// cspell:enable

/** Whether a binding or format is that of an ebook. */
export const isEbook = (binding: string): boolean =>
  // cspell:disable-next-line -- words that other programs write
  /kindle|e-?book|\bnook\b|epub|\bpdf\b|num[ée]rique|^digital$/i.test(binding);

/** A record that is no book to enter. */
export const noRow = (refus: string): RawRow => ({ titre: '', auteurs: [], refus });
