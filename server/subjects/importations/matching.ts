import type { ExportLivre } from '#shared/export';
import { cleOeuvre, normaliser, textKey, cleRegroupement } from '#shared/text';
import { abbreviates, parseNom, type NomForm } from '#shared/nom-form';
import { isSameNumero, numeroKey } from '#shared/series-fit';
import type { Reader } from '#server/plumbing/database/connection';
import { DistinctSignatures } from '#server/subjects/auteurs/auteurs';
import { listSimilaires } from '#server/subjects/livres/livres';
import { livreIdsByIsbn, openPretOfLivre, ownedCles } from '#server/subjects/livres/read';
import type { CleanRow } from './rows.ts';
import type { SeriePlan } from './series.ts';
import type { SerieRef } from './record.ts';
import { Copies, originKey, originOfLivre, Origins } from './origins.ts';

// Matches a row with a book: of an earlier row, or of the household (docs/rules.md § 36, § 41).

/** Finds a book whose title has neither letter nor digit, and thus no key. */
const livreIdByBareTitre = (database: Reader, titre: string): number | null =>
  database.value<number>(
    "SELECT id FROM Livre WHERE cleOeuvre = '' AND titre = ? ORDER BY id LIMIT 1",
    titre,
  ) ?? null;

/** Title and authors of a book, shown for a row with other ones. */
export function wordsOfLivre(
  database: Reader,
  id: number,
): { readonly titre: string; readonly auteurs: readonly string[] } {
  const auteurs = database.all<{ nom: string }>(
    'SELECT nom FROM LivreAuteur JOIN Auteur ON Auteur.id = auteurId WHERE livreId = ?',
    id,
  );
  const titre = database.value<string>('SELECT titre FROM Livre WHERE id = ?', id) ?? '';
  return { titre, auteurs: auteurs.map(({ nom }) => nom) };
}

export const cleOfLivre = (database: Reader, id: number): string | undefined =>
  database.value<string>('SELECT cleOeuvre FROM Livre WHERE id = ?', id);

/**
 * Tells which keys occur in several rows: a row with unique keys is not compared, and not kept in memory. Keys are
 * stored as digests, so that a few collisions count as shared.
 */
class SharedKeys {
  readonly #once = new Set<number>();
  readonly #several = new Set<number>();

  add(key: string): void {
    const digest = digestOf(key);
    if (this.#once.has(digest)) this.#several.add(digest);
    else this.#once.add(digest);
  }

  has(key: string): boolean {
    return this.#several.has(digestOf(key));
  }
}

function digestOf(text: string): number {
  let digest = 0;
  for (let at = 0; at < text.length; at++)
    digest = (Math.imul(digest, 31) + text.charCodeAt(at)) | 0;
  return digest;
}

/** How many keys are queried in the household at once. */
const MAX_ASKED = 1000;

/**
 * Indexes the rows of a file; all are added before the first is planned. The household must not change until the last
 * is planned.
 */
export class FileKeys {
  /** How the books of an export are matched here. */
  readonly exports: Origins | undefined;
  readonly #database: Reader;
  readonly #cles = new SharedKeys();
  /** ISBN → the volume that a row with it names, as a digest; 0 where none does. */
  readonly #volumes = new Map<number, number>();
  readonly #sharedIsbns = new Set<number>();
  /** ISBNs of sets, which all volumes of a set have. */
  readonly #setIsbns = new Set<number>();
  readonly #asked = { isbns: new Set<string>(), cles: new Set<string>() };
  /** The household's books of the rows. */
  readonly #livreIds = new Map<string, number>();
  readonly #ownedCles = new Set<string>();
  /**
   * The keys (`originKey`) of an export's books: two records are two books, so that no book created from one is
   * matched by another.
   */
  readonly #origins = new Set<string>();
  readonly #twinOrigins = new Set<string>();
  /** The household's books that a record of the export is beyond doubt. */
  readonly #known = new Set<number>();

