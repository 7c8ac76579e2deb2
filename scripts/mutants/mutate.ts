import ts from 'typescript';

/** One small change of a source, which a test is to notice. */
export interface Mutant {
  readonly id: number;
  readonly path: string;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
  readonly original: string;
  readonly replacement: string;
}

/** What each operator becomes. */
const OPERATORS = new Map<string, readonly string[]>([
  ['<', ['<=', '>=']],
  ['<=', ['<', '>']],
  ['>', ['>=', '<=']],
  ['>=', ['>', '<']],
  ['===', ['!==']],
  ['!==', ['===']],
  ['&&', ['||']],
  ['||', ['&&']],
  ['??', ['&&']],
  ['+', ['-']],
  ['-', ['+']],
  ['*', ['/']],
  ['/', ['*']],
  ['%', ['*']],
  ['&', ['|']],
  ['|', ['&']],
  ['<<', ['>>']],
  ['>>', ['<<']],
  ['>>>', ['<<']],
  ['+=', ['-=']],
  ['-=', ['+=']],
  ['??=', ['=']],
  ['||=', ['&&=']],
  ['&&=', ['||=']],
]);

/** Methods that have an opposite. */
const OPPOSITES = new Map<string, string>([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
  ['toUpperCase', 'toLowerCase'],
  ['toLowerCase', 'toUpperCase'],
]);

/** Methods that give a value of the kind that they are called on, so that the call can be left out. */
const OPTIONAL = /^(?:trim|trimStart|trimEnd|slice|filter|sort|toSorted|reverse|toReversed)$/;

/**
 * The source with all its mutants in it, each behind a question to `__mutant(id)`, so that one process
 * tries them all without reading the file anew. What is there for types alone is left as it is.
 */
export function mutate(
  path: string,
  text: string,
  firstId: number,
): { readonly code: string; readonly mutants: readonly Mutant[] } {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];

  /** Notes a mutant and gives its question. */
  const ask = (node: ts.Node, replacement: string): string => {
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart());
    const id = firstId + mutants.length;
    const original = node.getText();
    mutants.push({ id, path, line: line + 1, column: character + 1, original, replacement });
    return `__mutant(${id})`;
  };

  /** The node's text with the mutants of its parts. */
  const withParts = (node: ts.Node): string => {
    let code = '';
    let at = node.getStart();
    node.forEachChild((part) => {
      code += text.slice(at, part.getStart()) + print(part);
      at = part.end;
    });
    return code + text.slice(at, node.end);
  };

  const print = (node: ts.Node): string => {
    if (ts.isTypeNode(node) || isDeclarationOnly(node)) return node.getText();
    if (isRemovable(node)) return `{ if (!${ask(node, '')}) { ${withParts(node)} } }`;
    if (isFunctionBody(node)) return `{ if (${ask(node, '{}')}) return; ${withParts(node)} }`;
    if (!ts.isExpression(node) || isPartOfMore(node)) return withParts(node);
    const questions = replacements(node).map((code) => `${ask(node, code)} ? (${code}) : `);
    return questions.length === 0 ? withParts(node) : `(${questions.join('')}(${withParts(node)}))`;
  };

  const code = source.statements.map((statement) => print(statement)).join('\n');
  return { code, mutants };
}

const isDeclarationOnly = (node: ts.Node): boolean =>
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node);

/** A statement that can be removed without a syntax error. */
const isRemovable = (node: ts.Node): boolean =>
  (ts.isExpressionStatement(node) && !/^super\b/.test(node.getText())) || ts.isThrowStatement(node);

const isFunctionBody = (node: ts.Node): node is ts.Block =>
  ts.isBlock(node) &&
  node.statements.length > 0 &&
  ts.isFunctionLike(node.parent) &&
  !ts.isConstructorDeclaration(node.parent);

/** An expression that is named, assigned to, tagged or called on, and cannot stand in parentheses. */
function isPartOfMore(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) || ts.isBindingElement(parent))
    return parent.initializer !== node;
  if (ts.isTaggedTemplateExpression(parent)) return parent.template === node;
  if (ts.isBinaryExpression(parent))
    return parent.operatorToken.kind === ts.SyntaxKind.EqualsToken && parent.left === node;
  if (ts.isDeleteExpression(parent) || ts.isMetaProperty(parent)) return true;
  // The rest of a chain is not asked for where its beginning is nothing.
  return isLink(parent) && parent.expression === node && ts.isOptionalChain(parent);
}

