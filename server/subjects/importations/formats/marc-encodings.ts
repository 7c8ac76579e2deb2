import { isUtf8 } from 'node:buffer';
import { nfc } from '#shared/text';
import { ownValue } from '#shared/object-keys';

// The characters of library records: UTF-8, or older standards in which accents precede their
// letter.

export type Decode = (piece: Buffer) => string;

/** The declared encoding, or the tags of a family with a single older standard. */
export type Declared = 'utf8' | 'iso5426' | 'marc8';

const rangeOf = (from: number, signs: string): (readonly [number, string])[] =>
  // '\0' stands for an unassigned code.
  Array.from(signs, (sign, at) => [from + at, sign] as const).filter(([, sign]) => sign !== '\0');

interface Norm {
  readonly marks: ReadonlyMap<number, string>;
  readonly signs: ReadonlyMap<number, string>;
}

// cspell:disable -- the tables of both norms
/** ISO 5426, UNIMARC's. */
const ISO_5426: Norm = {
  marks: new Map(
    rangeOf(
      0xc0,
      '\u0309\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0308\u030a\u0315\u0312\u030b\u031b\u030c' +
        '\u0327\u031c\u0326\u0328\u0325\u032e\u0323\u0324\u0332\u0333\u0329\u032d\0\ufe20\ufe21',
    ),
  ),
  signs: new Map([
    ...rangeOf(0xa1, '¡„£$¥†§′‘“«♭©℗®ʻʼ‚\0\0\0‡·″’”»♯ʹʺ¿'),
    ...rangeOf(0xe1, 'ÆĐ\0\0\0Ĳ\0ŁØŒ\0Þ'),
    ...rangeOf(0xf1, 'æđð\0ıĳ\0łøœßþ'),
  ]),
};

/** ANSEL, the upper half of MARC-8. */
const ANSEL: Norm = {
  marks: new Map(
    rangeOf(
      0xe0,
      '\u0309\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030c\u030a\ufe20\ufe21\u0315\u030b\u0310' +
        '\u0327\u0328\u0323\u0324\u0325\u0333\u0332\u0326\u031c\u032e\ufe22\ufe23\0\0\u0313',
    ),
  ),
  signs: new Map([
    ...rangeOf(0xa1, 'ŁØĐÞÆŒʹ·♭®±ƠƯʼ\0ʻłøđþæœʺı£ð\0ơư'),
    ...rangeOf(0xc0, '°ℓ℗©♯¿¡ß€'),
  ]),
};
// cspell:enable

/** The lower half of MARC-8 after an escape of one letter: superscripts, subscripts and three Greek letters. */
const MARC8_SETS: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  p: zipped('0123456789+-()', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾'),
  b: zipped('0123456789+-()', '₀₁₂₃₄₅₆₇₈₉₊₋₍₎'),
  g: zipped('abc', 'αβγ'),
};

function zipped(from: string, to: string): ReadonlyMap<string, string> {
  const signs = Array.from(to);
  return new Map(Array.from(from, (sign, at) => [sign, signs[at] ?? sign] as const));
}

const ESCAPE = 0x1b;

/** Marks around an article that sorting leaves out, and invisible joiners. */
const isControl = (byte: number): boolean => byte >= 0x80 && byte <= 0x9f;

/** Ends of an escape for an unsupported set, such as Cyrillic or Chinese: `(N`, `$1`, `)!E`. */
const SET_NAMES = /^(?:[(,)\-$]{1,2}!?[A-Z1-9])/;

function decodeNorm({ marks, signs }: Norm): Decode {
  return (piece) => {
    let [text, waiting] = ['', ''];
    let set: ReadonlyMap<string, string> | 'unknown' | null = null;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      if (byte === ESCAPE) {
        const next = String.fromCharCode(piece[at + 1] ?? 0);
        const [name] = SET_NAMES.exec(piece.toString('latin1', at + 1, at + 5)) ?? [];
        if (name !== undefined) {
          // B and s name ASCII, E ANSEL: the two sets of every record.
          set = /[BsE]$/.test(name) ? null : 'unknown';
          at += name.length;
        } else {
          set = ownValue(MARC8_SETS, next) ?? null;
          at += 1;
        }
        continue;
      }
      const mark = set === 'unknown' ? undefined : marks.get(byte);
      if (mark !== undefined) {
        waiting += mark;
        continue;
      }
      if (isControl(byte)) continue;
      text += signOf(byte, set, signs) + waiting;
      waiting = '';
    }
    return nfc(text);
  };
}

