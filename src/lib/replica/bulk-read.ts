import type { DBCore, DBCoreGetManyRequest, DBCoreTable, Dexie } from 'dexie';

/** From how many keys on a look at the keys that exist is cheaper than asking for each. */
const BEAUCOUP = 200;

/** IndexedDB's « every key » in Dexie's terms (`DBCoreRangeType.Any`). */
const TOUTES = { type: 3, lower: undefined, upper: undefined };

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

async function lirePlusieurs(table: DBCoreTable, demande: DBCoreGetManyRequest) {
  if (demande.keys.length < BEAUCOUP) return table.getMany(demande);
  const { result } = await table.query({
    trans: demande.trans,
    values: false,
    query: { index: table.schema.primaryKey, range: TOUTES },
  });
  const existantes = new Set<unknown>(result);
  const keys = demande.keys.filter((cle: unknown) => existantes.has(cle));
  const valeurs = keys.length === 0 ? [] : await table.getMany({ ...demande, keys });
  const parCle = new Map(keys.map((cle: unknown, i) => [cle, valeurs[i]]));
  return demande.keys.map((cle: unknown) => parCle.get(cle));
}
