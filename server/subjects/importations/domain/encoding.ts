import { isAscii, isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Encodage } from '#shared/importations';

/** Bytes decoded at a time; a piece ends at the end of a line where one is near. */
const PIECE_BYTES = 256 * 1024;
const HEAD_BYTES = 4096;

/** A file as text: its encoding, and its characters in pieces, so that it is never there twice. */
export interface Decoded {
  readonly encodage: Encodage;
  readonly pieces: () => Generator<string>;
  /** How many single bytes that are not UTF-8 the last reading has met in a file that is. */
  readonly strayBytes: () => number;
}

/**
 * Decodes a file by its byte order mark, by the zeros of UTF-16, as UTF-8 where it is that but for a
 * few single bytes, and as Windows-1252 otherwise (docs/rules.md § 35).
 */
export async function decodeFile(bytes: Buffer): Promise<Decoded> {
  const { encodage, start } = await detect(bytes);
  let strays = 0;
  const body = bytes.subarray(start);
  const addStray = (): void => void strays++;
  return {
    encodage,
    strayBytes: () => strays,
    pieces: () => {
      strays = 0;
      return encodage === 'utf-8' ? utf8Pieces(body, addStray) : streamPieces(body, encodage);
    },
  };
}

async function detect(bytes: Buffer): Promise<{ encodage: Encodage; start: number }> {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return { encodage: 'utf-8', start: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encodage: 'utf-16le', start: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encodage: 'utf-16be', start: 2 };
  const [even, odd] = countZeros(bytes.subarray(0, HEAD_BYTES));
  if (odd > 8 * (even + 1)) return { encodage: 'utf-16le', start: 0 };
  if (even > 8 * (odd + 1)) return { encodage: 'utf-16be', start: 0 };
  return { encodage: (await isMostlyUtf8(bytes)) ? 'utf-8' : 'windows-1252', start: 0 };
}

function countZeros(head: Buffer): [even: number, odd: number] {
  const zeros: [number, number] = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2 === 0 ? 0 : 1]++;
  return zeros;
}

/**
 * Whether a file has more characters of several bytes in UTF-8 than bytes that are none. Others get a turn
 * after each piece that has to be counted: some 50 ms.
 */
async function isMostlyUtf8(bytes: Buffer): Promise<boolean> {
  let characters = 0;
  let strays = 0;
  for (const piece of bytePieces(bytes)) {
    if (isAscii(piece)) continue;
    // A character of several bytes is fewer units of a text than bytes.
    if (isUtf8(piece)) characters += piece.length - piece.toString().length;
    else
      for (const [match] of piece.toString('latin1').matchAll(CHARACTER)) {
        if (match.length > 1) characters++;
        else strays++;
      }
    await nextTurn();
  }
  return strays === 0 || characters > strays;
}

/** Cut behind a line end, so that no character of several bytes is cut. */
function* bytePieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length;) {
    let end = bytes.indexOf(0x0a, start + PIECE_BYTES) + 1;
    if (end === 0 || end > start + 4 * PIECE_BYTES) end = start + 4 * PIECE_BYTES;
    while (end < bytes.length && isContinuation(bytes[end])) end++;
    yield bytes.subarray(start, end);
    start = end;
  }
}

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x80 && byte <= 0xbf;

const fatalUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const windows1252 = new TextDecoder('windows-1252');

/** A character of UTF-8 in several bytes, or a single byte that is none, of a latin1 string. */
const CHARACTER =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

function* utf8Pieces(bytes: Buffer, addStray: () => void): Generator<string> {
  for (const piece of bytePieces(bytes)) {
    try {
      yield fatalUtf8.decode(piece);
    } catch {
      yield piece.toString('latin1').replace(CHARACTER, (match) => {
        const character = Buffer.from(match, 'latin1');
        if (match.length > 1) return character.toString('utf8');
        addStray();
        return windows1252.decode(character);
      });
    }
  }
}

function* streamPieces(bytes: Buffer, encodage: Encodage): Generator<string> {
  const decoder = new TextDecoder(encodage);
  for (let start = 0; start < bytes.length; start += PIECE_BYTES)
    yield decoder.decode(bytes.subarray(start, start + PIECE_BYTES), { stream: true });
  yield decoder.decode();
}

/** What « é » and its like become when UTF-8 was read as Windows-1252 and written as UTF-8 again. */
const DOUBLE = /[ÂÃÅÆâ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;

/** The bytes 0x80 to 0x9f of Windows-1252 by their characters. */
const HIGH_CONTROLS = new Map(
  Array.from({ length: 32 }, (_, i) => [windows1252.decode(Buffer.of(0x80 + i)), 0x80 + i]),
);

/** A text whose double encoding is taken away; itself where it has none, or would not be UTF-8. */
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
