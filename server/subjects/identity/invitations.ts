import type { FastifyInstance } from 'fastify';
import * as connexion from '#shared/connexion';
import { DAY_MS } from '#shared/days';
import * as membres from '#shared/membres';
import type { Invitation } from '#shared/membres';
import { champRefusal, found, Refusal } from '#shared/refusals';
import { textKey } from '#shared/text';
import { insertRow } from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import { drawToken, hashOf, hashPassword } from './secrets.ts';
import { addMembre, isFirst, isTaken, requireFreeName } from './members.ts';
import {
  addCleAcces,
  clesAccesOf,
  creationOptions,
  requireCreated,
  type Challenges,
} from './passkeys.ts';
import {
  senderOf,
  deviceName,
  endSessionsOf,
  membreById,
  membreByIdentifiant,
  nameKey,
  requireProof,
  sessionOf,
  signIn,
  type MembreRow,
  type SignInParts,
} from './sessions.ts';

const WAITING_MS = 7 * DAY_MS;

interface InvitationRow {
  readonly id: number;
  readonly membreId: number | null;
  /** The invited identifier; `null` for the first member. */
  readonly identifiant: string | null;
  readonly nom: string | null;
  readonly gere: 0 | 1;
  /** The member who invites; `null` for the first code and the operator's command. */
  readonly inviteParId: number | null;
  /** The end of its validity, in milliseconds since 1970. */
  readonly fin: number;
}

const ROWS =
  'SELECT id, membreId, identifiant, nom, gere, inviteParId, fin FROM Invitation WHERE fin > ?';

/** The invited person: a newcomer, or with `membreId` a member who has forgotten the password. */
interface Guest {
  readonly membreId?: number | null | undefined;
  readonly nom?: string | null | undefined;
  readonly identifiant?: string | null | undefined;
  readonly gere?: boolean | undefined;
  readonly inviteParId?: number;
}

const toInvitation = ({ id, nom, identifiant, fin }: InvitationRow): Invitation => ({
  id,
  nom: nom ?? '',
  identifiant: identifiant ?? '',
  fin: new Date(fin).toISOString(),
});

/**
 * Replaces an earlier invitation of the same person; the secret is returned only here. Throws `IDENTIFIANT_EXISTANT`,
 * `NOM_EXISTANT`.
 */
function invite(database: Transaction, guest: Guest): Invitation & { jeton: string } {
  const { membreId = null, gere = false, inviteParId = null } = guest;
  const { nom, identifiant } =
    membreId === null ? newcomer(database, guest) : found(membreById(database, membreId));
  if (membreId === null) requireUninvited(database, { nom, identifiant });
  return draw(database, { membreId, nom, identifiant, gere: gere ? 1 : 0, inviteParId });
}

function newcomer(database: Reader, { nom, identifiant }: Guest) {
  if (typeof nom !== 'string') throw champRefusal('nom', 'MANQUE');
  // « Mamie Jeanne » becomes `mamie-jeanne`.
  const chosen = identifiant ?? textKey(nom).replaceAll(' ', '-');
  if (isTaken(database, chosen)) throw new Refusal('IDENTIFIANT_EXISTANT');
  requireFreeName(database, nom);
  return { nom, identifiant: chosen };
}

/** Throws `NOM_EXISTANT` if another invited person has the name, or will sign in by it. */
function requireUninvited(database: Reader, guest: { nom: string; identifiant: string }): void {
  const [identifiantKey, nomKey] = [nameKey(guest.identifiant), nameKey(guest.nom)];
  const isAlike = ({ membreId, nom, identifiant }: InvitationRow) =>
    membreId === null &&
    identifiant !== guest.identifiant &&
    [nom, identifiant].some((name) => [identifiantKey, nomKey].includes(nameKey(name ?? '')));
  if (database.all<InvitationRow>(ROWS, Date.now()).some(isAlike))
    throw new Refusal('NOM_EXISTANT');
}

function draw(
  database: Transaction,
  row: Omit<InvitationRow, 'id' | 'fin'>,
): Invitation & { jeton: string } {
  const jeton = drawToken('link');
  const now = Date.now();
  const invitation = { ...row, fin: now + WAITING_MS };
  database.run('DELETE FROM Invitation WHERE fin <= ? OR identifiant IS ?', now, row.identifiant);
  const id = insertRow(database, 'Invitation', { ...invitation, jeton: hashOf(jeton) });
  return { ...toInvitation({ ...invitation, id }), jeton };
}

/** By a member's identifier, or a newcomer's name. Throws like `invite`. */
export function inviteNamed(
  database: Transaction,
  nom: string,
  gere: boolean,
): Invitation & { jeton: string } {
  const membre = membreByIdentifiant(database, nom);
  return invite(database, membre === undefined ? { nom, gere } : { membreId: membre.id });
}

/** Replaces an earlier secret; `null` if there are members. */
export function firstCode(database: Transaction): string | null {
  if (!isFirst(database)) return null;
  const nobody = { membreId: null, nom: null, identifiant: null, inviteParId: null };
  return draw(database, { ...nobody, gere: 1 }).jeton;
}

function requireInvitation(database: Reader, jeton: string): InvitationRow {
  const row = database.get<InvitationRow>(`${ROWS} AND jeton = ?`, Date.now(), hashOf(jeton));
  if (row === undefined) throw new Refusal('INVITATION_FINIE');
  return row;
}

