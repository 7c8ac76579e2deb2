import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { OPTION_NAMES } from '../../scripts/support/command-line.ts';

const french = globSync('{*,deploy/*,docs/**/*}.fr.md');

/** In the archive this page has another name (scripts/support/stage.ts). */
const nameOf = (path: string) => basename(path).replace(/^archive\b/, 'README');
const englishOf = (path: string) => path.replace(/\.fr\.md$/, '.md');
const read = (path: string) => readFileSync(path, 'utf8');

/** French words in a document's commands, with their English equivalents. */
const WORDS = [
  ['--to-read=souhait', '--to-read=wish'],
  ['{"titre":"Quoi","auteurs":"Qui"}', '{"titre":"What","auteurs":"Who"}'],
] as const;

/** A French document with the English names of options. */
const withEnglishOptions = (text: string) =>
  [...OPTION_NAMES.map(({ fr, en }) => [`--${fr}`, `--${en}`] as const), ...WORDS].reduce(
    (replaced, [french, english]) =>
      replaced.replace(new RegExp(`(?<!\\w)${french}(?!\\w)`, 'g'), english),
    text,
  );

/** The structure of a document without its sentences, in order. */
function skeletonOf(text: string) {
  const prose = text.replace(/^ *```.*?^ *```$/gms, '');
  return {
    headings: Array.from(prose.matchAll(/^(#+) /gm), ([, level = '']) => level.length),
    commands: Array.from(text.matchAll(/^ *```(\w*\n.*?)^ *```$/gms), ([, block = '']) =>
      block.replace(/ *#.*$/gm, ''),
    ),
    points: prose.match(/^- /gm)?.length ?? 0,
    pictures: Array.from(
      prose.matchAll(/src="([^"]+)" width="(\d+)"/g),
      ([, source = '', width]) => [source.replace(/\/(?:fr|en)\//, '/'), width],
    ),
  };
}

/** The files that a document links to, without anchors. */
const linksOf = (text: string) =>
  Array.from(text.matchAll(/\]\((?!\w+:|#)([^)\s#]+)/g), ([, target = '']) => target);

/** The code quoted by a document, with repetitions. */
const codeOf = (text: string) =>
  (
    text.replace(/^ *```.*?^ *```$/gms, '').match(/``.+?``|`[^`]+`|https?:\/\/[^\s)>]+/g) ?? []
  ).sort();

test.each(french)('%s has the same structure as the English one', (path) => {
  const [ours, theirs] = [withEnglishOptions(read(path)), read(englishOf(path))];
  expect(skeletonOf(ours)).toEqual(skeletonOf(theirs));
  expect(codeOf(ours)).toEqual(codeOf(theirs));
  const inEnglish = (text: string) => linksOf(text).map(englishOf).sort();
  expect(inEnglish(ours)).toEqual(inEnglish(theirs));
  expect(theirs).toContain(`](${nameOf(path)})`);
  expect(ours).toContain(`](${nameOf(englishOf(path))})`);
});

test.each(french)('%s leads to French documents where there are', (path) => {
  const isFrenchThere = (target: string) => {
    const inFrench = target.replace(/\.md$/, '.fr.md');
    // The archive's page leads to guides from the root, where the archive has it.
    return [dirname(path), '.'].some((folder) => existsSync(join(folder, inFrench)));
  };
  const own = nameOf(englishOf(path));
  const others = linksOf(read(path)).filter((target) => target !== own);
  const english = others.filter((target) => target.endsWith('.md') && !target.endsWith('.fr.md'));
  expect(english.filter(isFrenchThere)).toEqual([]);
});

test.each(['README.md', 'README.fr.md'])(
  'the pictures of %s are there, in its language',
  (path) => {
    const language = path.endsWith('.fr.md') ? 'fr' : 'en';
    const pictures = Array.from(read(path).matchAll(/src="([^"]+)"/g), ([, source = '']) => source);
    expect(pictures.length).toBeGreaterThan(3);
    expect(
      pictures.filter((source) => !existsSync(source) || !source.includes(`/${language}/`)),
    ).toEqual([]);
  },
);

test('every document that a household needs has a French version', () => {
  expect(french.map(englishOf).sort()).toEqual([
    'README.md',
    'SECURITY.md',
    'deploy/archive.md',
    'docs/running.md',
    'docs/running/accounts.md',
    'docs/running/authentik.md',
    'docs/running/backups.md',
    'docs/running/container.md',
    'docs/running/how-far.md',
    'docs/running/passwords.md',
    'docs/running/systemd.md',
    'docs/running/tailscale.md',
    'docs/running/traefik.md',
    'docs/running/yunohost.md',
  ]);
});

test('French documents have the no-break spaces of French typography', () => {
  const wrong =
    /(?<!\u202f)[;!?](?=\s|$)|(?<!\u00a0):(?=\s|$)|«(?!\u00a0)|(?<!\u00a0)»|(?<=\p{L})'/u;
  const lines = french.flatMap((path) =>
    read(path)
      .replace(/^ *```.*?^ *```$|`[^`]*`|^_This page[^\n]*$/gms, '')
      .split('\n')
      .filter((line) => wrong.test(line))
      .map((line) => `${path}: ${line}`),
  );
  expect(lines).toEqual([]);
});

/** The messages of a language without parameters, which a document may quote. */
const labelsOf = (language: string) =>
  new Map(
    Object.entries(JSON.parse(read(`messages/${language}.json`)) as Record<string, unknown>).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );

test('English guides quote the screen’s English texts', () => {
  const [inFrench, inEnglish] = [labelsOf('fr'), labelsOf('en')];
  const french = new Set([...inFrench.values()].filter((label) => label.length > 1));
  const english = new Set(inEnglish.values());
  const guides = globSync(['README.md', 'SECURITY.md', 'docs/running.md', 'docs/running/*.md'], {
    exclude: ['**/*.fr.md'],
  });
  expect(guides.length).toBeGreaterThan(10);
  const named = guides.flatMap((path) =>
    Array.from(read(path).matchAll(/[«“]\s?([^»”]*?)\s?[»”]/g), ([, name = '']) => ({
      path,
      name,
    })),
  );
  expect(named.filter(({ name }) => english.has(name)).length).toBeGreaterThan(20);
  expect(named.filter(({ name }) => french.has(name) && !english.has(name))).toEqual([]);
});