  /** @param bibliotheque the household that an export is of */
  constructor(database: Reader, bibliotheque: string | undefined) {
    this.#database = database;
    this.exports = bibliotheque === undefined ? undefined : new Origins(database, bibliotheque);
  }

  add(row: CleanRow): void {
    const { titre, isbn, kept } = row;
    const { isbns, cles } = this.#asked;
    const cle = cleOeuvre(titre);
    cles.add(cle);
    this.#cles.add(cle);
    if (isbn !== null) {
      isbns.add(isbn);
      this.#addIsbn(Number(isbn), mayBeOfSet(row) ? digestOf(volumeKey(row)) || 1 : 0);
    }
    if (kept?.livre !== undefined) this.#addExported(kept.livre);
    if (cles.size + isbns.size >= MAX_ASKED) this.#ask();
  }

  #addIsbn(isbn: number, volume: number): void {
    const first = this.#volumes.get(isbn);
    if (first !== undefined) this.#sharedIsbns.add(isbn);
    if (first === undefined || first === 0) this.#volumes.set(isbn, volume);
    else if (volume !== 0 && volume !== first) this.#setIsbns.add(isbn);
  }

  #addExported(exported: ExportLivre): void {
    const origin = originKey(normaliser(exported.titre), exported.dateAjout ?? '');
    if (this.#origins.has(origin)) this.#twinOrigins.add(origin);
    this.#origins.add(origin);
    const known = this.exports?.find(exported);
    if (known !== undefined) this.#known.add(known);
  }

