import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '#shared/endpoint';

/** The operations of the service, by their names in `shared/`. */
export async function readOperations(): Promise<Map<string, Endpoint>> {
  const operations = new Map<string, Endpoint>();
  for (const file of globSync('shared/*.ts')) {
    const module = (await import(join(process.cwd(), file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module)) addOperations(operations, name, value);
  }
  return operations;
}

/** Operations that exist for several kinds of record are objects, by kind. */
function addOperations(operations: Map<string, Endpoint>, name: string, value: unknown): void {
  if (isEndpoint(value)) operations.set(name, value);
  else if (typeof value === 'object' && value !== null && /^[a-z]/.test(name))
    for (const [part, each] of Object.entries(value))
      addOperations(operations, `${name}.${part}`, each);
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
