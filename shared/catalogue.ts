import {
  byTitre,
  createEntry,
  entriesContaining,
  NOWHERE,
  type Entry,
  type MaybeDeleted,
} from './catalogue-entries.ts';
import {
  Counts,
  filterFor,
  type Disponibilite,
  type LookedUp,
  type PresentValues,
  type Statuts,
} from './catalogue-filters.ts';
import { detailsAlone, WordIndex } from './catalogue-index.ts';
import type { NearIndex } from './catalogue-near.ts';
import { byNotation, CatalogueOrder, newestOf, type OtherTri } from './catalogue-orders.ts';
import { OpenPrets, SeriePositions, type Sources } from './catalogue-sources.ts';
import { detailMatcher } from './details.ts';
import { EmplacementTree } from './emplacement-tree.ts';
import type { Emplacement } from './emplacements.ts';
import { isbnAsWritten } from './isbn.ts';
import type { LusParMoi } from './lectures.ts';
import {
  isOurs,
  type Appartenance,
  type Criteres,
  type Format,
  type LivreDocument,
  type OpenPret,
  type Order,
  type TypeDocument,
} from './livres.ts';
import type { Pret } from './prets.ts';
import type { Serie } from './series.ts';
import { isPersonalTri, LAST_LETTER, letterOf, type SharedTri, type Tri } from './sort.ts';
import { SortedList } from './sorted-list.ts';
import { searchForm } from './text.ts';

export type { MaybeDeleted } from './catalogue-entries.ts';
export type { PresentValues, Statuts } from './catalogue-filters.ts';

/** Beyond so many books an index is faster; smaller libraries are scanned. */
const INDEX_THRESHOLD = 20_000;

/** The order of books that are equal in an order of the reader's own. */
const BESIDE_PERSONAL = 'alphabetique';

const NOTHING_READ: LusParMoi = new Map();

interface Page extends Order {
  readonly limite?: number;
  readonly decalage?: number;
}

/**
 * The household's books in memory, in title order, on the server and on every device alike (docs/mechanisms.md). Takes
 * changes of the collections `livres`, `prets`, `series` and `emplacements` in any order, and answers criteria without
 * reading any store.
 */
export class Catalogue {
  readonly #entries = new Map<number, Entry>();
  readonly #prets = new OpenPrets();
  readonly #formats = new Counts<Format>();
  readonly #typesDocument = new Counts<TypeDocument>();
  readonly #appartenances = new Counts<Appartenance>();
  readonly #editeurs = new Counts<string>();
  readonly #themes = new Counts<string>();
  readonly #sorted = new SortedList(byTitre);
  #index: WordIndex | null = null;
  /** How many books have details; a scanned library indexes these at the first search. */
  #detailed = 0;
  #details: WordIndex | null = null;
  /** The last criterion on details, with its matching books. */
  #lastDetail: { readonly critere: string; readonly books: readonly boolean[] } | null = null;
  readonly #series = new SeriePositions();
  readonly #emplacements = new Map<number, Emplacement>();
  #tree: EmplacementTree | null = null;
  readonly #counts = new Counts<number>();
  /** Built lazily. */
  readonly #orders = new Map<OtherTri, CatalogueOrder>();
  /** Created lazily by `nearIndexOf`, so that a device's first load does not need its code. */
  near: NearIndex | null = null;
  /** The last search and its answer, which a longer query only narrows. */
  #last: { tri: SharedTri; words: readonly string[]; entries: readonly Entry[] } | null = null;

  get size(): number {
    return this.#sorted.size;
  }

  /** In title order. */
  get entries(): readonly Entry[] {
    return this.#sorted.items;
  }

