import type { Session, Visage } from '#shared/connexion';
import { found, Refusal } from '#shared/refusals';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Reader } from '#server/plumbing/database/reader';
import { membreById, membreByIdentifiant, type MembreRow } from '../store/membres.ts';
import {
  activate,
  deleteSession,
  deleteSessionOn,
  deleteUnused,
  insertSession,
  renewJeton,
  sessionsOfDevice,
  sessionsOfMembre,
  type SessionRow,
} from '../store/sessions.ts';
import type { Attempts } from './attempts.ts';
import { usedAfter } from './credentials.ts';
import { isPassword } from './passwords.ts';
import { drawToken, hashOf } from './tokens.ts';

/** The device that asks: the token of its cookie, and what it is called. */
export interface Device {
  readonly token: string | null;
  readonly appareil: string;
  /** The address that it asks from. */
  readonly address: string;
}

/**
 * The member whom a name and a password name. Throws `IDENTIFIANTS_REFUSES`, whichever of the two is wrong, and
 * `TROP_DE_TENTATIVES` (docs/rules.md § 53).
 */
export async function requireMembre(
  database: Reader,
  attempts: Attempts,
  { identifiant, motDePasse }: { readonly identifiant: string; readonly motDePasse: string },
  address: string,
): Promise<MembreRow> {
  const membre = membreByIdentifiant(database, identifiant);
  const isRight = await attempts.try(address, `identifiant ${identifiant}`, async () => {
    const isTheirs = await isPassword(motDePasse, membre?.motDePasse ?? null, address);
    return isTheirs && membre?.exclu === 0;
  });
  if (!isRight || membre === undefined) throw new Refusal('IDENTIFIANTS_REFUSES');
  return membre;
}

/**
 * Opens a session on a device, which reads from then on, and returns the token of its cookie: always another one,
 * so that nobody can have given it to the device before. Throws `IDENTIFIANTS_REFUSES` where the member has been
 * shut out, or has another password, since it was compared.
 */
export function openSession(database: Transaction, membre: MembreRow, device: Device): string {
  const token = drawToken('session');
  const now = membreById(database, membre.id);
  if (now?.exclu !== 0 || now.motDePasse !== membre.motDePasse)
    throw new Refusal('IDENTIFIANTS_REFUSES');
  const jeton = hashOf(token);
  deleteUnused(database, usedAfter());
  if (device.token !== null) renewJeton(database, hashOf(device.token), jeton);
  deleteSessionOn(database, jeton, membre.id);
  insertSession(database, {
    jeton,
    membreId: membre.id,
    appareil: device.appareil,
    now: Date.now(),
  });
  return token;
}

/** The members who are signed in on a device. */
export const visagesOn = (database: Reader, { token }: Device): Visage[] =>
  rowsOn(database, token).map(({ membreId, nom, identifiant, code, portrait, actif }) => ({
    id: membreId,
    portrait,
    nom,
    identifiant,
    avecCode: code !== null,
    actif: actif === 1,
  }));

const rowsOn = (database: Reader, token: string | null): SessionRow[] =>
  token === null ? [] : sessionsOfDevice(database, hashOf(token), usedAfter());

/** Wrong codes after which a member has to sign in anew on that device. */
const MAX_CODES = 5;

/** Counts the wrong codes of a session. */
export class Codes {
  readonly #wrong = new Map<number, number>();

  /**
   * Throws `CODE_REFUSE` unless the code is the member's, where they have one. After the fifth wrong one the
   * session ends: a code is short, and the device may be in anybody's hands.
   */
  async require(database: Database, row: SessionRow, code: string, address: string): Promise<void> {
    if (row.code === null) return;
    const count = (this.#wrong.get(row.id) ?? 0) + 1;
    // As wrong while it is under way: many at once are no way around.
    this.#wrong.set(row.id, count);
    const isRight = count <= MAX_CODES && (await isPassword(code, row.code, address));
    if (isRight) this.#wrong.delete(row.id);
    else if (count >= MAX_CODES) {
      this.#wrong.delete(row.id);
      database.write((tx) => deleteSession(tx, row.id, row.membreId));
    }
    if (!isRight) throw new Refusal('CODE_REFUSE');
  }
}

/** The session of a member on a device. Throws `INTROUVABLE`. */
export const sessionOn = (database: Reader, { token }: Device, membreId: number): SessionRow =>
  found(rowsOn(database, token).find((row) => row.membreId === membreId));

/** Has another session of the device read, or none, and returns the token of its cookie. */
export function changeReader(
  database: Transaction,
  device: Device,
  row: SessionRow | null,
): string {
  const token = drawToken('session');
  if (device.token !== null) renewJeton(database, hashOf(device.token), hashOf(token));
  if (row !== null) activate(database, row.id, Date.now());
  return token;
}

/** The sessions of a member, as they are shown; `hereId` is the one that asks. */
export const sessionsShown = (database: Reader, membreId: number, hereId: number): Session[] =>
  sessionsOfMembre(database, membreId, usedAfter()).map(({ id, appareil, debut, vue }) => ({
    id,
    appareil,
    debut: new Date(debut).toISOString(),
    vue: new Date(vue).toISOString(),
    estIci: id === hereId,
  }));

/** Ends a session of a member's own. Throws `INTROUVABLE`. */
export function endSession(database: Transaction, id: number, membreId: number): void {
  if (!deleteSession(database, id, membreId)) throw new Refusal('INTROUVABLE');
}
