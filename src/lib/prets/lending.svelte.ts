import { ApiError } from '$lib/api/call';
import { newKey } from '$lib/api/write.svelte';
import { NO_DAYS, pretDatesOf } from '$lib/format/days';
import { m } from '$lib/paraglide/messages';
import { livresView } from '$lib/records/livres/view.svelte';
import { preter, rendre } from '$lib/records/prets/entry';
import { pretsView } from '$lib/records/prets/view.svelte';
import { ScanPile, type ScanLine } from '$lib/scanner/pile.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { spellingOf } from '#shared/emprunteurs';
import { formatIsbn } from '#shared/isbn-format';
import type { LivreDocument } from '#shared/livres';
import type { PretSaisi } from '#shared/prets';

/** What is done to one book after another. */
export type LendingAction = 'preter' | 'rendre';

/** A write as it is sent, once more after a reload: its key has the server do it once. */
interface Sent {
  readonly key: string;
  /** `null` for a return. */
  readonly pret: PretSaisi | null;
}

interface Taken {
  /** `undefined` where the household does not own it. */
  readonly livre: LivreDocument | undefined;
  /** The loan that was open when the book was taken: no later one is given back in its place. */
  readonly pretId: number | null;
}

/** What has become of a book. */
type State = Taken &
  (
    | { readonly kind: 'waiting' }
    | { readonly kind: 'pending'; readonly sent: Sent }
    | { readonly kind: 'lent'; readonly lentId: number; readonly emprunteur: string }
    | { readonly kind: 'returned'; readonly emprunteur: string }
    | { readonly kind: 'refused'; readonly message: string }
  );

interface Kept {
  readonly livreId: number | null;
  readonly pretId: number | null;
  readonly sent?: Sent | undefined;
}

export type LendingLine = ScanLine<State>;

const openPretId = (livre: Pick<LivreDocument, 'id'> | undefined): number | null =>
  livre === undefined ? null : (livresView.openPret(livre.id)?.id ?? null);

/** Books that are lent to one person, or given back, one after another. */
export class Lending {
  readonly action: LendingAction;
  emprunteur = $state('');
  days = $state.raw(NO_DAYS);
  readonly pile: ScanPile<State, Kept>;
  readonly #onsettled: (line: LendingLine) => void;

  /** @param onsettled told of each line that is done, refused or waits */
  constructor(action: LendingAction, onsettled: (line: LendingLine) => void) {
    this.action = action;
    this.#onsettled = onsettled;
    this.pile = new ScanPile<State, Kept>({
      name: action,
      days: 7,
      settle: (line) => this.#settle(line),
      isOver: ({ kind }) => kind === 'lent' || kind === 'returned',
      keep: (state) =>
        state.kind === 'waiting' || state.kind === 'pending'
          ? {
              livreId: state.livre?.id ?? null,
              pretId: state.pretId,
              sent: state.kind === 'pending' ? state.sent : undefined,
            }
          : null,
      revive: ({ livreId, pretId, sent }, code) => {
        const livre = livreId === null ? undefined : livresView.get(livreId);
        // What was under way was done, or the book was lent or given back elsewhere; one that was chosen by its title
        // and is deleted since has nothing left to be called by.
        if (pretId !== openPretId(livre) || (livre === undefined && code === '')) return null;
        return sent !== undefined && connection.canWrite
          ? { kind: 'pending', livre, pretId, sent }
          : { kind: 'waiting', livre, pretId };
      },
    });
  }

  /** Whether a book can be lent, or given back. */
  isReady({ id, format }: LivreDocument): boolean {
    const isLent = livresView.openPret(id) !== null;
    return this.action === 'rendre' ? isLent : format === 'Physique' && !isLent;
  }

  /** The books that wait, in the order in which they were taken. */
  get waiting(): readonly LendingLine[] {
    return this.pile.lines.filter(({ state }) => state.kind === 'waiting').toReversed();
  }

