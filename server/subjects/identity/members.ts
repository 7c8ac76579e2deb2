import type { FastifyInstance } from 'fastify';
import { DAY_MS } from '#shared/days';
import * as membres from '#shared/membres';
import type { Membre } from '#shared/membres';
import * as portraits from '#shared/portraits';
import { champRefusal, found, Refusal } from '#shared/refusals';
import { compareText, textKey } from '#shared/text';
import { insertRow } from '#server/plumbing/database/columns';
import type { Database } from '#server/plumbing/database/database';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import type { Identity } from '#server/plumbing/http/identity';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import { queueOwnerOf } from '#server/plumbing/http/request';
import type { Records } from '#server/plumbing/records/records';
import { decode } from '#server/subjects/couvertures/decoder';
import { endPartages, leavePartages } from '#server/subjects/partages/partages';
import { drawToken } from './secrets.ts';
import {
  allMembres,
  endSessionsOf,
  memberIdentity,
  membreById,
  membreByIdentifiant,
  nameKey,
  requireProof,
  sessionOf,
  type MembreRow,
  type SignInParts,
} from './sessions.ts';

const bit = (value: boolean): 0 | 1 => (value ? 1 : 0);

const toMembre = ({ id, identifiant, nom, portrait, gere, exclu }: MembreRow): Membre => ({
  id,
  portrait,
  identifiant,
  nom,
  gere: gere === 1,
  exclu: exclu === 1,
});

const listMembres = (database: Reader): Membre[] =>
  allMembres(database)
    .map(toMembre)
    .sort((a, b) => compareText(textKey(a.nom), textKey(b.nom)) || a.id - b.id);

/**
 * Whether an identifier or name is taken, or one that differs only in case, accents, signs or invisible characters:
 * either signs its member in.
 */
export const isTaken = (database: Reader, name: string, exceptId = 0): boolean =>
  allMembres(database).some(
    ({ id, identifiant, nom }) =>
      id !== exceptId && [identifiant, nom].some((each) => nameKey(each) === nameKey(name)),
  );

/** Without members, readers come from a sign-on, which may name anybody. */
export const mayBeReader = (database: Reader, identifiant: string): boolean =>
  isFirst(database) || allMembres(database).some((membre) => membre.identifiant === identifiant);

/** Throws `NOM_EXISTANT`, and `REQUETE_INVALIDE` for a name that nobody sees. */
export function requireFreeName(database: Reader, nom: string, exceptId = 0): void {
  if (nameKey(nom) === '') throw champRefusal('nom', 'INVISIBLE');
  if (isTaken(database, nom, exceptId)) throw new Refusal('NOM_EXISTANT');
}

export const isFirst = (database: Reader): boolean => allMembres(database).length === 0;

/** Adds a member, who owns the lists of the identifier. Throws `IDENTIFIANT_EXISTANT`, and like `requireFreeName`. */
export function addMembre(
  database: Transaction,
  membre: Pick<MembreRow, 'identifiant' | 'nom' | 'gere' | 'motDePasse'>,
): MembreRow {
  if (isTaken(database, membre.identifiant)) throw new Refusal('IDENTIFIANT_EXISTANT');
  requireFreeName(database, membre.nom);
  deleteDepart(database, membre.identifiant);
  return found(membreById(database, insertRow(database, 'Membre', membre)));
}

function requireManager(database: Reader, callerId: number): void {
  if (membreById(database, callerId)?.gere !== 1) throw new Refusal('GESTION_RESERVEE');
}

type MembreSaisi = Pick<Membre, 'nom' | 'gere' | 'exclu'>;

const givesRights = (before: MembreRow | undefined, { gere, exclu }: MembreSaisi): boolean =>
  before !== undefined && ((gere && before.gere === 0) || (!exclu && before.exclu === 1));

/**
 * Without being a manager, a member may only rename themselves. A member who is shut out loses sessions, keys,
 * passkeys and invitations, received and sent, and has none when admitted again. Throws `GESTION_RESERVEE`,
 * `DERNIERE_GESTION`, `INTROUVABLE`, `NOM_EXISTANT`.
 */
function changeMembre(
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
  // Two members with one name from before this rule keep it until one of them changes it.
  if (row.nom !== before.nom) requireFreeName(database, row.nom, id);
  database.run('UPDATE Membre SET nom = :nom, gere = :gere, exclu = :exclu WHERE id = :id', row);
  if (row.exclu === 1) forgetAccess(database, row);
  if (row.gere === 0) database.run('DELETE FROM Invitation WHERE inviteParId = ?', id);
  return toMembre(row);
}

