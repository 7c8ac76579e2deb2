import { found, Refusal } from '#shared/refusals';
import { textKey } from '#shared/text';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Provider } from '#server/plumbing/http/provider';
import { clesAccesOf } from '../store/cles-acces.ts';
import { deleteReplaced } from '../store/invitations.ts';
import { insertMembre, membreById, membreByIdentifiant, type MembreRow } from '../store/membres.ts';
import { bindMembre, departs, isBound, membreIdOf, type Subject } from '../store/provider.ts';
import { isLetIn, whoIs, type Claims, type Known } from './claims.ts';
import { isFirst, isTaken } from './invitations.ts';

/** Who comes in by a provider: a member, or who becomes one. */
type Comer = { readonly membre: MembreRow } | { readonly known: Known };

/**
 * Who comes in by a provider: by what it calls a person for good, and the first time by the claim that is the identifier
 * (docs/decisions/0025-whom-a-provider-names.md). Throws `ENTREE_REFUSEE`, the same for who is nobody, not on the list,
 * shut out and removed, and `FOURNISSEUR_A_RELIER` where the member has a way in of their own.
 */
export function requireLetIn(database: Reader, claims: Claims, provider: Provider): Comer {
  const bound = membreIdOf(database, subjectOf(claims, provider));
  const known = whoIs(claims, provider);
  if (bound === null || (bound === undefined && known === null))
    throw new Refusal('ENTREE_REFUSEE');
  const membre =
    bound === undefined
      ? membreByIdentifiant(database, known?.identifiant ?? '')
      : membreById(database, bound);
  const who = membre ?? known;
  const comesIn = who && isLetIn(claims, who, provider, membre !== undefined);
  if (!comesIn || membre?.exclu === 1) throw new Refusal('ENTREE_REFUSEE');
  if (membre === undefined) {
    const gone = departs(database).map(textKey);
    if (gone.includes(textKey(who.identifiant)) || isTaken(database, who.identifiant))
      throw new Refusal('ENTREE_REFUSEE');
    return { known: who };
  }
  if (bound === undefined) requireUnopened(database, membre, provider);
  return { membre };
}

/** Nobody is known yet to be the member, who has no other way in: whom the provider names is the member. */
function requireUnopened(database: Reader, membre: MembreRow, provider: Provider): void {
  if (isBound(database, provider.issuer.href, membre.id)) throw new Refusal('ENTREE_REFUSEE');
  if (membre.motDePasse !== null || clesAccesOf(database, membre.id).length > 0)
    throw new Refusal('FOURNISSEUR_A_RELIER');
}

/**
 * The member of who comes in by a provider, made at their first sign-in. The first of the house manages it, and no link
 * makes another first one. An invitation that waited for them is used up.
 */
export function memberOfKnown(
  database: Transaction,
  claims: Claims,
  provider: Provider,
): MembreRow {
  const comer = requireLetIn(database, claims, provider);
  const membre = 'membre' in comer ? comer.membre : makeMembre(database, comer.known);
  bindMembre(database, membre.id, subjectOf(claims, provider));
  return membre;
}

function makeMembre(database: Transaction, { identifiant, nom }: Known): MembreRow {
  const now = Date.now();
  const isManager = isFirst(database);
  for (const name of [identifiant, ...(isManager ? [null] : [])])
    deleteReplaced(database, { identifiant: name, now });
  const gere = isManager ? 1 : 0;
  const id = insertMembre(database, { identifiant, nom, gere, motDePasse: null });
  return found(membreById(database, id));
}

/**
 * Binds a member, who has proved to be one, to who has signed in at the provider. Throws `ENTREE_REFUSEE` for who would
 * not come in, `COMPTE_FOURNISSEUR_PRIS` where that is another member.
 */
export function bindOwn(
  database: Transaction,
  membreId: number,
  claims: Claims,
  provider: Provider,
): MembreRow {
  const membre = found(membreById(database, membreId));
  const subject = subjectOf(claims, provider);
  if (!isLetIn(claims, membre, provider, true)) throw new Refusal('ENTREE_REFUSEE');
  if ((membreIdOf(database, subject) ?? membreId) !== membreId)
    throw new Refusal('COMPTE_FOURNISSEUR_PRIS');
  bindMembre(database, membreId, subject);
  return membre;
}

const subjectOf = ({ sub }: Claims, { issuer }: Provider): Subject => ({
  issuer: issuer.href,
  sub: String(sub),
});
