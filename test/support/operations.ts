import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '#shared/endpoint';

/** The operations of the service by their names in `shared/`. */
export async function readOperations(): Promise<Map<string, Endpoint>> {
  const operations = new Map<string, Endpoint>();
  for (const file of globSync('shared/*.ts')) {
    const module = (await import(join(process.cwd(), file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module))
      if (isEndpoint(value)) operations.set(name, value);
  }
  return operations;
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
