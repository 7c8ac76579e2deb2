import { avant } from './delai.ts';
import { estDeLaBase, estPerimee } from './schema.ts';

/** How long a deletion may wait for tabs that do not let go, in milliseconds. */
const PATIENCE = 5_000;

/** Deletes what a replica of this name has left in IndexedDB. */
export const supprimerBase = (nom: string): Promise<void> =>
  supprimer((indexedDb) => estDeLaBase(indexedDb, nom));

/** Deletes the replicas that other versions of the application have left. */
export const supprimerPerimees = (): Promise<void> => supprimer(estPerimee);

async function supprimer(choisie: (indexedDb: string) => boolean): Promise<void> {
  const noms = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  await avant(PATIENCE, Promise.all(noms.filter(choisie).map(supprimerUne)));
}

/** RxDB's own removal empties a database and leaves it behind. */
function supprimerUne(nom: string): Promise<void> {
  return new Promise((fini, echec) => {
    const demande = indexedDB.deleteDatabase(nom);
    demande.onsuccess = () => fini();
    demande.onerror = () => echec(demande.error ?? new Error(nom));
  });
}