  /**
   * Takes the copy of a code that is ready; a code that is read again changes nothing.
   *
   * @param canLend otherwise the book waits for `send`
   */
  takeCode(isbn: string, canLend: boolean): void {
    const copies = livresView.byIsbn(isbn);
    this.#take(copies.find((copy) => this.isReady(copy)) ?? copies[0], isbn, canLend);
  }

  /** Takes a book that was chosen by its title. */
  takeLivre(livre: LivreDocument, canLend: boolean): void {
    this.#take(livre, '', canLend);
  }

  /** Lends a book, or gives it back. */
  send(line: LendingLine): void {
    this.pile.change(line, this.#toSend(line.state));
    this.#settle(line);
    if (line.state.kind === 'refused') this.#onsettled(line);
  }

  /** Takes a book back that was lent here. */
  async giveBack(line: LendingLine): Promise<void> {
    const { state } = line;
    if (state.kind !== 'lent') return;
    await this.#attempt(line, async () => {
      const { emprunteur } = await rendre(state.lentId);
      return { ...taken(state), kind: 'returned', emprunteur };
    });
  }

  #take(livre: LivreDocument | undefined, isbn: string, canLend: boolean): void {
    const same = this.pile.lines.filter(
      ({ code, state }) =>
        (isbn !== '' && isbn === code) || (livre !== undefined && livre.id === state.livre?.id),
    );
    const done = this.action === 'rendre' ? 'returned' : 'lent';
    if (same.some(({ state: { kind } }) => kind === 'pending' || kind === done)) return;
    this.pile.drop(...same);
    const state = { livre, pretId: openPretId(livre) };
    const line = this.pile.take(
      isbn,
      canLend ? this.#toSend(state) : { ...state, kind: 'waiting' },
    );
    if (line.state.kind !== 'pending') this.#onsettled(line);
  }

  #toSend(state: Taken): State {
    const { livre, pretId } = taken(state);
    if (livre === undefined || !this.isReady(livre) || pretId !== openPretId(livre))
      return { livre, pretId, kind: 'refused', message: this.#whyNot(livre) };
    const emprunteur = spellingOf(pretsView.emprunteurs, this.emprunteur);
    const pret =
      this.action === 'rendre' ? null : { emprunteur, ...pretDatesOf(this.days, new Date()) };
    return { livre, pretId, kind: 'pending', sent: { key: newKey(), pret } };
  }

  #settle(line: LendingLine): void {
    const { state } = line;
    if (state.kind === 'pending') void this.#attempt(line, () => write(state, state.sent));
  }

  async #attempt(line: LendingLine, work: () => Promise<State>): Promise<void> {
    try {
      this.pile.change(line, await work());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.pile.fail(line, { ...taken(line.state), kind: 'refused', message: error.message });
    }
    this.#onsettled(line);
  }

  #whyNot(livre: LivreDocument | undefined): string {
    if (!livresView.isReady) return m.verdict_no_copy();
    if (livre === undefined) return m.not_in_library();
    const pret = livresView.openPret(livre.id);
    if (pret !== null) return m.preter_already(pret);
    return this.action === 'rendre' ? m.rendre_not_lent() : m.pret_numerique();
  }
}

/** The title of a book, its code where the household does not own it. */
export const titreOf = ({ code, state }: LendingLine): string =>
  state.livre?.titre ?? formatIsbn(code);

const taken = ({ livre, pretId }: Taken): Taken => ({ livre, pretId });

async function write({ livre, pretId }: Taken, { key, pret }: Sent): Promise<State> {
  if (pret === null) {
    const { emprunteur } = await rendre(pretId ?? 0, { key });
    return { livre, pretId, kind: 'returned', emprunteur };
  }
  const { id, emprunteur } = await preter(livre?.id ?? 0, pret, { key });
  return { livre, pretId, kind: 'lent', lentId: id, emprunteur };
}
