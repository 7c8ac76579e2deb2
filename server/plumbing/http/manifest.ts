import { existsSync, readFileSync } from 'node:fs';
import type { FastifyReply } from 'fastify';

/** What a device installs, under the library's own name. */
interface Manifest {
  send(reply: FastifyReply, policy: string): FastifyReply;
}

/**
 * Reads the built manifest once; each answer has the library's name (docs/rules.md § 31). Null without one.
 *
 * @param libraryName its name on a home screen, too
 */
export function readManifest(path: string, libraryName: () => string): Manifest | null {
  if (!existsSync(path)) return null;
  const built: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return {
    send: (reply, policy) => {
      const name = libraryName();
      // As bytes: a string would get a charset, which the type does not have.
      const bytes = Buffer.from(
        JSON.stringify(Object.assign({}, built, { name, short_name: name })),
      );
      return reply
        .cacheControl('no-cache')
        .header('Content-Security-Policy', policy)
        .type('application/manifest+json')
        .send(bytes);
    },
  };
}
