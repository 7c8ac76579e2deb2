import type { Invitation } from '#shared/membres';
import { champRefusal, found, Refusal } from '#shared/refusals';
import { textKey } from '#shared/text';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { deleteClesAccesOf } from '../store/cles-acces.ts';
import {
  deleteInvitation,
  deleteReplaced,
  insertInvitation,
  invitationByJeton,
  takeInvitation,
  waitingInvitations,
  type InvitationRow,
} from '../store/invitations.ts';
import {
  allMembres,
  insertMembre,
  membreById,
  membreByIdentifiant,
  setMotDePasse,
  type MembreRow,
} from '../store/membres.ts';
import { deleteSessionsOf } from '../store/sessions.ts';
import { drawToken, hashOf } from './tokens.ts';

/** How long an invitation waits. */
const WAITING_MS = 7 * 24 * 60 * 60_000;

/** Who is invited: someone new, or a member who has forgotten the password. */
export interface Invited {
  readonly membreId?: number | null | undefined;
  readonly nom?: string | null | undefined;
  readonly identifiant?: string | null | undefined;
  readonly gere?: boolean | undefined;
}

/** The identifier that a name suggests: « Mamie Jeanne » is `mamie-jeanne`. */
const identifiantOf = (nom: string): string => textKey(nom).replaceAll(' ', '-');

export const listInvitations = (database: Reader): Invitation[] =>
  waitingInvitations(database, Date.now()).map(shown);

const shown = ({ id, nom, identifiant, fin }: InvitationRow): Invitation => ({
  id,
  nom: nom ?? '',
  identifiant: identifiant ?? '',
  fin: new Date(fin).toISOString(),
});

/**
 * Makes an invitation, in place of an earlier one for the same person, and gives its secret, which nothing tells
 * later. Throws `IDENTIFIANT_EXISTANT`, `INTROUVABLE`.
 */
export function invite(database: Transaction, invited: Invited): Invitation & { jeton: string } {
  const { membreId = null, gere = false } = invited;
  const { nom, identifiant } =
    membreId === null ? newcomer(database, invited) : found(membreById(database, membreId));
  const row = { membreId, nom, identifiant, gere: gere ? (1 as const) : (0 as const) };
  return draw(database, row);
}

function newcomer(
  database: Reader,
  { nom, identifiant }: Invited,
): { readonly nom: string; readonly identifiant: string } {
  if (typeof nom !== 'string') throw champRefusal('nom', 'manque');
  const chosen = identifiant ?? identifiantOf(nom);
  if (membreByIdentifiant(database, chosen) !== undefined)
    throw new Refusal('IDENTIFIANT_EXISTANT');
  return { nom, identifiant: chosen };
}

function draw(
  database: Transaction,
  row: Omit<InvitationRow, 'id' | 'fin'>,
): Invitation & { jeton: string } {
  const token = drawToken('link');
  const now = Date.now();
  const invitation = { ...row, fin: now + WAITING_MS };
  deleteReplaced(database, { identifiant: row.identifiant, now });
  const id = insertInvitation(database, { ...invitation, jeton: hashOf(token) });
  return { ...shown({ ...invitation, id }), jeton: token };
}

/** Whether the house has no member yet: who comes first manages it. */
export const isFirst = (database: Reader): boolean => allMembres(database).length === 0;

/** The same by a name alone: a member's identifier, or the name of a newcomer. */
export const inviteNamed = (
  database: Transaction,
  nom: string,
  gere: boolean,
): Invitation & { jeton: string } => {
  const membre = membreByIdentifiant(database, nom);
  return invite(database, membre === undefined ? { nom, gere } : { membreId: membre.id });
};

/** The secret with which somebody becomes the first member; `null` where there is one. Earlier ones serve no more. */
export function firstCode(database: Transaction): string | null {
  if (!isFirst(database)) return null;
  return draw(database, { membreId: null, nom: null, identifiant: null, gere: 1 }).jeton;
}

/** Whom an invitation is for. Throws `INVITATION_FINIE`. */
export function readInvitation(database: Reader, token: string): InvitationRow {
  const invitation = invitationByJeton(database, hashOf(token), Date.now());
  if (invitation === undefined) throw new Refusal('INVITATION_FINIE');
  return invitation;
}

/** Who an invitation makes a member of, by what they say. Throws `INVITATION_FINIE`, `IDENTIFIANT_EXISTANT`. */
export function whoArrives(
  database: Reader,
  token: string,
  saisi: Pick<Invited, 'nom' | 'identifiant'>,
): { readonly membreId: number | null; readonly nom: string; readonly identifiant: string } {
  const { membreId, nom, identifiant } = readInvitation(database, token);
  if (membreId !== null) return { membreId, ...found(membreById(database, membreId)) };
  const named = { nom: nom ?? saisi.nom, identifiant: identifiant ?? saisi.identifiant };
  return { membreId, ...newcomer(database, named) };
}

/**
 * Takes an invitation, which is used up by it: of two who open it together one becomes the member. A member who
 * had forgotten the password is signed in nowhere else afterwards, and no earlier passkey opens anything. Throws
 * `INVITATION_FINIE` and `IDENTIFIANT_EXISTANT`; nothing is used up then.
 *
 * @param motDePasse its hash, `null` for who chooses a passkey alone
 */
export function acceptInvitation(
  database: Transaction,
  token: string,
  saisi: Pick<Invited, 'nom' | 'identifiant'> & { readonly motDePasse: string | null },
): MembreRow {
  const taken = takeInvitation(database, hashOf(token), Date.now());
  if (taken === undefined) throw new Refusal('INVITATION_FINIE');
  const { motDePasse } = saisi;
  if (taken.membreId !== null) {
    setMotDePasse(database, taken.membreId, motDePasse);
    deleteClesAccesOf(database, taken.membreId);
    deleteSessionsOf(database, taken.membreId);
    return found(membreById(database, taken.membreId));
  }
  const { nom, identifiant } = newcomer(database, {
    nom: taken.nom ?? saisi.nom,
    identifiant: taken.identifiant ?? saisi.identifiant,
  });
  const id = insertMembre(database, { nom, identifiant, gere: taken.gere, motDePasse });
  return found(membreById(database, id));
}

/** Throws `INTROUVABLE`. */
export function withdrawInvitation(database: Transaction, id: number): void {
  if (!deleteInvitation(database, id)) throw new Refusal('INTROUVABLE');
}
