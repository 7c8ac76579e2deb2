import { ApiError } from '$lib/api/error';
import { m } from '$lib/paraglide/messages';
import { rangerLivre } from '$lib/records/livres/operations';
import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { livresView } from '$lib/records/livres/view.svelte';
import { feedback, type Batch } from '$lib/sync/feedback.svelte';
import { report } from '$lib/sync/report';
import { KeptLines } from '$lib/ui/form/draft-store';
import type { LivreDocument } from '#shared/livres';
import { readCode } from './scanned-code.ts';

/** A book or a code of a batch, and what has become of it. */
export interface ShelvingLine {
  readonly key: number;
  readonly code: string;
  /** Where it goes; `null` for what was scanned before a location was chosen. */
  readonly emplacementId: number | null;
  readonly livre: LivreDocument | null;
  /** The copies that have the code: a person chooses one. */
  readonly copies: readonly LivreDocument[];
  readonly state: State;
  readonly message?: string;
}

/** `unsent`: there is no network, no location yet, or a reload came before the answer. */
type State = 'unsent' | 'writing' | 'done' | 'already' | 'unknown' | 'choose' | 'failed';

/** A line as it is kept until it is done with. */
interface KeptLine {
  readonly code: string;
  readonly livreId: number | null;
  readonly emplacementId: number | null;
}

const store = new KeptLines<KeptLine>('ranger');

/** The writes to one location, until the batch ends. */
interface Current {
  readonly emplacementId: number;
  readonly batch: Batch;
  count: number;
  readonly end: () => void;
}

const isOver = ({ state }: ShelvingLine): boolean => state === 'done' || state === 'already';

/**
 * Books that are put into one location: each is written at once, and all are taken back as one.
 * What is not done with stays on the device, over reloads, for whoever scanned it.
 */
class ShelvingBatch {
  /** The last first. */
  lines = $state.raw<readonly ShelvingLine[]>([]);
  #current: Current | null = null;
  /** The writes go one after the other, in the order of the scans. */
  #writes: Promise<unknown> = Promise.resolve();
  #nextKey = 0;

  /** The lines that one press puts away. */
  get unsent(): readonly ShelvingLine[] {
    return this.lines.filter(
      ({ state, emplacementId }) =>
        emplacementId !== null && (state === 'unsent' || state === 'failed'),
    );
  }

  doneCount(emplacementId: number): number {
    return this.lines.filter(
      (line) => line.state === 'done' && line.emplacementId === emplacementId,
    ).length;
  }

  /** Shows what was left before the page was loaded, once the copy is there. */
  resume(reader: string | null): void {
    const kept = store.resume(reader, () => (this.lines = []));
    if (kept === null) return;
    const scannedSince = this.lines;
    this.lines = [];
    for (const line of kept.toReversed()) this.#put(lineOf(line));
    this.#setLines([...scannedSince, ...this.lines.filter((line) => !isOver(line))]);
  }

  /**
   * Takes a scanned code; several copies wait for a choice, but for those that stand there already.
   *
   * @param canWrite otherwise it waits for a press
   */
  scan(text: string, emplacementId: number | null, canWrite: boolean): void {
    this.#take(lineOf({ code: text, livreId: null, emplacementId }, this.#writing), canWrite);
  }

  /** Takes a book that is picked by hand. */
  pick(livre: LivreDocument, emplacementId: number, canWrite: boolean): void {
    const code = livre.isbn ?? '';
    this.#take(lineOf({ code, livreId: livre.id, emplacementId }, this.#writing), canWrite);
  }

  /** A location is chosen for what was scanned before. */
  place(emplacementId: number, canWrite: boolean): void {
    const early = this.lines.filter((line) => line.emplacementId === null);
    this.#setLines(this.lines.filter((line) => line.emplacementId !== null));
    for (const { code } of early.toReversed()) this.scan(code, emplacementId, canWrite);
  }

  /** Puts away what was left, each where it belongs. */
  send(): void {
    for (const line of this.unsent.toReversed())
      if (line.livre !== null && line.emplacementId !== null)
        this.add(line.livre, line.emplacementId, line);
  }

