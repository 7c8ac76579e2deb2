import type { DBCore, DBCoreGetManyRequest, DBCoreKeyRange, DBCoreTable, Dexie } from 'dexie';
import { selon } from '../selon.ts';

/** From how many keys on a look at the keys that exist is cheaper than asking for each. */
const BEAUCOUP = 200;

/** Every key, in Dexie's terms: its `DBCoreRangeType.Any` is known to its types only. */
const TOUTES = selon<DBCoreKeyRange>({ type: 3 });

/**
 * Makes reading many documents by their keys fast where few of them exist. RxDB reads every
 * document before it writes it, which during a first synchronisation means thousands of requests
 * for documents that are not there: here the keys that exist are read in one request, and only
 * those are asked for.
 */
export function lireEnGros(base: Dexie): void {
  base.use({
    stack: 'dbcore',
    name: 'lireEnGros',
    create: (core: DBCore) => ({
      ...core,
      table: (nom: string) => {
        const table = core.table(nom);
        return { ...table, getMany: (demande) => lirePlusieurs(table, demande) };
      },
    }),
  });
}

async function lirePlusieurs(
  table: DBCoreTable,
  demande: DBCoreGetManyRequest,
): Promise<unknown[]> {
  if (demande.keys.length < BEAUCOUP) return table.getMany(demande);
  const { result } = await table.query({
    trans: demande.trans,
    values: false,
    query: { index: table.schema.primaryKey, range: TOUTES },
  });
  const existantes = new Set<unknown>(result);
  const keys = demande.keys.filter((cle: unknown) => existantes.has(cle));
  const valeurs: unknown[] = keys.length === 0 ? [] : await table.getMany({ ...demande, keys });
  const parCle = new Map(keys.map((cle: unknown, i) => [cle, valeurs[i]]));
  return demande.keys.map((cle: unknown) => parCle.get(cle));
}
