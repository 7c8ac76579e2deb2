import { analyse } from 'chardet';
import type { Encodage } from '#shared/importations';

// The encoding of a file that is no Unicode (docs/rules.md § 35, docs/decisions/0033-encodings-guessed.md).

// cspell:disable -- letters, and no words
/** The upper half of DOS in Western Europe, which no decoder of Node knows. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

// cspell:enable

/** Decodes piece by piece; a character may begin in one piece and end in the next. */
export interface Decoder {
  /** Without bytes: what is left of the last piece. */
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

/** So many bytes are looked at behind the first that is no ASCII, and so many of them are compared. */
const MAX_LOOKED_AT = 1_000_000;
const MAX_COMPARED = 20_000;

/** The likeliest encoding of a file that has bytes above ASCII and is no Unicode: windows-1252 unless another is clearly likelier. */
export function guessEncodage(bytes: Buffer): Encodage {
  const sample = accentedCells(bytes);
  const [western, likelihood] = likeliestLatin(sample);
  return isLatin(sample) && likelihood > UNLIKELY ? western : (otherScript(sample) ?? western);
}

/** What stands between separators and has bytes above ASCII, apart by blanks, a byte a character. */
function accentedCells(bytes: Buffer): string {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const start = Math.max(0, bytes.lastIndexOf(0x0a, first));
  const text = bytes.subarray(start, start + MAX_LOOKED_AT).toString('latin1');
  // No character of several bytes has one of these signs in it.
  const cells: string[] = [];
  let length = 0;
  for (const cell of text.split(/[\0-\x1f",;]+/)) {
    if (!/[\x80-\xff]/.test(cell)) continue;
    // Cut where no character can be: the last one may be of several bytes.
    if ((length += cell.length) > MAX_COMPARED && cells.length > 0) break;
    cells.push(cell);
  }
  return cells.join(' ').slice(0, MAX_COMPARED);
}

/** Whether bytes above ASCII stand alone or two by two, as accents do, and not in whole words. */
function isLatin(sample: string): boolean {
  const count = sample.replace(/[^\x80-\xff]/g, '').length;
  const inWords = (sample.match(/[\x80-\xff]{3,}/g) ?? []).join('').length;
  return inWords < 0.4 * count;
}

// Latin letters. A file of a few rows has a few accents: too few for the statistics of a library, which besides knows neither
// DOS nor the Macintosh. How often each letter is met, and where, tells these apart.

/** How often letters are among those above ASCII in a language, roughly; in capitals a fifth of it. */
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
  /** As a natural logarithm. */
  readonly prior: number;
}

/** A household's files come from Windows in French, unless their letters say something else a hundred times louder. */
const LATIN: readonly Latin[] = [
  { encodage: 'windows-1252', letters: WESTERN, prior: 0 },
  { encodage: 'cp850', letters: WESTERN, prior: -5 },
  { encodage: 'macintosh', letters: WESTERN, prior: -5 },
  { encodage: 'windows-1250', letters: CENTRAL, prior: -5 },
  { encodage: 'windows-1254', letters: TURKISH, prior: -6 },
];

/** Of a sign on average, as a logarithm: below it a text reads as no language. */
const UNLIKELY = -7;

/** And how likely each of its signs is on average, as a logarithm. */
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

/** By chardet's name of each; for those of ISO the encodings of Windows that hold the same letters. */
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
  /** How common what a first byte begins is: kana and Hangul most of all; other signs speak against it. */
  readonly weights: readonly (readonly [from: number, to: number, weight: number])[];
  /** Bytes that are a sign alone. */
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

/** How much of a text are letters where they may stand: no capital behind a small letter. */
function shareOfWords(encodage: Encodage, bytes: Buffer): number {
  const decoder = decoderOf(encodage);
  const text = decoder.decode(bytes) + decoder.decode();
  const signs = text.replace(/[\0-\x7f]/g, '').length;
  const letters = text.match(/(?<!\p{Ll})\p{Lu}|[\p{Ll}\p{Lo}]/gu) ?? [];
  return letters.filter((letter) => letter > '\x7f').length / signs;
}

/**
 * How common the signs of a text are: below a dozen of them chardet takes all that is well-formed for equally likely. Less
 * than nothing for what is not well-formed.
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
