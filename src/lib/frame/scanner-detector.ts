import { parseIsbn } from '#shared/isbn';
import { issnOfCode977 } from '#shared/issn';
import { locationOfLabel, mayBecomeLabel } from '../format/label-address.ts';

/** A smaller average interval means a scanner, in milliseconds: fingers are slower. */
const MAX_MEAN_MS = 50;

/**
 * Slower scanners, such as wireless ones, are recognised by their rhythm: at most this interval, in milliseconds, and
 * all about equal, except one while the machine was busy.
 */
const MAX_EVEN_MS = 200;

/**
 * A longer pause starts a new scan, in milliseconds. A code interrupted by a shorter pause stays in the field, since
 * its rest may look like a code.
 */
const PAUSE_MS = 1000;

/** A digit without neighbours within this time was pressed by a person, in milliseconds. */
export const ALONE_MS = 300;

/** How long after a code its Enter may come, in milliseconds. */
const LATE_MS = 500;

/** An ISBN-10, or up to 13 digits, of which 13 may have an add-on of 2 or 5. */
const CODE = /^(?:\d{10,13}|\d{9}X|\d{13}(?:\d{2}|\d{5}))$/;

/** A book's code with an add-on for the price; a periodical's add-on is its issue. */
const LIVRE_WITH_ADD_ON = /^(97[89]\d{10})(?:\d{2}|\d{5})$/;

/** Digits with Enter, typed outside of a text, are a code even with a wrong digit. */
const DIGITS = /^\d{8,18}$/;

/** A shorter text is a typed word instead of an address. */
const MIN_ADDRESS_LENGTH = 4;

/**
 * Recognises the input of a hand-held scanner: a code or, with Enter or Tab after it, the address of a location's
 * label.
 */
export class ScannerDetector {
  /** In this machine's keyboard layout, and in a plain one. */
  readonly #readings = [new Reading(), new Reading()] as const;
  #lastMs = 0;
  #pauseBeforeLastMs = 0;
  /** When a code was taken that no key had ended, and that no late Enter has ended since. */
  #settledMs = -Infinity;

  /** Whether the last key may begin a scan. */
  get isStart(): boolean {
    return this.#length === 1;
  }

  /** Whether the last key belongs to no scan. */
  get isIdle(): boolean {
    return this.#length === 0;
  }

  get #length(): number {
    return Math.max(...this.#readings.map(({ text }) => text.length));
  }

  /** Whether the keys so far may be an address, in which no key is a shortcut. */
  get isAddress(): boolean {
    return this.#readings.some(
      (reading) =>
        reading.text.length >= MIN_ADDRESS_LENGTH &&
        mayBecomeLabel(reading.text) &&
        reading.isRhythmic(this.#lastMs),
    );
  }

  /** Whether the last key is not part of a scan; `timeMs` is now, on the clock of key events. */
  isAlone(timeMs: number): boolean {
    return this.#pauseBeforeLastMs >= ALONE_MS && timeMs - this.#lastMs >= ALONE_MS;
  }

