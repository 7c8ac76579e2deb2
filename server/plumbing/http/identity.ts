import { BlockList, isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest, FastifyInstance } from 'fastify';
import { escapeUTF8 } from 'entities';
import ipaddr from 'ipaddr.js';
import { m } from '#messages';
import type { Locale } from '#shared/locale';
import { Refusal } from '#shared/refusals';

/** The caller; all fields are `null` if unknown (docs/rules.md § 1). */
export interface Identity {
  readonly utilisateur: string | null;
  readonly email: string | null;
  readonly nomComplet: string | null;
  readonly compte?: true;
  readonly portrait?: string;
}

/** In lower case, as Node gives header names. */
interface IdentityHeaders {
  readonly utilisateur: string;
  readonly email: string;
  readonly nomComplet: string;
}

export interface IdentityRules {
  readonly headers: IdentityHeaders;
  readonly simulatedUser: string | null;
}

const MAX_LENGTH = 200;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const UNKNOWN: Identity = { utilisateur: null, email: null, nomComplet: null };

/**
 * Reads the caller's identity. An invalid user header makes the caller unknown, whatever the simulated user; an
 * invalid e-mail or full name is ignored.
 *
 * @param rawHeaders names and values alternating; `null` unless a trusted proxy has connected
 */
export function identify(rawHeaders: readonly string[] | null, rules: IdentityRules): Identity {
  const valuesOf = (name: string) =>
    rawHeaders?.filter((_, i) => rawHeaders[i - 1]?.toLowerCase() === name && i % 2 === 1) ?? [];
  const given = valuesOf(rules.headers.utilisateur);
  if (given.length === 0) return { ...UNKNOWN, utilisateur: rules.simulatedUser };
  const utilisateur = readHeader(given);
  if (utilisateur === null) return UNKNOWN;
  return {
    utilisateur,
    email: readHeader(valuesOf(rules.headers.email)),
    nomComplet: readHeader(valuesOf(rules.headers.nomComplet)),
  };
}

/** Written by Caddy before 2.9 in place of a header that the sign-on has not set. */
const CADDY_PLACEHOLDER = /^\{http\.[\w.-]+\}$/;

/** An encoded word of RFC 2047, with the blank before the next one; Tailscale uses these for non-ASCII names. */
const ENCODED_WORD = /=\?utf-8\?([qb])\?([^?]*)\?=(?: (?==\?utf-8\?[qb]\?))?/gi;

/** Throws if an encoded word is not UTF-8. */
const decodeWords = (text: string): string =>
  text.replace(ENCODED_WORD, (_, encoding: string, word: string) =>
    encoding.toLowerCase() === 'b'
      ? utf8.decode(Buffer.from(word, 'base64'))
      : decodeURIComponent(word.replaceAll('%', '=25').replaceAll('=', '%').replaceAll('_', ' ')),
  );

/** Node gives the UTF-8 bytes of a header as latin1. */
function readHeader([value, ...others]: readonly string[]): string | null {
  if (value === undefined || others.length > 0) return null;
  try {
    const text = decodeWords(utf8.decode(Buffer.from(value, 'latin1')));
    return isUserName(text) && !CADDY_PLACEHOLDER.test(text) ? text : null;
  } catch {
    return null;
  }
}

/** Whether a text can name a user: not blank, at most 200 characters, no control character. */
export function isUserName(text: string): boolean {
  if (text.trim() === '' || /\p{Cc}/u.test(text) || !text.isWellFormed()) return false;
  return Array.from(text).length <= MAX_LENGTH;
}

/** The person's share of a limited resource, or the network's (docs/rules.md § 34). */
export const callerKeyOf = ({ identity, ip }: FastifyRequest): string =>
  identity.utilisateur === null ? `network ${networkOf(ip)}` : `user ${identity.utilisateur}`;

/** An address, or the IPv6 networks that may belong to one person: its /64, /56 and /48. */
export type Networks = readonly [string, ...string[]];

export function networksOf(address: string): Networks {
  if (!ipaddr.isValid(address)) return [address];
  const read = ipaddr.process(address);
  if (read instanceof ipaddr.IPv4) return [read.toString()];
  const [a = 0, b = 0, c = 0, d = 0] = read.parts;
  const group = [a, b, c].map((part) => part.toString(16)).join(':');
  return [`${group}:${d.toString(16)}`, `${group}:${(d >> 8).toString(16)}/56`, `${group}/48`];
}

/** A household has a whole IPv6 network: the first four groups stand for its addresses. */
export const networkOf = (address: string): string => networksOf(address)[0];

/** The addresses from which the sign-on proxy may connect (docs/rules.md § 1). */
export class ProxyList {
  readonly #blocks = new BlockList();

