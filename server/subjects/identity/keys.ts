import type { FastifyInstance } from 'fastify';
import * as cles from '#shared/cles';
import type { Cle } from '#shared/cles';
import { Refusal } from '#shared/refusals';
import { insertRow } from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import { drawToken, hashOf } from './secrets.ts';
import {
  membreByIdentifiant,
  requireProof,
  type Credential,
  type SignInParts,
} from './sessions.ts';

/** Distinguishes a key from a `Bearer` token that a sign-on may send. */
const KEY_PREFIX = 'ray_';

interface CleRow {
  readonly id: number;
  readonly utilisateur: string;
  readonly nom: string;
  readonly ecrit: 0 | 1;
  readonly debut: number;
  readonly vue: number | null;
}

const ROWS = 'SELECT id, utilisateur, nom, ecrit, debut, vue FROM Cle';

const cleByToken = (database: Reader, token: string): CleRow | undefined =>
  database.get<CleRow>(`${ROWS} WHERE jeton = ?`, hashOf(token));

const toCle = ({ id, nom, ecrit, debut, vue }: CleRow): Cle => ({
  id,
  nom,
  ecrit: ecrit === 1,
  debut: new Date(debut).toISOString(),
  vue: vue === null ? null : new Date(vue).toISOString(),
});

/** The key in `Authorization`; `null` for another's `Bearer`. */
export function readKey(authorization: string | undefined): string | null {
  const [, key = ''] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  return key.startsWith(KEY_PREFIX) ? key : null;
}

export const keyOfAddress = (url: string): string | null =>
  new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('cle');

/** With accounts the owner of a key has to be a member who is not shut out. */
export function credentialOfKey(
  database: Reader,
  token: string,
  hasAccounts: boolean,
): Credential | undefined {
  const row = cleByToken(database, token);
  if (row === undefined) return undefined;
  const { id, utilisateur, ecrit, vue } = row;
  if (hasAccounts && membreByIdentifiant(database, utilisateur)?.exclu !== 0) return undefined;
  const proof = { by: 'key', mayWrite: ecrit === 1 } as const;
  return {
    identity: { utilisateur, email: null, nomComplet: null },
    session: null,
    mayWrite: ecrit === 1,
    vue,
    noteUse: (tx, now) => touch(tx, id, now),
    proof,
    // A key never gains or loses the right to write.
    presentProof: () => (cleByToken(database, token)?.id === id ? proof : null),
  };
}

const touch = (tx: Transaction, id: number, now: number): unknown =>
  tx.run('UPDATE Cle SET vue = ? WHERE id = ?', now, id);

/** The secret is shown this once (docs/rules.md § 54). */
function makeCle(
  database: Transaction,
  utilisateur: string,
  { nom, ecrit }: Pick<Cle, 'nom' | 'ecrit'>,
): Cle & { jeton: string } {
  const jeton = KEY_PREFIX + drawToken('session');
  const row = { utilisateur, nom, ecrit: ecrit ? 1 : 0, debut: Date.now() } as const;
  const id = insertRow(database, 'Cle', { ...row, jeton: hashOf(jeton) });
  return { ...toCle({ ...row, id, vue: null }), jeton };
}

export function clesRoutes(app: FastifyInstance, parts: SignInParts): void {
  mount(app, [
    read(cles.listerCles, {
      may: 'inPerson',
      run: ({ utilisateur }) =>
        parts.database
          .all<CleRow>(`${ROWS} WHERE utilisateur = ? ORDER BY id`, utilisateur)
          .map(toCle),
    }),
    operation(cles.creerCle, {
      may: 'inPerson',
      prepare: async (call) => {
        const { body } = call;
        // Behind a sign-on there are no passwords.
        if (parts.config.accounts) await requireProof(parts, call, body.motDePasse);
      },
      run: (tx, { utilisateur, body }) => answer(makeCle(tx, utilisateur, body)),
    }),
    operation(cles.supprimerCle, {
      may: 'inPerson',
      run: (tx, { utilisateur, params }) => {
        const sql = 'DELETE FROM Cle WHERE id = ? AND utilisateur = ?';
        if (tx.run(sql, params.id, utilisateur).changes === 0) throw new Refusal('INTROUVABLE');
        return answer();
      },
    }),
  ]);
}
