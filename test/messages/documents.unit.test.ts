import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const french = globSync('{*,docs/**/*}.fr.md');
const englishOf = (path: string) => path.replace(/\.fr\.md$/, '.md');
const read = (path: string) => readFileSync(path, 'utf8');

/** What a document has outside its sentences, in order. */
function skeletonOf(text: string) {
  const prose = text.replace(/^```.*?^```$/gms, '');
  return {
    headings: Array.from(prose.matchAll(/^(#+) /gm), ([, level = '']) => level.length),
    commands: Array.from(text.matchAll(/^```(\w*\n.*?)^```$/gms), ([, block = '']) =>
      block.replace(/ *#.*$/gm, ''),
    ),
    points: prose.match(/^- /gm)?.length ?? 0,
    pictures: Array.from(
      prose.matchAll(/src="([^"]+)" width="(\d+)"/g),
      ([, ...picture]) => picture,
    ),
  };
}

/** What it names as the machine writes it, each as often as it does. */
const codeOf = (text: string) =>
  (text.replace(/^```.*?^```$/gms, '').match(/`[^`]+`|https?:\/\/[^\s)>]+/g) ?? []).sort();

test.each(french)('%s says the same as the English one', (path) => {
  const [ours, theirs] = [read(path), read(englishOf(path))];
  expect(skeletonOf(ours)).toEqual(skeletonOf(theirs));
  expect(codeOf(ours)).toEqual(codeOf(theirs));
  const name = path.split('/').at(-1) ?? '';
  expect(theirs).toContain(`](${name})`);
  expect(ours).toContain(`](${englishOf(name)})`);
});

test('the French documents are those that a household needs', () => {
  expect(french.map(englishOf).sort()).toEqual([
    'README.md',
    'SECURITY.md',
    'docs/running/container.md',
    'docs/running/yunohost.md',
  ]);
});

test('French documents have the no-break spaces of French typography', () => {
  const wrong =
    /(?<!\u202f)[;!?](?=\s|$)|(?<!\u00a0):(?=\s|$)|«(?!\u00a0)|(?<!\u00a0)»|(?<=\p{L})'/u;
  const lines = french.flatMap((path) =>
    read(path)
      .replace(/^```.*?^```$|`[^`]*`|^_This page.*$/gms, '')
      .split('\n')
      .filter((line) => wrong.test(line))
      .map((line) => `${path}: ${line}`),
  );
  expect(lines).toEqual([]);
});
