import { m } from '$lib/paraglide/messages';
import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { rangerLivre } from '../records/livres/kind.svelte.ts';
import { livresView } from '$lib/records/livres/view.svelte';
import { ScanList, type ScanItem } from '$lib/scanner/scan-list.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { feedback, type Batch } from '$lib/api/feedback.svelte';
import { formatIsbn } from '#shared/isbn-format';
import type { LivreDocument } from '#shared/livres';
import { copiesOf } from './path.svelte.ts';
import { unawaited } from '$lib/sync/report';

interface State {
  /** `unsent`: no network, or no location yet. */
  readonly kind: 'unsent' | 'writing' | 'done' | 'already' | 'unknown' | 'choose' | 'failed';
  /** `null` for a scan before a location was chosen. */
  readonly emplacementId: number | null;
  readonly livre: LivreDocument | null;
  /** Copies with the same code, for a person to choose from. */
  readonly copies: readonly LivreDocument[];
  readonly message?: string;
}

/** States that wait for a person, or for the network. */
const WAITING: readonly State['kind'][] = ['unsent', 'unknown', 'choose', 'failed'];

/** The stored form of an unfinished item. */
interface Note {
  readonly livreId: number | null;
  readonly emplacementId: number | null;
  /** True while a write is running, which continues by itself. */
  readonly isWriting?: boolean;
}

export type ShelvingItem = ScanItem<State>;

/** The writes to one location until the batch ends, undone together. */
interface Current {
  readonly emplacementId: number;
  readonly batch: Batch;
  count: number;
  readonly end: () => void;
}

/** Puts books into one location: each is written at once, and all are undone together. */
class Shelving {
  readonly scans = new ScanList<State, Note>({
    name: 'ranger',
    days: 7,
    sentenceOf: shelvingSentence,
    advance: (line) => this.#write(line),
    isDone: ({ kind }) => kind === 'done' || kind === 'already',
    keep: ({ kind, livre, emplacementId }) =>
      kind === 'done' || kind === 'already'
        ? null
        : { livreId: livre?.id ?? null, emplacementId, isWriting: kind === 'writing' },
    revive: ({ livreId, emplacementId, isWriting }, code) => {
      const state = this.#find(code, emplacementId, livresView.get(livreId ?? 0));
      if (state.kind === 'already') return null;
      return isWriting === true ? ready(state) : state;
    },
  });
  #current: Current | null = null;
  /** Writes run in the order of the scans. */
  #writes: Promise<unknown> = Promise.resolve();

  get unsent(): readonly ShelvingItem[] {
    return this.scans.items.filter(
      ({ state: { kind, emplacementId } }) =>
        emplacementId !== null && (kind === 'unsent' || kind === 'failed'),
    );
  }

  doneCount(emplacementId: number): number {
    return this.scans.items.filter(
      ({ state }) => state.kind === 'done' && state.emplacementId === emplacementId,
    ).length;
  }

  /** Several copies wait for a choice, except those in the location already. */
  scan(text: string, emplacementId: number | null): void {
    const { code } = copiesOf(text);
    this.#take(code, ready(this.#find(code, emplacementId)));
  }

  pick(livre: LivreDocument, emplacementId: number): void {
    this.#take(livre.isbn ?? '', ready(this.#find(livre.isbn ?? '', emplacementId, livre)));
  }

