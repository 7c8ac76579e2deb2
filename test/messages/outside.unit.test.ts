import { globSync, readFileSync } from 'node:fs';
import { parse } from 'svelte/compiler';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Where words of a language stand by right, each with its reason. */
const BY_RIGHT = [
  // Generated of the messages, and the rooms of the atelier, which no household sees.
  'src/lib/paraglide/**',
  'src/atelier/**',
  // The manual, a file a language.
  'src/lib/aide/Manual*.svelte',
  // What people type and what titles are made of, in several languages at once.
  'src/lib/format/{dates,french,partial-date,reading-date,typed-date}.ts',
  'src/lib/couvertures/jacket/typesetting.ts',
  'src/lib/details/look.ts',
];

/** What only a French sentence has: an accented word, its spaces and quotation marks, or two of its small words. */
const FRENCH =
  /[àâçéèêëîïôûùœ«»]|\u00a0:|\u202f|(?<!\p{L})(?:l|d|n|s|qu)’|(?<!\p{L})(?:le|la|les|des|du|une|est|pas|dans|pour|avec|sur|vous)(?!\p{L}).* (?:le|la|les|des|du|de|une|est|pas|dans|pour|avec|sur|vous)(?!\p{L})/iu;

/** The attributes that are said. */
const SAID = new Set(['alt', 'aria-description', 'aria-label', 'label', 'placeholder', 'title']);

/** Signs and names that are the same in each language. */
const WORD = /\p{L}{2,}/u;

interface Node {
  readonly type?: string;
  readonly name?: string;
  readonly data?: string;
  readonly value?: unknown;
}

const isNode = (value: unknown): value is Node & Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** What a component says by itself: the texts of its markup and of attributes that are said, and French literals. */
function saidByMarkup(code: string): string[] {
  const said: string[] = [];
  const visit = (node: unknown, isSaid: boolean) => {
    if (Array.isArray(node)) {
      for (const each of node) visit(each, isSaid);
      return;
    }
    if (!isNode(node)) return;
    const { type, data, value } = node;
    if (type === 'Comment') return;
    if (type === 'Text' && isSaid && WORD.test(data ?? '')) said.push(data ?? '');
    if (type === 'Literal' && typeof value === 'string' && FRENCH.test(value)) said.push(value);
    if (type === 'TemplateElement' && isNode(value) && FRENCH.test(String(value['cooked'])))
      said.push(String(value['cooked']));
    const isAttribute = type === 'Attribute' || type === 'StyleDirective';
    for (const [key, part] of Object.entries(node)) {
      if (key === 'css' || key === 'parent') continue;
      visit(part, isAttribute ? SAID.has(node.name ?? '') : isSaid);
    }
  };
  const { fragment, instance, module } = parse(code, { modern: true });
  visit([fragment, instance, module], true);
  return said;
}

function saidByCode(path: string, code: string): string[] {
  const said: string[] = [];
  const visit = (node: ts.Node) => {
    const isText =
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && FRENCH.test(node.text)) said.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, code, ts.ScriptTarget.Latest));
  return said;
}

const saidBy = (path: string, code: string) =>
  path.endsWith('.svelte') ? saidByMarkup(code) : saidByCode(path, code);

test('no sentence of the screen stands outside the messages', () => {
  const files = globSync('src/**/*.{ts,svelte}', { exclude: BY_RIGHT });
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((path) =>
    saidBy(path, readFileSync(path, 'utf8')).map((text) => `${path}: ${text.trim()}`),
  );
  expect(found).toEqual([]);
});

/** Where a literal of the commands and of the service is no sentence of theirs, each with its reason. */
const NO_SENTENCE_OF_THE_SERVICE = [
  // For those who work on the program: in English, with the quotation marks of its documents.
  'scripts/{breakages,browsers,proxies,screenshots}.ts',
  'scripts/{breakages,browsers,proxies,mutants}/**',
  'scripts/support/{audit-outcome,promises}.ts',
  // What was kept before sentences were made where they are read.
  'server/plumbing/database/reasons-before.ts',
  'server/plumbing/database/sentences-before.ts',
  // What catalogues and other programs write, in their own language.
  'server/plumbing/upstream/**',
  'server/subjects/importations/**',
  // The description of the API, whose names are French.
  'server/plumbing/sync/events.ts',
  'server/subjects/installation/documentation.ts',
  // Queries, and what the details of books are called in every house.
  'server/subjects/{auteurs/auteurs,livres/read,livres/texts}.ts',
];

test('no sentence of the commands stands outside the messages', () => {
  const files = globSync(['scripts/**/*.{ts,mjs}', 'server/**/*.ts'], {
    exclude: NO_SENTENCE_OF_THE_SERVICE,
  });
  expect(files.length).toBeGreaterThan(150);
  const found = files.flatMap((path) =>
    saidByCode(path, readFileSync(path, 'utf8')).map((text) => `${path}: ${text.trim()}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['a.svelte', '<p>Tout va bien</p>'],
  ['a.svelte', '<button aria-label="Fermer">×</button>'],
  ['a.svelte', '<p title={isOpen ? `Prêté à ${nom}` : undefined}>·</p>'],
  ['a.svelte', '<script>const text = "Rien n’est prêté";</script>'],
  ['a.ts', 'throw new Error("Le service ne répond pas");'],
  ['a.ts', 'const line = `${nom}\u00a0: ${valeur}`;'],
])('a sentence in %s is found: %s', (path, code) => {
  expect(saidBy(path, code)).toHaveLength(1);
});

test.each([
  ['a.svelte', '<p class="le la">{m.close()} · <b>×</b></p><!-- Tout va bien -->'],
  ['a.ts', "import { m } from './le-la.ts'; // Rien n’est prêté\nconst key = 'une';"],
])('a text that is no sentence in %s is not reported: %s', (path, code) => {
  expect(saidBy(path, code)).toEqual([]);
});
