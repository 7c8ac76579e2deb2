/**
 * The keys of a hand-held scanner follow each other faster than this on the average, in milliseconds;
 * the fastest fingers take longer.
 */
const MAX_MEAN_MS = 50;

/**
 * What follows a longer pause begins anew, in milliseconds. A code that a shorter pause cuts is left to
 * the field: the rest of it may look like a code.
 */
const PAUSE_MS = 1000;

/** A digit with nothing for this long before and behind it is a key that somebody has pressed, in milliseconds. */
export const ALONE_MS = 300;

/** An ISBN-10, or up to 13 digits, of which 13 may have an add-on of 2 or 5. */
const CODE = /^(?:\d{10,13}|\d{9}X|\d{13}(?:\d{2}|\d{5}))$/;

/** A book's code with the add-on that tells its price; a periodical's add-on tells the issue. */
const LIVRE_WITH_ADD_ON = /^(97[89]\d{10})(?:\d{2}|\d{5})$/;

/** Recognises a code that a hand-held scanner types, with Enter behind it, among the keys of a keyboard. */
export class Burst {
  /** The digits so far, and an X. */
  #text = '';
  #startMs = 0;
  #lastMs = 0;
  /** The pause before the last key. */
  #pauseMs = 0;

  /** Whether the last key may be the first one of a code. */
  get isStart(): boolean {
    return this.#text.length === 1;
  }

  /**
   * Whether the last key stands alone, once nothing has followed it: it is then part of no code.
   *
   * @param timeMs now, on the clock of the keys
   */
  isAlone(timeMs: number): boolean {
    return this.#pauseMs >= ALONE_MS && timeMs - this.#lastMs >= ALONE_MS;
  }

  /**
   * Takes a key: a character, `Shift`, `Enter` or the name of any other.
   *
   * @param timeMs when it was pressed
   * @returns the code that it ends, without the add-on of a book; `null` for every other key
   */
  add(key: string, timeMs: number): string | null {
    // A scanner presses it for an X.
    if (key === 'Shift') return null;
    // What a key that stands alone belonged to is no code any more.
    if (this.isAlone(timeMs)) this.#startMs = -Infinity;
    this.#pauseMs = timeMs - this.#lastMs;
    if (this.#pauseMs > PAUSE_MS) this.#text = '';
    this.#lastMs = timeMs;
    if (key === 'Enter') return this.#end();
    if (this.#text === '') this.#startMs = timeMs;
    this.#text = /^[\dX]$/i.test(key) ? this.#text + key.toUpperCase() : '';
    return null;
  }

  #end(): string | null {
    const text = this.#text;
    this.#text = '';
    const meanMs = (this.#lastMs - this.#startMs) / text.length;
    if (meanMs > MAX_MEAN_MS || !CODE.test(text)) return null;
    return text.replace(LIVRE_WITH_ADD_ON, '$1');
  }
}

/**
 * The character of a key as a scanner means it: the digit that it is on a plain keyboard, where it
 * types « ç » on a French one; else the key's own name.
 */
export const scannedKey = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string =>
  key.length === 1 && /^Digit\d$/.test(code) ? code.slice(-1) : key;
