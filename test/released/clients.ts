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

/**
 * Whether a tab of a version follows one of today's on the same device. 0.1.0 does not: it shows nothing of a copy
 * that holds locations, which it does not know, and keeps the books of a house that was replaced where the
 * register of copies reaches it after the message. Where it is the only tab it makes a copy of its own.
 */
export const followsToday = (version: string): boolean => version !== '0.1.0';

/** The application of a released version, as it was built then. */
export async function openClient(version: string): Promise<Client> {
  const code = gunzipSync(readFileSync(join(import.meta.dirname, version, 'client.js.gz')));
  const client = (await import(`data:text/javascript;base64,${code.toString('base64')}`)) as Client;
  // What stands between a device and the house fails by the class of today.
  Object.defineProperty(client.Failure, Symbol.hasInstance, {
    value: (error: unknown) => error instanceof Error && error.name === 'Failure',
    // The same version may be opened twice, and is loaded once.
    configurable: true,
  });
  return client;
}
