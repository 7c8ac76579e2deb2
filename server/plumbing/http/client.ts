import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { decodeHTML, escapeUTF8 } from 'entities';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { m } from '#messages';
import { BASE_LOCALE, LOCALES, type Locale } from '#shared/locale';
import { DATA_POLICY } from './framework.ts';
import { askedLocale, VARY } from './language.ts';

/** The page, one for each built language (scripts/support/client-build.ts). */
const SHELL = 'shell.html';
const MANIFEST = 'manifest.webmanifest';
/** Files whose names change with their content. */
const IMMUTABLE = '_app/immutable/';

/** Paths where programs expect a file: a missing one is 404, never the page. */
const FILES_ONLY = /^\/(?:api\/|_app\/|\.well-known(?:\/|$)|favicon\.ico$)/;

const ROBOTS = 'User-agent: *\nDisallow: /\n';

const noBuild = (locale: Locale): string =>
  `<!doctype html><html lang="${locale}"><meta charset="utf-8"><title>Rayonnage</title>` +
  `<p>${escapeUTF8(m.told_no_build({ command: 'npm run build' }, { locale }))}</p></html>`;

/** The page for a language whose build is still running or missing; it reloads every few seconds. */
const notYetBuilt = (locale: Locale): string =>
  `<!doctype html><html lang="${locale}"><meta charset="utf-8"><title>Rayonnage</title>` +
  '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">' +
  '<meta http-equiv="refresh" content="5">' +
  `<p>${escapeUTF8(m.told_language_not_built({}, { locale }))}</p>` +
  `<p><a lang="${BASE_LOCALE}" href="?langue=${BASE_LOCALE}">${escapeUTF8(m.told_read_in_language({}, { locale: BASE_LOCALE }))}</a></p></html>`;

/** \`shell.html\` of the base, \`shell.en.html\` of another language. */
const ofLocale = (name: string, locale: Locale): string =>
  locale === BASE_LOCALE ? name : name.replace(/(?=\.\w+$)/, `.${locale}`);

interface Page {
  readonly html: string;
  readonly policy: string;
}

/**
 * Serves the built client's files, and the page for any other path (docs/rules.md § 3), in the caller's language (§
 * 61).
 *
 * @param ownLocale the language that a known reader has chosen for all their devices
 */
export async function serveClient(
  app: FastifyInstance,
  path: string,
  basePath: string,
  libraryName: () => string,
  ownLocale: (request: FastifyRequest) => Locale | undefined = () => undefined,
): Promise<void> {
  const pages = new Map<Locale, Page>();
  let files: ReadonlySet<string> = new Set();
  /** A language may be built after the start; its page is written last. */
  const pageIn = (locale: Locale): Page | undefined => {
    const known = pages.get(locale) ?? readPage(path, basePath, locale);
    if (known === undefined || pages.has(locale)) return known;
    pages.set(locale, known);
    files = filesIn(path);
    return known;
  };
  const base = pageIn(BASE_LOCALE);
  const isBuilt = base !== undefined;
  /** The requested language, else the reader's own, else the device's. */
  const localeOf = (request: FastifyRequest): Locale =>
    askedLocale(request.url) ?? ownLocale(request) ?? request.locale;
  const addHeaders = (reply: FastifyReply, { policy } = base ?? NO_PAGE): FastifyReply =>
    reply.cacheControl('no-cache').header('Content-Security-Policy', policy);
  const addLocale = (reply: FastifyReply, locale: Locale): FastifyReply => {
    reply.vary(VARY);
    return reply.header('Content-Language', locale);
  };
  // Before the body is read: an unknown path is 404, whatever was sent to it.
  app.addHook('onRequest', (request, _reply, next) => {
    next(request.is404 ? app.httpErrors.notFound() : undefined);
  });
  app.setNotFoundHandler((_request, reply) => reply.notFound());
  app.get('/*', (request, reply) => {
    const [address = '', query] = request.url.split('?');
    if (FILES_ONLY.test(address)) return reply.notFound();
    // The scope of the service worker, and addresses in the page, begin with the slash.
    if (address === basePath) return reply.redirect(query === undefined ? '/' : `/?${query}`);
    const locale = localeOf(request);
    const html = isBuilt ? notYetBuilt(locale) : noBuild(locale);
    const page = pageIn(locale) ?? { ...NO_PAGE, html };
    return addLocale(addHeaders(reply, page), locale)
      .code(isBuilt ? 200 : 503)
      .type('text/html; charset=utf-8')
      .send(named(page.html, libraryName()));
  });
  app.get('/robots.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(ROBOTS));
  if (!isBuilt) return;
  const manifest = readFileSync(join(path, MANIFEST), 'utf8');
  app.get(`/${MANIFEST}`, (request, reply) => {
    const name = libraryName();
    const locale = localeOf(request);
    const localized: unknown = JSON.parse(manifest, (_, value: unknown) =>
      localizedInManifest(value, locale),
    );
    const text = JSON.stringify(Object.assign({}, localized, { name, short_name: name }));
    // Bytes, since a string would get a charset, which this type does not have.
    return addLocale(addHeaders(reply), locale)
      .type('application/manifest+json')
      .send(Buffer.from(text));
  });
  // A route for each file would cost 9 MB and 0.15 s at each start.
  await app.register(fastifyStatic, {
    serve: false,
    root: path,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply, file) => {
      // A worker runs under the policy in the answer of its script.
      addHeaders(reply);
      if (file.includes(`/${IMMUTABLE}`)) reply.staticCache('365d');
    },
  });
  for (const file of [...files, ...LISTS])
    if (!file.startsWith(IMMUTABLE)) app.get(`/${file}`, (_request, reply) => reply.sendFile(file));
  app.get<{ Params: { '*': string } }>(`/${IMMUTABLE}*`, ({ params }, reply) => {
    const file = IMMUTABLE + params['*'];
    if (files.has(file)) reply.sendFile(file);
    else reply.notFound();
  });
}

