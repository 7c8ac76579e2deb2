import { Refusal } from '#shared/refusals';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Provider } from '#server/plumbing/http/provider';
import { deleteReplaced } from '../store/invitations.ts';
import { insertMembre, membreById, membreByIdentifiant, type MembreRow } from '../store/membres.ts';
import { isLetIn, whoIs, type Claims, type Known } from './claims.ts';
import { isFirst } from './invitations.ts';

/**
 * Who comes in by a provider. Throws `ENTREE_REFUSEE`, the same for who is nobody, not on the list and shut out.
 *
 * @returns who they are, whether or not they are a member yet
 */
export function requireLetIn(database: Reader, claims: Claims, provider: Provider): Known {
  const known = whoIs(claims, provider);
  if (known === null) throw new Refusal('ENTREE_REFUSEE');
  const membre = membreByIdentifiant(database, known.identifiant);
  const comesIn = isLetIn(claims, known, provider, membre !== undefined);
  if (!comesIn || membre?.exclu === 1) throw new Refusal('ENTREE_REFUSEE');
  return known;
}

/**
 * The member of who comes in by a provider, made at their first sign-in. The first of the house manages it, and no link
 * makes another first one. An invitation that waited for them is used up.
 */
export function memberOfKnown(
  database: Transaction,
  claims: Claims,
  provider: Provider,
): MembreRow | undefined {
  const { identifiant, nom } = requireLetIn(database, claims, provider);
  const known = membreByIdentifiant(database, identifiant);
  if (known !== undefined) return known;
  const now = Date.now();
  const isManager = isFirst(database);
  for (const name of [identifiant, ...(isManager ? [null] : [])])
    deleteReplaced(database, { identifiant: name, now });
  const gere = isManager ? 1 : 0;
  return membreById(database, insertMembre(database, { identifiant, nom, gere, motDePasse: null }));
}
