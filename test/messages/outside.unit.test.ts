import { globSync, readFileSync } from 'node:fs';
import { parse } from 'svelte/compiler';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Files that may contain words of a language, each with its reason. */
const BY_RIGHT = [
  // Generated from the messages; and the component gallery, which no household sees.
  'src/lib/paraglide/**',
  'src/atelier/**',
  // The manual, which has its own file per language.
  'src/lib/aide/Manual*.svelte',
  // Typed words and parts of titles, in several languages at once.
  'src/lib/format/{dates,french,partial-date,reading-date,typed-date}.ts',
  'src/lib/couvertures/jacket/typesetting.ts',
  'src/lib/details/look.ts',
];

/** Matches French text: an accented word, its spaces and quotation marks, or two of its short words. */
const FRENCH =
  /[àâçéèêëîïôûùœ«»]|\u00a0:|\u202f|(?<!\p{L})(?:l|d|n|s|qu)’|(?<!\p{L})(?:le|la|les|des|du|une|est|pas|dans|pour|avec|sur|vous)(?!\p{L}).* (?:le|la|les|des|du|de|une|est|pas|dans|pour|avec|sur|vous)(?!\p{L})/iu;

/** Attributes that are shown or announced. */
const SAID = new Set(['alt', 'aria-description', 'aria-label', 'label', 'placeholder', 'title']);

/** Symbols and names that are the same in each language. */
const WORD = /\p{L}{2,}/u;

interface Node {
  readonly type?: string;
  readonly name?: string;
  readonly data?: string;
  readonly value?: unknown;
}

const isNode = (value: unknown): value is Node & Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The texts of a component's markup and of its attributes, and its French literals. */
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

test('no sentence of the screen is outside the messages', () => {
  const files = globSync('src/**/*.{ts,svelte}', { exclude: BY_RIGHT });
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((path) =>
    saidBy(path, readFileSync(path, 'utf8')).map((text) => `${path}: ${text.trim()}`),
  );
  expect(found).toEqual([]);
});

/** Files of the commands and the service whose literals are no messages, each with its reason. */
const NO_SENTENCE_OF_THE_SERVICE = [
  // For developers: in English, with the quotation marks of our documents.
  'scripts/{breakages,browsers,proxies,screenshots}.ts',
  'scripts/{breakages,browsers,proxies,mutants}/**',
  'scripts/support/{audit-outcome,promises}.ts',
  // Texts of catalogues and other programs, in their language.
  'server/plumbing/upstream/**',
  'server/subjects/importations/**',
  // The API's description, whose names are French.
  'server/plumbing/sync/events.ts',
  'server/subjects/installation/documentation.ts',
  // Queries, and names of details that are the same in every household.
  'server/subjects/{auteurs/auteurs,livres/read,livres/texts}.ts',
];

test('no sentence of the commands is outside the messages', () => {
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
