import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { decodeHTML, escapeUTF8 } from 'entities';
import type { FastifyReply } from 'fastify';
import { DATA_POLICY } from './headers.ts';

const ENCODINGS = { br: brotliCompressSync, gzip: gzipSync } as const;

/** The page that every path of the application answers with. */
interface Shell {
  /** The content security policy of the client: the hashes of its build, and no frame around it. */
  readonly policy: string;
  send(reply: FastifyReply, acceptEncoding: string | undefined): FastifyReply;
}

/**
 * Reads the built page once for its base, names it after the library (docs/rules.md § 31) and compresses it,
 * anew when the name changes; without a build, a page that says so.
 */
export function readShell(path: string, basePath: string, libraryName: () => string): Shell {
  if (!existsSync(path)) return noBuild;
  const built = movedTo(basePath, readFileSync(path, 'utf8'));
  const policy = `${policyOf(built)}; frame-ancestors 'none'`;
  let latest: EncodedPage | undefined;
  return {
    policy,
    send(reply, acceptEncoding) {
      const name = libraryName();
      if (name !== latest?.name) latest = encodedPage(built, name);
      const { page, encoded } = latest;
      const accepted = acceptedEncodings(acceptEncoding);
      const found = encoded.find(({ encoding }) => accepted.has(encoding));
      if (found) reply.header('Content-Encoding', found.encoding);
      return reply
        .cacheControl('no-cache')
        .header('Content-Security-Policy', policy)
        .type('text/html; charset=utf-8')
        .send(found?.bytes ?? page);
    },
  };
}

/**
 * The page as if it had been built for a base: the files that it names, the base that Kit takes its links
 * from, and the hash of that script in the policy.
 */
function movedTo(basePath: string, page: string): string {
  if (basePath === '') return page;
  const moved = page
    .replace(/(\b(?:href|src)="|\bimport\(")\//g, `$1${basePath}/`)
    .replace(/(\bbase: )""/, `$1"${basePath}"`);
  return moved.replace(hashOfScript(page), hashOfScript(moved));
}

/** The hash of the page's one script, as a policy names it. */
function hashOfScript(page: string): string {
  const script = /<script>([^]*?)<\/script>/.exec(page)?.[1];
  if (script === undefined) throw new Error('The built page has no script');
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

type EncodedPage = ReturnType<typeof encodedPage>;

/** The built page with the name of the library in it, in each encoding. */
function encodedPage(built: string, name: string) {
  const page = named(built, name);
  const encoded = Object.entries(ENCODINGS).map(([encoding, compress]) => ({
    encoding,
    bytes: compress(page),
  }));
  return { name, page, encoded };
}

/** The page with the library's name as its title, over the skeleton, and where the client reads it (src/lib/ui/library-name.ts). */
function named(page: string, libraryName: string): string {
  const name = escapeUTF8(libraryName);
  return page
    .replace(/(<title>)[^<]*/, (_, tag: string) => tag + name)
    .replace(/(<div id="skeleton"[^>]*>\s*<p>)[^<]*/, (_, tag: string) => tag + name)
    .replace(/(<meta name="application-name" content=")[^"]*/, (_, tag: string) => tag + name);
}

/** SvelteKit writes the policy, with the hashes of the page's own scripts, in a meta tag. */
function policyOf(page: string): string {
  const tag = /<meta\s+http-equiv="content-security-policy"\s+content="([^"]*)"/i.exec(page);
  if (tag?.[1] === undefined) throw new Error('The built page has no content security policy');
  return decodeHTML(tag[1]);
}

/** The encodings that an `Accept-Encoding` header names and does not refuse by `q=0`. */
function acceptedEncodings(header = ''): ReadonlySet<string> {
  const named = header.split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/),
  );
  return new Set(named.filter(([, q = '1']) => Number(q) > 0).map(([name = '']) => name));
}

const noBuild: Shell = {
  policy: DATA_POLICY,
  send: (reply) =>
    reply
      .code(503)
      .cacheControl('no-store')
      .type('text/html; charset=utf-8')
      .send(
        '<!doctype html><html lang="fr"><meta charset="utf-8"><title>Rayonnage</title>' +
          '<p>L’application n’est pas construite : lancez <code>npm run build</code>, puis ' +
          'relancez le serveur.</p></html>',
      ),
};
