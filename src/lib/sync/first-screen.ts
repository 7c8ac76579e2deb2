import type { Change, ChangePage } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';
import type { NotesPort } from './ports.ts';
import type { Records } from './records.ts';
import type { Reader } from './status.ts';

/** Whose first screen it is, and where it is noted and shown. */
interface FirstScreenOptions {
  readonly notes: NotesPort;
  readonly records: Records;
  readonly installation: string;
  readonly reader: Reader;
}

/**
 * What a page shows before the copy is open: the few records that an earlier visit has noted beside one
 * reader's copy, else the first page of a first copy.
 */
export class FirstScreen {
  /** What is on the screen. */
  shown: readonly Change[] = [];
  /** True where that is a first page: the copy that it begins is shown from there on. */
  isFirstPage = false;
  readonly #options: FirstScreenOptions;
  readonly #key: string;

  constructor(options: FirstScreenOptions) {
    const { installation, reader } = options;
    this.#options = options;
    this.#key = ['first', installation, reader ?? ''].map(encodeURIComponent).join('|');
  }

  get #noted(): readonly Change[] {
    const note = unsafeCast<{ changes: readonly Change[] } | null>(
      this.#options.notes.get(this.#key),
    );
    return note?.changes ?? [];
  }

  /**
   * Shows what was noted, else the first page of this reader: RxDB takes longer to load.
   *
   * @param isWanted false once the copy is being opened, or another one
   */
  show(first: Promise<ChangePage> | null, isWanted: () => boolean): void {
    this.shown = this.#noted;
    if (this.shown.length > 0) this.#options.records.show(this.shown);
    else if (first !== null) void this.#showPage(first, isWanted);
  }

  async #showPage(first: Promise<ChangePage>, isWanted: () => boolean): Promise<void> {
    // A failure is left to the replication.
    const page = await first.catch(() => null);
    const { records, reader } = this.#options;
    if (page?.utilisateur !== reader || !isWanted()) return;
    this.shown = page.changements;
    this.isFirstPage = true;
    records.show(page.changements);
    records.setCopy({ progress: { received: records.size } });
  }

  /** Notes these. */
  keep(changes: readonly Change[]): void {
    this.#options.notes.set(this.#key, { changes });
  }

  /** Another copy has taken over: nothing of the one before is to be shown. */
  forget(): void {
    if (this.#noted.length > 0) this.keep([]);
  }
}
