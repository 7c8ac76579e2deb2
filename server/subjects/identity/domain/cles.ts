import type { Cle } from '#shared/cles';
import { Refusal } from '#shared/refusals';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { clesOf, deleteCle, insertCle, type CleRow } from '../store/cles.ts';
import { KEY_PREFIX } from './credentials.ts';
import { drawToken, hashOf } from './tokens.ts';

const shown = ({ id, nom, ecrit, debut, vue }: CleRow): Cle => ({
  id,
  nom,
  ecrit: ecrit === 1,
  debut: new Date(debut).toISOString(),
  vue: vue === null ? null : new Date(vue).toISOString(),
});

export const listCles = (database: Reader, utilisateur: string): Cle[] =>
  clesOf(database, utilisateur).map(shown);

/** Makes a key, and gives its secret, which nothing tells later (docs/rules.md § 54). */
export function makeCle(
  database: Transaction,
  utilisateur: string,
  { nom, ecrit }: Pick<Cle, 'nom' | 'ecrit'>,
): Cle & { jeton: string } {
  const jeton = KEY_PREFIX + drawToken('session');
  const row = { utilisateur, nom, ecrit: ecrit ? (1 as const) : (0 as const), debut: Date.now() };
  const id = insertCle(database, { ...row, jeton: hashOf(jeton) });
  return { ...shown({ ...row, id, vue: null }), jeton };
}

/** Throws `INTROUVABLE`. */
export function endCle(database: Transaction, id: number, utilisateur: string): void {
  if (!deleteCle(database, id, utilisateur)) throw new Refusal('INTROUVABLE');
}
