import type { Change } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';
import type { NotesPort } from './ports.ts';
import type { Reader } from './status.ts';

/**
 * The few records of a first screen, noted beside one reader's copy. A start paints them while it
 * opens the copy.
 */
export class FirstScreen {
  readonly #notes: NotesPort;
  readonly #key: string;

  constructor(notes: NotesPort, installation: string, reader: Reader) {
    this.#notes = notes;
    this.#key = ['first', installation, reader ?? ''].map(encodeURIComponent).join('|');
  }

  get changes(): readonly Change[] {
    return (
      unsafeCast<{ changes: readonly Change[] } | null>(this.#notes.get(this.#key))?.changes ?? []
    );
  }

  /** Notes these; none once another copy has taken over. */
  keep(changes: readonly Change[]): void {
    this.#notes.set(this.#key, { changes });
  }
}
