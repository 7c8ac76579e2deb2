import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** A list of words, one a line. */
const listed = (path) =>
  read(path)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/**
 * The only French that code, comments and English documents may use, with and without accents: the
 * first column of those tables of docs/glossary.md that say what a word is in the code, and the list of its forms.
 */
function frenchWords() {
  const glossary = read('docs/glossary.md').matchAll(/^\| (?!---)([^|]+)\|[^|]+\|[^|]+\|$/gm);
  const words = [...glossary].flatMap(([, word]) => word.match(/\p{L}+/gu) ?? []);
  const all = [...words, ...listed('scripts/support/french-words.txt')];
  const plain = all.map((word) =>
    word.replaceAll('œ', 'oe').normalize('NFD').replace(/\p{M}/gu, ''),
  );
  return [...new Set([...all, ...plain])];
}

/** The words of ours that gave way to the field's: the last table of docs/glossary.md. */
function refusedWords() {
  const [, table = ''] = read('docs/glossary.md').split('\n## Words that are not used\n');
  const words = [...table.matchAll(/^\| `(\w+)` +\|/gm)].map(([, word]) => word);
  if (words.length === 0) throw new Error('docs/glossary.md lacks the words that are not used');
  return words;
}

/** The codes of refusals, as one pattern: they are words of the API, and stand once in their file. */
function refusalCodes() {
  const source = read('shared/refusals.ts');
  return `/\\b(?:${[...source.matchAll(/^ +([A-Z_]+):/gm)].map(([, code]) => code).join('|')})\\b/g`;
}

// A literal opens after a blank or punctuation and ends before some: so what lies between two of them
// on a line is never taken for one.
const OPEN = String.raw`(?<=^|[\s([{,:=?|&+<>!])`;
const CLOSE = String.raw`(?=$|[\s)\]},:;.?])`;
const TITLE = String.raw`(?<!\b(?:it|test|describe)\()`;

/** Text rather than code: a literal that holds a blank is a sentence, a query or a sample. */
const SENTENCES = [
  String.raw`/${OPEN}'(?:[^'\\\n]|\\.)*\s(?:[^'\\\n]|\\.)*'${CLOSE}/gm`,
  String.raw`/${OPEN}\x60(?:[^\x60\\]|\\.)*\s(?:[^\x60\\]|\\.)*\x60/gm`,
];

/** Every literal but the title of a test: tests and the demonstration hold French data. */
const SAMPLES = [
  String.raw`/${TITLE}${OPEN}'(?:[^'\\\n]|\\.)*'${CLOSE}/gm`,
  String.raw`/${TITLE}${OPEN}"(?:[^"\\\n]|\\.)*"${CLOSE}/gm`,
  String.raw`/${TITLE}${OPEN}\x60(?:[^\x60\\]|\\.)*\x60/gm`,
  String.raw`/${OPEN}\/(?![*/])(?:[^/\\\n]|\\.)+\/[dgimsuvy]*/gm`,
];

export default {
  version: '0.2',
  language: 'en,en-GB',
  allowCompoundWords: false,
  dictionaries: ['typescript', 'node', 'npm', 'html', 'css', 'svelte', 'software-terms', 'fonts'],
  words: frenchWords(),
  flagWords: refusedWords(),
  ignoreWords: listed('scripts/support/technical-words.txt'),
  ignoreRegExpList: [
    // The key of a message: its words stand in `messages/`.
    String.raw`/\bm\.\w+/g`,
    'Urls',
    'Base64',
    '/«[^»]*»/gu',
    refusalCodes(),
    // Props that take a function are one word, as in HTML.
    String.raw`/\bon[a-z]+\b/g`,
  ],
  overrides: [
    { filename: '{server,shared,src,scripts}/**', ignoreRegExpList: SENTENCES },
    { filename: '{test,demo,bench}/**', ignoreRegExpList: SAMPLES },
    // Read by households, who have evenings.
    { filename: '{CHANGELOG.md,docs/running/**,src/lib/aide/**}', ignoreWords: ['evening'] },
    { filename: '**/*.sql', includeRegExpList: ['/--.*/g'] },
    {
      filename: '**/*.md',
      // Code, and the line that leads to the same in French.
      ignoreRegExpList: ['/`[^`]*`/g', '/```[^]*?```/g', '/^_(?:Cette page|En français).*/gm'],
    },
    { filename: '**/*.svelte', languageId: 'svelte,typescript,css,html' },
  ],
  ignorePaths: [
    'messages/**',
    'migrations/001-*',
    'docs/glossary.md',
    // Of sentences and titles that stand elsewhere.
    'docs/promises.md',
    'demo/**/*.txt',
    'test/vectors/**',
    'package-lock.json',
    'LICENSE',
    'cspell.config.mjs',
    'static/**',
    'src/app.html',
    'src/lib/aide/ManualFr.svelte',
    '**/*.fr.md',
    'package.json',
    'src/lib/paraglide/**',
  ],
};
