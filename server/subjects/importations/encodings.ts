import { isAscii, isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import { ENCODAGES, type DecodageLu, type Encodage } from '#shared/importations';

// The encoding of a file that is no Unicode (docs/rules.md § 35, docs/decisions/0033-encodings-guessed.md).

// cspell:disable -- letters, and no words
/** The upper half of DOS in Western Europe, which no decoder of Node knows. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

// cspell:enable

/** Decodes pieces; a character may span two of them. */
export interface Decoder {
  /** Called without bytes: returns the rest of the last piece. */
  readonly decode: (bytes?: Uint8Array) => string;
}

export function decoderOf(encodage: Encodage): Decoder {
  if (encodage === 'cp850') return { decode: decodeCp850 };
  const decoder = new TextDecoder(encodage);
  return { decode: (bytes) => decoder.decode(bytes, { stream: bytes !== undefined }) };
}

const decodeCp850 = (bytes: Uint8Array = new Uint8Array()): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (sign) => CP850.charAt(sign.charCodeAt(0) - 0x80));

/** Bytes that are looked at after the first that is not ASCII, and how many of them are compared. */
const MAX_LOOKED_AT = 1_000_000;
const MAX_COMPARED = 20_000;

/** The likeliest encoding of a file that has bytes above ASCII and is no Unicode: windows-1252 unless another is clearly likelier. */
export function guessEncodage(bytes: Buffer): Encodage {
  const sample = accentedCells(bytes);
  const [western, likelihood] = likeliestLatin(sample);
  return isLatin(sample) && likelihood > UNLIKELY ? western : (otherScript(sample) ?? western);
}

