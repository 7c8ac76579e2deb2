/** Who is calling, all null when unknown (contract.md « Identity »). */
export interface Identity {
  readonly utilisateur: string | null;
  readonly email: string | null;
  readonly nomComplet: string | null;
}

/** The headers' names, in lower case as Node hands them over. */
export interface IdentityHeaders {
  readonly utilisateur: string;
  readonly email: string;
  readonly nomComplet: string;
}

/** What decides about an identity, from the settings. */
export interface IdentityRules {
  readonly headers: IdentityHeaders;
  readonly simulatedUser: string | null;
}

/** Headers by lower-case name, every value that was given, as `IncomingMessage.headersDistinct`. */
type Headers = Readonly<Partial<Record<string, readonly string[]>>>;

const LONGUEUR_MAXIMUM = 200;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const inconnue: Identity = { utilisateur: null, email: null, nomComplet: null };

/**
 * Reads the caller's identity. `headers` are those of a connection that a trusted proxy opened,
 * `null` for any other: then every header is as if absent. A user header that is there but bad
 * makes the caller unknown, the simulated user included; a bad e-mail or full name loses itself.
 */
export function identify(headers: Headers | null, rules: IdentityRules): Identity {
  const given = headers?.[rules.headers.utilisateur];
  if (headers === null || given === undefined)
    return { ...inconnue, utilisateur: rules.simulatedUser };
  const utilisateur = readHeader(given);
  if (utilisateur === null) return inconnue;
  return {
    utilisateur,
    email: readHeader(headers[rules.headers.email]),
    nomComplet: readHeader(headers[rules.headers.nomComplet]),
  };
}

function readHeader(values: readonly string[] | undefined): string | null {
  if (values?.length !== 1 || values[0] === undefined) return null;
  try {
    const texte = utf8.decode(Buffer.from(values[0], 'latin1'));
    return estIdentifiant(texte) ? texte : null;
  } catch {
    return null;
  }
}

/** True for a text that can name someone: not blank, at most 200 characters, no control character. */
export function estIdentifiant(texte: string): boolean {
  if (texte.trim() === '' || /\p{Cc}/u.test(texte) || !texte.isWellFormed()) return false;
  return Array.from(texte).length <= LONGUEUR_MAXIMUM;
}
