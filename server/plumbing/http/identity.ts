import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Who is calling, all null when unknown (docs/rules.md § 1). */
export interface Identity {
  readonly utilisateur: string | null;
  readonly email: string | null;
  readonly nomComplet: string | null;
  /** True for a member with an account of the service's own. */
  readonly compte?: true;
  /** The key of a member's picture. */
  readonly portrait?: string;
}

/** The headers' names, in lower case as Node gives them. */
interface IdentityHeaders {
  readonly utilisateur: string;
  readonly email: string;
  readonly nomComplet: string;
}

/** What decides on an identity, from the settings. */
export interface IdentityRules {
  readonly headers: IdentityHeaders;
  readonly simulatedUser: string | null;
}

/** Headers by lower-case name, with every value given. */
type Headers = Readonly<Partial<Record<string, readonly string[]>>>;

/** What `IncomingMessage.headersDistinct` is, which a request over HTTP/2 does not have. */
export function distinctHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Map<string, string[]>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? '';
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[i + 1] ?? '']);
  }
  return Object.fromEntries(headers);
}

const MAX_LENGTH = 200;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const UNKNOWN: Identity = { utilisateur: null, email: null, nomComplet: null };

/**
 * Reads the caller's identity. `headers` are those of a connection from a trusted proxy, `null` for
 * any other, where every header counts as absent. A user header that is present but invalid makes the
 * caller unknown, whatever the simulated user; an invalid e-mail or full name only loses itself.
 */
export function identify(headers: Headers | null, rules: IdentityRules): Identity {
  const given = headers?.[rules.headers.utilisateur];
  if (headers === null || given === undefined)
    return { ...UNKNOWN, utilisateur: rules.simulatedUser };
  const utilisateur = readHeader(given);
  if (utilisateur === null) return UNKNOWN;
  return {
    utilisateur,
    email: readHeader(headers[rules.headers.email]),
    nomComplet: readHeader(headers[rules.headers.nomComplet]),
  };
}

/** What Caddy before 2.9 writes in place of a header that the sign-on has not set. */
const CADDY_PLACEHOLDER = /^\{http\.[\w.-]+\}$/;

/** A word of RFC 2047, with the blank before another: so Tailscale writes what is beyond ASCII. */
const ENCODED_WORD = /=\?utf-8\?([qb])\?([^?]*)\?=(?: (?==\?utf-8\?[qb]\?))?/gi;

/** Throws where such a word is no UTF-8. */
const decodeWords = (text: string): string =>
  text.replace(ENCODED_WORD, (_, encoding: string, word: string) =>
    encoding.toLowerCase() === 'b'
      ? utf8.decode(Buffer.from(word, 'base64'))
      : decodeURIComponent(word.replaceAll('%', '=25').replaceAll('=', '%').replaceAll('_', ' ')),
  );

/** Node gives the UTF-8 bytes of a header as latin1. */
function readHeader(values: readonly string[] | undefined): string | null {
  if (values?.length !== 1 || values[0] === undefined) return null;
  try {
    const text = decodeWords(utf8.decode(Buffer.from(values[0], 'latin1')));
    return isUserName(text) && !CADDY_PLACEHOLDER.test(text) ? text : null;
  } catch {
    return null;
  }
}

/** True for a text that can name a user: not blank, at most 200 characters, no control character. */
export function isUserName(text: string): boolean {
  if (text.trim() === '' || /\p{Cc}/u.test(text) || !text.isWellFormed()) return false;
  return Array.from(text).length <= MAX_LENGTH;
}

/**
 * Whose share of a limited resource a request takes: the person's; for an unknown caller, that of
 * the network (docs/rules.md § 34).
 */
export const ownerOf = ({ identity, ip }: FastifyRequest): string =>
  identity.utilisateur === null ? `network ${networkOf(ip)}` : `user ${identity.utilisateur}`;

/** What limits count an address by: one household has a whole network of IPv6 addresses. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const read = ipaddr.process(address);
  return read instanceof ipaddr.IPv6 ? read.parts.slice(0, 4).join(':') : read.toString();
}
