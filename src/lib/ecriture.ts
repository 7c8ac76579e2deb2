import type { Endpoint, Response as Reponse } from '#shared/endpoint';
import { echanger, type Demande } from './api/call.ts';
import { courante } from './replica/courante.ts';

/**
 * Sends a write and waits until this device shows it. Throws an `ApiError` where the server did
 * not take it; a replica that lags behind is no failure of the write.
 */
export async function ecrire<E extends Endpoint>(
  endpoint: E,
  demande: Demande<E>,
): Promise<Reponse<E>> {
  const { corps, revision } = await echanger(endpoint, demande);
  if (revision !== null) await courante.atteindre(revision);
  return corps;
}