/** The cells with bytes above ASCII, joined by blanks, a character a byte. */
function accentedCells(bytes: Buffer): string {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const start = Math.max(0, bytes.lastIndexOf(0x0a, first));
  const text = bytes.subarray(start, start + MAX_LOOKED_AT).toString('latin1');
  // Cells are taken whole, so that no multibyte character is cut.
  const cells: string[] = [];
  let length = 0;
  for (const cell of text.split(/[\0-\x1f",;]+/)) {
    if (!/[\x80-\xff]/.test(cell)) continue;
    // Cut between cells: the last character may be of several bytes.
    if ((length += cell.length) > MAX_COMPARED && cells.length > 0) break;
    cells.push(cell);
  }
  return cells.join(' ').slice(0, MAX_COMPARED);
}

/** Whether non-ASCII bytes stand alone or in pairs, like accents, instead of forming words. */
function isLatin(sample: string): boolean {
  const count = sample.replace(/[^\x80-\xff]/g, '').length;
  const inWords = (sample.match(/[\x80-\xff]{3,}/g) ?? []).join('').length;
  return inWords < 0.4 * count;
}

// Latin letters. A file of a few rows has too few accents for the statistics of a library, which
// knows neither DOS nor Macintosh encodings. Letter frequencies and positions distinguish these.

/** Rough frequency of non-ASCII letters by language; capitals have a fifth of it. */
const frequencies = (letters: string): ReadonlyMap<string, number> =>
  new Map(
    letters.split(' ').flatMap((group) => {
      const [percent, signs = ''] = group.split(':');
      return Array.from(signs, (sign) => [sign, Number(percent) / 100] as const);
    }),
  );

// cspell:disable -- letters, and no words
const WESTERN = frequencies(
  '35:é 10:èà 4:ê 3:ç 2:ôüöäáíó 1.5:âîñ 1:ûëïùßúãåøœ 0.4:õæòì 0.1:ýšž 0.05:ðþÿ',
);
const CENTRAL = frequencies('10:á 8:í 6:éł 5:óąęěš 4:řčžśż 3:ýůćőöüă 2:úńľîşţ 1:űźťňäâôđ 0.4:ď');
const TURKISH = frequencies('20:ı 15:ü 10:şğ 8:öç 1:â 0.5:î');

// cspell:enable

interface Latin {
  readonly encodage: Encodage;
  readonly letters: ReadonlyMap<string, number>;
  /** A natural logarithm. */
  readonly prior: number;
}

/** The usual file is French and from Windows; another encoding has to be a hundred times likelier. */
const LATIN: readonly Latin[] = [
  { encodage: 'windows-1252', letters: WESTERN, prior: 0 },
  { encodage: 'cp850', letters: WESTERN, prior: -5 },
  { encodage: 'macintosh', letters: WESTERN, prior: -5 },
  { encodage: 'windows-1250', letters: CENTRAL, prior: -5 },
  { encodage: 'windows-1254', letters: TURKISH, prior: -6 },
];

/** Average logarithm a character, below which a text reads as no language. */
const UNLIKELY = -7;

/** The likeliest encoding, with the average log probability of its signs. */
function likeliestLatin(sample: string): readonly [Encodage, number] {
  const count = sample.replace(/[^\x80-\xff]/g, '').length;
  const [best] = LATIN.map(({ encodage, letters, prior }) => {
    const decoder = decoderOf(encodage);
    const text = Array.from(decoder.decode(Buffer.from(sample, 'latin1')) + decoder.decode());
    const sum = text.reduce(
      (total, sign, at) =>
        sign > '\x7f'
          ? total + Math.log(probability(sign, text[at - 1] ?? '', text[at + 1] ?? '', letters))
          : total,
      0,
    );
    return { encodage, total: sum + prior, mean: sum / count };
  }).sort((a, b) => b.total - a.total);
  return best === undefined ? ['windows-1252', 0] : [best.encodage, best.mean];
}

const isLetter = (sign: string): boolean => /\p{L}/u.test(sign);
const isCapital = (sign: string): boolean => /\p{Lu}/u.test(sign);

const RARE = 0.0002;
const CAPITAL_IN_WORD = 0.00005;
const SIGN = 0.0005;
const SIGN_IN_WORD = 0.00002;
const NO_SIGN = 0.000001;
const MARKS = frequencies('3:\u00a0 2:«»–— 1:…“”‘°œ 0.3:€·');

function probability(
  sign: string,
  before: string,
  after: string,
  letters: ReadonlyMap<string, number>,
): number {
  const isInWord = isLetter(before) && isLetter(after);
  if (isLetter(sign)) {
    const frequency = letters.get(sign.toLowerCase()) ?? RARE;
    if (!isCapital(sign)) return frequency;
    return isLetter(before) && !isCapital(before) ? CAPITAL_IN_WORD : frequency / 5;
  }
  if (sign === '’') return isInWord ? 0.1 : 0.01;
  if (/[\x80-\x9f\ufffd]/.test(sign)) return NO_SIGN;
  if (isInWord) return SIGN_IN_WORD;
  return MARKS.get(sign) ?? SIGN;
}

// Other scripts, by the statistics of ICU in chardet

/** Encodings by chardet's names; ISO ones are replaced by the Windows encodings with the same letters. */
const SCRIPTS: Readonly<Record<string, Encodage>> = {
  'windows-1251': 'windows-1251',
  'KOI8-R': 'koi8-r',
  'ISO-8859-7': 'windows-1253',
  'windows-1253': 'windows-1253',
  'ISO-8859-8': 'windows-1255',
  'windows-1255': 'windows-1255',
  'windows-1256': 'windows-1256',
  'windows-874': 'windows-874',
};

interface EastAsian {
  readonly encodage: Encodage;
  /** How common the characters of a lead byte are: kana and Hangul most; other signs count negative. */
  readonly weights: readonly (readonly [from: number, to: number, weight: number])[];
  /** Bytes that are a character by themselves. */
  readonly single?: readonly [from: number, to: number];
}

const EAST_ASIAN: Readonly<Record<string, EastAsian>> = {
  Shift_JIS: {
    encodage: 'shift_jis',
    weights: [
      [0x81, 0x81, 0],
      [0x82, 0x83, 2],
      [0x88, 0x97, 0.5],
    ],
    single: [0xa1, 0xdf],
  },
  'EUC-JP': {
    encodage: 'euc-jp',
    weights: [
      [0xa1, 0xa2, 0],
      [0xa4, 0xa5, 2],
      [0xb0, 0xcf, 0.5],
    ],
  },
  GB18030: {
    encodage: 'gb18030',
    weights: [
      [0xa1, 0xa3, 0],
      [0xb0, 0xd7, 1],
    ],
  },
  Big5: {
    encodage: 'big5',
    weights: [
      [0xa1, 0xa3, 0],
      [0xa4, 0xc6, 1],
    ],
  },
  'EUC-KR': {
    encodage: 'euc-kr',
    weights: [
      [0xa1, 0xa3, 0],
      [0xb0, 0xc8, 1.5],
    ],
  },
};

function otherScript(sample: string): Encodage | null {
  const bytes = Buffer.from(sample, 'latin1');
  const matches = analyse(bytes);
  const [best] = matches
    .flatMap(({ name }) => EAST_ASIAN[name] ?? [])
    .map((each) => ({ ...each, familiarity: familiarityOf(each, bytes) }))
    .sort((a, b) => b.familiarity - a.familiarity);
  if (best !== undefined && best.familiarity > 0.4) return best.encodage;
  const [script] = matches
    .flatMap(({ name, confidence }) => {
      const encodage = SCRIPTS[name];
      return encodage === undefined
        ? []
        : [{ encodage, score: confidence * shareOfWords(encodage, bytes) ** 4 }];
    })
    .sort((a, b) => b.score - a.score);
  return script?.encodage ?? null;
}

/** The share of letters at plausible positions: no capital after a small letter. */
function shareOfWords(encodage: Encodage, bytes: Buffer): number {
  const decoder = decoderOf(encodage);
  const text = decoder.decode(bytes) + decoder.decode();
  const signs = text.replace(/[\0-\x7f]/g, '').length;
  const letters = text.match(/(?<!\p{Ll})\p{Lu}|[\p{Ll}\p{Lo}]/gu) ?? [];
  return letters.filter((letter) => letter > '\x7f').length / signs;
}

/**
 * How common the characters are on average; negative if malformed. With fewer than a dozen characters chardet finds
 * all well-formed encodings equally likely.
 */
function familiarityOf({ encodage, weights, single }: EastAsian, bytes: Buffer): number {
  if (new TextDecoder(encodage).decode(bytes).includes('\ufffd')) return -1;
  let [sum, count] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) continue;
    count++;
    const isSingle = single !== undefined && byte >= single[0] && byte <= single[1];
    if (!isSingle) at++;
    sum += weights.find(([from, to]) => byte >= from && byte <= to)?.[2] ?? -1;
  }
  return sum / count;
}

