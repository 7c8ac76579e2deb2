import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface Variants {
  readonly declarations: readonly string[];
  readonly selectors: readonly string[];
  readonly match: Readonly<Record<string, string>>;
}

const read = (language: string) => {
  const file = new URL(`../../messages/${language}.json`, import.meta.url);
  const { $schema, ...messages } = JSON.parse(readFileSync(file, 'utf8')) as Record<
    string,
    string | readonly Variants[]
  >;
  expect($schema).toBe('https://inlang.com/schema/inlang-message-format');
  return new Map(Object.entries(messages));
};

const french = read('fr');
const english = read('en');

const sentencesOf = (message: string | readonly Variants[]): string[] =>
  typeof message === 'string' ? [message] : message.flatMap(({ match }) => Object.values(match));

/** Every English sentence, under its key. */
const sentences = [...english].flatMap(([key, message]) =>
  sentencesOf(message).map((sentence): [string, string] => [key, sentence]),
);

/** The sentences of which a part breaks a rule. */
const breaches = (wrong: RegExp, allowed: readonly string[] = []) =>
  sentences
    .filter(([key, sentence]) => !allowed.includes(key) && wrong.test(sentence))
    .map(([key, sentence]) => `${key}: ${sentence}`);

/** The parameters of a message: those declared, and those used by any variant. */
const parametersOf = (message: string | readonly Variants[]) => ({
  takes:
    typeof message === 'string'
      ? []
      : message
          .flatMap(({ declarations }) => declarations.filter((one) => one.startsWith('input ')))
          .sort(),
  says: [
    ...new Set(sentencesOf(message).flatMap((sentence) => sentence.match(/\{\w+\}/g) ?? [])),
  ].sort(),
});

describe('the two languages', () => {
  test('have the same messages in the same order', () => {
    expect([...english.keys()]).toEqual([...french.keys()]);
  });

  test.each(['fr', 'en'])('have each message once: %s', (language) => {
    const file = new URL(`../../messages/${language}.json`, import.meta.url);
    // Read the keys from the text: in a parsed object the second of two equal keys would hide the first.
    const keys = Array.from(
      readFileSync(file, 'utf8').matchAll(/^ {2}"(\w+)":/gm),
      ([, key = '']) => key,
    );
    expect(keys.length).toBeGreaterThan(2000);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  });

  test('give each message the same parameters', () => {
    const parameters = (language: typeof french) =>
      [...language].map(([key, message]) => [key, parametersOf(message)]);
    expect(parameters(english)).toEqual(parameters(french));
  });

  test('choose between variants, and have one for any other number', () => {
    const open = [...english, ...french].filter(
      ([, message]) =>
        typeof message !== 'string' &&
        !message.every(({ match, selectors }) => {
          const last = Object.keys(match).at(-1)?.split(', ') ?? [];
          return (
            last.length === selectors.length &&
            last.every((choice) => /=(?:\*|other)$/.test(choice))
          );
        }),
    );
    expect(open.map(([key]) => key)).toEqual([]);
  });
});

/** Messages that quote examples of French lists or catalogues. */
const FRENCH_EXAMPLES = ['perte_titres'];

describe('the English sentences', () => {
  test('have no French left', () => {
    expect(breaches(/[«»\u00a0\u202f]|\p{Script=Latin}\u0300|[àâçéèêëîïôùûœ]/iu)).toEqual([]);
    expect(
      breaches(
        /(?<![\p{L}{])(?:le|la|les|un|une|du|des|est|et|ou|dans|pour|avec|sur|cet|cette|vous|votre|tome)(?!\p{L})/u,
        FRENCH_EXAMPLES,
      ),
    ).toEqual([]);
  });

  test('have no space before punctuation, and one after it', () => {
    expect(breaches(/\s[;!?…,.]|\s:(?!\/\/)/u)).toEqual([]);
    expect(breaches(/[;!?](?=\p{L})/u)).toEqual([]);
    expect(breaches(/\s{2}|^\s|\s$/u)).toEqual([]);
  });

  test('have typographic apostrophes, quotation marks in pairs and ellipses', () => {
    expect(breaches(/['"]|\.\.\./u)).toEqual([]);
    const unpaired = sentences.filter(
      ([, sentence]) => !/^[^“”]*(?:“[^“”]+”[^“”]*)*$/u.test(sentence),
    );
    expect(unpaired).toEqual([]);
    // Quotation marks enclose text without spaces.
    expect(breaches(/\p{L}“|”\p{L}|“\s|\s”/u)).toEqual([]);
  });

  test('are spelt as in Britain', () => {
    expect(
      breaches(
        /\b(?:colors?|favorites?|centers?|licenses|catalogs?|canceled|gray|behavior|organiz\w+|recogniz\w+|digitiz\w+|program(?=\s)|math|story line)\b/iu,
      ),
    ).toEqual([]);
  });

  test('are in sentence case', () => {
    const names =
      /^(?:I|[A-Z\d]{2,}|Caddy|Host|Node|SQLite|Rayonnage|Alexandria|Apple|Bubble|Calibre|Excel|GCstar|Hardcover|LibraryThing|Openreads|StoryGraph|Tellico|Alt|Babelio|Bib\w+|Big5|Camera|Chinese|Common|Compatible|Cyrillic|DOS|English|Enter|Era|Esc|Escale|EUC|Central|Europe|European|Formats|France|French|GNU|Affero|General|Public|License|Goodreads|HEIC|ISBNs?|ISO|ISSN|JPEG|JSON|JIS|Library|March|Macintosh|Most|National|Nord|November|July|August|Open|RIS|Shift|Space|Western|Arabic|Greek|Hebrew|Thai|Turkish|AGPL|README|AVIF|HTTPS|HTTP|UTF|UTC|ALLOWED|CSV|TSV|CSL|KOI8|GB18030|Z|X|A4|S3)$/u;
    const wrong = sentences.flatMap(([key, sentence]) =>
      Array.from(
        sentence.matchAll(/(?<=[\p{Ll}\d,;] )\p{Lu}[\p{L}\d]*/gu),
        ([word]) => `${key}: ${word}`,
      ).filter((found) => !names.test(found.slice(found.indexOf(': ') + 2))),
    );
    expect(wrong).toEqual([]);
  });

  test('call things by one word', () => {
    expect(
      breaches(
        /\b(?:wishlists?|magazines?|journals?|inventory|e-mails?|log(?:ged)? in|login|logout|e-?books?(?<!e-books?)|trash|your list|stock-taking|barcodes? scanner)\b/iu,
      ),
    ).toEqual([]);
  });

  test('are about as long as the French ones, where these are short', () => {
    const long = [...english].flatMap(([key, message]) => {
      const said = sentencesOf(french.get(key) ?? '');
      return sentencesOf(message).flatMap((sentence, i) => {
        const { length } = said[i] ?? '';
        return length <= 32 && sentence.length > length * 1.35 + 4 ? [`${key}: ${sentence}`] : [];
      });
    });
    expect(long).toEqual([]);
  });
});

test('the glossary has each word of the screen once, in either language', () => {
  const glossary = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');
  const rows = Array.from(
    glossary.matchAll(/^\| (?!French |---)([^|]+?) *\| ([^|]+?) *\|$/gm),
    ([, word = '', inEnglish = '']): [string, string] => [word, inEnglish],
  );
  expect(rows.length).toBeGreaterThan(40);
  const twice = [0, 1].flatMap((column) => {
    const words = rows.map((row) => row[column] ?? '');
    return words.filter((word, i) => words.indexOf(word) !== i);
  });
  expect(twice).toEqual([]);
});
