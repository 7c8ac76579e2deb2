import type { Moi } from '#shared/moi';
import { unsafeCast } from '../api/unsafe-cast.ts';
import type { NotesPort } from './ports.ts';
import type { Reader } from './states.ts';

/** What a device remembers of its readers beside their copies. */
export class Memory {
  readonly #notes: NotesPort;

  constructor(notes: NotesPort) {
    this.#notes = notes;
  }

  /** Who read last on this device, `null` before the first time. */
  lastReader(): Moi | null {
    // The application's first version noted it under another name.
    return unsafeCast<Moi | null>(this.#notes.get('reader') ?? this.#notes.get('lecteur'));
  }

  rememberReader(moi: Moi): void {
    this.#notes.set('reader', moi);
  }

  /** When this device was last equal to the server, for one reader. */
  lastUpdate(reader: Reader): Date | null {
    const ms = unsafeCast<number | null>(this.#notes.get(`equal.${reader ?? ''}`));
    return ms === null ? null : new Date(ms);
  }

  rememberUpdate(reader: Reader, ms: number): void {
    this.#notes.set(`equal.${reader ?? ''}`, ms);
  }
}
