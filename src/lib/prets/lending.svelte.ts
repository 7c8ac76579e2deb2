import type { Refusal } from '$lib/api/call';
import { newKey } from '$lib/api/write.svelte';
import { now } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import { parseCode } from '$lib/recherche/code';
import { rendreEmprunt } from '$lib/records/livres/kind.svelte';
import { copiesOf } from '$lib/records/livres/copies';
import { livresView } from '$lib/records/livres/view.svelte';
import { canLendOn, NO_DAYS, preter, pretSaisi, rendre } from '$lib/records/prets/kind';
import { ScanList, type ScanItem } from '$lib/scanner/scan-list.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { RequiredText } from '$lib/ui/form/required-text.svelte';
import { formatIsbn } from '#shared/isbn-format';
import { isOurs, type LivreDocument } from '#shared/livres';
import type { PretSaisi } from '#shared/prets';
import { wordsOf } from '#shared/refusals';
import { unawaited } from '$lib/sync/report';

export type LendingMode = 'preter' | 'rendre';

/** A write as it is sent, and again after a reload: by its key the server does it once. */
interface Write {
  readonly key: string;
  /** `null` for a return. */
  readonly pret: PretSaisi | null;
}

interface TakenLivre {
  /** `undefined` where the household does not own the scanned code. */
  readonly livre: LivreDocument | undefined;
  /** The open loan at the scan; a later one must not be returned instead. */
  readonly pretId: number | null;
  /** The sent request, which may have been executed. */
  readonly sent?: Write | undefined;
}

type State = TakenLivre &
  (
    | { readonly kind: 'waiting' }
    | { readonly kind: 'pending'; readonly sent: Write }
    | { readonly kind: 'lent'; readonly lentId: number; readonly emprunteur: string }
    | { readonly kind: 'returned'; readonly emprunteur: string }
    | { readonly kind: 'givenBack'; readonly nom: string }
    /** `refusal` is the service's; `null` if the screen itself refuses. */
    | { readonly kind: 'refused'; readonly message: string; readonly refusal: Refusal | null }
  );

interface Note {
  readonly livreId: number | null;
  readonly pretId: number | null;
  readonly sent?: Write | undefined;
  /** True if the service has not decided: waits for a press. */
  readonly waits?: boolean;
  /** The service's refusal, formatted in the present language. */
  readonly refusal?: Refusal;
  /** The message stored by an earlier version, or another error. */
  readonly message?: string;
}

export type LendingItem = ScanItem<State>;

/** Lends books one after another to one person, or returns them. Create during a component's setup. */
export class Lending {
  readonly mode: LendingMode;
  readonly emprunteur = new RequiredText(m.emprunteur_required);
  days = $state.raw(NO_DAYS);
  readonly scans: ScanList<State, Note>;
  readonly #onunknown: () => void;

  /** @param onunknown focuses the borrower, who has to be known first */
  constructor(mode: LendingMode, onunknown: () => void) {
    this.mode = mode;
    this.#onunknown = onunknown;
    this.scans = new ScanList<State, Note>({
      // Each mode has its own list.
      name: mode,
      days: 7,
      sentenceOf: (line) => `${titreOf(line)}, ${statusOf(line)}`,
      advance: (line) => this.#advance(line),
      isDone: ({ kind }) => kind === 'lent' || kind === 'returned' || kind === 'givenBack',
      keep: noteOf,
      revive,
    });
  }

