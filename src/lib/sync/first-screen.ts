import type { Change } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';
import type { NotesPort } from './ports.ts';
import type { Reader } from './states.ts';

/** The records that the first screen shows, and the copy that holds them. */
interface Note {
  readonly copy: string;
  readonly changes: readonly Change[];
}

/**
 * The few records of a first screen, noted beside one reader's copies. A start paints them while it
 * reads the copy.
 */
export class FirstScreen {
  readonly #notes: NotesPort;
  readonly #key: string;

  constructor(notes: NotesPort, installation: string, reader: Reader) {
    this.#notes = notes;
    this.#key = ['first', installation, reader ?? ''].map(encodeURIComponent).join('|');
  }

  /** The records noted for this copy; none where the note is of another. */
  of(copy: string | null): readonly Change[] {
    const note = unsafeCast<Note | null>(this.#notes.get(this.#key));
    return note !== null && note.copy === copy ? note.changes : [];
  }

  keep(copy: string, changes: readonly Change[]): void {
    const note: Note = { copy, changes };
    this.#notes.set(this.#key, note);
  }
}
