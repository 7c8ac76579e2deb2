import { ApiError } from '$lib/api/error';
import { m } from '$lib/paraglide/messages';
import { rangerLivre } from '$lib/records/emplacements/operations';
import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { feedback, type Batch } from '$lib/sync/feedback.svelte';
import { report } from '$lib/sync/report';
import type { LivreDocument } from '#shared/livres';
import { readCode } from './scanned-code.ts';

/** A book or a code of a stretch, and what has become of it. */
export interface StretchLine {
  readonly key: number;
  readonly code: string;
  readonly livre: LivreDocument | null;
  /** Several copies have the code: which one it is, a person says. */
  readonly copies: readonly LivreDocument[];
  readonly state: 'writing' | 'done' | 'already' | 'unknown' | 'choose' | 'failed';
  readonly message?: string;
}

/** What is written to one location until it ends. */
interface Current {
  readonly emplacementId: number;
  readonly batch: Batch;
  count: number;
  readonly end: () => void;
}

/** A stretch of books that are put into one location: each is written at once, and all are taken back as one. */
export class Stretch {
  /** The last first. */
  lines = $state.raw<readonly StretchLine[]>([]);
  #current: Current | null = null;
  /** The writes go one after the other, in the order of the scans. */
  #writes: Promise<unknown> = Promise.resolve();
  #nextKey = 0;

  get doneCount(): number {
    return this.lines.filter(({ state }) => state === 'done').length;
  }

  /** Takes a scanned code; several copies wait for a choice, but for those that stand there already. */
  scan(text: string, emplacementId: number): void {
    const { code, copies } = readCode(text);
    const elsewhere = copies.filter((livre) => livre.emplacementId !== emplacementId);
    const [only, ...others] = elsewhere;
    if (copies.length === 0) this.#put({ code, livre: null, copies, state: 'unknown' });
    else if (only === undefined)
      this.#put({ code, livre: copies[0] ?? null, copies, state: 'already' });
    else if (others.length > 0)
      this.#put({ code, livre: null, copies: elsewhere, state: 'choose' });
    else this.add(only, emplacementId);
  }

  /**
   * Puts a book into the location.
   *
   * @param instead the line at which it was chosen among several copies
   */
  add(livre: LivreDocument, emplacementId: number, instead?: StretchLine): void {
    if (instead !== undefined) this.lines = this.lines.filter((line) => line !== instead);
    if (this.#current?.emplacementId !== emplacementId) this.end();
    const current = (this.#current ??= begin(emplacementId));
    const key = this.#put({ code: livre.isbn ?? '', livre, copies: [livre], state: 'writing' });
    this.#writes = this.#writes.then(() => this.#write(livre, current, key));
  }

  /** Ends the stretch: the bar tells it and takes it back as one. */
  end(): void {
    const current = this.#current;
    this.#current = null;
    this.lines = [];
    if (current !== null) void this.#writes.then(current.end);
  }

  async #write(livre: LivreDocument, current: Current, key: number): Promise<void> {
    try {
      await rangerLivre(livre.id, current.emplacementId, current.batch);
      current.count++;
      this.#change(key, { state: 'done' });
    } catch (error) {
      if (!(error instanceof ApiError)) report(error, 'putting a book away');
      this.#change(key, {
        state: 'failed',
        message: error instanceof ApiError ? error.message : m.error_unexpected(),
      });
    }
  }

  #put(line: Omit<StretchLine, 'key'>): number {
    const key = this.#nextKey++;
    this.lines = [{ ...line, key }, ...this.lines];
    return key;
  }

  #change(key: number, change: Partial<StretchLine>): void {
    this.lines = this.lines.map((line) => (line.key === key ? { ...line, ...change } : line));
  }
}

function begin(emplacementId: number): Current {
  let end = () => undefined;
  const isOver = new Promise<undefined>((resolve) => {
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
    await isOver;
  }, sentence);
  if (current === undefined) throw new Error('A batch begins at once');
  return current;
}
