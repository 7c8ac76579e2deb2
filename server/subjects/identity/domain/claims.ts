import { nfc, oneLine } from '#shared/text';
import { isUserName } from '#server/plumbing/http/identity';
import type { Provider } from '#server/plumbing/http/provider';

/** What a provider says of a person. */
export type Claims = Readonly<Record<string, unknown>>;

/** Who a person is to the house. */
export interface Known {
  readonly identifiant: string;
  readonly nom: string;
}

type Rules = Pick<Provider, 'claim' | 'letIn'>;

/**
 * Who a person is by what the provider says of them; `null` where that names nobody: no claim of that name, no text
 * that a name may be, or an address of mail that the provider has not verified.
 */
export function whoIs(claims: Claims, { claim }: Rules): Known | null {
  const identifiant = nameIn(claims[claim]);
  if (identifiant === null) return null;
  if (claim === 'email' && claims['email_verified'] !== true) return null;
  return { identifiant, nom: nameIn(claims['name']) ?? identifiant };
}

/** Whether a person comes in; without a list the house's own members do. */
export function isLetIn(
  claims: Claims,
  { identifiant }: Known,
  { letIn }: Rules,
  isMember: boolean,
): boolean {
  if (letIn === null) return isMember;
  if ('identifiers' in letIn) return letIn.identifiers.includes(identifiant);
  const said = [claims[letIn.claim]].flat();
  return letIn.values.some((value) => said.includes(value));
}

/** The claims that have to be known before anybody comes in. */
export const wanted = ({ claim, letIn }: Rules): string[] => [
  claim,
  ...(claim === 'email' ? ['email_verified'] : []),
  ...(letIn !== null && 'claim' in letIn ? [letIn.claim] : []),
];

function nameIn(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = oneLine(nfc(value)).trim();
  return isUserName(name) ? name : null;
}
