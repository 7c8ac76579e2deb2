import { relative } from 'node:path';
import type { ColumnDefinition } from 'better-sqlite3';
import ts from 'typescript';

/** An SQL text in the sources, with its declared row type. */
export interface Statement {
  /** As `server/subjects/prets.ts:212`. */
  readonly place: string;
  readonly sql: string;
  /** The columns that the type declares but the statement does not return. */
  readonly faults: (columns: readonly ColumnDefinition[]) => string[];
}

/** Methods of `Reader`, `Transaction` and the driver that take SQL and return rows, or the first column. */
const ROWS = ['all', 'get', 'prepare'];
const VALUES = ['value', 'values'];

/** Every typed statement of the service, and the places where SQL is assembled at run time. */
export function readStatements(): { readonly statements: Statement[]; readonly made: string[] } {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const config = ts.getParsedCommandLineOfConfigFile('server/tsconfig.json', {}, host);
  const program = ts.createProgram(config?.fileNames ?? [], config?.options ?? {});
  const checker = program.getTypeChecker();
  const statements: Statement[] = [];
  const made: string[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    const typed = typedCall(node);
    if (typed === null) return;
    const { line } = ts.getLineAndCharacterOfPosition(node.getSourceFile(), node.getStart());
    const place = relative('.', node.getSourceFile().fileName);
    const sql = textOf(typed.text, checker);
    if (sql === null) made.push(place);
    else if (SQL.test(sql))
      statements.push({
        place: `${place}:${String(line + 1)}`,
        sql,
        faults: (columns) =>
          faultsOf(checker, checker.getTypeFromTypeNode(typed.row), typed.isValue, columns),
      });
  };
  for (const file of program.getSourceFiles())
    if (/^server\//.test(relative('.', file.fileName))) visit(file);
  return { statements, made };
}

const SQL = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE|VALUES|PRAGMA)\b/;

interface TypedCall {
  readonly text: ts.Expression;
  readonly row: ts.TypeNode;
  readonly isValue: boolean;
}

/** Matches a call like `database.all<Row>(text)`; `null` without a type argument. */
function typedCall(node: ts.Node): TypedCall | null {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const method = node.expression.name.text;
  const [text] = node.arguments;
  const types = node.typeArguments ?? [];
  const row = method === 'prepare' ? types[1] : types[0];
  if (text === undefined || row === undefined) return null;
  if (VALUES.includes(method)) return { text, row, isValue: true };
  const { parent } = node;
  const isPlucked = ts.isPropertyAccessExpression(parent) && parent.name.text === 'pluck';
  return ROWS.includes(method) ? { text, row, isValue: isPlucked } : null;
}

function faultsOf(
  checker: ts.TypeChecker,
  type: ts.Type,
  isValue: boolean,
  columns: readonly ColumnDefinition[],
): string[] {
  if (isValue) return faultOf(checker, type, columns[0]);
  return type.getProperties().flatMap((property) => {
    const column = columns.find(({ name }) => name === property.name);
    const faults = faultOf(checker, checker.getTypeOfSymbol(property), column);
    return faults.map((fault) => `${property.name}: ${fault}`);
  });
}

/** A computed column has no declared type, and is not compared. */
function faultOf(
  checker: ts.TypeChecker,
  type: ts.Type,
  column: ColumnDefinition | undefined,
): string[] {
  if (column === undefined) return ['there is no such column'];
  const types = GIVEN.get(column.type ?? '')?.(checker);
  if (types === undefined) return [];
  const parts = type.isUnion() ? type.types : [type];
  const wrong = parts.filter(
    (part) =>
      (part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Unknown)) === 0 &&
      !checker.isTypeAssignableTo(part, types),
  );
  return wrong.map(
    (part) => `${checker.typeToString(part)} where the column is ${String(column.type)}`,
  );
}

const GIVEN: ReadonlyMap<string, (checker: ts.TypeChecker) => ts.Type> = new Map([
  ['TEXT', (checker) => checker.getStringType()],
  ['INTEGER', (checker) => checker.getNumberType()],
  ['REAL', (checker) => checker.getNumberType()],
]);

/** The text of a literal, a template or a constant; `null` if it is assembled at run time. */
function textOf(node: ts.Expression, checker: ts.TypeChecker): string | null {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isAsExpression(node)) return textOf(node.expression, checker);
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(({ expression, literal }) => {
      const part = textOf(expression, checker);
      return part === null ? null : part + literal.text;
    });
    return parts.includes(null) ? null : node.head.text + parts.join('');
  }
  return ts.isIdentifier(node) ? textOfConstant(checker.getSymbolAtLocation(node), checker) : null;
}

function textOfConstant(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): string | null {
  if (symbol === undefined) return null;
  const isImported = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const declared = (isImported ? checker.getAliasedSymbol(symbol) : symbol).valueDeclaration;
  if (declared === undefined || !ts.isVariableDeclaration(declared)) return null;
  const isConstant = (ts.getCombinedNodeFlags(declared) & ts.NodeFlags.Const) !== 0;
  return isConstant && declared.initializer !== undefined
    ? textOf(declared.initializer, checker)
    : null;
}
