import { readFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * docs/promises.md lists each sentence of the documents that say what Rayonnage does, with the tests that prove it.
 * Sentences are extracted from the documents; tests are named by hand.
 */
export const PAGE = 'docs/promises.md';

/** One language is enough: a test compares both paragraph by paragraph. */
const MANUAL = 'src/lib/aide/ManualFr.svelte';
export const DOCUMENTS = ['docs/api.md', 'docs/rules.md', MANUAL];

/** Replaces the tests of a sentence that asks something of a person and promises nothing about the program. */
export const ADVICE = 'advice';

export interface Section {
  readonly document: string;
  readonly heading: string;
  readonly sentences: readonly string[];
  /** Files and folders that contain its rules. */
  readonly code: readonly string[];
}

/** A test by its file and its title as written, or `ADVICE`. */
export type Proof = string;

/** The file and the title of a test; both empty for `ADVICE`. */
export function partsOfProof(proof: Proof): { readonly file: string; readonly title: string } {
  const [, file = '', title = ''] = /^`([^`]+)` « (.*) »$/.exec(proof) ?? [];
  return { file, title };
}

export const nameOfTest = (file: string, title: string): Proof =>
  `\`${file}\` « ${oneLine(title)} »`;

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

export function readSections(document: string): Section[] {
  const text = readFileSync(document, 'utf8');
  return document.endsWith('.svelte')
    ? sectionsOfManual(document, text)
    : sectionsOfMarkdown(document, text);
}