/**
 * The newcomer provides what the invitation leaves open. Throws `INVITATION_FINIE`, `IDENTIFIANT_EXISTANT`,
 * `NOM_EXISTANT`.
 */
function whoArrives(database: Reader, jeton: string, said: Pick<Guest, 'nom' | 'identifiant'>) {
  const { membreId, nom, identifiant, gere } = requireInvitation(database, jeton);
  if (membreId !== null) {
    const membre = found(membreById(database, membreId));
    return { gere, membreId, nom: membre.nom, identifiant: membre.identifiant };
  }
  const named = { nom: nom ?? said.nom, identifiant: identifiant ?? said.identifiant };
  return { gere, membreId, ...newcomer(database, named) };
}

/**
 * Accepts an invitation, once: of two simultaneous attempts one succeeds. For a member who had forgotten the password
 * every other credential ends: sessions, passkeys, keys, a provider. Throws `INVITATION_FINIE`,
 * `IDENTIFIANT_EXISTANT` and `NOM_EXISTANT`; the invitation stays valid then.
 *
 * @param motDePasse its hash; `null` for a passkey only
 */
function acceptInvitation(
  database: Transaction,
  jeton: string,
  { motDePasse, ...identity }: Pick<Guest, 'nom' | 'identifiant'> & { motDePasse: string | null },
): MembreRow {
  const { membreId, gere, ...names } = whoArrives(database, jeton, identity);
  database.run('DELETE FROM Invitation WHERE jeton = ?', hashOf(jeton));
  if (membreId === null) return addMembre(database, { ...names, gere, motDePasse });
  database.run('UPDATE Membre SET motDePasse = ?, aInviter = 0 WHERE id = ?', motDePasse, membreId);
  endSessionsOf(database, membreId);
  database.run('DELETE FROM CleAcces WHERE membreId = ?', membreId);
  database.run('DELETE FROM CompteFournisseur WHERE membreId = ?', membreId);
  database.run('DELETE FROM Cle WHERE utilisateur = ?', names.identifiant);
  return found(membreById(database, membreId));
}

/** The invited person chooses a password or a passkey (docs/rules.md § 53). */
export function invitationsRoutes(
  scope: FastifyInstance,
  parts: SignInParts,
  challenges: Challenges,
): void {
  const { database } = parts;
  const { libraryName } = parts.config;
  const purposeOf = (jeton: string) => `invitation ${hashOf(jeton).toString('hex')}` as const;

  mount(scope, [
    read(membres.listerInvitations, {
      may: 'manager',
      run: () =>
        database
          .all<InvitationRow>(`${ROWS} AND nom IS NOT NULL ORDER BY id`, Date.now())
          .map(toInvitation),
    }),
    operation(membres.inviter, {
      may: 'manager',
      prepare: async (call) => {
        const { body } = call;
        const { membreId: inviteParId } = sessionOf(call.request);
        // An invitation that opens a member's account or creates a manager requires proof besides
        // the session.
        if (typeof body.membreId === 'number' || body.gere === true)
          await requireProof(parts, call, body.motDePasse);
        return inviteParId;
      },
      run: (tx, { body, prepared: inviteParId }) => answer(invite(tx, { ...body, inviteParId })),
    }),
    operation(membres.retirerInvitation, {
      may: 'manager',
      run: (tx, { params }) => {
        if (tx.run('DELETE FROM Invitation WHERE id = ?', params.id).changes === 0)
          throw new Refusal('INTROUVABLE');
        return answer();
      },
    }),
    operation(connexion.lireInvitation, {
      may: 'visitor',
      run: (tx, { body }) => {
        const { nom, identifiant, membreId } = requireInvitation(tx, body.jeton);
        return answer({ nom, identifiant, estMembre: membreId !== null });
      },
    }),
    operation(connexion.demanderCleArrivee, {
      may: 'visitor',
      prepare: ({ request }) => request,
      run: (tx, { body, prepared: request }) => {
        const { membreId, ...membre } = whoArrives(tx, body.jeton, body);
        return answer(
          creationOptions(challenges, request, {
            purpose: purposeOf(body.jeton),
            libraryName,
            membre,
            replaces: true,
            known: membreId === null ? [] : clesAccesOf(tx, membreId),
          }),
        );
      },
    }),
    operation(connexion.accepterInvitation, {
      may: 'visitor',
      prepare: async (call) => {
        const { jeton, motDePasse: password = null, cleAcces } = call.body;
        const { request } = call;
        requireInvitation(database, jeton);
        if (password === null && cleAcces === undefined) throw champRefusal('motDePasse', 'MANQUE');
        const made =
          cleAcces && (await requireCreated(challenges, request, purposeOf(jeton), cleAcces));
        const motDePasse = password && (await hashPassword(password, senderOf(database, call)));
        return { call, made, motDePasse };
      },
      run: (tx, { body, prepared: { call, made, motDePasse } }) => {
        const { jeton, nom, identifiant } = body;
        const membre = acceptInvitation(tx, jeton, { nom, identifiant, motDePasse });
        if (made) addCleAcces(tx, membre.id, { made, nom: deviceName(call.request) });
        return answer(signIn(tx, call, membre));
      },
    }),
  ]);
}
