import { ApiError } from '$lib/api/error';
import { datePretOf } from '$lib/format/days';
import { livresView } from '$lib/records/livres/view.svelte';
import { m } from '$lib/paraglide/messages';
import { spellingOf } from '#shared/emprunteurs';
import { formatIsbn } from '#shared/isbn-format';
import type { LivreDocument } from '#shared/livres';
import { preter, rendre } from '$lib/records/prets/operations';
import { pretsView } from '$lib/records/prets/view.svelte';
import { KeptLines } from '$lib/ui/form/draft-store';

/** What is done to one book after another. */
export type LendingAction = 'preter' | 'rendre';

/** What has become of a book. */
type LendingState =
  /** `waiting`: the borrower is not known yet, or nothing can be written. */
  | { readonly kind: 'waiting' | 'pending' }
  | { readonly kind: 'returned'; readonly emprunteur: string }
  | { readonly kind: 'lent'; readonly pretId: number; readonly emprunteur: string }
  | { readonly kind: 'refused'; readonly message: string };

/** One book that is lent or given back, or cannot be. */
export class LendingLine {
  /** `undefined` where the household does not own it. */
  readonly livre: LivreDocument | undefined;
  /** The title of the book, its code where the household does not own it. */
  readonly titre: string;
  /** The code that was read, '' where its title was chosen. */
  readonly isbn: string;
  /** The loan that was open when it was taken: no later one is given back in its place. */
  readonly pretId: number | null;
  state = $state.raw<LendingState>({ kind: 'waiting' });

  constructor(livre: LivreDocument | undefined, isbn: string) {
    this.livre = livre;
    this.isbn = isbn;
    this.titre = livre?.titre ?? formatIsbn(isbn);
    this.pretId = openPretId(livre);
  }

  get isDone(): boolean {
    return this.state.kind === 'lent' || this.state.kind === 'returned';
  }

  /** Whether it stands for the same book, or for the same code. */
  isSame({ livre, isbn }: LendingLine): boolean {
    return (
      (isbn !== '' && isbn === this.isbn) || (livre !== undefined && livre.id === this.livre?.id)
    );
  }
}

/** A line as it is kept until it is done with. */
interface KeptLine {
  readonly isbn: string;
  /** `null` where the household does not own it. */
  readonly livreId: number | null;
  readonly pretId: number | null;
}

const openPretId = (livre: Pick<LivreDocument, 'id'> | undefined): number | null =>
  livre === undefined ? null : (livresView.openPret(livre.id)?.id ?? null);

/** Books that are lent to one person, or given back, one after another. */
export class Lending {
  readonly action: LendingAction;
  emprunteur = $state('');
  /** Since when they are lent; '' for today. */
  day = $state('');
  /** The last book first. */
  lines = $state.raw<readonly LendingLine[]>([]);
  readonly #store: KeptLines<KeptLine>;

  constructor(action: LendingAction) {
    this.action = action;
    this.#store = new KeptLines(action);
  }

  /** Shows what waited when the page was left, and keeps what waits, for whoever scanned it. */
  resume(reader: string | null): void {
    const kept = this.#store.resume(reader, () => (this.lines = []));
    if (kept === null) return;
    const earlier = kept
      .map(({ livreId, ...line }) => ({ ...line, livre: livresView.get(livreId ?? 0) }))
      // What was under way was done, or the book was lent or given back elsewhere.
      .filter(({ livre, pretId }) => pretId === openPretId(livre))
      .map(({ livre, isbn }) => new LendingLine(livre, isbn))
      // A book that was chosen by its title and is deleted since has nothing left to be called by.
      .filter(({ titre }) => titre !== '')
      .filter((line) => !this.lines.some((other) => other.isSame(line)));
    this.lines = [...this.lines, ...earlier];
  }

  keep(): void {
    const left = this.lines.filter(
      ({ state: { kind } }) => kind === 'waiting' || kind === 'pending',
    );
    this.#store.keep(
      left.map(({ isbn, livre, pretId }) => ({ isbn, livreId: livre?.id ?? null, pretId })),
    );
  }

  /** Whether a book can be lent, or given back. */
  isReady({ id, format }: LivreDocument): boolean {
    const isLent = livresView.openPret(id) !== null;
    return this.action === 'rendre' ? isLent : format === 'Physique' && !isLent;
  }

  /** The books that wait, in the order in which they were taken. */
  get waiting(): readonly LendingLine[] {
    return this.lines.filter(({ state }) => state.kind === 'waiting').toReversed();
  }

  /**
   * Takes the copy of a code that is ready; a code that is read again changes nothing.
   *
   * @param canLend otherwise the book waits for `send`
   */
  takeCode(isbn: string, canLend: boolean): Promise<LendingLine | null> {
    const copies = livresView.byIsbn(isbn);
    const livre = copies.find((copy) => this.isReady(copy)) ?? copies[0];
    return this.#take(new LendingLine(livre, isbn), canLend);
  }

  /** Takes a book that was chosen by its title. */
  takeLivre(livre: LivreDocument, canLend: boolean): Promise<LendingLine | null> {
    return this.#take(new LendingLine(livre, ''), canLend);
  }

  /** Lends a book, or gives it back. */
  async send(line: LendingLine): Promise<LendingLine> {
    const { livre } = line;
    line.state = { kind: 'pending' };
    line.state =
      livre === undefined || !this.isReady(livre) || line.pretId !== openPretId(livre)
        ? { kind: 'refused', message: this.#whyNot(livre) }
        : await this.#attempt(() => this.#do(livre));
    return line;
  }

  /** Leaves a book out that waits. */
  drop(line: LendingLine): void {
    this.lines = this.lines.filter((other) => other !== line);
  }

  /** Takes a book back that was lent here. */
  async giveBack(line: LendingLine): Promise<void> {
    if (line.state.kind !== 'lent') return;
    const { pretId } = line.state;
    line.state = await this.#attempt(() => this.#return(pretId));
  }

  async #take(line: LendingLine, canLend: boolean): Promise<LendingLine | null> {
    if (this.lines.some((other) => other.isSame(line) && this.#isTaken(other))) return null;
    this.lines = [line, ...this.lines.filter((other) => !other.isSame(line))];
    return canLend ? this.send(line) : line;
  }

  /** True where there is nothing left to do for this book. */
  #isTaken({ state: { kind } }: LendingLine): boolean {
    return kind === 'pending' || kind === (this.action === 'rendre' ? 'returned' : 'lent');
  }

  async #do({ id: livreId }: LivreDocument): Promise<LendingState> {
    if (this.action === 'rendre') return this.#return(livresView.openPret(livreId)?.id ?? 0);
    const { id, emprunteur } = await preter(livreId, {
      emprunteur: spellingOf(pretsView.emprunteurs, this.emprunteur),
      ...datePretOf(this.day, new Date()),
    });
    return { kind: 'lent', pretId: id, emprunteur };
  }

  async #return(pretId: number): Promise<LendingState> {
    const { emprunteur } = await rendre(pretId);
    return { kind: 'returned', emprunteur };
  }

  async #attempt(work: () => Promise<LendingState>): Promise<LendingState> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { kind: 'refused', message: error.message };
    }
  }

  #whyNot(livre: LivreDocument | undefined): string {
    if (!livresView.isReady) return m.verdict_no_copy();
    if (livre === undefined) return m.not_in_library();
    const pret = livresView.openPret(livre.id);
    if (pret !== null) return m.preter_already(pret);
    return this.action === 'rendre' ? m.rendre_not_lent() : m.pret_numerique();
  }
}
