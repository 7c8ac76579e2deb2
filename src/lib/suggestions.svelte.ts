import { suggererFusions, type Auteur } from '#shared/auteurs';
import { call } from './api/call.ts';
import { ApiError } from './api/error.ts';
import { auteurs } from './auteurs.svelte.ts';
import { instantane } from './instantanes.svelte.ts';
import { courante } from './replica/courante.ts';

/** Two authors of this device who may be one, the lower id first, and why, in a sentence. */
export interface Ressemblance {
  readonly cle: string;
  readonly auteurs: readonly [Auteur, Auteur];
  readonly raison: string;
}

/** How many answers have been asked for: only the last one counts. */
let demandes = 0;

/** The merges that somebody should decide, as the server last gave them; reactive. */
export const suggestions = {
  /** Those whose two authors are still there: a merge on any device takes its pair away. */
  get liste(): readonly Ressemblance[] {
    return (instantane('suggestions')?.valeur ?? []).flatMap(({ auteurs: [a, b], raison }) => {
      const [premier, second] = [auteurs.auteur(a.id), auteurs.auteur(b.id)];
      return premier && second
        ? [{ cle: `${a.id} ${b.id}`, auteurs: [premier, second], raison }]
        : [];
    });
  },
  /** When the server gave them. */
  get vuesLe(): Date | null {
    return instantane('suggestions')?.date ?? null;
  },
};

/** Asks the server again; where it does not answer, the last list stays. */
export async function demanderSuggestions(): Promise<void> {
  const demande = ++demandes;
  try {
    const liste = await call(suggererFusions, {});
    if (demande === demandes) await courante.garder('suggestions', liste);
  } catch (erreur) {
    if (!(erreur instanceof ApiError)) throw erreur;
  }
}
