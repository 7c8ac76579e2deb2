import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(path, 'utf8');
const documents = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')];
/** Removes a word's accents, as identifiers do. */
const plain = (word: string) => word.replaceAll('œ', 'oe').normalize('NFD').replace(/\p{M}/gu, '');

const sources = globSync('{bench,demo,scripts,server,shared,src,test}/**/*.{ts,mjs,svelte,sql}', {
  exclude: ['src/lib/paraglide/**'],
});

/** The comments of a source. */
const COMMENTS = /\/\*[^]*?\*\/|(?<![:'"`\w])\/\/.*|<!--[^]*?-->|^\s*--.*/gm;

/** A path from the root or its end, as `noms.ts`. Other notations are a household's files, or packages. */
const PATHS =
  /(?<![\w/.@+#$-])(?:(?:bench|demo|docs|scripts|server|shared|src|test)\/(?:[\w./()+-]|\[\w+\])*(?:[\w)]|\[\w+\])|(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|svelte|sql|css)\b)/g;

test('the paths that documents and comments name are there', () => {
  const files = globSync(
    '{*,{bench,demo,deploy,docs,migrations,scripts,server,shared,src,test}/**/*}',
  );
  // A test may be cited by the beginning of its path.
  const isThere = (path: string) =>
    files.some((file) => file.startsWith(path) || `/${file}`.endsWith(`/${path}`));
  const saidIn = (path: string) =>
    path.endsWith('.md') ? read(path) : (read(path).match(COMMENTS) ?? []).join('\n');
  const named = [...documents, ...sources, ...globSync('*.{ts,js,mjs}')].flatMap((path) =>
    // A closing bracket after the path belongs to the sentence.
    (saidIn(path).match(PATHS) ?? []).map((to) => ({
      path,
      to: to.includes('(') ? to : to.replace(/\)+$/, ''),
    })),
  );
  expect(named.filter(({ path }) => !path.endsWith('.md')).length).toBeGreaterThan(100);
  const isLater = (path: string) => path === 'src/lib/paraglide' || path.includes('/NNN-');
  const lost = named.filter(({ to }) => !isLater(to) && !isThere(to));
  expect(lost.map(({ path, to }) => `${path}: ${to}`)).toEqual([]);
});

/** The rows of the benchmark's tables, as « title: name » and value. */
function measuredRows(): Map<string, string> {
  const [, , written = ''] =
    /(<!-- figures:.*)([^]*)(?=<!-- end of figures)/.exec(read('docs/performance.md')) ?? [];
  return new Map(
    written.split(/^### /m).flatMap((section) => {
      const [title = ''] = section.split('\n');
      return Array.from(
        section.matchAll(/^\| (?:\*\*✗\*\* )?(\S.*?) *\| (-?[\d.]+) /gm),
        ([, what = '', figure = '']): [string, string] => [`${title}: ${what}`, figure],
      );
    }),
  );
}

test('the figures in performance.md are those of bench/figures.json', () => {
  const { figures } = JSON.parse(read('bench/figures.json')) as {
    figures: Record<string, { value: number }>;
  };
  const measured = Object.entries(figures).map(([name, { value }]) => [
    name.slice(name.indexOf(': ') + 2),
    value,
  ]);
  const rows = measuredRows();
  expect([...rows.keys()].sort()).toEqual(measured.map(([name]) => name).sort());
  const others = measured.filter(([name, value]) => {
    const shown = rows.get(String(name)) ?? '';
    const digits = shown.split('.')[1]?.length ?? 0;
    // Either value is rounded, the documented one to three digits.
    return Math.abs(Number(shown) - Number(value)) > 0.51 / 10 ** digits + Number(value) / 200;
  });
  expect(others).toEqual([]);
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
  const glossary = [
    ...read('docs/glossary.md').matchAll(/^\| (?!word |---)([^|]+)\|[^|]+\|[^|]+\|$/gm),
  ]
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

test('each folder of tests is a subject’s or has its place in the architecture', () => {
  const [, list = ''] =
    /^ {4}test\/([^]*?)^ {4}scripts\//m.exec(read('docs/architecture.md')) ?? [];
  const listed = new Set(list.match(/[a-z\d-]+(?=\/)/g));
  const folders = globSync('test/*/', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const subjects = new Set(
    globSync('{shared/*.ts,server/subjects/*}').map((path) => basename(path, '.ts')),
  );
  expect(folders.filter((name) => !listed.has(name) && !subjects.has(name))).toEqual([]);
  expect([...listed].filter((name) => !folders.includes(name))).toEqual([]);
});
