import type { Membre } from '#shared/membres';
import { found, Refusal } from '#shared/refusals';
import { compareText, textKey } from '#shared/text';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Records } from '#server/plumbing/records/records';
import { deleteClesOf, moveCles } from '../store/cles.ts';
import { deleteClesAccesOf } from '../store/cles-acces.ts';
import { deleteInvitationsBy, deleteInvitationsOf } from '../store/invitations.ts';
import {
  allMembres,
  countListes,
  deleteMembre,
  isManagedWithout,
  membreByIdentifiant,
  membreById,
  readersWithLists,
  setIdentifiant,
  updateMembre,
  type Listes,
  type MembreRow,
} from '../store/membres.ts';
import { deleteDepart, departsBefore, insertDepart } from '../store/provider.ts';
import { deleteSessionsOf } from '../store/sessions.ts';

/** What may be changed of a member. */
type MembreSaisi = Pick<Membre, 'nom' | 'gere' | 'exclu'>;

const shown = ({ id, identifiant, nom, portrait, gere, exclu }: MembreRow): Membre => ({
  id,
  portrait,
  identifiant,
  nom,
  gere: gere === 1,
  exclu: exclu === 1,
});

/** The members of the house, by name. */
export const listMembres = (database: Reader): Membre[] =>
  allMembres(database)
    .map(shown)
    .sort((a, b) => compareText(textKey(a.nom), textKey(b.nom)) || a.id - b.id);

/** Throws `GESTION_RESERVEE` unless the caller may manage. */
export function requireManager(database: Reader, callerId: number): void {
  if (membreById(database, callerId)?.gere !== 1) throw new Refusal('GESTION_RESERVEE');
}

/**
 * Changes a member; who does not manage may only rename themselves. One who is shut out loses sessions, keys, passkeys
 * and invitations, their own and those that they made, at once, and has none when they are let in again. Throws `GESTION_RESERVEE`, `DERNIERE_GESTION`,
 * `INTROUVABLE`.
 */
export function changeMembre(
  database: Transaction,
  callerId: number,
  id: number,
  saisi: MembreSaisi,
): Membre {
  const before = found(membreById(database, id));
  const row = { ...before, nom: saisi.nom, gere: bit(saisi.gere), exclu: bit(saisi.exclu) };
  const isOwnName = id === callerId && row.gere === before.gere && row.exclu === before.exclu;
  if (!isOwnName) requireManager(database, callerId);
  if (row.gere === 0 || row.exclu === 1) requireManagedWithout(database, before);
  updateMembre(database, row);
  if (row.exclu === 1) forgetAccess(database, row);
  if (row.gere === 0) deleteInvitationsBy(database, id);
  return shown(row);
}

/**
 * Removes a member; their lists wait for thirty days under their identifier, and no provider brings them back. Throws
 * as `changeMembre`.
 */
export function removeMembre(database: Transaction, callerId: number, id: number): void {
  requireManager(database, callerId);
  const membre = found(membreById(database, id));
  requireManagedWithout(database, membre);
  forgetAccess(database, membre);
  insertDepart(database, { identifiant: membre.identifiant, date: Date.now() });
  deleteMembre(database, id);
}

/** A name that lists belong to, and the member who has it; `nom` is `null` where nobody does. */
interface ReaderShown extends Listes {
  readonly utilisateur: string;
  readonly nom: string | null;
  readonly gere: boolean;
  readonly exclu: boolean;
}

/** Whose lists are whose, by identifier. */
export function readers(database: Reader): ReaderShown[] {
  const membres = new Map(allMembres(database).map((row) => [row.identifiant, shown(row)]));
  const names = new Set([...membres.keys(), ...readersWithLists(database)]);
  return [...names].sort(compareText).map((utilisateur) => ({
    ...{ nom: null, gere: false, exclu: false, ...membres.get(utilisateur) },
    ...countListes(database, utilisateur),
    utilisateur,
  }));
}

/**
 * Gives a member another identifier: the lists of that name are theirs from then on, and those of the one before
 * nobody's; keys go along. Throws `INTROUVABLE`, `IDENTIFIANT_EXISTANT`.
 */
export function changeIdentifiant(database: Transaction, from: string, to: string): void {
  const { id } = found(membreByIdentifiant(database, from));
  if (membreByIdentifiant(database, to) !== undefined) throw new Refusal('IDENTIFIANT_EXISTANT');
  deleteDepart(database, to);
  setIdentifiant(database, id, to);
  moveCles(database, from, to);
}

/** How long the lists of who was removed wait for them. */
const WAITING_MS = 30 * 24 * 60 * 60_000;

/** Deletes what is personal to members who were removed thirty days ago and have not come back (docs/rules.md § 53). */
export function forgetDepartures(records: Records<Transaction>): void {
  for (const identifiant of departsBefore(records.database, Date.now() - WAITING_MS))
    records.deleteOwned(identifiant);
}

/** Throws `DERNIERE_GESTION` where nobody else manages. */
function requireManagedWithout(database: Reader, { id, gere, exclu }: MembreRow): void {
  if (gere === 1 && exclu === 0 && !isManagedWithout(database, id))
    throw new Refusal('DERNIERE_GESTION');
}

function forgetAccess(database: Transaction, { id, identifiant }: MembreRow): void {
  deleteSessionsOf(database, id);
  deleteClesAccesOf(database, id);
  deleteClesOf(database, identifiant);
  deleteInvitationsOf(database, id);
  deleteInvitationsBy(database, id);
}

const bit = (value: boolean): 0 | 1 => (value ? 1 : 0);
