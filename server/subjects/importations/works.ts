import { abbreviates, parseNom, type NomForm } from '#shared/nom-form';
import { isSameNumero, numeroKey } from '#shared/series-fit';
import { cleOeuvre, cleRegroupement, textKey } from '#shared/text';
import type { SerieRef } from './record.ts';
import type { CleanRow } from './rows.ts';

// Rows of a file, and books of the household, that are of one work: a series may have thousands of one title, and a title
// thousands of authors. What a row may be is found by a key, not one after the other.

/** What rows are compared by: all of a file's are held at once. */
export interface KeyedRow {
  readonly ligne: number;
  readonly row: ComparedRow;
  readonly cle: string;
  readonly noms: Noms;
}

export interface ComparedRow extends Pick<CleanRow, 'titre' | 'isbn' | 'series' | 'themes'> {
  /** The names of its details, whose values are not held. */
  readonly detailNoms?: readonly string[];
}

export const keyed = (
  ligne: number,
  { titre, isbn, series, auteurs, themes, details }: CleanRow,
): KeyedRow => ({
  ligne,
  row: {
    titre,
    isbn,
    series,
    ...(themes && { themes }),
    ...(details && { detailNoms: details.map(({ nom }) => nom) }),
  },
  cle: cleOeuvre(titre),
  noms: new Noms(auteurs),
});

/** The earlier rows of one work. */
export class RowsOfWork {
  readonly #all: KeyedRow[] = [];
  /** By whether a row has an ISBN, its volume and an author; made for many rows only. */
  #byKey: Map<string, KeyedRow[]> | null = null;
  /** The series that the rows are bare volumes of; few works have any. */
  #series: Set<string> | null = null;

