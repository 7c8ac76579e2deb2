import {
  rechercherIsbn,
  type Candidat,
  type NomSource,
  type RechercheIsbn,
} from '#shared/recherche';
import { Refusal } from '#shared/refusals';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { m } from '../paraglide/messages.js';
import { lireCode } from './code.ts';

/**
 * How a lookup ends, each end a different thing to see. `muettes` are the sources that did not
 * answer: they may know what the others do not.
 */
export type Reponse =
  | { readonly fin: 'invalide'; readonly message: string }
  | { readonly fin: 'echec'; readonly message: string }
  | { readonly fin: 'muette' | 'rien'; readonly muettes: readonly NomSource[] }
  | {
      readonly fin: 'un' | 'plusieurs';
      readonly candidats: readonly Candidat[];
      readonly muettes: readonly NomSource[];
    }
  | {
      readonly fin: 'revue';
      readonly issn: string;
      readonly titre: string | null;
      readonly revueId: number | null;
      readonly muettes: readonly NomSource[];
    };

/** Longer than the server can take for all the steps, each with a time-out of its own. */
const DELAI = 120_000;

/**
 * Asks the outside catalogues for a code. Throws nothing but the signal's reason when it is given
 * up: every failure is an answer that the screen shows.
 */
export async function interroger(texte: string, signal: AbortSignal): Promise<Reponse> {
  if (lireCode(texte).genre === 'inconnu')
    return { fin: 'invalide', message: new Refusal('ISBN_INVALIDE').message };
  try {
    return lire(await call(rechercherIsbn, { params: { code: texte }, signal, delai: DELAI }));
  } catch (erreur) {
    signal.throwIfAborted();
    if (!(erreur instanceof ApiError)) throw erreur;
    const message = erreur.kind === 'horsLigne' ? m.recherche_sans_serveur() : erreur.message;
    return { fin: 'echec', message };
  }
}

function lire(recherche: RechercheIsbn): Reponse {
  const muettes = recherche.sources
    .filter(({ etat }) => etat === 'injoignable')
    .map(({ nom }) => nom);
  if (recherche.type === 'revue') {
    const { issn, titre, revueId } = recherche;
    return { fin: 'revue', issn, titre, revueId, muettes };
  }
  const { candidats } = recherche;
  if (candidats.length === 0) return { fin: muettes.length > 0 ? 'muette' : 'rien', muettes };
  return { fin: candidats.length === 1 ? 'un' : 'plusieurs', candidats, muettes };
}
