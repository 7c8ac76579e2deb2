import ts from 'typescript';

/** Methods that scan a list until they find an element. */
const SEARCHES = new Set([
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'includes',
  'indexOf',
  'lastIndexOf',
  'some',
]);

/** Methods that call a function for each element. */
const VISITS = new Set([
  'every',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'flatMap',
  'forEach',
  'groupBy',
  'map',
  'reduce',
  'reduceRight',
  'some',
  'sort',
  'toSorted',
]);

/**
 * Lists that are scanned for each element of another list, which is quadratic: « file: list.includes ». Only scans
 * and loops in the same function are found.
 */
export function searchedLists(program: ts.Program, isOwn: (path: string) => boolean): string[] {
  const checker = program.getTypeChecker();
  const root = `${ts.sys.getCurrentDirectory()}/`;
  return program.getSourceFiles().flatMap((source) => {
    const path = source.fileName.replace(root, '');
    if (!isOwn(path)) return [];
    return searches(source)
      .filter((search) => isForEach(search, checker))
      .map(({ expression }) => `${path}: ${textOf(expression)}`);
  });
}

/** The source text without arguments and blanks. */
function textOf(node: ts.Node): string {
  if (ts.isCallExpression(node))
    return `${textOf(node.expression)}(${node.arguments.length > 0 ? '…' : ''})`;
  if (ts.isPropertyAccessExpression(node))
    return `${textOf(node.expression)}${node.questionDotToken ? '?.' : '.'}${node.name.text}`;
  return node.getText();
}

type Search = ts.CallExpression & { readonly expression: ts.PropertyAccessExpression };

function searches(source: ts.SourceFile): Search[] {
  const found: Search[] = [];
  const visit = (node: ts.Node): void => {
    if (isSearch(node)) found.push(node);
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

const isSearch = (node: ts.Node): node is Search =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  SEARCHES.has(node.expression.name.text);

/** Whether an expression is an array that may grow with the household: no tuple, and no constant of a module. */
const isLong = (list: ts.Expression, checker: ts.TypeChecker): boolean =>
  checker.isArrayType(checker.getNonNullableType(checker.getTypeAtLocation(list))) &&
  !isConstant(list, checker);

/** Whether a list is scanned once per element of another list that does not contain it. */
function isForEach({ expression, parent }: Search, checker: ts.TypeChecker): boolean {
  const list = expression.expression;
  let child: ts.Node = expression.parent;
  for (let node = parent; !ts.isSourceFile(node); child = node, node = node.parent) {
    const visited = visitedBy(node, child);
    if (visited === undefined) continue;
    if (visited !== 'loop' && !isLong(visited, checker)) continue;
    return isLong(list, checker) && !isDeclaredIn(rootOf(list), node, checker);
  }
  return false;
}

/** The list whose elements a node visits with its child; `loop` for a loop without a list. */
function visitedBy(node: ts.Node, child: ts.Node): ts.Expression | 'loop' | undefined {
  if (ts.isForOfStatement(node) && child === node.statement) return node.expression;
  if (ts.isForStatement(node) && child !== node.initializer) return 'loop';
  if (ts.isWhileStatement(node) || ts.isDoStatement(node)) return 'loop';
  if (!ts.isCallExpression(node) || !ts.isFunctionLike(child)) return undefined;
  const { expression: called } = node;
  if (!ts.isPropertyAccessExpression(called) || !VISITS.has(called.name.text)) return undefined;
  return called.name.text === 'groupBy' ? node.arguments[0] : called.expression;
}

/** The leftmost name or call of an expression. */
function rootOf(expression: ts.Expression): ts.Expression {
  if (
    ts.isPropertyAccessExpression(expression) ||
    ts.isElementAccessExpression(expression) ||
    ts.isNonNullExpression(expression) ||
    ts.isParenthesizedExpression(expression) ||
    ts.isCallExpression(expression)
  )
    return rootOf(expression.expression);
  return expression;
}

function isDeclaredIn(root: ts.Expression, node: ts.Node, checker: ts.TypeChecker): boolean {
  const declaration = checker.getSymbolAtLocation(root)?.valueDeclaration;
  return (
    declaration !== undefined && ts.findAncestor(declaration, (at) => at === node) !== undefined
  );
}

/** Whether an expression begins with a module's constant, which does not grow with the household. */
function isConstant(expression: ts.Expression, checker: ts.TypeChecker): boolean {
  const root = rootOf(expression);
  if (ts.isArrayLiteralExpression(root)) return true;
  let symbol = checker.getSymbolAtLocation(root);
  if (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0)
    symbol = checker.getAliasedSymbol(symbol);
  const declaration = symbol?.valueDeclaration;
  return (
    declaration !== undefined &&
    ts.isVariableDeclaration(declaration) &&
    ts.isSourceFile(declaration.parent.parent.parent)
  );
}
