import { Copy } from './copy.ts';
import { CHECKPOINT, shapeHash, type CopyName } from './envelope.ts';
import { Failure } from './failure.ts';
import type { NotesPort, StoragePort, Storage } from './ports.ts';
import { report } from './report.ts';
import type { Reader } from './states.ts';
import { unsafeCast } from '../api/unsafe-cast.ts';

/** Says which copies a reader has on this device. */
interface Register {
  /** How many copies have been begun. */
  readonly count: number;
  /** The whole copy that is on the screen. */
  readonly inUse: CopyName | null;
  /** The successor that is being filled. */
  readonly next: CopyName | null;
  /** Replaced databases that are still to be deleted. */
  readonly gone: readonly string[];
}

const EMPTY: Register = { count: 0, inUse: null, next: null, gone: [] };

/** Separates the parts of a name, in which it is encoded. */
const SEPARATOR = '|';

/**
 * The copies of one reader on this device: the one in use, and its successor while one is filled.
 * Only a replaced copy and a discarded successor are ever deleted.
 */
export class Copies {
  readonly #storage: StoragePort;
  readonly #notes: NotesPort;
  readonly #key: string;
  readonly #reader: Reader;
  readonly #shape = shapeHash();
  #inMemory = false;

  /** @param installation tells this application from another one of the same origin */
  constructor(storage: StoragePort, notes: NotesPort, installation: string, reader: Reader) {
    this.#storage = storage;
    this.#notes = notes;
    this.#reader = reader;
    const whose = reader === null ? '' : encodeURIComponent(reader);
    this.#key = ['copy', encodeURIComponent(installation), whose].join(SEPARATOR);
  }

