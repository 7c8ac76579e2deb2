import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import type { Endpoint } from '#shared/endpoint';
import { readOperations } from '../support/operations.ts';

/** The operations that are acts, by name: those that the server tells, and the undoing itself. */
const readActs = async (): Promise<Map<string, Endpoint>> =>
  new Map([...(await readOperations())].filter(([, operation]) => isAct(operation)));

const isAct = ({ modification, path }: Endpoint): boolean =>
  modification !== undefined || path.endsWith('/annulation');

/** A call with an operation as its first argument. */
interface EndpointCall {
  readonly callee: string;
  readonly endpoint: string;
  readonly sentence: ts.Expression | undefined;
}

/** The calls of the application that name an operation of `endpoints` first. */
function callsOf(endpoints: ReadonlyMap<string, Endpoint>): EndpointCall[] {
  const files = globSync('src/**/*.{ts,svelte}', { exclude: ['src/lib/paraglide/**'] });
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const script = file.endsWith('.svelte') ? scriptOf(text) : text;
    const calls: EndpointCall[] = [];
    const visit = (node: ts.Node) => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
        const [first, , sentence] = node.arguments;
        const endpoint = nameOf(first);
        if (endpoint !== undefined && endpoints.has(endpoint))
          calls.push({ callee: node.expression.text, endpoint, sentence });
      }
      node.forEachChild(visit);
    };
    visit(ts.createSourceFile(file, script, ts.ScriptTarget.Latest, true));
    return calls;
  });
}

const scriptOf = (component: string): string =>
  [...component.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, text]) => text).join('\n');

/** `livres.ajouterLivre` and `ajouterLivre` are both the operation `ajouterLivre`. */
function nameOf(node: ts.Expression | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression))
    return node.name.text;
  return undefined;
}

test('every operation that is an act is a write of the application, with its sentence', async () => {
  const acts = await readActs();
  const withSentence = callsOf(acts)
    .filter(({ callee, sentence }) => callee === 'write' && sentence !== undefined)
    .filter(({ sentence }) => sentence?.kind !== ts.SyntaxKind.NullKeyword)
    .map(({ endpoint }) => endpoint);
  expect(acts.size).toBeGreaterThan(30);
  expect([...acts.keys()].filter((name) => !withSentence.includes(name))).toEqual([]);
});

test('no act goes past the one place that tells it', async () => {
  const past = callsOf(await readActs()).filter(({ callee }) => callee !== 'write');
  expect(past.map(({ callee, endpoint }) => `${callee}(${endpoint})`)).toEqual([]);
});

test('what has an undo of its own is no act that the bar would have to tell', async () => {
  const untold = [...(await readActs())].filter(([, { hasOwnUndo }]) => hasOwnUndo === true);
  expect(untold.map(([name]) => name)).toEqual([]);
});
