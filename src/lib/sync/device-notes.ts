import type { Moi } from '#shared/moi';
import { unsafeCast } from '../api/unsafe-cast.ts';
import type { NotesPort } from './ports.ts';
import type { Reader } from './status.ts';

/** What a device keeps about its readers beside their copies. */
export class DeviceNotes {
  readonly #notes: NotesPort;

  constructor(notes: NotesPort) {
    this.#notes = notes;
  }

  /** Who read last on this device, `null` before the first time. */
  lastReader(): Moi | null {
    // `lecteur` is the key of the application's first version.
    return unsafeCast<Moi | null>(this.#notes.get('reader') ?? this.#notes.get('lecteur'));
  }

  setLastReader(moi: Moi): void {
    this.#notes.set('reader', moi);
  }

  /** When this device was last equal to the server, for one reader. */
  lastUpdate(reader: Reader): Date | null {
    const ms = unsafeCast<number | null>(this.#notes.get(`equal.${reader ?? ''}`));
    return ms === null ? null : new Date(ms);
  }

  setLastUpdate(reader: Reader, ms: number): void {
    this.#notes.set(`equal.${reader ?? ''}`, ms);
  }
}
