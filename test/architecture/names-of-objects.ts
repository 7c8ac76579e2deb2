import ts from 'typescript';

// A name read from a file may be `constructor` or `__proto__`, which every object literal has. So it must be looked
// up in a `Map`, or after `Object.hasOwn`.

/** Look-ups of arbitrary names in objects: « file: object[name] ». */
export function unsafeLookups(program: ts.Program, isOwn: (path: string) => boolean): string[] {
  const checker = program.getTypeChecker();
  const root = `${ts.sys.getCurrentDirectory()}/`;
  return program.getSourceFiles().flatMap((source) => {
    const path = source.fileName.replace(root, '');
    if (!isOwn(path)) return [];
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (isLookup(node, checker) && !isGuarded(node)) found.push(`${path}: ${node.getText()}`);
      node.forEachChild(visit);
    };
    visit(source);
    return found;
  });
}

/** Matches `object[name]`, `name in object` and `Reflect.get(object, name)`. */
function isLookup(node: ts.Node, checker: ts.TypeChecker): boolean {
  if (ts.isElementAccessExpression(node))
    return isAnyName(node.argumentExpression, checker) && isObject(node.expression, checker);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword)
    return isAnyName(node.left, checker);
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'Reflect.get') return false;
  const [, name] = node.arguments;
  return name !== undefined && isAnyName(name, checker);
}

/** Whether an expression may be any string, instead of a literal or a union of literals. */
const isAnyName = (name: ts.Expression, checker: ts.TypeChecker): boolean =>
  (checker.getTypeAtLocation(name).flags & ts.TypeFlags.String) !== 0;

const isObject = (object: ts.Expression, checker: ts.TypeChecker): boolean =>
  checker.getNonNullableType(checker.getTypeAtLocation(object)).getStringIndexType() !== undefined;

/** Whether the same condition or function checks `Object.hasOwn` for this object and name. */
function isGuarded(node: ts.Node): boolean {
  const [object, name] = ts.isElementAccessExpression(node)
    ? [node.expression, node.argumentExpression]
    : ts.isCallExpression(node)
      ? node.arguments
      : [];
  if (object === undefined || name === undefined) return false;
  const guard = `Object.hasOwn(${object.getText()}, ${name.getText()})`;
  const within = ts.findAncestor(
    node,
    (at) => ts.isConditionalExpression(at) || ts.isFunctionLike(at),
  );
  return within?.getText().includes(guard) === true;
}