  #ask(): void {
    const { isbns, cles } = this.#asked;
    if (isbns.size + cles.size === 0) return;
    for (const [isbn, id] of livreIdsByIsbn(this.#database, [...isbns]))
      this.#livreIds.set(isbn, id);
    for (const cle of ownedCles(this.#database, [...cles])) this.#ownedCles.add(cle);
    isbns.clear();
    cles.clear();
  }

  /** The household's book of an ISBN. */
  livreIdOf(isbn: string): number | undefined {
    this.#ask();
    return this.#livreIds.get(isbn);
  }

  /** Whether the household has books of a work. */
  owns(cle: string): boolean {
    this.#ask();
    return this.#ownedCles.has(cle);
  }

  /** Whether another row may have the same ISBN. */
  sharesIsbn({ isbn }: CleanRow): boolean {
    return isbn !== null && this.#sharedIsbns.has(Number(isbn));
  }

  /** Whether other rows may be of the same work. */
  sharesCle(cle: string): boolean {
    return cle !== '' && this.#cles.has(cle);
  }

  /** Whether other rows have the same ISBN with another title or number. */
  isOfSet(row: CleanRow): boolean {
    return mayBeOfSet(row) && this.#setIsbns.has(Number(row.isbn));
  }

  isOrigin(livreId: number): boolean {
    return this.#origins.has(originOfLivre(this.#database, livreId));
  }

  isTwinOrigin(origin: string): boolean {
    return this.#twinOrigins.has(origin);
  }

  get known(): ReadonlySet<number> {
    return this.#known;
  }
}

const mayBeOfSet = ({ isbn, titre, kept }: CleanRow): boolean =>
  isbn !== null && titre !== '' && kept === undefined;

/** For so many copies of a book, their borrowers are compared. */
const MAX_COMPARED = 20;

/** Matches rows with books, in order. */
export class BookFinder {
  readonly #database: Reader;
  readonly #keys: FileKeys;
  readonly #series: SeriePlan;
  readonly #signatures: DistinctSignatures;
  readonly #byIsbn = new Map<string, KeyedRow[]>();
  readonly #works = new Map<string, RowsOfWork>();
  /** The household's books that a row may be, by work and names. */
  readonly #owned = new Map<string, OwnedWork>();
  /** The household's books that rows of an export are. */
  readonly #claimed = new Set<number>();
  /** By keys that several rows share: the household's books not matched yet. */
  readonly #copies = new Map<string, Copies>();

  constructor(database: Reader, keys: FileKeys, series: SeriePlan) {
    this.#database = database;
    this.#keys = keys;
    this.#series = series;
    this.#signatures = new DistinctSignatures(database);
  }

  /** Notes a row that becomes a book. Most have an ISBN and a title of their own, and are compared with none. */
  remember(row: CleanRow, key: KeyedRow): void {
    if (row.isbn !== null && this.#keys.sharesIsbn(row)) pushTo(this.#byIsbn, row.isbn, key);
    if (!this.#keys.sharesCle(key.cle)) return;
    const work = this.#works.get(key.cle) ?? new RowsOfWork();
    this.#works.set(key.cle, work);
    work.add(key);
  }

  /** The first remembered row with the ISBN of a row. */
  firstOfIsbn({ isbn }: CleanRow): KeyedRow | undefined {
    return this.#byIsbn.get(isbn ?? '')?.[0];
  }

  /** A remembered row of the same work and of an author in common. */
  firstOfWork(key: KeyedRow): KeyedRow | undefined {
    return this.#works.get(key.cle)?.find(key, (other) => other.noms.sharesWith(key.noms));
  }

  /** The earlier row with the same book. */
  findEarlier(row: CleanRow, key: KeyedRow): KeyedRow | undefined {
    // An export has one record per book: two of them are never the same book.
    if (row.kept !== undefined) return undefined;
    const same = this.#byIsbn
      .get(row.isbn ?? '')
      ?.find((other) => row.isOfSet === undefined || volumeKey(other.row) === volumeKey(row));
    if (same !== undefined) return same;
    return this.#works
      .get(key.cle)
      ?.findSame(
        key,
        (other) =>
          (row.isbn === null || other.row.isbn === null) &&
          other.noms.sharesWith(key.noms) &&
          !areOtherVolumes(other.row, row),
      );
  }

  /** Marks a household's book as matched: no other row of an export takes it. */
  claim(row: CleanRow, livreId: number): void {
    if (row.kept !== undefined) this.#claimed.add(livreId);
  }

  /** The household's book that a row is. */
  findOwned(row: CleanRow, { cle }: KeyedRow): number | null {
    const itself = this.#findItself(row);
    if (itself !== undefined) return itself;
    const ofIsbn = row.isbn === null || row.isOfSet ? undefined : this.#keys.livreIdOf(row.isbn);
    const sameIsbn = ofIsbn === undefined || this.#isAnother(row, ofIsbn) ? null : ofIsbn;
    if (sameIsbn !== null && !this.#claimed.has(sameIsbn)) return sameIsbn;
    if (cle === '' && row.isbn === null && row.titre !== '')
      return livreIdByBareTitre(this.#database, row.titre);
    if (!this.#keys.owns(cle)) return sameIsbn;
    const owned = this.#ownedWork(row, cle);
    const volumes = row.series.filter((serie) => isBareVolume(row, serie));
    const [only, ...others] = volumes;
    if (only !== undefined && others.length === 0)
      return owned.findVolume(only, (id) => this.#series.numeroIn(only, id)) ?? null;
    const isOther = (id: number) => volumes.some((serie) => this.#series.hasOtherNumero(serie, id));
    const alike = owned.ids.filter((id) => !isOther(id));
    return this.#freeCopy(row, alike) ?? alike[0] ?? sameIsbn;
  }

  /** An unmatched copy: preferably with the borrower of the export's book. */
  #freeCopy({ kept, pret }: CleanRow, ids: readonly number[]): number | undefined {
    if (kept === undefined) return undefined;
    const free = ids.filter((id) => !this.#claimed.has(id));
    if (free.length < 2) return free[0];
    const wanted = textKey(pret?.emprunteur ?? '');
    const isLentAlike = (id: number) =>
      textKey(openPretOfLivre(this.#database, id)?.emprunteur ?? '') === wanted;
    return free.slice(0, MAX_COMPARED).find(isLentAlike) ?? free[0];
  }

  /** Cached by work and authors: thousands of rows may have the same ones. */
  #ownedWork(row: CleanRow, cle: string): OwnedWork {
    const isOwned = row.isbn !== null && this.#keys.livreIdOf(row.isbn) !== undefined;
    const isbn = isOwned ? row.isbn : null;
    const isOfSet = row.isOfSet !== undefined;
    const key = JSON.stringify([cle, isbn, isOfSet, row.kept !== undefined, row.auteurs]);
    const known = this.#owned.get(key);
    if (known !== undefined) return known;
    const work = { isbn, cleOeuvre: cle };
    const similar = listSimilaires(this.#database, work, row.auteurs, this.#signatures);
    const owned = new OwnedWork(
      similar.filter(
        (id) => !this.#isAnother(row, id) && (!isOfSet || cleOfLivre(this.#database, id) === cle),
      ),
    );
    // Not cached for the usual case of one book.
    if (owned.ids.length > 1) this.#owned.set(key, owned);
    return owned;
  }

  /**
   * The book that an exported record describes, whatever its present title; among copies, one entered at the same
   * instant.
   */
  #findItself({ kept, pret }: CleanRow): number | undefined {
    const exported = kept?.livre;
    if (exported === undefined) return undefined;
    const known = this.#keys.exports?.find(exported);
    if (known !== undefined) return known;
    const titre = normaliser(exported.titre);
    const dateAjout = exported.dateAjout ?? '';
    const key = originKey(titre, dateAjout);
    const copies = this.#copies.get(key) ?? new Copies(this.#database, titre, dateAjout);
    if (this.#keys.isTwinOrigin(key)) this.#copies.set(key, copies);
    const copy = copies.take(pret?.emprunteur ?? null, this.#keys.known);
    return copy ?? this.#restored(exported);
  }

  /** A book restored under its own id before origins were recorded. */
  #restored(exported: ExportLivre): number | undefined {
    const id = this.#keys.exports?.findRestored(exported);
    return id === undefined ||
      this.#claimed.has(id) ||
      this.#keys.known.has(id) ||
      this.#keys.isOrigin(id)
      ? undefined
      : id;
  }

  #isAnother(row: CleanRow, livreId: number): boolean {
    return row.kept !== undefined && this.#keys.isOrigin(livreId);
  }
}

// Works: a series may have thousands of rows of one title, and a title thousands of authors. Rows
// are found by keys.

/** The data for comparing rows, in memory for a whole file. */
export interface KeyedRow {
  readonly ligne: number;
  readonly row: ComparedRow;
  readonly cle: string;
  readonly noms: Noms;
}

export interface ComparedRow extends Pick<CleanRow, 'titre' | 'isbn' | 'series' | 'themes'> {
  /** The names of its details, without values. */
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
  /** By presence of an ISBN, volume and author; built for many rows only. */
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

  /** The first matching row among those with a common author. */
  find(row: KeyedRow, fits: (other: KeyedRow) => boolean): KeyedRow | undefined {
    return firstOf(this.#listsFor(row, [ANY_VOLUME], [true, false]), fits);
  }

  /** The first matching row that may be the same book: at most one of them has an ISBN, and not another volume. */
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

/** Up to so many rows of a work are scanned; most works have one. */
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
  /** By series, then by the key of the number, `null` without one: the first book. */
  readonly #byVolume = new Map<string, ReadonlyMap<string | null, number>>();

  constructor(ids: readonly number[]) {
    this.ids = ids;
  }

  /** The first book of a volume's number, or of an unknown one. */
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

/** The names of a row prepared for comparison, lazily, since few rows need them. */
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

  /** Two rows with a common author share one of these keys. */
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

/** Whether a row's title is its series', so that only its number identifies the volume. */
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