/** Headings, code, and the lines that name code and tests are no sentences; each row of a table is one. */
export function sectionsOfMarkdown(document: string, text: string): Section[] {
  const [before = '', ...parts] = text.replace(/^```.*?^```$/gms, '').split(/^## /m);
  const introduction = ['Introduction', before.replace(/^# .*$/m, '')];
  return [introduction, ...parts.map((part) => part.split(/\n([^]*)/))].map(
    ([heading = '', body = '']) => ({
      document,
      heading,
      code: codeOf(body),
      sentences: body
        .replace(/^Code: (?:.+\n?)+/gm, '')
        .split(/\n(?=\s*\n|[|-] )/)
        .flatMap((paragraph) =>
          paragraph.trimStart().startsWith('|') ? rowOf(paragraph) : sentencesOf(paragraph),
        ),
    }),
  );
}

/** The paths in the line « Code: » before the tests. */
function codeOf(body: string): string[] {
  const [, named = ''] = /^Code: ((?:.+\n?)+)/m.exec(body) ?? [];
  const [code = ''] = named.split('Test:');
  return [...code.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
}

function rowOf(line: string): string[] {
  const cells = line.split('|').map(oneLine).slice(1, -1);
  return /^-+$/.test(cells[0] ?? '-') || cells[0] === 'Program' ? [] : [cells.join(' | ')];
}

/** Each paragraph and each list item of a page, without markup. */
export function sectionsOfManual(document: string, text: string): Section[] {
  return [...text.matchAll(/\{#snippet (\w+)\(\)\}([^]*?)\{\/snippet\}/g)].map(
    ([, heading = '', body = '']) => ({
      document,
      heading,
      code: [],
      sentences: [...body.matchAll(/<(p|li)>([^]*?)<\/\1>/g)].flatMap(([, , paragraph = '']) =>
        sentencesOf(paragraph),
      ),
    }),
  );
}

/** Splits after full stops, but not inside brackets, « » or code. */
export function sentencesOf(paragraph: string): string[] {
  const text = oneLine(paragraph.replace(/^- /, ''));
  const sentences: string[] = [];
  let depth = 0;
  let isCode = false;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const sign = text.charAt(i);
    if (sign === '`') isCode = !isCode;
    if (isCode) continue;
    if ('(«'.includes(sign)) depth++;
    if (')»'.includes(sign)) depth--;
    if (depth === 0 && /^[.?!]["’]? +["«`\p{Lu}\d]/u.test(text.slice(i))) {
      sentences.push(text.slice(start, i + 1));
      start = i + 1;
    }
  }
  return [...sentences, text.slice(start)].map(oneLine).filter((sentence) => sentence !== '');
}

/** The tests named below each sentence of the page. */
export function readProofs(page: string): Map<string, Proof[]> {
  const proofs = new Map<string, Proof[]>();
  let current: Proof[] = [];
  for (const line of page.split('\n')) {
    const [, sentence] = /^- (.*)$/.exec(line) ?? [];
    const [, proof] = /^ {2}- (.*)$/.exec(line) ?? [];
    if (sentence !== undefined) proofs.set(sentence, (current = proofs.get(sentence) ?? []));
    // A sentence that is twice in the documents has its tests once.
    if (proof !== undefined && !current.includes(proof)) current.push(proof);
  }
  return proofs;
}

/** The page with the documents' current sentences. */
export function writePage(sections: readonly Section[], proofs: ReadonlyMap<string, Proof[]>) {
  const lines = [
    '# What proves each sentence',
    '',
    'Each sentence of the documents that say what Rayonnage does, with the tests that prove it, by file and title.',
    '`npm run prove -- promises` tells a sentence without a test and a test that is not there; with `--update` it writes the',
    'sentences anew, and whoever has changed one names its tests below it, once they were opened and prove all of it.',
    '« advice » stands below what asks something of a person alone.',
  ];
  for (const document of DOCUMENTS) {
    const its = sections.filter((section) => section.document === document);
    lines.push('', `# \`${document}\``);
    for (const section of its) {
      if (section.sentences.length === 0) continue;
      lines.push('', `## ${section.heading}`, '');
      for (const sentence of section.sentences) {
        lines.push(`- ${sentence}`);
        for (const proof of proofs.get(sentence) ?? []) lines.push(`  - ${proof}`);
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Reports, line by line, sentences without a test, sentences of no document, and missing tests. */
export function findFaults(
  sections: readonly Section[],
  proofs: ReadonlyMap<string, Proof[]>,
  titles: (file: string) => ReadonlySet<string>,
): string[] {
  const sentences = sections.flatMap((section) =>
    section.sentences.map((sentence) => ({ section, sentence })),
  );
  const known = new Set(sentences.map(({ sentence }) => sentence));
  const isThere = (proof: Proof) => {
    const { file, title } = partsOfProof(proof);
    return proof === ADVICE || titles(file).has(title);
  };
  return [
    ...sentences
      .filter(({ sentence }) => (proofs.get(sentence) ?? []).length === 0)
      .map(
        ({ section, sentence }) => `no test: ${section.document}, ${section.heading}: ${sentence}`,
      ),
    ...[...proofs.keys()]
      .filter((sentence) => !known.has(sentence))
      .map((sentence) => `no such sentence: ${sentence}`),
    ...[...proofs.values()]
      .flat()
      .filter((proof) => !isThere(proof))
      .map((proof) => `no such test: ${proof}`),
  ];
}

const parsed = new Map<string, ReadonlySet<string>>();

/** The titles of a file's tests as written, without skipped ones (`skip`, `todo`). */
export function titlesIn(file: string): ReadonlySet<string> {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const titles = titlesOf(readIfThere(file));
  parsed.set(file, titles);
  return titles;
}

export function titlesOf(code: string): ReadonlySet<string> {
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.add(oneLine(title.text));
      else if (title !== undefined && ts.isTemplateExpression(title))
        titles.add(oneLine(title.getText().slice(1, -1)));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('test.ts', code, ts.ScriptTarget.Latest, true));
  return titles;
}

/** Matches `test(…)`, `test.for(…)(…)`, `test.skipIf(…)(…)` and similar. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return ['test', 'it'].includes(callee.text);
  if (ts.isCallExpression(callee)) return isTest(callee.expression);
  if (ts.isPropertyAccessExpression(callee))
    return !['skip', 'todo'].includes(callee.name.text) && isTest(callee.expression);
  return false;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