  /**
   * Puts a book into the location.
   *
   * @param instead the line at which it was chosen among several copies, or that was left
   */
  add(livre: LivreDocument, emplacementId: number, instead?: ShelvingLine): void {
    if (instead !== undefined) this.lines = this.lines.filter((line) => line !== instead);
    if (this.#current?.emplacementId !== emplacementId) this.#close();
    const current = (this.#current ??= begin(emplacementId));
    const code = livre.isbn ?? '';
    const key = this.#put({ code, emplacementId, livre, copies: [livre], state: 'writing' });
    this.#writes = this.#writes.then(() => this.#write(livre, current, key));
  }

  #take(line: Omit<ShelvingLine, 'key'>, canWrite: boolean): void {
    const { livre, emplacementId, state } = line;
    if (state === 'unsent' && livre !== null && emplacementId !== null && canWrite)
      this.add(livre, emplacementId);
    else this.#put(line);
  }

  /** The lines under way, whose books the copy shows where they were. */
  get #writing(): readonly ShelvingLine[] {
    return this.lines.filter(({ state }) => state === 'writing');
  }

  /** Ends the batch: the bar tells it and takes it back as one. What is not done with stays. */
  end(): void {
    this.#close();
    this.#setLines(this.lines.filter((line) => !isOver(line)));
  }

  /** A line is not to be put away. */
  drop(line: ShelvingLine): void {
    this.#setLines(this.lines.filter((other) => other !== line));
  }

  #close(): void {
    const current = this.#current;
    this.#current = null;
    if (current !== null) void this.#writes.then(current.end);
  }

  async #write(livre: LivreDocument, current: Current, key: number): Promise<void> {
    try {
      await rangerLivre(
        livre.id,
        { emplacementId: current.emplacementId },
        { batch: current.batch },
      );
      current.count++;
      this.#change(key, { state: 'done' });
    } catch (error) {
      this.#change(key, afterFailure(error));
    }
  }

  #put(line: Omit<ShelvingLine, 'key'>): number {
    const key = this.#nextKey++;
    this.#setLines([{ ...line, key }, ...this.lines]);
    return key;
  }

  #change(key: number, change: Partial<ShelvingLine>): void {
    this.#setLines(this.lines.map((line) => (line.key === key ? { ...line, ...change } : line)));
  }

  #setLines(lines: readonly ShelvingLine[]): void {
    this.lines = lines;
    const left = lines.filter((line) => !isOver(line));
    const kept = left.map(({ code, livre, emplacementId }): KeptLine => ({
      code,
      livreId: livre?.id ?? null,
      emplacementId,
    }));
    store.keep(kept);
  }
}

export const shelving = new ShelvingBatch();

function afterFailure(error: unknown): Pick<ShelvingLine, 'state' | 'message'> {
  if (!(error instanceof ApiError)) {
    report(error, 'putting a book away');
    return { state: 'failed', message: m.error_unexpected() };
  }
  const isUnsent = error.kind === 'offline' || error.kind === 'sessionExpired';
  return isUnsent ? { state: 'unsent' } : { state: 'failed', message: error.message };
}

/** Finds what a code means for a location: a book to put there, one that stands there, several copies, or no book. */
function lineOf(
  { code: text, livreId, emplacementId }: KeptLine,
  writing: readonly ShelvingLine[] = [],
): Omit<ShelvingLine, 'key'> {
  const chosen = livreId === null ? undefined : livresView.get(livreId);
  const { code, copies } = chosen === undefined ? readCode(text) : { code: text, copies: [chosen] };
  const isHere = (livre: LivreDocument) =>
    livre.emplacementId === emplacementId ||
    writing.some((line) => line.livre?.id === livre.id && line.emplacementId === emplacementId);
  const elsewhere = copies.filter((livre) => !isHere(livre));
  const line = { code, emplacementId, livre: copies[0] ?? null, copies };
  const [only, ...others] = elsewhere;
  if (copies.length === 0) return { ...line, state: 'unknown' };
  if (emplacementId === null) return { ...line, state: 'unsent' };
  if (only === undefined) return { ...line, state: 'already' };
  return others.length === 0
    ? { ...line, livre: only, state: 'unsent' }
    : { ...line, livre: null, copies: elsewhere, state: 'choose' };
}

function begin(emplacementId: number): Current {
  let end = () => undefined;
  const isEnded = new Promise<undefined>((resolve) => {
    end = () => {
      resolve(undefined);
      return undefined;
    };
  });
  let current: Current | undefined;
  const sentence = () => {
    const { count = 0 } = current ?? {};
    const nom = emplacementsView.get(emplacementId)?.nom ?? '';
    return count > 1 ? { text: m.livres_ranges({ count, nom }) } : undefined;
  };
  // The batch runs its work at once, up to where it waits.
  void feedback.batch(async (batch) => {
    current = { emplacementId, batch, count: 0, end };
    await isEnded;
  }, sentence);
  if (current === undefined) throw new Error('A batch begins at once');
  return current;
}
