import type { Refusal } from '#shared/refusals';
import { invalid } from './invalid.ts';

/** Longer than any record of a book, in characters. */
const MAX_RECORD_LENGTH = 1_000_000;

/**
 * The values of the outermost list or object of a JSON text, one by one: the whole is never in
 * memory. Throws `FICHIER_INVALIDE` for what is cut off or no JSON.
 */
export async function* jsonValues(pieces: AsyncIterable<string>): AsyncGenerator {
  const splitter = new Splitter();
  for await (const piece of pieces) yield* splitter.take(piece);
  if (splitter.depth !== 0) throw unreadable();
}

class Splitter {
  depth = 0;
  #inString = false;
  #isEscaped = false;
  /** What has been read of the value under way. */
  #text = '';

  *take(piece: string): Generator {
    let start = 0;
    for (let index = 0; index < piece.length; index++) {
      const character = piece.charAt(index);
      if (this.#inString) this.#inside(character);
      else if (character === '"') this.#inString = true;
      else if (character === '{' || character === '[') {
        if (++this.depth === 2) start = index;
      } else if (character === '}' || character === ']') {
        if (--this.depth !== 1) continue;
        yield parse(this.#text + piece.slice(start, index + 1));
        this.#text = '';
      }
    }
    if (this.depth < 2) return;
    this.#text += piece.slice(start);
    if (this.#text.length > MAX_RECORD_LENGTH) throw unreadable();
  }

  #inside(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\') this.#isEscaped = true;
    else if (character === '"') this.#inString = false;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable();
  }
}

const unreadable = (): Refusal => invalid('Ce fichier JSON ne se lit pas jusqu’au bout.');