// Characters

/** `strays` counts single bytes that are not UTF-8 in a file that is. */
interface DecodedText {
  readonly encodage: Encodage;
  readonly utf8: Buffer;
  readonly strays: number;
}

/**
 * Decodes a file by its byte order mark, by the zeros of UTF-16, as UTF-8 with at most a few invalid bytes, else as
 * the likeliest encoding (docs/rules.md § 35).
 *
 * @param chosen an encoding chosen by a person
 */
export function decodeFile(
  bytes: Buffer,
  chosen: Encodage | null = null,
): DecodedText & Pick<DecodageLu, 'encodagePar'> {
  if (chosen !== null) return { ...decodedAs(bytes, chosen), encodagePar: 'choix' };
  const detected = detectedByBytes(bytes);
  const declared = declaredEncodage(bytes.subarray(0, MAX_DECLARATION).toString('latin1'));
  if (detected === null && declared !== null)
    return { ...decodedAs(bytes, declared), encodagePar: 'octets' };
  return detected === null
    ? { ...decodedAs(bytes, guessEncodage(bytes)), encodagePar: 'estimation' }
    : { ...detected, encodagePar: 'octets' };
}

function detectedByBytes(bytes: Buffer): DecodedText | null {
  const marked = markOf(bytes);
  if (marked !== null) {
    const [encodage, length] = marked;
    return decodedAs(bytes.subarray(length), encodage);
  }
  if (isAscii(bytes)) return { encodage: 'utf-8', utf8: bytes, strays: 0 };
  const decoded = decodeUtf8(bytes);
  return decoded.strays === 0 || decoded.characters > decoded.strays ? decoded : null;
}

function decodedAs(bytes: Buffer, encodage: Encodage): DecodedText {
  if (encodage === 'utf-8')
    return decodeUtf8(bytes.subarray(bytes.indexOf(UTF8_MARK) === 0 ? 3 : 0));
  return { encodage, utf8: recoded(bytes, encodage), strays: 0 };
}

const UTF8_MARK = Buffer.of(0xef, 0xbb, 0xbf);

/** Large files are recoded in pieces: a complete text would take two bytes a character. */
const PIECE_BYTES = 1_000_000;

