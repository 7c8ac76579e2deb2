import type { Endpoint, Response as Reponse } from '#shared/endpoint';
import { echanger, type Demande } from './api/call.ts';
import { courante } from './replica/courante.ts';

/**
 * Sends a write and waits until this device shows it. Throws an `ApiError` where the server did
 * not take it; a replica that lags behind is no failure of the write.
 *
 * @param surReponse told the answer before the device shows it
 */
export async function ecrire<E extends Endpoint>(
  endpoint: E,
  demande: Demande<E>,
  surReponse?: (corps: Reponse<E>) => void,
): Promise<Reponse<E>> {
  const { corps, revision } = await echanger(endpoint, demande);
  surReponse?.(corps);
  if (revision !== null) await courante.atteindre(revision);
  return corps;
}
