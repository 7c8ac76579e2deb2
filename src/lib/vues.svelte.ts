import { createSubscriber } from 'svelte/reactivity';
import { vues } from './replica/vues.ts';

const suivre = createSubscriber((changer) => vues.abonner(changer));

/** The records in memory; whoever reads them in an effect or a template runs again on a change. */
export function lesVues(): typeof vues {
  suivre();
  return vues;
}

/** Keeps what `calculer` makes of the records until they change. */
export function parVersion<T>(calculer: () => T): () => T {
  let version = -1;
  let valeur: T;
  return () => {
    const actuelle = lesVues().version;
    if (version !== actuelle) {
      valeur = calculer();
      version = actuelle;
    }
    return valeur;
  };
}
