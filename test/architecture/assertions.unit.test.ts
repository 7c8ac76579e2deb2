import ts from 'typescript';
import { expect, test } from 'vitest';
import { readSources } from './modules.ts';

/** Weak assertions: « does not throw » says nothing about the outcome, and any promise is truthy. */
const BARE = /\.not\s*\.toThrow\(\)|\.(?:toBeTruthy|toBeFalsy)\(\)/g;

/** Among many generated cases, some have elements to loop over. */
const DRAWN = /from 'fast-check'|@module-tag random/;

const KEEPS_COUNT = /^(?:entries|map|keys|values|toSorted|toReversed|concat|reverse|sort|split)$/;
const OF_OBJECT = /^Object\.(?:keys|values|entries)$/;

/** The expression inside `as`, `satisfies`, `await` or parentheses. */
function inner(node: ts.Expression): ts.Expression {
  return ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isParenthesizedExpression(node)
    ? inner(node.expression)
    : node;
}

function some(root: ts.Node, is: (node: ts.Node) => boolean): boolean {
  return is(root) || (ts.forEachChild(root, (child) => some(child, is) || undefined) ?? false);
}

const callsExpect = (root: ts.Node): boolean =>
  some(root, (node) => ts.isCallExpression(node) && node.expression.getText() === 'expect');

/** The initializer of the last declaration of a name before a position. */
function declared(file: ts.SourceFile, name: string, before: number): ts.Expression | undefined {
  let found: ts.Expression | undefined;
  some(file, (node) => {
    if (node.pos < before && ts.isVariableDeclaration(node) && node.name.getText() === name)
      found = node.initializer;
    return false;
  });
  return found;
}

/**
 * Whether a list cannot be empty, as far as the source tells: a literal, a mapping of one, or a constant of another
 * file.
 */
function isFilled(node: ts.Expression, file: ts.SourceFile): boolean {
  const list = inner(node);
  if (ts.isArrayLiteralExpression(list))
    return list.elements.some((one) => !ts.isSpreadElement(one) || isFilled(one.expression, file));
  if (ts.isObjectLiteralExpression(list)) return list.properties.length > 0;
  if (ts.isStringLiteral(list)) return list.text !== '';
  if (ts.isConditionalExpression(list))
    return isFilled(list.whenTrue, file) && isFilled(list.whenFalse, file);
  if (ts.isIdentifier(list)) {
    const value = declared(file, list.text, list.pos);
    return value === undefined ? isImported(list.text, file) : isFilled(value, file);
  }
  if (ts.isNewExpression(list))
    return list.arguments?.[0] !== undefined && isFilled(list.arguments[0], file);
  return ts.isCallExpression(list) && isFilledByCall(list, file);
}

function isFilledByCall(
  { expression, arguments: [first] }: ts.CallExpression,
  file: ts.SourceFile,
) {
  const called = expression.getText();
  if (called === 'atLeastOne' || called === 'Array') return true;
  if (first !== undefined && (OF_OBJECT.test(called) || called === 'Array.from'))
    return isFilled(first, file);
  return (
    ts.isPropertyAccessExpression(expression) &&
    KEEPS_COUNT.test(expression.name.text) &&
    isFilled(expression.expression, file)
  );
}

const isImported = (name: string, file: ts.SourceFile): boolean =>
  file.statements.some(
    (statement) =>
      ts.isImportDeclaration(statement) &&
      new RegExp(`\\b${name}\\b`).test(statement.importClause?.getText() ?? ''),
  );

/** Loops with assertions over a list that may be empty, unless the function also asserts on the list. */
function emptyLoops(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const look = (node: ts.Node, around: ts.Node): void => {
    const [list, body] = ts.isForOfStatement(node)
      ? [node.expression, node.statement]
      : ts.isCallExpression(node) &&
          ts.isPropertyAccessExpression(node.expression) &&
          node.expression.name.text === 'forEach'
        ? [node.expression.expression, node.arguments[0]]
        : [];
    if (list && body && callsExpect(body) && !isFilled(list, file)) {
      const [name = ''] = /^\w*/.exec(inner(list).getText()) ?? [];
      const rest = around.getText().replace(body.getText(), '');
      if (!new RegExp(`expect\\([^;]*\\b${name}\\b`).test(rest))
        found.push(`${path}: ${list.getText().replace(/\s+/g, ' ')}`);
    }
    const next = ts.isFunctionLike(node) ? node : around;
    ts.forEachChild(node, (child) => {
      look(child, next);
    });
  };
  look(file, file);
  return found;
}

const tests = [...readSources('test')].filter(
  ([path]) => path.endsWith('.ts') && !path.startsWith('test/architecture/'),
);

test('no assertion holds for every outcome', () => {
  const bare = tests.flatMap(([path, source]) =>
    (source.match(BARE) ?? []).map((one) => `${path}: ${one}`),
  );
  expect(bare).toEqual([]);
});

test('no assertion is in a loop that may be empty', () => {
  const looping = tests.filter(
    ([, source]) => /\bfor \(|\.forEach\(/.test(source) && !DRAWN.test(source),
  );
  expect(looping.flatMap(([path, source]) => emptyLoops(path, source))).toEqual([]);
});

test.each([
  ['for (const row of await rows()) expect(row).toBe(1);', 1],
  ['const all = []; for (const row of all) expect(row).toBe(1);', 1],
  ['(await rows()).forEach((row) => { expect(row).toBe(1); });', 1],
  ['for (const row of atLeastOne(await rows())) expect(row).toBe(1);', 0],
  ['const ROWS = [1, 2] as const; for (const row of ROWS) expect(row).toBe(1);', 0],
  ['for (const [key] of Object.entries({ a: 1 })) expect(key).toBe("a");', 0],
  ['const all = await rows(); expect(all).toHaveLength(2); for (const row of all) expect(row);', 0],
  ['for (const row of await rows()) await send(row);', 0],
])('a loop that may be empty is seen: %s', (source, count) => {
  expect(emptyLoops('a.ts', source)).toHaveLength(count);
});

test.each(['expect(run).not.toThrow();', 'expect(send()).toBeTruthy();'])(
  'a weak assertion is found: %s',
  (source) => {
    expect(source.match(BARE)).toHaveLength(1);
  },
);