  add(row: KeyedRow): void {
    this.#all.push(row);
    for (const { serie } of bareVolumes(row.row)) (this.#series ??= new Set()).add(serie);
    if (this.#byKey !== null) sortIn(this.#byKey, row);
    else if (this.#all.length > MAX_UNSORTED) {
      this.#byKey = new Map();
      for (const each of this.#all) sortIn(this.#byKey, each);
    }
  }

  /** The first row that fits, of those that may name the same authors. */
  find(row: KeyedRow, fits: (other: KeyedRow) => boolean): KeyedRow | undefined {
    return firstOf(this.#listsFor(row, [ANY_VOLUME], [true, false]), fits);
  }

  /** The first row that fits, of those that may be the same book: without a second ISBN, and no other volume. */
  findSame(row: KeyedRow, fits: (other: KeyedRow) => boolean): KeyedRow | undefined {
    const [only, ...others] = bareVolumes(row.row);
    const isOfSeries = others.length === 0 && this.#series?.size === 1;
    const volumes =
      only !== undefined && isOfSeries && this.#series?.has(only.serie) === true
        ? [only.key, '']
        : [ANY_VOLUME];
    const isbns = row.row.isbn === null ? [true, false] : [false];
    return firstOf(this.#listsFor(row, volumes, isbns), fits);
  }

  #listsFor(
    { noms }: KeyedRow,
    volumes: readonly string[],
    isbns: readonly boolean[],
  ): readonly (readonly KeyedRow[])[] {
    const byKey = this.#byKey;
    if (byKey === null) return [this.#all];
    return [...noms.keys].flatMap((auteur) =>
      volumes.flatMap((volume) =>
        isbns.flatMap((hasIsbn) => {
          const list = byKey.get(rowKey(hasIsbn, volume, auteur));
          return list === undefined ? [] : [list];
        }),
      ),
    );
  }
}

/** So many rows of one work are looked through one after the other: most works have one. */
const MAX_UNSORTED = 8;

const ANY_VOLUME = '*';

const rowKey = (hasIsbn: boolean, volume: string, auteur: string): string =>
  `${hasIsbn ? 'isbn' : ''}\n${volume}\n${auteur}`;

function sortIn(byKey: Map<string, KeyedRow[]>, row: KeyedRow): void {
  const [only, ...others] = bareVolumes(row.row);
  const volume = others.length === 0 ? (only?.key ?? '') : '';
  for (const auteur of row.noms.keys)
    for (const each of [volume, ANY_VOLUME])
      pushTo(byKey, rowKey(row.row.isbn !== null, each, auteur), row);
}

function firstOf(
  lists: readonly (readonly KeyedRow[])[],
  fits: (row: KeyedRow) => boolean,
): KeyedRow | undefined {
  const [first] = lists.flatMap((list) => list.find(fits) ?? []).sort((a, b) => a.ligne - b.ligne);
  return first;
}

/** The household's books that the rows of a work may be, in their order. */
export class OwnedWork {
  readonly ids: readonly number[];
  /** By series, then by the key of the number, `null` for none: the first book. */
  readonly #byVolume = new Map<string, ReadonlyMap<string | null, number>>();

  constructor(ids: readonly number[]) {
    this.ids = ids;
  }

  /** The first book of a volume's number, or of no known one. */
  findVolume(
    { titre, numero }: SerieRef,
    numeroOf: (livreId: number) => string | null,
  ): number | undefined {
    const key = textKey(titre);
    const firsts = this.#byVolume.get(key) ?? this.#firsts(numeroOf);
    this.#byVolume.set(key, firsts);
    const found = [firsts.get(numeroKey(numero ?? '')), firsts.get(null)];
    return this.ids[Math.min(...found.filter((index) => index !== undefined))];
  }

  #firsts(numeroOf: (livreId: number) => string | null): ReadonlyMap<string | null, number> {
    const firsts = new Map<string | null, number>();
    for (const [index, id] of this.ids.entries()) {
      const numero = numeroOf(id);
      const key = numero === null ? null : numeroKey(numero);
      if (!firsts.has(key)) firsts.set(key, index);
    }
    return firsts;
  }
}

/** The names of a row as they are compared with those of others: read once one is, which few rows are. */
export class Noms {
  readonly #noms: readonly string[];
  #keys: ReadonlySet<string> | undefined;
  #forms: readonly NomForm[] | undefined;

  constructor(noms: readonly string[]) {
    this.#noms = noms;
  }

  /** Whether two rows name an author in common; two that name none have that in common. */
  sharesWith(other: Noms): boolean {
    return (
      (this.#noms.length === 0 && other.#noms.length === 0) ||
      [...this.#cles].some((cle) => other.#cles.has(cle)) ||
      this.#parsed.some((form) =>
        other.#parsed.some((one) => abbreviates(form, one) || abbreviates(one, form)),
      )
    );
  }

  /** Two rows that name an author in common have one of these in common. */
  get keys(): ReadonlySet<string> {
    if (this.#noms.length === 0) return NO_AUTEUR;
    return new Set([...this.#cles, ...this.#parsed.map(({ signature }) => ` ${signature}`)]);
  }

  get #cles(): ReadonlySet<string> {
    return (this.#keys ??= new Set(this.#noms.map(cleRegroupement)));
  }

  get #parsed(): readonly NomForm[] {
    return (this.#forms ??= this.#noms.map(parseNom));
  }
}

const NO_AUTEUR: ReadonlySet<string> = new Set(['']);

export function pushTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

/** Whether a row has no title but that of its series: its number alone tells which volume it is. */
export const isBareVolume = ({ titre }: ComparedRow, serie: SerieRef): boolean =>
  serie.numero !== null && cleOeuvre(titre) === cleOeuvre(serie.titre);

const bareVolumes = (row: ComparedRow): { readonly serie: string; readonly key: string }[] =>
  row.series
    .filter((serie) => isBareVolume(row, serie))
    .map(({ titre, numero }) => {
      const serie = textKey(titre);
      return { serie, key: `${serie}\n${numeroKey(numero ?? '')}` };
    });

export const areOtherVolumes = (a: ComparedRow, b: ComparedRow): boolean =>
  a.series
    .filter((serie) => isBareVolume(a, serie))
    .some(({ titre, numero }) =>
      b.series.some(
        (other) =>
          numero !== null &&
          other.numero !== null &&
          textKey(other.titre) === textKey(titre) &&
          !isSameNumero(numero, other.numero),
      ),
    );

export const volumeKey = ({ titre, series }: ComparedRow): string =>
  [cleOeuvre(titre), ...series.map(({ numero }) => numero ?? '')].join('\n');
