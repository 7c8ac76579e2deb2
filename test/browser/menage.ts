import { commands } from 'vitest/browser';
import type { Endpoint, Response as Reponse } from '#shared/endpoint';
import { ajouterLivre } from '#shared/livres';
import { preter, rendre } from '#shared/prets';
import { changerStatut, type StatutOuRien } from '#shared/statuts';
import type { LivreSaisi } from '#shared/livres';
import { call, type Demande } from '$lib/api/call';
import { lien } from '$lib/api/lien';
import { courante } from '$lib/replica/courante';

/** A fresh house behind this page, and nothing of an earlier one left in the browser. */
export async function emmenager(utilisateur: string | null = 'alice'): Promise<void> {
  courante.fermer();
  lien.etat = 'enLigne';
  localStorage.clear();
  await toutOublier();
  await commands.ouvrirMaison();
  await commands.connecter(utilisateur);
}

/** Leaves nothing behind. */
export async function demenager(): Promise<void> {
  courante.fermer();
  await commands.fermerMaison();
}

/** Deletes every IndexedDB database of this origin. */
export async function toutOublier(): Promise<void> {
  await Promise.all((await indexedDB.databases()).map(({ name = '' }) => oublier(name)));
}

export const oublier = (nom: string): Promise<void> =>
  new Promise((fini, echec) => {
    const demande = indexedDB.deleteDatabase(nom);
    demande.onsuccess = () => fini();
    demande.onerror = () => echec(demande.error ?? new Error(nom));
  });

/** Opens the copy of a reader without asking who is signed in. */
export const ouvrir = (utilisateur: string | null): Promise<void> =>
  courante.ouvrir({ utilisateur, verifier: () => Promise.resolve() });

/** Writes as another device would: straight to the server, past this device's replica. */
export const ailleurs = <E extends Endpoint>(
  endpoint: E,
  demande: Demande<E>,
): Promise<Reponse<E>> => call(endpoint, demande);

export const ajouter = async (titre: string, reste: Partial<LivreSaisi> = {}): Promise<number> => {
  const livre = await ailleurs(ajouterLivre, {
    query: { confirmerDoublon: true },
    body: { titre, format: 'Physique', ...reste },
  });
  return livre.id;
};

export const preterA = async (livreId: number, emprunteur: string): Promise<number> =>
  (await ailleurs(preter, { params: { id: livreId }, body: { emprunteur } })).id;

export const rendreLe = (pretId: number) => ailleurs(rendre, { params: { id: pretId } });

export const lire = (livreId: number, statut: StatutOuRien) =>
  ailleurs(changerStatut, { params: { id: livreId }, body: { statut } });