/** The list of a language's files, for the service worker. */
const LISTS = LOCALES.map((locale) => `files.${locale}.json`);

const OWN_ROUTES: ReadonlySet<string> = new Set([
  MANIFEST,
  ...LISTS,
  ...LOCALES.map((locale) => ofLocale(SHELL, locale)),
]);

/** Used if no page was built. */
const NO_PAGE: Page = { html: '', policy: DATA_POLICY };

function readPage(path: string, basePath: string, locale: Locale): Page | undefined {
  const file = join(path, ofLocale(SHELL, locale));
  if (!existsSync(file)) return undefined;
  const html = movedTo(basePath, readFileSync(file, 'utf8'));
  // The policy has the hashes of the build's scripts and forbids frames.
  return { html, policy: `${policyOf(html)}; frame-ancestors 'none'` };
}

/** Texts of the manifest, by message key. */
const MANIFEST_TEXTS: Readonly<
  Record<string, (inputs: object, options: { locale: Locale }) => string>
> = {
  locale: m.locale,
  manifest_description: m.manifest_description,
  manifest_scan: m.manifest_scan,
  manifest_verify: m.manifest_verify,
  manifest_wish: m.manifest_wish,
  manifest_loans: m.manifest_loans,
  manifest_phone: m.manifest_phone,
  manifest_desk: m.manifest_desk,
};

const localizedInManifest = (value: unknown, locale: Locale): unknown =>
  (typeof value === 'string' && MANIFEST_TEXTS[value]?.({}, { locale })) || value;

function filesIn(folder: string): Set<string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'));
  return new Set(
    paths.filter((file) => !OWN_ROUTES.has(file) && !/\.br$|(?<!\.tar)\.gz$/.test(file)),
  );
}

/**
 * The page as if built for a base: the files that it loads, the base that Kit prefixes to links, and the policy's hash
 * of that script.
 */
function movedTo(basePath: string, page: string): string {
  if (basePath === '') return page;
  const moved = page
    .replace(/(\b(?:href|src)="|\bimport\(")\//g, `$1${basePath}/`)
    .replace(/(\bbase: )""/, `$1"${basePath}"`);
  return moved.replace(hashOfScript(page), hashOfScript(moved));
}

function hashOfScript(page: string): string {
  const script = /<script>([^]*?)<\/script>/.exec(page)?.[1];
  if (script === undefined) throw new Error('The built page has no script');
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

/** The client reads the name, too (src/lib/ui/library-name.svelte.ts). */
function named(page: string, libraryName: string): string {
  const name = escapeUTF8(libraryName);
  return page
    .replace(/(<title>)[^<]*/, (_, tag: string) => tag + name)
    .replace(/(<div id="skeleton"[^>]*>\s*<p>)[^<]*/, (_, tag: string) => tag + name)
    .replace(/(<meta name="application-name" content=")[^"]*/, (_, tag: string) => tag + name);
}

/** SvelteKit writes the policy, with the hashes of the page's scripts, in a meta tag. */
function policyOf(page: string): string {
  const tag = /<meta\s+http-equiv="content-security-policy"\s+content="([^"]*)"/i.exec(page);
  if (tag?.[1] === undefined) throw new Error('The built page has no content security policy');
  return decodeHTML(tag[1]);
}
