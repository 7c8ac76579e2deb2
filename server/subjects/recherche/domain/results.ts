import type { SourceAnswer, SourceName } from '#shared/recherche';
import { SourceUnreachable, type SourceRecord } from '#server/plumbing/upstream/answers';

/** A record, and the source that it comes from. */
interface FoundRecord {
  readonly source: SourceName;
  readonly record: SourceRecord;
}

/** The records that the steps of a lookup find, and whether each source asked has answered. */
export class LookupResults {
  readonly #max: number;
  readonly #signal: AbortSignal;
  readonly #records = new Map<string, FoundRecord>();
  readonly #states = new Map<SourceName, SourceAnswer['etat']>();

  /** @param signal aborted when nobody waits any more: no further step is asked then */
  constructor(max: number, signal: AbortSignal) {
    this.#max = max;
    this.#signal = signal;
  }

  get records(): FoundRecord[] {
    return [...this.#records.values()].slice(0, this.#max);
  }

  /** The sources asked, in order. */
  get sources(): SourceAnswer[] {
    return [...this.#states].map(([nom, etat]) => ({ nom, etat }));
  }

  /**
   * Asks a source one question, unless there are records enough. A source is `injoignable` when any
   * of its questions failed, or was answered in part: then the question calls `markUnreachable`.
   */
  async ask(
    source: SourceName,
    question: (markUnreachable: () => void) => Promise<readonly SourceRecord[]>,
  ): Promise<void> {
    if (this.#records.size >= this.#max || this.#signal.aborted) return;
    const markUnreachable = (): void => void this.#states.set(source, 'injoignable');
    if (!this.#states.has(source)) this.#states.set(source, 'ok');
    try {
      for (const record of await question(markUnreachable)) this.#add(source, record);
    } catch (error) {
      if (!(error instanceof SourceUnreachable)) throw error;
      markUnreachable();
    }
  }

  /** The same record of one source counts once; one without an id, by its content. */
  #add(source: SourceName, record: SourceRecord): void {
    const key = `${source} ${record.id ?? JSON.stringify(record)}`;
    if (!this.#records.has(key)) this.#records.set(key, { source, record });
  }
}