  /** @param text addresses and CIDR blocks separated by commas; throws if one is neither */
  constructor(text: string) {
    for (const entry of text.split(',')) {
      const [, address = '', bits] = /^([^/%]*)(?:\/(\d{1,3}))?$/.exec(entry.trim()) ?? [];
      if (bits === undefined) this.#blocks.addAddress(address, familyOf(address));
      else this.#blocks.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  /** An IPv4 address may come mapped into IPv6; an IPv6 block with the mapped addresses contains IPv4. */
  trusts(remoteAddress: string | undefined): boolean {
    const [address = ''] = (remoteAddress ?? '').split('%');
    return isIP(address) !== 0 && this.#blocks.check(address, familyOf(address));
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

export const THIS_MACHINE = new ProxyList('127.0.0.0/8,::1');

const bare = (host: string): string => host.replace(/^\[|\]$|\.$/g, '');

export function isLoopback(host: string): boolean {
  const name = bare(host);
  return name === 'localhost' || name.endsWith('.localhost') || THIS_MACHINE.trusts(name);
}

/**
 * Whether a page of another origin may have sent the request with its reader's session (docs/rules.md § 2). A request
 * without `Sec-Fetch-Site` and `Origin` comes from a script.
 */
export function comesFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return /\b(?:cross|same)-site\b/i.test([site].flat().join());
  return headers.origin !== undefined && !namesHost(headers.origin, hostOf(headers));
}

/** HTTP/2 names the host in `:authority`. */
export const hostOf = (headers: IncomingHttpHeaders): string =>
  headers.host ?? String(headers[':authority'] ?? '');

/** Whether an origin is the requested host. */
export function namesHost(origin: string, host: string): boolean {
  const named = URL.parse(origin);
  const asked = named && URL.parse(`${named.protocol}//${host}`);
  return named !== null && named.host !== '' && named.host === asked?.host;
}

/** The hosts besides this machine's own names under which the service answers. */
export interface HostRules {
  /** `null` where the setting names none. */
  readonly named: readonly string[] | null;
  /** Without configured hosts: whether local names are served besides private addresses. */
  readonly servesHouseNames: boolean;
}

const PRIVATE_RANGES = ['private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'];

/** Suffixes that no public name has; the local network decides where they resolve. */
const HOUSE_NAME = /\.(?:local|lan|home\.arpa|internal)$/;

/** @param host without port and brackets, in lower case */
export function isServedHost(host: string, { named, servesHouseNames }: HostRules): boolean {
  if (isLoopback(host)) return true;
  if (named !== null) return named.includes(host);
  // A page from a private address belongs to the machine there; DNS cannot point it here.
  if (ipaddr.isValid(host)) return PRIVATE_RANGES.includes(ipaddr.process(host).range());
  return servesHouseNames && HOUSE_NAME.test(host);
}

const HOST = /^(?=.{1,253}$)(?:[\da-f.]*:[\da-f:.]+|[a-z\d](?:[\w.-]*[a-z\d])?)$/;

/** The setting that would allow a host; `null` if the host is invalid. */
export const hostSetting = (host: string, { named }: HostRules): string | null =>
  HOST.test(host) ? `ALLOWED_HOSTS=${named === null ? '' : '…,'}${host}` : null;

/**
 * Refuses requests for other hosts (docs/rules.md § 2). Otherwise a site whose name resolves to this machine could
 * read and write by its visitor's browser (DNS rebinding, docs/decisions/0029-under-which-names.md).
 *
 * @param rules `null` serves any host
 */
export function guardHosts(app: FastifyInstance, rules: HostRules | null): void {
  if (rules === null) return;
  app.addHook('onRequest', (request, reply, next) => {
    const host = hostnameOf(request);
    const isServed = host === null || isServedHost(host, rules);
    const refusal = isServed
      ? undefined
      : new Refusal('HOTE_INCONNU', { ligne: hostSetting(host, rules) });
    if (refusal !== undefined && request.headers.accept?.includes('text/html') === true)
      reply
        .code(refusal.status)
        .type('text/html; charset=utf-8')
        .send(hostPage(refusal, request.locale));
    else next(refusal);
  });
}

/** The page for a person who opened the application under a refused host. */
function hostPage(refusal: Refusal<'HOTE_INCONNU'>, locale: Locale): string {
  const { ligne } = refusal.details;
  return (
    `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>Rayonnage</title><h1>Rayonnage</h1><p>${escapeUTF8(refusal.wordsIn(locale).message)}</p>` +
    (ligne === null ? '' : `<pre>${escapeUTF8(ligne)}</pre>`) +
    `<p>${escapeUTF8(m.told_start_again({}, { locale }))}</p></html>`
  );
}

/** Without port and brackets; `null` without a Host header, which every browser sends. */
function hostnameOf({ headers }: FastifyRequest): string | null {
  const host = hostOf(headers);
  return host === '' ? null : bare(URL.parse(`http://${host}`)?.hostname ?? host);
}
