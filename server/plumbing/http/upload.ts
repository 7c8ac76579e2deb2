import { createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '#shared/refusals';
import {
  isFullDisk,
  makeWorkspace,
  mayWrite,
  removeWorkspace,
} from '#server/plumbing/database/files';
import { invalid, raison } from '#server/plumbing/common/raisons';

/**
 * `work` gets the path of the uploaded file, which is deleted when `work` fails, else by `settled`. Throws
 * `DISQUE_PLEIN`, `BASE_EN_LECTURE_SEULE`, and `FICHIER_INVALIDE` for an empty body.
 */
export async function withUpload<T extends object>(
  body: Readable | null,
  beside: string,
  work: (path: string) => Promise<T>,
): Promise<T & { readonly settled: () => void }> {
  if (body === null) throw invalid(raison('fichierVide'));
  const workspace = workspaceBeside(beside);
  const received = join(workspace, 'recu');
  try {
    await pipeline(body, createWriteStream(received));
    return { ...(await work(received)), settled: () => removeWorkspace(workspace) };
  } catch (error) {
    removeWorkspace(workspace);
    throw isFullDisk(error) ? refusalOfDisk('DISQUE_PLEIN', error) : error;
  }
}

function workspaceBeside(path: string): string {
  try {
    return makeWorkspace(path);
  } catch (error) {
    throw mayWrite(dirname(path)) ? error : refusalOfDisk('BASE_EN_LECTURE_SEULE', error);
  }
}

const refusalOfDisk = (code: 'BASE_EN_LECTURE_SEULE' | 'DISQUE_PLEIN', cause: unknown): Refusal =>
  Object.assign(new Refusal(code), { cause });