  /** Adds a code. Repeated codes have at most one waiting item per copy, and one that reports the duplicate. */
  #take(code: string, state: State): void {
    const { kind, emplacementId, livre, copies } = state;
    const isThere = kind === 'already';
    const alike = this.scans.items.filter(
      ({ code: read, state: other }) =>
        read === code &&
        other.emplacementId === emplacementId &&
        other.livre?.id === livre?.id &&
        (isThere ? other.kind === kind : WAITING.includes(other.kind)),
    );
    const isOneOfSeveral = kind === 'choose' || (emplacementId === null && copies.length > 0);
    if (alike.length >= (isOneOfSeveral ? copies.length : 1)) this.scans.drop(...alike.slice(0, 1));
    this.scans.announce(this.scans.take(code, state));
  }

  /** Sets the location for the codes scanned before. */
  chooseLocation(emplacementId: number): void {
    const early = this.scans.items.filter(({ state }) => state.emplacementId === null);
    for (const line of early.toReversed()) {
      this.scans.change(line, ready(this.#find(line.code, emplacementId)));
      this.#write(line);
      if (line.state.kind !== 'writing') this.scans.announce(line);
    }
  }

  send(): void {
    for (const line of this.unsent.toReversed()) this.put(line, line.state.livre);
  }

  /** Puts a book, such as the chosen copy, into its item's location. */
  put(line: ShelvingItem, livre: LivreDocument | null): void {
    const { emplacementId } = line.state;
    if (livre === null) return;
    this.scans.change(line, { kind: 'writing', emplacementId, livre, copies: [livre] });
    this.#write(line);
  }

  /** Ends the batch, which the bar announces and undoes. Unfinished items stay. */
  end(): void {
    this.#close();
    this.scans.end();
  }

  #close(): void {
    const current = this.#current;
    this.#current = null;
    if (current !== null) unawaited(this.#writes.then(current.end), 'ending a batch');
  }

  #write(line: ShelvingItem): void {
    const { kind, emplacementId, livre } = line.state;
    if (kind !== 'writing' || emplacementId === null || livre === null) return;
    if (this.#current?.emplacementId !== emplacementId) this.#close();
    const current = (this.#current ??= begin(emplacementId));
    this.#writes = this.#writes.then(async () => {
      const send = async (): Promise<State> => {
        await rangerLivre(livre.id, { emplacementId, auBout: true }, { batch: current.batch });
        current.count++;
        return { ...line.state, kind: 'done' };
      };
      await this.scans.carry(line, send, ({ message, isUndecided }) =>
        isUndecided
          ? { ...line.state, kind: 'unsent' }
          : { ...line.state, kind: 'failed', message },
      );
      this.scans.announce(line);
    });
  }

  #find(code: string, emplacementId: number | null, chosen?: LivreDocument): State {
    const copies = chosen === undefined ? copiesOf(code).copies : [chosen];
    // The copy on the device shows a book that is being written at its old place.
    const isOnItsWay = ({ id }: LivreDocument) =>
      this.scans.items.some(
        ({ state }) =>
          state.kind === 'writing' &&
          state.livre?.id === id &&
          state.emplacementId === emplacementId,
      );
    const elsewhere = copies.filter(
      (livre) => livre.emplacementId !== emplacementId && !isOnItsWay(livre),
    );
    const state = { emplacementId, livre: copies[0] ?? null, copies };
    const [only, ...others] = elsewhere;
    if (copies.length === 0) return { ...state, kind: 'unknown' };
    if (emplacementId === null) return { ...state, kind: 'unsent' };
    if (only === undefined) return { ...state, kind: 'already' };
    return others.length === 0
      ? { ...state, livre: only, kind: 'unsent' }
      : { ...state, livre: null, copies: elsewhere, kind: 'choose' };
  }
}

/** The state of a code and its book, as a sentence. */
export function shelvingSentence({ code, state }: ShelvingItem): string {
  const { kind, livre, emplacementId, message = '' } = state;
  const titre = livre?.titre ?? code;
  switch (kind) {
    case 'unsent':
      return emplacementId === null
        ? m.ranger_early({ titre })
        : m.ranger_unsent({ titre, chemin: emplacementsView.pathText(emplacementId) });
    case 'writing':
      return m.ranger_writing({ titre });
    case 'done':
      return m.ranger_done({ titre });
    case 'already':
      return m.ranger_already({ titre });
    case 'unknown':
      return m.ranger_unknown({ code: formatIsbn(code) });
    case 'choose':
      return m.ranger_choose({ code: formatIsbn(code) });
    case 'failed':
      return m.lot_refused({ titre, reason: message });
  }
}

export const shelving = new Shelving();

/** Whether the book has its location and can be written at once; otherwise it waits for a press. */
const ready = (state: State): State =>
  state.kind === 'unsent' && state.emplacementId !== null && connection.canWrite
    ? { ...state, kind: 'writing' }
    : state;

function begin(emplacementId: number): Current {
  let end: () => void = () => undefined;
  const isEnded = new Promise<void>((resolve) => (end = resolve));
  let current: Current | undefined;
  const sentence = () => {
    const { count = 0 } = current ?? {};
    const nom = emplacementsView.get(emplacementId)?.nom ?? '';
    return count > 1 ? { text: m.livres_ranges({ count, nom }) } : undefined;
  };
  // The batch runs its work at once, up to the first wait.
  unawaited(
    feedback.batch(async (batch) => {
      current = { emplacementId, batch, count: 0, end };
      await isEnded;
    }, sentence),
    'putting books away',
  );
  if (current === undefined) throw new Error('A batch begins at once');
  return current;
}