  /**
   * Opens the copy in use and hands over what it holds; `null` where there is none. Throws
   * `unreadable` where that fails twice.
   *
   * @param told the copy in use, as another tab has told it: the register may arrive later than a message
   */
  async openInUse(
    onLost: () => void,
    read: (copy: Copy) => Promise<void>,
    told: CopyName | null = null,
  ): Promise<Copy | null> {
    const inUse = told ?? (await this.#register()).inUse;
    const readWhole = async (copy: Copy) => {
      await read(copy);
      // A browser that has lost a database opens an empty one in its place.
      if (copy.checkpoint?.whole !== true) throw new Error('the copy in use is not whole');
    };
    if (inUse !== null) return this.#twice(() => this.#open(inUse, onLost), readWhole);
    const earlier = await this.#storage.openEarlier(this.#reader);
    if (earlier === null) return null;
    const copy = new Copy('earlier', earlier, { stale: true });
    return this.#twice(() => Promise.resolve(copy), read);
  }

  /** The copy in use, as the register names it. */
  get inUse(): CopyName | null {
    return this.#read().inUse;
  }

  /** The name of the copy in use; `null` where it has other shapes. */
  get nameInUse(): string | null {
    const { inUse } = this;
    return inUse?.shape === this.#shape ? inUse.name : null;
  }

  /** Opens the first copy or successor that was begun; `null` where there is none. Throws `unreadable`. */
  async openBegun(onLost: () => void, read: (copy: Copy) => Promise<void>): Promise<Copy | null> {
    const { next } = await this.#register();
    return next?.shape === this.#shape ? this.#twice(() => this.#open(next, onLost), read) : null;
  }

  /** Opens the successor that was begun, or begins one. Throws `unreadable`. */
  async openNext(onLost: () => void, read: (copy: Copy) => Promise<void>): Promise<Copy> {
    if (this.#inMemory) return this.#beginInMemory();
    return (await this.openBegun(onLost, read)) ?? this.#twice(() => this.#begin(onLost), read);
  }

  /** From here on successors are kept in memory. */
  forget(): void {
    this.#inMemory = true;
  }

  /** Deletes the successor: its pull cannot be continued. */
  discardNext(): void {
    const register = this.#read();
    if (register.next !== null)
      this.#write({ ...register, next: null, gone: [...register.gone, register.next.name] });
    this.dropGone();
  }

  /** Makes the successor, whole and on the device, the copy in use. */
  promote(copy: Copy): void {
    const register = this.#read();
    if (register.inUse?.name === copy.name) return;
    const old = register.inUse === null ? [] : [register.inUse.name];
    this.#write({
      ...register,
      inUse: { name: copy.name, shape: this.#shape },
      next: null,
      gone: [...register.gone, ...old],
    });
  }

  /** Deletes replaced databases; a tab that has one open delays that. */
  dropGone(): void {
    const { gone, inUse } = this.#read();
    for (const name of gone)
      this.#storage.drop(name).then(
        () => {
          const register = this.#read();
          this.#write({ ...register, gone: register.gone.filter((other) => other !== name) });
        },
        (error: unknown) => report(error, `deleting ${name}`),
      );
    if (inUse === null) return;
    this.#storage
      .dropEarlier(this.#reader)
      .catch((error: unknown) => report(error, 'deleting an earlier copy'));
  }

  async #open({ name, shape }: CopyName, onLost: () => void): Promise<Copy> {
    return new Copy(name, await this.#storage.open(name, onLost), { stale: shape !== this.#shape });
  }

  async #begin(onLost: () => void): Promise<Copy> {
    const register = this.#read();
    const count = register.count + 1;
    const name = [this.#key, this.#shape, String(count)].join(SEPARATOR);
    const gone = register.next === null ? register.gone : [...register.gone, register.next.name];
    this.#write({ ...register, count, gone, next: { name, shape: this.#shape } });
    return this.#open({ name, shape: this.#shape }, onLost);
  }

  async #beginInMemory(): Promise<Copy> {
    const name = [this.#key, 'memory'].join(SEPARATOR);
    return new Copy(name, await this.#storage.openInMemory(name), { inMemory: true });
  }

  /** Opens and reads a copy; tries twice. */
  async #twice(open: () => Promise<Copy>, read: (copy: Copy) => Promise<void>): Promise<Copy> {
    for (let attempt = 1; ; attempt++) {
      let copy: Copy | null = null;
      try {
        copy = await open();
        await read(copy);
        return copy;
      } catch (error) {
        report(error, 'opening the copy');
        void copy?.close();
        if (attempt === 2) throw new Failure('unreadable', error);
      }
    }
  }

  /** The register, restored from the databases where the browser has lost it. */
  async #register(): Promise<Register> {
    const known = this.#notes.get(this.#key);
    if (known !== null) return unsafeCast<Register>(known);
    const prefix = this.#key + SEPARATOR;
    const names = await this.#storage.names().catch((error: unknown) => {
      report(error, 'listing the databases');
      return [];
    });
    let register = EMPTY;
    for (const name of names.filter((one) => one.startsWith(prefix)))
      register = { ...register, ...(await this.#recognise(name, register)) };
    if (register !== EMPTY) this.#write(register);
    return register;
  }

  async #recognise(name: string, found: Register): Promise<Partial<Register>> {
    const [shape = '', number = '0'] = name.split(SEPARATOR).slice(-2);
    const count = Math.max(found.count, Number(number));
    const whole = await this.#isWhole(name);
    if (whole === null) return { count };
    if (!whole) return { count, next: { name, shape } };
    const newer = found.inUse === null || numberOf(found.inUse.name) < Number(number);
    return newer ? { count, inUse: { name, shape } } : { count };
  }

  async #isWhole(name: string): Promise<boolean | null> {
    let storage: Storage | null = null;
    try {
      storage = await this.#storage.open(name, () => undefined);
      const kept = await storage.get(CHECKPOINT);
      return kept === null ? null : unsafeCast<{ whole: boolean }>(kept.document).whole;
    } catch (error) {
      report(error, `recognising ${name}`);
      return null;
    } finally {
      await storage?.close();
    }
  }

  readonly #read = (): Register => unsafeCast<Register | null>(this.#notes.get(this.#key)) ?? EMPTY;
  readonly #write = (register: Register): void => this.#notes.set(this.#key, register);
}

const numberOf = (name: string): number => Number(name.split(SEPARATOR).at(-1));