  get #waiting(): readonly LendingItem[] {
    return this.scans.items.filter(({ state }) => state.kind === 'waiting').toReversed();
  }

  isReady = (livre: LivreDocument): boolean => {
    const isLent = livresView.openPret(livre.id) !== null;
    return this.mode === 'rendre'
      ? isLent || !isOurs(livre)
      : livre.format === 'Physique' && isOurs(livre) && !isLent;
  };

  takeCode(code: string): void {
    const parsed = parseCode(code);
    if (parsed.kind !== 'livre') {
      this.scans.say(m.scanner_not_a_livre());
      return;
    }
    const canSend = this.#begin();
    const copies = livresView.byIsbn(parsed.isbn);
    this.#take(copies.find(this.isReady) ?? copies[0], parsed.isbn, canSend);
  }

  /** Prefers an available copy. */
  pick(livre: LivreDocument): void {
    const copy = this.isReady(livre) ? undefined : copiesOf(livre).find(this.isReady);
    this.#take(copy ?? livre, '', this.#begin());
  }

  /** Sends waiting items; false without any. */
  sendWaiting(): boolean {
    const hasWaiting = this.#waiting.length > 0;
    if (hasWaiting) this.#begin();
    return hasWaiting;
  }

  async giveBack(line: LendingItem, lentId: number): Promise<void> {
    const { livre, pretId } = line.state;
    await this.#carry(line, async () => {
      const { emprunteur } = await rendre(lentId);
      return { livre, pretId, kind: 'returned', emprunteur };
    });
  }

  /** True once books can be taken: the borrower is known, and the day. Sends the books that have waited. */
  #begin(): boolean {
    const isUnknown = this.mode === 'preter' && !this.emprunteur.check();
    if (isUnknown) this.#onunknown();
    if (isUnknown || !connection.canWrite || !canLendOn(this.days, now())) return false;
    for (const line of this.#waiting) {
      this.scans.change(line, this.#toSend(line.state));
      this.#advance(line);
      if (line.state.kind === 'refused') this.scans.announce(line);
    }
    return true;
  }

  /** Sends a book, or lets it wait for `#begin`; `isbn` is '' for a book chosen by title. */
  #take(livre: LivreDocument | undefined, isbn: string, canSend: boolean): void {
    const same = this.scans.items.filter(
      ({ code, state }) =>
        (isbn !== '' && isbn === code) || (livre !== undefined && livre.id === state.livre?.id),
    );
    const done = this.mode === 'rendre' ? 'returned' : 'lent';
    const again = same.find(
      ({ state: { kind } }) => kind === 'pending' || kind === done || kind === 'givenBack',
    );
    if (again !== undefined) {
      this.scans.announce(again);
      return;
    }
    const sent = same.find(({ state }) => state.kind === 'waiting')?.state.sent;
    this.scans.drop(...same);
    const state = { livre, pretId: openPretId(livre), sent };
    const line = this.scans.take(
      isbn,
      canSend ? this.#toSend(state) : { ...state, kind: 'waiting' },
    );
    if (line.state.kind !== 'pending') this.scans.announce(line);
  }

  #toSend({ livre, pretId, sent }: TakenLivre): State {
    const pret =
      this.mode === 'rendre' ? null : pretSaisi(this.emprunteur.text, this.days, new Date());
    // A possibly executed request is repeated, unless the loan has changed.
    if (sent !== undefined && JSON.stringify(sent.pret) === JSON.stringify(pret))
      return { livre, pretId, kind: 'pending', sent };
    if (livre === undefined || !this.isReady(livre) || pretId !== openPretId(livre))
      return { livre, pretId, kind: 'refused', message: this.#whyNot(livre), refusal: null };
    return { livre, pretId, kind: 'pending', sent: { key: newKey(), pret } };
  }

  #whyNot(livre: LivreDocument | undefined): string {
    if (!livresView.isReady()) return m.verdict_no_copy();
    if (livre === undefined) return m.not_in_library();
    const pret = livresView.openPret(livre.id);
    if (pret !== null) return m.preter_already(pret);
    if (livre.emprunteA !== null) return m.emprunte_a(livre.emprunteA);
    return this.mode === 'rendre' ? m.rendre_not_lent() : m.pret_numerique();
  }

  #advance(line: LendingItem): void {
    const { state } = line;
    if (state.kind !== 'pending') return;
    const { livre, pretId, sent } = state;
    unawaited(
      this.#carry(line, async () => {
        if (sent.pret === null && pretId === null && livre?.emprunteA) {
          await rendreEmprunt(livre.id, { key: sent.key });
          return { livre, pretId, kind: 'givenBack', nom: livre.emprunteA.nom };
        }
        if (sent.pret === null) {
          const { emprunteur } = await rendre(pretId ?? 0, { key: sent.key });
          return { livre, pretId, kind: 'returned', emprunteur };
        }
        const { id: lentId, emprunteur } = await preter(livre?.id ?? 0, sent.pret, {
          key: sent.key,
        });
        return { livre, pretId, kind: 'lent', lentId, emprunteur };
      }),
      'settling a loan',
    );
  }

  /** The bar announces loans and returns, the list everything else. */
  async #carry(line: LendingItem, send: () => Promise<State>): Promise<void> {
    const { state: before } = line;
    const { livre, pretId, sent } = before;
    const failure = await this.scans.carry(line, send, ({ message, refusal, isUndecided }) => {
      if (!isUndecided) return { livre, pretId, sent, kind: 'refused', message, refusal };
      return before.kind === 'pending' ? { ...before, kind: 'waiting' } : before;
    });
    if (failure === null) this.scans.say('');
    else if (failure.isUndecided) this.scans.say(`${titreOf(line)}, ${failure.message}`);
    else this.scans.announce(line);
  }
}

const openPretId = (livre: LivreDocument | undefined): number | null =>
  livre === undefined ? null : (livresView.openPret(livre.id)?.id ?? null);

export const titreOf = ({ code, state }: LendingItem): string =>
  state.livre?.titre ?? formatIsbn(code);

export function statusOf({ state }: LendingItem): string {
  switch (state.kind) {
    case 'waiting':
      return m.preter_waiting();
    case 'pending':
      return state.sent.pret === null ? m.rendre_pending() : m.preter_pending();
    case 'lent':
      return m.pret_lent_to(state);
    case 'returned':
      return m.returned_by(state);
    case 'givenBack':
      return m.emprunt_rendu(state);
    case 'refused':
      return state.message;
  }
}

/** Refusals of the screen itself are evaluated again at the next scan. */
function noteOf(state: State): Note | null {
  const { kind, livre, pretId, sent } = state;
  const note = { livreId: livre?.id ?? null, pretId, sent };
  switch (kind) {
    case 'waiting':
      return sent === undefined ? note : { ...note, waits: true };
    case 'pending':
      return note;
    case 'refused':
      if (sent === undefined) return null;
      return state.refusal === null
        ? { ...note, message: state.message }
        : { ...note, refusal: state.refusal };
    case 'lent':
    case 'returned':
    case 'givenBack':
      return null;
  }
}

function revive(
  { livreId, pretId, sent, waits, refusal, message }: Note,
  code: string,
): State | null {
  const livre = livreId === null ? undefined : livresView.get(livreId);
  // A book that was chosen by its title and is deleted since has no name left.
  if (livre === undefined && code === '') return null;
  // A borrowed book being returned is deleted.
  if (livre === undefined && livreId !== null && sent?.pret === null) return null;
  const text = refusal === undefined ? message : wordsOf(refusal).message;
  if (text !== undefined)
    return { kind: 'refused', livre, pretId, sent, message: text, refusal: refusal ?? null };
  // A running write has been executed, or the loan changed elsewhere.
  if (pretId !== openPretId(livre)) return null;
  return sent !== undefined && waits !== true && connection.canWrite
    ? { kind: 'pending', livre, pretId, sent }
    : { kind: 'waiting', livre, pretId, sent };
}
