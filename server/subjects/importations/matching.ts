import type { ExportLivre } from '#shared/export';
import { cleOeuvre, normaliser, textKey } from '#shared/text';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { SettledSignatures } from '#server/subjects/auteurs/auteurs';
import { listSimilaires } from '#server/subjects/livres/livres';
import { livreIdsByIsbn, openPretOfLivre, ownedCles } from '#server/subjects/livres/read';
import type { CleanRow } from './rows.ts';
import type { SeriePlan } from './series.ts';
import {
  areOtherVolumes,
  isBareVolume,
  OwnedWork,
  pushTo,
  RowsOfWork,
  volumeKey,
  type KeyedRow,
} from './works.ts';

// Which book a row of a file is: of an earlier row, or of the household (docs/rules.md § 36, § 41).

/** Identifies a book whose title has neither letter nor digit, so that no rule compares it. */
const livreIdByBareTitre = (database: Reader, titre: string): number | null =>
  database.value<number>(
    "SELECT id FROM Livre WHERE cleOeuvre = '' AND titre = ? ORDER BY id LIMIT 1",
    titre,
  ) ?? null;

/** Title and authors of a book, for a row that has others. */
export function saidOfLivre(
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

/** What tells one book of an export, or of this household, from every other. */
const originKey = (titreNormalise: string, dateAjout: string): string =>
  `${dateAjout} ${titreNormalise}`;

/** Which book a record of an export is, by the household that wrote it and the id that it had there (docs/rules.md § 41). */
class Origins {
  readonly #database: Reader;
  readonly #isOwn: boolean;
  readonly #noted: ReadonlyMap<number, number>;

  constructor(database: Reader, bibliotheque: string) {
    this.#database = database;
    this.#isOwn = bibliotheque === database.householdId;
    const noted = database.all<{ origineId: number; livreId: number }>(
      'SELECT origineId, livreId FROM ImportationOrigine WHERE bibliotheque = ?',
      bibliotheque,
    );
    this.#noted = new Map(noted.map(({ origineId, livreId }) => [origineId, livreId]));
  }

  find(exported: ExportLivre): number | undefined {
    return this.#noted.get(exported.id) ?? (this.#isOwn ? this.#findById(exported) : undefined);
  }

  /** Finds a book by its id alone, which is only safe if the archive was restored under its own ids. */
  findRestored(exported: ExportLivre): number | undefined {
    return this.#noted.size === 0 ? this.#findById(exported) : undefined;
  }

  #findById({ id, dateAjout }: ExportLivre): number | undefined {
    return dateAjoutOf(this.#database, id) === (dateAjout ?? '') ? id : undefined;
  }
}

export function noteOrigin(
  tx: Transaction,
  bibliotheque: string,
  { id }: ExportLivre,
  livreId: number,
): void {
  tx.run(
    'INSERT OR REPLACE INTO ImportationOrigine (bibliotheque, origineId, livreId) VALUES (?, ?, ?)',
    bibliotheque,
    id,
    livreId,
  );
}

const dateAjoutOf = (database: Reader, id: number): string | undefined =>
  database.value<string>('SELECT dateAjout FROM Livre WHERE id = ?', id);

function originOfLivre(database: Reader, id: number): string {
  const livre = database.get<{ titreNormalise: string; dateAjout: string }>(
    'SELECT titreNormalise, dateAjout FROM Livre WHERE id = ?',
    id,
  );
  return livre === undefined ? '' : originKey(livre.titreNormalise, livre.dateAjout);
}

/** The copies that an export and the household have of one title, entered at one instant: no row takes another's. */
class Copies {
  /** Copies by borrower, the oldest last; '' for those at home. */
  readonly #free: ReadonlyMap<string, number[]>;

  constructor(database: Reader, titre: string, dateAjout: string) {
    const copies = database.all<{ id: number; emprunteur: string | null }>(
      `SELECT l.id, p.emprunteur FROM Livre l LEFT JOIN Pret p ON p.livreId = l.id AND p.dateRetour IS NULL
       WHERE l.titreNormalise = ? AND l.dateAjout = ? ORDER BY l.id DESC`,
      titre,
      dateAjout,
    );
    const byReader = Map.groupBy(copies, ({ emprunteur }) => textKey(emprunteur ?? ''));
    this.#free = new Map(Array.from(byReader, ([key, some]) => [key, some.map(({ id }) => id)]));
  }

  /**
   * Takes the copy that the borrower has, else one at home, else any.
   *
   * @param others the ids that other rows have taken
   */
  take(emprunteur: string | null, others: ReadonlySet<number>): number | undefined {
    const own = textKey(emprunteur ?? '');
    for (const key of [own, '', ...this.#free.keys()]) {
      const free = this.#free.get(key) ?? [];
      while (others.has(free.at(-1) ?? 0)) free.pop();
      const id = free.pop();
      if (id !== undefined) return id;
    }
    return undefined;
  }
}

/**
 * Tells which keys of a file stand in several rows: a row that is alone with its keys is compared with none, and need not
 * be held. A key counts by its digest, so that a few others are told with them.
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

/** So many keys of rows are looked for in the household at once. */
const MAX_ASKED = 1000;

/**
 * What the rows of a file are found by: each is noted before the first is planned. The household must not change until
 * the last is.
 */
export class FileKeys {
  /** How the books of a household's export are known here. */
  readonly exports: Origins | undefined;
  readonly #database: Reader;
  readonly #cles = new SharedKeys();
  /** ISBN → the volume that a row with it names, as a digest; 0 where none does. */
  readonly #volumes = new Map<number, number>();
  readonly #sharedIsbns = new Set<number>();
  /** ISBNs of sets, which all volumes of a set have. */
  readonly #setIsbns = new Set<number>();
  readonly #asked = { isbns: new Set<string>(), cles: new Set<string>() };
  /** What the household owns of the rows. */
  readonly #livreIds = new Map<string, number>();
  readonly #ownedCles = new Set<string>();
  /**
   * The keys (`originKey`) of the books of a household's export: two records of it are two books, so that none is taken
   * for one that an earlier import has made of another.
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

  /** Whether other rows may have the ISBN of a row. */
  sharesIsbn({ isbn }: CleanRow): boolean {
    return isbn !== null && this.#sharedIsbns.has(Number(isbn));
  }

  /** Whether other rows may be of a work. */
  sharesCle(cle: string): boolean {
    return cle !== '' && this.#cles.has(cle);
  }

  /** Whether other rows have the ISBN of a row, and another title or number. */
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

/** Of so many copies of one book it is looked up who has them. */
const MAX_COMPARED = 20;

/** Finds the books that rows are, one row after the other. */
export class BookFinder {
  readonly #database: Reader;
  readonly #keys: FileKeys;
  readonly #series: SeriePlan;
  readonly #settled: SettledSignatures;
  readonly #byIsbn = new Map<string, KeyedRow[]>();
  readonly #works = new Map<string, RowsOfWork>();
  /** The household's books that a row may be, by work and names. */
  readonly #owned = new Map<string, OwnedWork>();
  /** The household's books that rows of an export are. */
  readonly #claimed = new Set<number>();
  /** By the keys of several rows, the household's books that no earlier row is. */
  readonly #copies = new Map<string, Copies>();

  constructor(database: Reader, keys: FileKeys, series: SeriePlan) {
    this.#database = database;
    this.#keys = keys;
    this.#series = series;
    this.#settled = new SettledSignatures(database);
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

  /** The remembered row whose book a row is. */
  findEarlier(row: CleanRow, key: KeyedRow): KeyedRow | undefined {
    // An export has one record a book: two of them are never the same book.
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

  /** Notes which of the household's books a row is: no other row of an export is that one. */
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

  /** Of several copies one that no other row of an export is: lent as its book is lent there, else any. */
  #freeCopy({ kept, pret }: CleanRow, ids: readonly number[]): number | undefined {
    if (kept === undefined) return undefined;
    const free = ids.filter((id) => !this.#claimed.has(id));
    if (free.length < 2) return free[0];
    const wanted = textKey(pret?.emprunteur ?? '');
    const isLentAlike = (id: number) =>
      textKey(openPretOfLivre(this.#database, id)?.emprunteur ?? '') === wanted;
    return free.slice(0, MAX_COMPARED).find(isLentAlike) ?? free[0];
  }

  /** Read once for all rows of a work that name the same authors: there may be thousands of them, and of its books. */
  #ownedWork(row: CleanRow, cle: string): OwnedWork {
    const isOwned = row.isbn !== null && this.#keys.livreIdOf(row.isbn) !== undefined;
    const isbn = isOwned ? row.isbn : null;
    const isOfSet = row.isOfSet !== undefined;
    const key = JSON.stringify([cle, isbn, isOfSet, row.kept !== undefined, row.auteurs]);
    const known = this.#owned.get(key);
    if (known !== undefined) return known;
    const work = { isbn, cleOeuvre: cle };
    const similar = listSimilaires(this.#database, work, row.auteurs, this.#settled);
    const owned = new OwnedWork(
      similar.filter(
        (id) => !this.#isAnother(row, id) && (!isOfSet || cleOfLivre(this.#database, id) === cle),
      ),
    );
    // Most works are one book, asked for by one row.
    if (owned.ids.length > 1) this.#owned.set(key, owned);
    return owned;
  }

  /**
   * The very book that an export tells of, whatever its title is by now; of several copies one that was entered at that
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

  /** A book that was restored under its own id before the household noted which record it was made of. */
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