/** The lists wait for thirty days, and no provider brings the member back. Throws `INTROUVABLE`, `DERNIERE_GESTION`. */
function removeMembre(database: Transaction, id: number): void {
  const membre = found(membreById(database, id));
  requireManagedWithout(database, membre);
  forgetAccess(database, membre);
  deleteDepart(database, membre.identifiant);
  insertRow(database, 'Depart', { identifiant: membre.identifiant, date: Date.now() });
  database.run('DELETE FROM Membre WHERE id = ?', id);
}

function requireManagedWithout(database: Reader, { id, gere, exclu }: MembreRow): void {
  const other = 'SELECT 1 FROM Membre WHERE gere = 1 AND exclu = 0 AND id <> ? LIMIT 1';
  if (gere === 1 && exclu === 0 && database.value(other, id) === undefined)
    throw new Refusal('DERNIERE_GESTION');
}

/**
 * Revokes a member's credentials and shared lists, which they could not withdraw any more. A member with only a
 * passkey returns by an invitation, not by their name at a provider.
 */
function forgetAccess(database: Transaction, { id, identifiant, motDePasse }: MembreRow): void {
  endSessionsOf(database, id);
  leavePartages(database, identifiant);
  const { changes } = database.run('DELETE FROM CleAcces WHERE membreId = ?', id);
  if (motDePasse === null && changes > 0)
    database.run('UPDATE Membre SET aInviter = 1 WHERE id = ?', id);
  database.run('DELETE FROM Cle WHERE utilisateur = ?', identifiant);
  database.run('DELETE FROM Invitation WHERE membreId = ? OR inviteParId = ?', id, id);
}

interface ReaderLists {
  readonly utilisateur: string;
  readonly nom: string | null;
  readonly gere: boolean;
  readonly exclu: boolean;
  readonly statuts: number;
  readonly souhaits: number;
  readonly lectures: number;
}

const LISTES = `SELECT utilisateur, sum(statut) AS statuts, sum(souhait) AS souhaits, sum(lecture) AS lectures FROM (
    SELECT utilisateur, 1 AS statut, 0 AS souhait, 0 AS lecture FROM Statut
    UNION ALL SELECT utilisateur, 0, 1, 0 FROM Souhait
    UNION ALL SELECT utilisateur, 0, 1, 0 FROM RevueSouhaitee
    UNION ALL SELECT utilisateur, 0, 0, 1 FROM Lecture
    UNION ALL SELECT identifiant, 0, 0, 0 FROM Membre) GROUP BY utilisateur`;

/** The lists by owner's identifier, only for the operator's command. */
export const readers = (database: Reader): ReaderLists[] =>
  database
    .all<Pick<ReaderLists, 'utilisateur' | 'statuts' | 'souhaits' | 'lectures'>>(LISTES)
    .map((listes) => {
      const membre = membreByIdentifiant(database, listes.utilisateur);
      return {
        nom: null,
        gere: false,
        exclu: false,
        ...(membre && toMembre(membre)),
        ...listes,
      };
    })
    .sort((a, b) => compareText(a.utilisateur, b.utilisateur));

/** Moves the lists to the new identifier; keys stay valid. Throws `INTROUVABLE`, `IDENTIFIANT_EXISTANT`. */
export function changeIdentifiant(database: Transaction, from: string, to: string): void {
  const { id } = found(membreByIdentifiant(database, from));
  if (isTaken(database, to, id)) throw new Refusal('IDENTIFIANT_EXISTANT');
  deleteDepart(database, to);
  leavePartages(database, from);
  database.run('UPDATE Membre SET identifiant = ? WHERE id = ?', to, id);
  database.run('UPDATE Cle SET utilisateur = ? WHERE utilisateur = ?', to, from);
}

/** Also true for an identifier that differs in case, accents or signs only. */
export const hasLeft = (database: Reader, identifiant: string): boolean =>
  database
    .values<string>('SELECT identifiant FROM Depart')
    .some((gone) => nameKey(gone) === nameKey(identifiant));

function deleteDepart(database: Transaction, identifiant: string): void {
  database.run('DELETE FROM Depart WHERE identifiant = ?', identifiant);
}

const WAITING_MS = 30 * DAY_MS;

