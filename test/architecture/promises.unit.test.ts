import { expect, test } from 'vitest';
import {
  ADVICE,
  findFaults,
  nameOfTest,
  readProofs,
  sectionsOfManual,
  sectionsOfMarkdown,
  sentencesOf,
  titlesOf,
  writePage,
} from '../../scripts/support/promises.ts';

const RULES = `# Rules

Each is kept.

## 1. Loans

A book has one loan (as long as it is out. Always); closed ones stay. An ebook is
not lent: « Non. Jamais. » is said. See \`a. B\`.

- A loan begins now.

| Program | What comes |
| ------- | ---------- |
| Calibre | series     |

\`\`\`sh
A command.
\`\`\`

Code: \`server/a.ts\`. Test:
\`test/a.test.ts\`.
`;

test('the sentences of a document are those of its paragraphs, lists and tables', () => {
  expect(sectionsOfMarkdown('rules.md', RULES)).toEqual([
    { document: 'rules.md', heading: 'Introduction', code: [], sentences: ['Each is kept.'] },
    {
      document: 'rules.md',
      heading: '1. Loans',
      code: ['server/a.ts'],
      sentences: [
        'A book has one loan (as long as it is out. Always); closed ones stay.',
        'An ebook is not lent: « Non. Jamais. » is said.',
        'See `a. B`.',
        'A loan begins now.',
        'Calibre | series',
      ],
    },
  ]);
});

test('the sentences of the manual are those of its paragraphs and lists', () => {
  const page =
    '{#snippet lire()}\n<p>Un. Deux\n  trois.</p><h2>Non</h2><ol><li>Q ?</li></ol>{/snippet}';
  expect(sectionsOfManual('page.svelte', page)).toEqual([
    {
      document: 'page.svelte',
      heading: 'lire',
      code: [],
      sentences: ['Un.', 'Deux trois.', 'Q ?'],
    },
  ]);
});

test('the titles of tests are those that are run, as they are written', () => {
  const [skip, todo] = ['skip', 'todo'];
  const code = `
    test('one', f); test.for([1])('two %i', f); test.skipIf(no)("three", f); test(\`four \${x}\`, f);
    test.${skip}('not', f); test.${todo}('nor'); describe('neither', () => { it('five\\n  lines', f); });`;
  expect([...titlesOf(code)]).toEqual(['one', 'two %i', 'three', 'four ${x}', 'five lines']);
});

test('a sentence without a test, and a missing test, are reported', () => {
  const [section] = sectionsOfMarkdown('rules.md', 'One. Two. Three. Four. Five.');
  const page = [
    '- One.',
    `  - ${nameOfTest('a.test.ts', 'is')}`,
    '- Two.',
    `  - ${ADVICE}`,
    '- Three.',
    '- Four.',
    `  - ${nameOfTest('a.test.ts', 'is no longer')}`,
    '- Gone.',
    `  - ${nameOfTest('a.test.ts', 'is')}`,
  ].join('\n');
  const titles = (file: string) => new Set(file === 'a.test.ts' ? ['is'] : []);
  expect(section && findFaults([section], readProofs(page), titles)).toEqual([
    'no test: rules.md, Introduction: Three.',
    'no test: rules.md, Introduction: Five.',
    'no such sentence: Gone.',
    'no such test: `a.test.ts` « is no longer »',
  ]);
});

test('an updated page keeps the tests of its sentences, and drops removed sentences', () => {
  const sections = sectionsOfMarkdown('docs/api.md', 'Old. New.');
  const proofs = new Map([
    ['Old.', ['`a.test.ts` « is »']],
    ['Gone.', ['`a.test.ts` « was »']],
  ]);
  expect(readProofs(writePage(sections, proofs))).toEqual(
    new Map([
      ['Old.', ['`a.test.ts` « is »']],
      ['New.', []],
    ]),
  );
});

test('a sentence ends after a full stop, a question mark or an exclamation mark', () => {
  expect(sentencesOf('Is it? Yes! « T. IV » is four. 2,000 are many.')).toEqual([
    'Is it?',
    'Yes!',
    '« T. IV » is four.',
    '2,000 are many.',
  ]);
});
