/**
 * Who may run an operation; docs/rules.md § 1 has the table.
 * - `anyone`: also a caller who is not signed in
 * - `visitor`: also a caller who is not signed in, but no key: the way in
 * - `household`: every caller that the service lets in, known or not
 * - `self`: a known caller, for their own data
 * - `owner`: a known caller, for a record of theirs; another's is not found
 * - `inPerson`: a known caller, but no key
 * - `manager`: a member who manages the household, but no key; in a household without accounts everyone
 */
export type May = 'anyone' | 'visitor' | 'household' | 'self' | 'owner' | 'inPerson' | 'manager';

/** How a caller of the service's own accounts or keys was authenticated; `nothing` if none was. */
export type Proof =
  | { readonly by: 'nothing' }
  | { readonly by: 'session'; readonly manages: boolean }
  | { readonly by: 'key'; readonly mayWrite: boolean };

type AccessRefusal =
  | 'CONNEXION_REQUISE'
  | 'LECTURE_SEULE'
  | 'SESSION_REQUISE'
  | 'GESTION_RESERVEE'
  | 'IDENTITE_INCONNUE';

const NEEDS_NO_SIGN_IN: ReadonlySet<May> = new Set(['anyone', 'visitor']);
const NEEDS_A_NAME: ReadonlySet<May> = new Set(['self', 'owner', 'inPerson']);
/** Whether an operation is refused to an unknown caller. */
export const needsName = (may: May | undefined): boolean =>
  may !== undefined && NEEDS_A_NAME.has(may);

const TAKES_NO_KEY: ReadonlySet<May> = new Set(['visitor', 'inPerson', 'manager']);

/**
 * The refusal of an operation to a caller, `null` if they may do it.
 *
 * @param hasSideEffects whether something is written
 */
export function accessRefusal(
  may: May,
  {
    proof,
    isKnown,
    hasSideEffects,
  }: { readonly proof: Proof | null; readonly isKnown: boolean; readonly hasSideEffects: boolean },
): AccessRefusal | null {
  if (proof?.by === 'nothing' && !NEEDS_NO_SIGN_IN.has(may)) return 'CONNEXION_REQUISE';
  if (proof?.by === 'key' && hasSideEffects && !proof.mayWrite) return 'LECTURE_SEULE';
  if (proof?.by === 'key' && TAKES_NO_KEY.has(may)) return 'SESSION_REQUISE';
  if (proof?.by === 'session' && may === 'manager' && !proof.manages) return 'GESTION_RESERVEE';
  return !isKnown && needsName(may) ? 'IDENTITE_INCONNUE' : null;
}
