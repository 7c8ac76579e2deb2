import * as sauvegardes from '#shared/sauvegardes';
import type { Restauration } from '#shared/sauvegardes';
import { call } from '$lib/api/call';
import { catchUp } from '$lib/sync/write';

/** A backup with its covers, on a slow line. */
const TIMEOUT_MS = 3_600_000;

/**
 * Has a backup take the place of an empty library, or an export imported into it, and has this device
 * look at the server anew. Throws the refusals `BIBLIOTHEQUE_OCCUPEE` and `FICHIER_INVALIDE`.
 */
export async function restaurer(bytes: Blob): Promise<Restauration> {
  const restored = await call(sauvegardes.restaurer, { bytes, timeoutMs: TIMEOUT_MS });
  await catchUp();
  return restored;
}
