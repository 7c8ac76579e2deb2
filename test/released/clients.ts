import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as today from './client.ts';

/** The application on a device, of one version. */
export type Client = typeof today;

export const TODAY: Client = today;

/** The versions of which there is something to read. */
export const VERSIONS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** The application of a released version, as it was built then. */
export async function openClient(version: string): Promise<Client> {
  const code = gunzipSync(readFileSync(join(import.meta.dirname, version, 'client.js.gz')));
  const client = (await import(`data:text/javascript;base64,${code.toString('base64')}`)) as Client;
  // What stands between a device and the house fails by the class of today.
  Object.defineProperty(client.Failure, Symbol.hasInstance, {
    value: (error: unknown) => error instanceof Error && error.name === 'Failure',
  });
  return client;
}