/** @param endOf the last position up to here at which a piece may end */
function* piecesOf(
  bytes: Buffer,
  endOf: (end: number) => number = (end) => end,
): Generator<Buffer> {
  for (let start = 0; start < bytes.length;) {
    const end = endOf(Math.min(start + PIECE_BYTES, bytes.length));
    yield bytes.subarray(start, end);
    start = end;
  }
}

function recoded(bytes: Buffer, encodage: Encodage): Buffer {
  const decoder = decoderOf(encodage);
  const pieces = Array.from(piecesOf(bytes), (piece) => Buffer.from(decoder.decode(piece)));
  return Buffer.concat([...pieces, Buffer.from(decoder.decode())]);
}

function markOf(bytes: Buffer): readonly [Encodage, number] | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return ['utf-8', 3];
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return ['utf-16le', 2];
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return ['utf-16be', 2];
  let [even, odd] = [0, 0];
  for (const [index, byte] of bytes.subarray(0, 4096).entries())
    if (byte === 0 && index % 2 === 0) even++;
    else if (byte === 0) odd++;
  if (odd > 8 * (even + 1)) return ['utf-16le', 0];
  return even > 8 * (odd + 1) ? ['utf-16be', 0] : null;
}

const fatalUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const windows1252 = new TextDecoder('windows-1252');

/** A character of UTF-8 in several bytes, or a single byte that is none, of a latin1 string. */
const CHARACTER =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

function decodeUtf8(bytes: Buffer): DecodedText & { readonly characters: number } {
  if (isUtf8(bytes)) return { encodage: 'utf-8', utf8: bytes, strays: 0, characters: 0 };
  let [characters, strays] = [0, 0];
  // A cell ends here, so that no character is cut.
  const endOf = (end: number) => {
    let safe = end;
    while (safe < bytes.length && (bytes[safe] ?? 0) >= 0x80) safe++;
    return safe;
  };
  const pieces = Array.from(piecesOf(bytes, endOf), (piece) =>
    piece.toString('latin1').replace(CHARACTER, (match) => {
      const character = Buffer.from(match, 'latin1');
      if (match.length > 1) {
        characters++;
        return character.toString('utf8');
      }
      strays++;
      return windows1252.decode(character);
    }),
  );
  const utf8 = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  return { encodage: 'utf-8', utf8, strays, characters };
}

/** The result of UTF-8 that was read as Windows-1252 and written as UTF-8 again: « Ã© » for « é ». */
const DOUBLE = /[ÂÃÅÆâ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;

/** The bytes 0x80 to 0x9f of Windows-1252 by their characters. */
const HIGH_CONTROLS = new Map(
  Array.from({ length: 32 }, (_, i) => [windows1252.decode(Buffer.of(0x80 + i)), 0x80 + i]),
);

/** A text without its double encoding; unchanged if it has none, or would not be UTF-8. */
export function repairDoubleEncoding(text: string): string {
  if (!DOUBLE.test(text)) return text;
  const bytes: number[] = [];
  for (const character of text) {
    const byte = HIGH_CONTROLS.get(character) ?? character.codePointAt(0) ?? 0;
    if (byte > 0xff) return text;
    bytes.push(byte);
  }
  try {
    return fatalUtf8.decode(Buffer.from(bytes));
  } catch {
    return text;
  }
}

/** An XML declaration ends within so many bytes. */
const MAX_DECLARATION = 2048;

/** The encoding that an XML declaration names; `null` for none that is known. */
function declaredEncodage(start: string): Encodage | null {
  const [, , label = ''] = /^\s*<\?xml\b[^>]*\sencoding=(["'])([\w.-]+)\1/.exec(start) ?? [];
  try {
    const name = label === '' ? '' : new TextDecoder(label).encoding;
    return ENCODAGES.find((encodage) => encodage === name) ?? null;
  } catch {
    return null;
  }
}

/** The length of a file's beginning, in characters, from which its format and header are recognised. */
export const MAX_HEAD_LENGTH = 250_000;

/** The longest character in UTF-8. */
const MAX_CHARACTER_BYTES = 4;

export const headOf = (utf8: Buffer): string =>
  utf8
    .subarray(0, MAX_CHARACTER_BYTES * MAX_HEAD_LENGTH)
    .toString()
    .slice(0, MAX_HEAD_LENGTH);