  get presentValues(): PresentValues {
    const found = new Set<Disponibilite>();
    if (this.#sorted.items.some(({ livre }) => this.openPret(livre.id) === null))
      found.add('chezSoi');
    if (this.#prets.some((livreId) => this.#entries.has(livreId))) found.add('prete');
    return {
      formats: this.#formats.values(),
      typesDocument: this.#typesDocument.values(),
      disponibilites: found,
      appartenances: this.#appartenances.values(),
      editeurs: this.#editeurs.values(),
      themes: this.#themes.values(),
    };
  }

  livre(id: number): LivreDocument | undefined {
    return this.#entries.get(id)?.livre;
  }

  /** False for an unknown book. */
  isBorrowed(id: number): boolean {
    const livre = this.livre(id);
    return livre !== undefined && !isOurs(livre);
  }

  /** Every copy with a bare ISBN-13, by title; about 0.2 ms for ten thousand books. */
  livresByIsbn(isbn13: string): LivreDocument[] {
    return this.#sorted.items.flatMap(({ livre }) => (livre.isbn === isbn13 ? [livre] : []));
  }

  openPret(livreId: number): OpenPret | null {
    return this.#prets.ofLivre(livreId);
  }

  /** The series under which the order by series lists a book. */
  serieOf(livreId: number): Serie | null {
    return this.#series.ofLivre(livreId)?.serie ?? null;
  }

  get emplacements(): EmplacementTree {
    return (this.#tree ??= new EmplacementTree(this.#emplacements.values()));
  }

  /** The number of books by publisher, for each spelling. */
  get editeurs(): ReadonlyMap<string, number> {
    return this.#editeurs.all;
  }

  get themes(): ReadonlyMap<string, number> {
    return this.#themes.all;
  }

  get emplacementCounts(): ReadonlyMap<number, number> {
    return this.#counts.all;
  }

  applyLivres(changes: Iterable<MaybeDeleted<LivreDocument>>): void {
    const noms = new Map<string, string>();
    for (const change of changes) {
      const previous = this.#entries.get(change.id);
      const next = change._deleted ? undefined : createEntry(change, noms);
      this.#register(previous, next);
      for (const order of this.#orders.values()) order.replace(previous, next);
    }
    for (const order of this.#orders.values()) order.sortPending();
    this.#last = null;
    this.#lastDetail = null;
  }

  applyPrets(changes: Iterable<MaybeDeleted<Pret>>): void {
    for (const change of changes) {
      if (change._deleted || change.dateRetour !== null) this.#prets.close(change.id);
      else this.#prets.open(change);
    }
  }

  /** The order by series is rebuilt lazily. */
  applySeries(changes: Iterable<MaybeDeleted<Serie>>): void {
    this.#series.apply(changes);
    this.#orders.delete('serie');
    this.#last = null;
  }

  /** The order by location is rebuilt lazily. */
  applyEmplacements(changes: Iterable<MaybeDeleted<Emplacement>>): void {
    for (const change of changes)
      if (change._deleted) this.#emplacements.delete(change.id);
      else this.#emplacements.set(change.id, change);
    this.#tree = null;
    this.#orders.delete('emplacement');
    this.#last = null;
  }

  /** Sorts or indexes a part in advance; returns whether any was left. */
  sortNextChunk({
    recherche = '',
    tri = 'titre',
  }: Pick<Criteres & Order, 'recherche' | 'tri'>): boolean {
    const shared = isPersonalTri(tri) ? BESIDE_PERSONAL : tri;
    if (this.#sorted.sortNextChunk()) return true;
    if (shared !== 'titre' && this.#order(shared).sortNextChunk()) return true;
    const words = wordsOf(recherche);
    if (isbnAsWritten(recherche) === null && this.#isIndexed(words))
      return this.#wordIndex.readSome();
    return words.length > 0 && this.#detailed > 0 && this.#detailIndex.readSome();
  }

  /** The books that satisfy every criterion, in order; `statuts` and `lus` are the caller's. */
  search(
    criteres: Criteres & LookedUp & Order,
    statuts: Statuts,
    lus?: LusParMoi,
  ): readonly LivreDocument[] {
    return this.page(criteres, statuts, lus).livres;
  }

  newest(count: number): LivreDocument[] {
    return newestOf(this.#entries.values(), count).map(({ livre }) => livre);
  }

  page(
    criteres: Criteres & LookedUp & Page,
    statuts: Statuts,
    lus = NOTHING_READ,
  ): { livres: LivreDocument[]; total: number } {
    const { recherche = '', tri = 'titre', inverse, decalage = 0, limite = Infinity } = criteres;
    const entries = this.#ordered(recherche, { tri, inverse: inverse === true }, lus);
    const accepts = filterFor(criteres, statuts, this.#sources);
    const found = accepts === null ? entries : entries.filter(({ livre }) => accepts(livre));
    const livres = found.slice(decalage, decalage + limite).map(({ livre }) => livre);
    return { livres, total: found.length };
  }

  /**
   * The label of the letter rail for a book: a letter, « # » for numbers, the decade for `annee`, the year for
   * `ajout`, the first letters of the room for `emplacement`, nothing in a manual order.
   */
  letter(livre: LivreDocument, tri: Tri): string {
    if (isPersonalTri(tri)) return LAST_LETTER;
    return tri === 'titre' ? letterOf(livre.titreNormalise) : this.#order(tri).letter(livre.id);
  }

  get #sources(): Sources {
    return {
      prets: this.#prets,
      series: this.#series,
      emplacements: this.emplacements,
      themes: this.#themes.all.keys(),
      detailed: this.#detailedBy,
    };
  }

  #order(tri: OtherTri): CatalogueOrder {
    const known = this.#orders.get(tri);
    if (known !== undefined) return known;
    const order = new CatalogueOrder(tri, this.#sources, this.#sorted.items);
    this.#orders.set(tri, order);
    return order;
  }

  #ordered(recherche: string, { tri, inverse }: Required<Order>, lus: LusParMoi): readonly Entry[] {
    if (isPersonalTri(tri)) {
      const found = this.#find(recherche, BESIDE_PERSONAL);
      return byNotation(found, tri, { lus, isReversed: inverse });
    }
    const found = this.#find(recherche, tri);
    return inverse ? this.#reversed(found, tri) : found;
  }

  /** Reverses the order; books without the sorted value stay last. */
  #reversed(entries: readonly Entry[], tri: SharedTri): readonly Entry[] {
    const order = tri === 'titre' ? null : this.#order(tri);
    const isKnown = ({ livre }: Entry) => order?.knows(livre.id) ?? true;
    const end = entries.findLastIndex(isKnown) + 1;
    return [...entries.slice(0, end).reverse(), ...entries.slice(end)];
  }

  /** The entries with every word of a query or its ISBN, in an order; all of them without words. */
  #find(recherche: string, tri: SharedTri): readonly Entry[] {
    const order = tri === 'titre' ? null : this.#order(tri);
    const all = order?.entries ?? this.#sorted.items;
    const words = wordsOf(recherche);
    if (words.length === 0) return all;
    const isbn = isbnAsWritten(recherche);
    if (isbn !== null) return this.#withIsbn(all, isbn, words);
    if (this.#isIndexed(words)) {
      const found = this.#wordIndex.find(words);
      return order?.sort(found) ?? found;
    }
    return this.#scan(words, tri, all);
  }

  #scan(words: readonly string[], tri: SharedTri, all: readonly Entry[]): readonly Entry[] {
    const last = this.#last?.tri === tri ? this.#last : null;
    const narrows = last?.words.every((known) => words.some((word) => word.includes(known)));
    const entries =
      last && narrows
        ? entriesContaining(
            last.entries,
            words.filter((word) => !last.words.includes(word)),
            this.#inDetails,
          )
        : entriesContaining(all, words, this.#inDetails);
    this.#last = { tri, words, entries };
    return entries;
  }

  #withIsbn(all: readonly Entry[], isbn: string, words: readonly string[]): readonly Entry[] {
    const found = new Set(entriesContaining(all, words, this.#inDetails));
    return all.filter((entry) => entry.livre.isbn === isbn || found.has(entry));
  }

  readonly #inDetails = (word: string): readonly boolean[] =>
    this.#detailed === 0 ? NOWHERE : this.#detailIndex.booksContaining(word);

  readonly #detailedBy = (critere: string): readonly boolean[] => {
    if (this.#lastDetail?.critere === critere) return this.#lastDetail.books;
    const matches = detailMatcher(critere);
    const books: boolean[] = [];
    for (const { livre } of this.#entries.values())
      if (livre.details.length > 0 && matches(livre.details)) books[livre.id] = true;
    this.#lastDetail = { critere, books };
    return books;
  };

  #isIndexed(words: readonly string[]): boolean {
    return words.length > 0 && this.#sorted.size >= INDEX_THRESHOLD;
  }

  get #wordIndex(): WordIndex {
    return (this.#index ??= new WordIndex(this.#sorted.items));
  }

  get #detailIndex(): WordIndex {
    return (this.#details ??= new WordIndex(this.#sorted.items.filter(hasDetails), detailsAlone));
  }

  /** Applies one change to everything except the other orders. */
  #register(previous: Entry | undefined, next: Entry | undefined): void {
    if (previous !== undefined) {
      this.#entries.delete(previous.livre.id);
      this.#sorted.remove(previous);
      this.#count(previous.livre, 'remove');
    }
    if (next !== undefined) {
      this.#entries.set(next.livre.id, next);
      this.#sorted.add(next);
      this.#count(next.livre, 'add');
    }
    this.near?.replace(previous, next);
    if (this.#index?.isStale) this.#index = null;
    else this.#index?.replace(previous, next);
    const [before, after] = [previous, next].map((entry) =>
      entry !== undefined && hasDetails(entry) ? entry : undefined,
    );
    this.#detailed += Number(after !== undefined) - Number(before !== undefined);
    if (this.#details?.isStale) this.#details = null;
    else this.#details?.replace(before, after);
  }

  #count(livre: LivreDocument, change: 'add' | 'remove'): void {
    this.#formats[change](livre.format);
    this.#typesDocument[change](livre.typeDocument);
    this.#appartenances[change](isOurs(livre) ? 'aNous' : 'emprunte');
    if (livre.editeur !== null) this.#editeurs[change](livre.editeur);
    for (const theme of livre.themes) this.#themes[change](theme);
    if (livre.emplacementId !== null) this.#counts[change](livre.emplacementId);
  }
}

const hasDetails = ({ livre }: Entry): boolean => livre.details.length > 0;

function wordsOf(recherche: string): string[] {
  const query = searchForm(recherche);
  return query === '' ? [] : [...new Set(query.split(' '))];
}
