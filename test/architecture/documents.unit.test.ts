import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(path, 'utf8');
const documents = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')];
/** A word without its accents, as identifiers have it. */
const plain = (word: string) => word.replaceAll('œ', 'oe').normalize('NFD').replace(/\p{M}/gu, '');

const sources = globSync('{bench,demo,scripts,server,shared,src,test}/**/*.{ts,mjs,svelte,sql}', {
  exclude: ['src/lib/paraglide/**'],
});

test('the paths that documents name are there', () => {
  const named = documents.flatMap((document) =>
    [
      ...read(document).matchAll(
        /`((?:bench|demo|docs|scripts|server|shared|src|test)\/[\w./()+[\]-]+)`/g,
      ),
    ]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(path))
      .map((path) => `${document}: ${path}`),
  );
  expect(named).toEqual([]);
});

test('the links between documents lead somewhere', () => {
  const broken = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!\w+:|#)([^)\s#]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(dirname(document), target)))
      .map((target) => `${document}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('each numbered rule names existing code and an existing test', () => {
  const sections = read('docs/rules.md').split(/^## /m).slice(1);
  expect(sections.map((section) => Number.parseInt(section, 10))).toEqual(
    sections.map((_, i) => i + 1),
  );
  const named = (text: string | undefined, folders: RegExp) =>
    [...(text ?? '').matchAll(/`([^`]+)`/g)].filter(
      ([, path = '']) => folders.test(path) && existsSync(path),
    );
  const lacking = sections.filter((section) => {
    const [, code, test] = /^Code: ([^]*?)Test:([^]*)$/m.exec(section) ?? [];
    const [codePaths, testPaths] = [named(code, /^(?:server|shared|src)/), named(test, /^test/)];
    return codePaths.length === 0 || testPaths.length === 0;
  });
  expect(lacking.map((section) => section.split('\n')[0])).toEqual([]);
});

test('the rules that sources cite exist', () => {
  const count = read('docs/rules.md').match(/^## \d+/gm)?.length ?? 0;
  const cited = sources.flatMap((path) =>
    [...read(path).matchAll(/docs\/rules\.md[`\s*]*§§?\s*(\d+)/g)].map(([, number]) => ({
      path,
      number: Number(number),
    })),
  );
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter(({ number }) => number < 1 || number > count)).toEqual([]);
});

test('each French word is listed once, and something uses it', () => {
  const glossary = [...read('docs/glossary.md').matchAll(/^\| (?!word |---)([^|]+)/gm)]
    .flatMap(([, words = '']) => words.match(/\p{L}{3,}/gu) ?? [])
    .map(plain);
  const forms = read('scripts/support/french-words.txt').match(/^\p{L}+$/gmu) ?? [];
  const words = [...new Set(glossary), ...forms.map(plain)];
  expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([]);
  const places = [...sources, ...documents.filter((path) => path !== 'docs/glossary.md')];
  const found = new Set(places.flatMap((path) => `${path} ${read(path)}`.match(/\p{L}+/gu) ?? []));
  const used = new Set(
    [...found]
      .flatMap((word) => word.split(/(?=\p{Lu}\p{Ll})/u))
      .map((word) => plain(word).toLowerCase()),
  );
  expect(words.filter((word) => !used.has(word))).toEqual([]);
});

test('decision notes are numbered without holes', () => {
  const numbers = globSync('docs/decisions/*.md').map((path) =>
    Number(/\/(\d{4})-/.exec(path)?.[1]),
  );
  expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, i) => i + 1));
});

test('no document outside the repository is cited', () => {
  const outside = /\b(?:contract|design|stack|formats|ui|specification)\.md\b|\bspecification «/;
  const all = [...documents, ...sources].filter((path) => !path.startsWith('test/architecture/'));
  expect(all.filter((path) => outside.test(read(path)))).toEqual([]);
});