  /**
   * Handles a key: a character, `Shift`, `Enter` or another name.
   *
   * @param timeMs when it was pressed
   * @param plainKey the key on a plain keyboard
   * @param isIntoText whether it goes into a text field
   * @returns the completed code or address, a book's without the add-on; `null` for any other key
   */
  add(key: string, timeMs: number, plainKey = key, isIntoText = true): string | null {
    // A scanner presses it for an X and for a colon.
    if (key === 'Shift') return null;
    const [host, plain] = this.#readings;
    // Keys before a standalone one are no scan.
    if (this.isAlone(timeMs)) for (const reading of this.#readings) reading.spoil();
    this.#pauseBeforeLastMs = timeMs - this.#lastMs;
    if (this.#pauseBeforeLastMs > PAUSE_MS) host.text = plain.text = '';
    this.#lastMs = timeMs;
    if (key === 'Enter' || key === 'Tab') {
      const isLoose = !isIntoText && key === 'Enter';
      const scans = this.#readings.map((reading) => reading.end(timeMs, !isLoose));
      return scans.find((scan) => scan !== null) ?? null;
    }
    host.add(key, timeMs);
    plain.add(plainKey, timeMs);
    return null;
  }

  /** The code of a scanner without a final key, after `ALONE_MS` without keys; `null` without one. */
  finish(timeMs: number): string | null {
    if (timeMs - this.#lastMs < ALONE_MS) return null;
    const scan = this.#readings.map((reading) => reading.finish()).find((each) => each !== null);
    if (scan === undefined) return null;
    for (const reading of this.#readings) reading.text = '';
    this.#settledMs = timeMs;
    return scan;
  }

  /** Whether a key is the late Enter of a scanner; the next Enter is a person's. */
  isLateEnd(key: string, timeMs: number): boolean {
    const isLate = key === 'Enter' && timeMs - this.#settledMs < LATE_MS;
    if (isLate) this.#settledMs = -Infinity;
    return isLate;
  }
}

/** The keys in one keyboard layout, as far as they may be a scan. */
class Reading {
  /** The possible code or address so far. */
  text = '';
  #timesMs: number[] = [];

  add(key: string, timeMs: number): void {
    const texts = key.length > 1 ? [] : [this.text + key, key];
    this.text = texts.find(mayBecomeScan) ?? '';
    this.#timesMs = this.text.length <= 1 ? [timeMs] : [...this.#timesMs, timeMs];
  }

  spoil(): void {
    this.#timesMs = [-Infinity];
  }

  isRhythmic(timeMs: number): boolean {
    return this.#isFast(timeMs) || isEven([...this.#timesMs, timeMs]);
  }

  #isFast(timeMs: number): boolean {
    return (timeMs - (this.#timesMs[0] ?? 0)) / this.text.length <= MAX_MEAN_MS;
  }

  /**
   * The scan at its end; `null` if the rhythm or the content is no scanner's.
   *
   * @param isIntoText whether it was typed into a text field, where a person may type a number
   */
  end(timeMs: number, isIntoText: boolean): string | null {
    const { text } = this;
    const isFast = this.#isFast(timeMs);
    const isRhythmic = this.isRhythmic(timeMs);
    this.text = '';
    if (isRhythmic && locationOfLabel(text) !== null) return text;
    const code = text.toUpperCase();
    // A key that was pressed before belongs to no code.
    const rest = code.slice(-13);
    const found = [code, rest].find((each) => each.length >= 10 && isValid(each));
    if (found !== undefined && (isRhythmic || !isIntoText)) return withoutAddOn(found);
    if (!isIntoText && DIGITS.test(code)) return withoutAddOn(code);
    return isFast && CODE.test(code) ? withoutAddOn(code) : null;
  }

  /** The code that it is where nothing ends it: of thirteen digits at least, and in the rhythm of a scanner. */
  finish(): string | null {
    const code = this.text.toUpperCase();
    const found = [code, code.slice(-13)].find((each) => each.length >= 13 && isValid(each));
    const times = this.#timesMs.slice(-(found?.length ?? 0));
    const meanMs = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / (times.length - 1);
    if (found === undefined || !(meanMs <= MAX_MEAN_MS || isEven(times))) return null;
    this.text = '';
    return withoutAddOn(found);
  }
}

function isEven(times: readonly number[]): boolean {
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const sorted = gaps.toSorted((a, b) => a - b);
  const middle = sorted[sorted.length >> 1] ?? Infinity;
  const [least = 0, most = Infinity, last = Infinity] = [1, -2, -1].map((at) => sorted.at(at));
  return (
    middle <= MAX_EVEN_MS &&
    last <= Math.max(ALONE_MS, 1.6 * middle) &&
    most <= 1.6 * middle + 15 &&
    least >= 0.5 * middle - 10
  );
}

const withoutAddOn = (code: string): string => code.replace(LIVRE_WITH_ADD_ON, '$1');

const isValid = (code: string): boolean =>
  CODE.test(code) &&
  (parseIsbn(withoutAddOn(code)) !== null || (issnOfCode977(code)?.issn ?? null) !== null);

const mayBecomeScan = (text: string): boolean =>
  text.length === 1 ? /[\dXH]/i.test(text) : /^[\dX]+$/i.test(text) || mayBecomeLabel(text);

/** The key that a scanner means: the digit of a plain keyboard, for « ç » on a French one. */
export const scannedKey = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string =>
  key.length === 1 && /^Digit\d$/.test(code) ? code.slice(-1) : key;

/** The characters of an address besides letters and digits, by key. */
const PLAIN_KEYS: Readonly<Record<string, string>> = {
  Slash: '/',
  Semicolon: ':',
  Period: '.',
  Minus: '-',
};

/** Most scanners assume a plain keyboard: on a French one « https://a » arrives as « https:!!q ». */
export function plainKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  if (key.length > 1 && key !== 'Dead') return key;
  return /^(?:Key|Digit)(.)$/.exec(code)?.[1]?.toLowerCase() ?? PLAIN_KEYS[code] ?? key;
}
