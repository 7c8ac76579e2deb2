import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '#shared/refusals';
import { isFullDisk, makeWorkspace, removeWorkspace } from '#server/plumbing/database/files';

/**
 * `work` gets the path of the uploaded file, which is deleted when `work` fails, else by `settled`. Throws
 * `DISQUE_PLEIN`, and `FICHIER_INVALIDE` for an empty body.
 */
export async function withUpload<T extends object>(
  body: Readable | null,
  beside: string,
  work: (path: string) => Promise<T>,
): Promise<T & { readonly settled: () => void }> {
  if (body === null) throw new Refusal('FICHIER_INVALIDE', { raison: 'Ce fichier est vide.' });
  const workspace = makeWorkspace(beside);
  const received = join(workspace, 'recu');
  try {
    await pipeline(body, createWriteStream(received));
    return { ...(await work(received)), settled: () => removeWorkspace(workspace) };
  } catch (error) {
    removeWorkspace(workspace);
    if (!isFullDisk(error)) throw error;
    const refusal = new Refusal('DISQUE_PLEIN');
    refusal.cause = error;
    throw refusal;
  }
}
