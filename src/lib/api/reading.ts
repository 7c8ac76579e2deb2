import { refusals } from '#shared/refusals';
import { m } from '$lib/paraglide/messages';
import { ApiError, type Refus } from './error.ts';

/** What a proxy answers for a server that is not there. */
const SANS_SERVEUR = new Set([502, 503, 504]);

export const erreurHorsLigne = () => new ApiError('horsLigne', m.erreur_hors_ligne());

export const erreurSessionExpiree = () =>
  new ApiError('sessionExpiree', m.erreur_session_expiree());

const erreurInattendue = () => new ApiError('inattendu', m.erreur_inattendue());

/** What an answer that is no success means. Nothing of its text but our own sentences is kept. */
export async function erreurDe(reponse: Response): Promise<ApiError> {
  if (reponse.type === 'opaqueredirect') return erreurSessionExpiree();
  const corps: unknown = await reponse.json().catch(() => undefined);
  const refus = estRefus(corps) ? corps : null;
  // The server is there and says so itself where it is a source behind it that is not.
  if (SANS_SERVEUR.has(reponse.status) && refus?.code !== 'SOURCE_INJOIGNABLE')
    return erreurHorsLigne();
  if (refus) return new ApiError('refus', refus.message, refus);
  if (reponse.status === 401) return erreurSessionExpiree();
  return corps === undefined ? erreurHorsLigne() : erreurInattendue();
}

function estRefus(corps: unknown): corps is Refus {
  return (
    typeof corps === 'object' &&
    corps !== null &&
    'message' in corps &&
    typeof corps.message === 'string' &&
    'code' in corps &&
    typeof corps.code === 'string' &&
    corps.code in refusals &&
    corps.code !== 'ERREUR_INTERNE'
  );
}
