import { Copy } from './copy.ts';
import { CHECKPOINT, shapeHash } from './envelope.ts';
import { Failure } from './failure.ts';
import type { NotesPort, StoragePort, Storage } from './ports.ts';
import { report } from './report.ts';
import type { Reader } from './states.ts';
import { unsafeCast } from '../api/unsafe-cast.ts';

/** A database of a copy, and the shapes that its records have. */
interface CopyName {
  readonly name: string;
  readonly shape: string;
}

/** The one small record that says which copies a reader has. */
interface Register {
  /** How many copies have been begun. */
  readonly count: number;
  /** The one on the screen: whole. */
  readonly inUse: CopyName | null;
  /** Its successor, being filled. */
  readonly next: CopyName | null;
  /** Databases that others have taken over from, and that are still to be deleted. */
  readonly gone: readonly string[];
}

const EMPTY: Register = { count: 0, inUse: null, next: null, gone: [] };

/** Between the parts of a name; no part contains it once it is encoded. */
const SEPARATOR = '|';

/**
 * The copies of one reader on this device: the one in use, and its successor while one is filled.
 * Nothing is deleted but a copy that another has taken over from, and a successor that is begun
 * anew.
 */
export class Copies {
  readonly #storage: StoragePort;
  readonly #notes: NotesPort;
  readonly #key: string;
  readonly #reader: Reader;
  readonly #shape = shapeHash();
  #inMemory = false;

  /** @param installation what tells this application from another one of the same origin */
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
   */
  async openInUse(onLost: () => void, read: (copy: Copy) => Promise<void>): Promise<Copy | null> {
    const { inUse } = await this.#register();
    const readWhole = async (copy: Copy) => {
      await read(copy);
      // The browser opens a database that it has lost as a new one, which holds nothing.
      if (copy.checkpoint?.whole !== true) throw new Error('the copy in use is not whole');
    };
    if (inUse !== null) return this.#twice(() => this.#open(inUse, onLost), readWhole);
    const earlier = await this.#storage.openEarlier(this.#reader);
    if (earlier === null) return null;
    const copy = new Copy('earlier', earlier, { stale: true });
    return this.#twice(() => Promise.resolve(copy), read);
  }

  /** The name of the copy in use, where today's shapes have made it. */
  get nameInUse(): string | null {
    const { inUse } = this.#read();
    return inUse?.shape === this.#shape ? inUse.name : null;
  }

  /** Opens the successor that was begun, or begins one. Throws `unreadable`. */
  async openNext(onLost: () => void, read: (copy: Copy) => Promise<void>): Promise<Copy> {
    const { next } = await this.#register();
    if (this.#inMemory) return this.#beginInMemory();
    if (next?.shape !== this.#shape) return this.#twice(() => this.#begin(onLost), read);
    return this.#twice(() => this.#open(next, onLost), read);
  }

  /** True where a first copy or a successor has been begun and not finished. */
  async hasNext(): Promise<boolean> {
    return (await this.#register()).next?.shape === this.#shape;
  }

  /** From here on a successor is made in memory. */
  forget(): void {
    this.#inMemory = true;
  }

  /** Deletes the successor that was begun: none of its pages can be gone on from. */
  discardNext(): void {
    const register = this.#read();
    if (register.next !== null)
      this.#write({ ...register, next: null, gone: [...register.gone, register.next.name] });
    this.dropGone();
  }

  /** The successor is whole and on the device: from here on it is the one in use. */
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

  /** Deletes what others have taken over from; a tab that holds it open holds that up. */
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

  /** Opens and reads a copy, and once more where that fails. */
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

  /** The register, made again from the databases where the browser has lost it. */
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