type Link = ts.PropertyAccessExpression | ts.ElementAccessExpression | ts.CallExpression;
const isLink = (node: ts.Node): node is Link =>
  ts.isPropertyAccessExpression(node) ||
  ts.isElementAccessExpression(node) ||
  ts.isCallExpression(node);

/** Replacements of an expression, one mutant each. */
function replacements(node: ts.Expression): string[] {
  const text = node.getText();
  const isCondition = conditionOf(node.parent) === node;
  const loops = ts.isIterationStatement(node.parent, false);
  const forced = isCondition ? (loops ? ['false'] : ['true', 'false']) : [];
  const isAnswer = ts.isArrowFunction(node.parent) && node.parent.body === node;
  const empty = isAnswer ? ['undefined'] : [];
  return [...forced, ...empty, ...inKind(node, text)].filter((code) => code !== text);
}

const conditionOf = (parent: ts.Node): ts.Node | undefined => {
  if (ts.isConditionalExpression(parent) || ts.isForStatement(parent)) return parent.condition;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
    return parent.expression;
  return undefined;
};

function inKind(node: ts.Expression, text: string): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text === '' ? "'mutant'" : "''"];
  if (ts.isTemplateExpression(node)) return ["''"];
  if (ts.isRegularExpressionLiteral(node)) return patterns(text);
  if (ts.isArrayLiteralExpression(node)) return [node.elements.length === 0 ? "['mutant']" : '[]'];
  if (ts.isObjectLiteralExpression(node)) return ['{}'];
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return unary(node);
  if (ts.isBinaryExpression(node)) return binary(node);
  if (isLink(node)) return [...withoutQuestions(node), ...otherMethod(node)];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return ['false'];
  return node.kind === ts.SyntaxKind.FalseKeyword ? ['true'] : [];
}

function unary({ operator, operand }: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression) {
  const of = operand.getText();
  if (operator === ts.SyntaxKind.ExclamationToken) return [of];
  if (operator === ts.SyntaxKind.MinusToken) return [`+${of}`];
  if (operator === ts.SyntaxKind.PlusPlusToken) return [`${of}--`];
  return operator === ts.SyntaxKind.MinusMinusToken ? [`${of}++`] : [];
}

function binary({ left, operatorToken, right }: ts.BinaryExpression): string[] {
  const operator = operatorToken.getText();
  const joinsText =
    operator === '+' && [left, right].some((side) => /^['"`]|^String\(/.test(side.getText()));
  const others = joinsText ? [] : (OPERATORS.get(operator) ?? []);
  const [a, b] = [left.getText(), right.getText()];
  const isAssignment = operator.endsWith('=') && !/^[<>=!]/.test(operator);
  return others.map((other) => (isAssignment ? `${a} ${other} ${b}` : `(${a}) ${other} (${b})`));
}

/** A chain without each of its « ?. »; the inner links of a chain are its last one's. */
function withoutQuestions(node: Link): string[] {
  const start = node.getStart();
  const codes: string[] = [];
  for (let link: ts.Node = node; isLink(link); link = link.expression)
    if (link.questionDotToken) {
      const { end } = link.questionDotToken;
      const before = node.getText().slice(0, end - 2 - start);
      codes.push(
        before +
          (ts.isPropertyAccessExpression(link) ? '.' : '') +
          node.getText().slice(end - start),
      );
    }
  return codes;
}

function otherMethod(node: Link): string[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { expression, name } = node.expression;
  const opposite = OPPOSITES.get(name.text);
  const rest = node.getText().slice(name.end - node.getStart());
  if (opposite !== undefined) return [`${expression.getText()}.${opposite}${rest}`];
  return OPTIONAL.test(name.text) ? [expression.getText()] : [];
}

/** A pattern without an anchor, or with the opposite of a class. */
function patterns(literal: string): string[] {
  const end = literal.lastIndexOf('/');
  const [body, flags] = [literal.slice(1, end), literal.slice(end)];
  return [...body.matchAll(/\\.|\[\^?|^\^|\$$/gsu)].flatMap(({ 0: part, index }) => {
    const other = otherPart(part);
    if (other === undefined) return [];
    return [`/${body.slice(0, index)}${other}${body.slice(index + part.length)}${flags}`];
  });
}

function otherPart(part: string): string | undefined {
  if (part === '[') return '[^';
  if (part === '[^') return '[';
  if (part === '^' || part === '$') return '';
  const letter = part.slice(1);
  if (!/[dDsSwWpPbB]/.test(letter)) return undefined;
  return `\\${letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()}`;
}
