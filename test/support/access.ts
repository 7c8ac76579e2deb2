import { readFileSync } from 'node:fs';
import type { Endpoint } from '#shared/endpoint';
import { readOperations } from './operations.ts';

/** The permissions of each operation, as listed in docs/rules.md § 1. */
export interface AccessTable {
  /** By permission: the outcome for each kind of caller, `yes` or the code of a refusal. */
  readonly rows: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Every operation with its permission, by its name in `shared/`. */
  readonly operations: ReadonlyMap<string, { readonly may: string; readonly endpoint: Endpoint }>;
}

export async function readAccess(): Promise<AccessTable> {
  const [, section = ''] =
    /^## 1\. Identity$(.*?)^## 2\./ms.exec(readFileSync('docs/rules.md', 'utf8')) ?? [];
  const cells = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
  const [head = [], , ...body] = cells;
  const rows = new Map(
    body.map((row) => [
      row[0] ?? '',
      Object.fromEntries(head.map((name, i) => [name, row[i] ?? ''])),
    ]),
  );
  const named = new Map<string, string>();
  for (const [may, { operations: names = '' }] of rows)
    for (const name of names.split(', ')) if (name !== 'all others') named.set(name, may);
  const endpoints = await readOperations();
  const unknown = [...named.keys()].filter((name) => !endpoints.has(name));
  if (unknown.length > 0)
    throw new Error(`docs/rules.md § 1 names no operation by ${unknown.join()}`);
  const operations = new Map(
    Array.from(endpoints, ([name, endpoint]) => [
      name,
      { endpoint, may: named.get(name) ?? 'household' },
    ]),
  );
  return { rows, operations };
}
