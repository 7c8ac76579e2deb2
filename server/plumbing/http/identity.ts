import { BlockList, isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest, FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Who is calling; all `null` when unknown (docs/rules.md § 1). */
export interface Identity {
  readonly utilisateur: string | null;
  readonly email: string | null;
  readonly nomComplet: string | null;
  readonly compte?: true;
  readonly portrait?: string;
}

/** In lower case, as Node gives them. */
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
 * Reads the caller's identity. A present but invalid user header makes the caller unknown, whatever the simulated user;
 * an invalid e-mail or full name is only left out.
 *
 * @param rawHeaders names and values in turn, as over HTTP/2, too; `null` unless a trusted proxy has connected
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

/** An encoded word of RFC 2047, with the blank before another one; Tailscale writes these for all beyond ASCII. */
const ENCODED_WORD = /=\?utf-8\?([qb])\?([^?]*)\?=(?: (?==\?utf-8\?[qb]\?))?/gi;

/** Throws where an encoded word is not UTF-8. */
const decodeWords = (text: string): string =>
  text.replace(ENCODED_WORD, (_, encoding: string, word: string) =>
    encoding.toLowerCase() === 'b'
      ? utf8.decode(Buffer.from(word, 'base64'))
      : decodeURIComponent(word.replaceAll('%', '=25').replaceAll('=', '%').replaceAll('_', ' ')),
  );

/** Node gives a header's UTF-8 bytes as latin1. */
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

/** A household has a whole network of IPv6 addresses: the first four groups stand for all of them. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const read = ipaddr.process(address);
  return read instanceof ipaddr.IPv6 ? read.parts.slice(0, 4).join(':') : read.toString();
}

/** The addresses from which the sign-on proxy may connect (docs/rules.md § 1). */
export class ProxyList {
  readonly #blocks = new BlockList();

  /** @param text addresses and CIDR blocks separated by commas; throws where one is neither */
  constructor(text: string) {
    for (const entry of text.split(',')) {
      const [, address = '', bits] = /^([^/%]*)(?:\/(\d{1,3}))?$/.exec(entry.trim()) ?? [];
      if (bits === undefined) this.#blocks.addAddress(address, familyOf(address));
      else this.#blocks.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  /** An IPv4 address may come mapped in IPv6; an IPv6 block that holds the mapped addresses holds IPv4. */
  trusts(remoteAddress: string | undefined): boolean {
    const [address = ''] = (remoteAddress ?? '').split('%');
    return isIP(address) !== 0 && this.#blocks.check(address, familyOf(address));
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

export const THIS_MACHINE = new ProxyList('127.0.0.0/8,::1');

export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$|\.$/g, '');
  return name === 'localhost' || name.endsWith('.localhost') || THIS_MACHINE.trusts(name);
}

/**
 * Whether a page of another origin may have sent this request with its reader's session (docs/rules.md § 2). Without
 * `Sec-Fetch-Site` and `Origin` the request comes from a script.
 */
export function comesFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return /\b(?:cross|same)-site\b/i.test([site].flat().join());
  return headers.origin !== undefined && !namesHost(headers.origin, hostOf(headers));
}

/** HTTP/2 names the host in `:authority`. */
export const hostOf = (headers: IncomingHttpHeaders): string =>
  headers.host ?? String(headers[':authority'] ?? '');

/** Whether an origin is the host that a request asks. */
export function namesHost(origin: string, host: string): boolean {
  const named = URL.parse(origin);
  const asked = named && URL.parse(`${named.protocol}//${host}`);
  return named !== null && named.host !== '' && named.host === asked?.host;
}

/**
 * Refuses requests to a host that is neither this machine nor allowed (docs/rules.md § 2). Otherwise a site whose name
 * leads to this machine could read and write by its visitor's browser (DNS rebinding).
 *
 * @param allowed `null` serves any host
 */
export function guardHosts(app: FastifyInstance, allowed: readonly string[] | null): void {
  if (allowed === null) return;
  app.addHook('onRequest', (request, _reply, next) => {
    const host = hostnameOf(request);
    const isServed = host === null || isLoopback(host) || allowed.includes(host);
    next(isServed ? undefined : app.httpErrors.misdirectedRequest());
  });
}

/** `null` without a host, which no browser sends. */
function hostnameOf({ headers }: FastifyRequest): string | null {
  const host = hostOf(headers);
  return host === '' ? null : (URL.parse(`http://${host}`)?.hostname ?? host);
}
