import { existsSync, readFileSync } from 'node:fs';
import type { FastifyReply } from 'fastify';

/** What a device installs, under the library's own name. */
interface Manifest {
  send(reply: FastifyReply, policy: string): FastifyReply;
}

/**
 * Reads the built manifest once and names it after the library (docs/rules.md § 31); null without one.
 *
 * @param libraryName its name on a home screen, too
 */
export function readManifest(path: string, libraryName: string): Manifest | null {
  if (!existsSync(path)) return null;
  const names = { name: libraryName, short_name: libraryName };
  const built: unknown = JSON.parse(readFileSync(path, 'utf8'));
  // As bytes: a string would get a charset, which the type does not have.
  const bytes = Buffer.from(JSON.stringify(Object.assign({}, built, names)));
  return {
    send: (reply, policy) =>
      reply
        .removeHeader('Cache-Control')
        .cacheControl('no-cache')
        .header('Content-Security-Policy', policy)
        .type('application/manifest+json')
        .send(bytes),
  };
}