/**
 * Deletes the personal data of members who were removed thirty days ago and have not returned (docs/rules.md § 53).
 * Without accounts nothing is deleted: a sign-on may still name such a reader.
 */
export async function tendDepartures(
  database: Database,
  records: Records<Database>,
  hasAccounts: boolean,
): Promise<void> {
  const waiting = 'SELECT identifiant FROM Depart WHERE date < ?';
  const before = hasAccounts ? Date.now() - WAITING_MS : Infinity;
  if (database.isReadOnly || database.value(waiting, before) === undefined) return;
  const tend = (tx: Transaction): void => {
    for (const identifiant of hasAccounts ? tx.values<string>(waiting, before) : [])
      records.within(tx).deleteOwned(identifiant);
    if (!hasAccounts) tx.run('UPDATE Depart SET date = NULL');
  };
  await database.writeLock.inBackground(() => database.write(tend));
}

/** The people who can sign in to a restored database, and the owners of its keys: « Claire (claire) ». */
export interface Entries {
  readonly membres: string[];
  readonly cles: string[];
}

/**
 * Revokes the sessions, invitations and shared lists that a backup restores. Its members and keys are valid again,
 * even those shut out or ended since: they are returned for a person to check.
 */
export function revokeRestoredAccess(database: Transaction): Entries {
  database.run('DELETE FROM Session');
  database.run('DELETE FROM Invitation');
  endPartages(database);
  const membres = allMembres(database).filter(({ exclu }) => exclu === 0);
  return {
    membres: membres.map(({ nom, identifiant }) => `${nom} (${identifiant})`),
    cles: database.values<string>("SELECT nom || ' (' || utilisateur || ')' FROM Cle"),
  };
}

function changeFace(database: Transaction, membreId: number, image: Buffer | null): Identity {
  database.run('DELETE FROM Portrait WHERE membreId = ?', membreId);
  if (image !== null) insertRow(database, 'Portrait', { membreId, cle: drawToken('link'), image });
  return memberIdentity(found(membreById(database, membreId)));
}

/** A new picture has a new key. */
const FACE_AGE = '365d';

export function membresRoutes(scope: FastifyInstance, parts: SignInParts): void {
  const { database } = parts;

  mount(scope, [
    read(membres.listerMembres, { may: 'inPerson', run: () => listMembres(database) }),
    operation(membres.modifierMembre, {
      may: 'inPerson',
      prepare: async (call) => {
        const { params, body } = call;
        const { membreId } = sessionOf(call.request);
        const isProved = givesRights(membreById(database, params.id), body);
        if (isProved) {
          requireManager(database, membreId);
          await requireProof(parts, call, body.motDePasse);
        }
        return { membreId, isProved };
      },
      run: (tx, { params, body, prepared: { membreId, isProved } }) => {
        // The member may have been shut out meanwhile, and this change would admit them again.
        if (!isProved && givesRights(membreById(tx, params.id), body))
          throw new Refusal('IDENTIFIANTS_REFUSES');
        return answer(changeMembre(tx, membreId, params.id, body));
      },
    }),
    operation(membres.supprimerMembre, {
      may: 'manager',
      run: (tx, { params }) => {
        removeMembre(tx, params.id);
        return answer();
      },
    }),
    operation(portraits.choisirPortrait, {
      may: 'inPerson',
      prepare: async (call) => {
        const { request } = call;
        const { membreId } = sessionOf(request);
        const content = request.bodyBytes ?? Buffer.alloc(0);
        const image = await decode('portrait', content, queueOwnerOf(call));
        return { membreId, image };
      },
      run: (tx, { prepared: { membreId, image } }) => answer(changeFace(tx, membreId, image)),
    }),
    operation(portraits.retirerPortrait, {
      may: 'inPerson',
      prepare: ({ request }) => sessionOf(request),
      run: (tx, { prepared: { membreId } }) => answer(changeFace(tx, membreId, null)),
    }),
    read(portraits.lirePortrait, {
      may: 'visitor',
      run: ({ params, reply }) => {
        const image = database.value<Buffer>(
          'SELECT image FROM Portrait WHERE cle = ?',
          params.cle,
        );
        reply.header('Content-Security-Policy', "default-src 'none'; sandbox");
        reply.cacheControl('private').maxAge(FACE_AGE).cacheControl('immutable').type('image/webp');
        return found(image);
      },
    }),
  ]);
}