const UNREADABLE = '\ufffd';

function signOf(
  byte: number,
  set: ReadonlyMap<string, string> | 'unknown' | null,
  signs: ReadonlyMap<number, string>,
): string {
  const sign = String.fromCharCode(byte);
  // Separators of fields and subfields belong to no set.
  if (byte <= 0x20) return sign;
  if (set === 'unknown') return UNREADABLE;
  if (byte < 0x80) return set?.get(sign) ?? sign;
  return signs.get(byte) ?? UNREADABLE;
}

const utf8: Decode = (piece) => piece.toString('utf8');
const windows = new TextDecoder('windows-1252');

const OLDER: Readonly<Record<OlderName, Decode>> = {
  iso5426: decodeNorm(ISO_5426),
  marc8: decodeNorm(ANSEL),
  windows: (piece) => windows.decode(piece),
};

type OlderName = 'iso5426' | 'marc8' | 'windows';

/** Decodes a record, and tells whether the older standard was guessed. */
export interface RecordDecoder {
  readonly decode: Decode;
  readonly isOlder: boolean;
}

/**
 * UTF-8 if the record is valid, or declared and nearly valid; else the declared standard, if the bytes fit it; else
 * the standard of most bytes in the file.
 */
export function decoderOf(
  record: Buffer,
  declared: Declared | null,
  byFile: () => OlderName,
): RecordDecoder {
  if (isUtf8(record) && !record.includes(ESCAPE)) return { decode: utf8, isOlder: false };
  const found = normByBytes(record);
  if (declared === 'utf8' && hasUtf8Letters(record)) return { decode: utf8, isOlder: true };
  if (declared === 'marc8' && record.includes(ESCAPE)) return older('marc8');
  if (declared === 'iso5426') return older('iso5426');
  return older(found ?? byFile());
}

const older = (name: OlderName): RecordDecoder => ({ decode: OLDER[name], isOlder: true });

/** Two bytes of UTF-8 that make a letter: neither norm nor Windows has them in such an order. */
const hasUtf8Letters = (record: Buffer): boolean =>
  /[\xc3-\xcf][\x80-\xbf]|\xe2\x80[\x90-\xbf]/.test(record.toString('latin1'));

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** The standard that the bytes suggest; `null` if they fit both. */
function normByBytes(bytes: Buffer): OlderName | null {
  const text = bytes.toString('latin1');
  const all = countOf(text, /[\xa0-\xff]/g);
  if (2 * countOf(text, /[\xc1-\xd6](?=[A-Za-z])/g) > all) return 'iso5426';
  const evidence = evidenceOfAnsel(text);
  if (evidence === 0) return null;
  return evidence > 0 ? 'marc8' : 'windows';
}

const isLetter = (sign: string | undefined): boolean => /^[A-Za-z]$/.test(sign ?? '');

/** Letters that are as frequent in Windows encodings: é and ñ before any, ç before a, o and u, ä before n. */
const EITHER = /^(?:[\xe9\xf1]|\xe7[aou]|\xe4n)/i;

/** Evidence for ANSEL: accents before a suitable letter and signs inside words, minus all other non-ASCII bytes. */
function evidenceOfAnsel(text: string): number {
  let evidence = 0;
  for (const { 0: sign, index } of text.matchAll(/[\xa0-\xff]/g)) {
    const next = text[index + 1];
    if (EITHER.test(text.slice(index, index + 2))) continue;
    const mark = ANSEL.marks.get(sign.charCodeAt(0));
    if (mark !== undefined)
      evidence += isLetter(next) && nfc(`${next}${mark}`).length === 1 ? 1 : -1;
    else if (!ANSEL.signs.has(sign.charCodeAt(0))) evidence -= 1;
    else if (isLetter(next) && isLetter(text[index - 1])) evidence += 1;
  }
  return evidence;
}

const SAMPLE_BYTES = 1_000_000;

/** The standard of a file's undeclared records. */
export function olderNormOf(bytes: Buffer): OlderName {
  return normByBytes(bytes.subarray(0, SAMPLE_BYTES)) ?? 'windows';
}
