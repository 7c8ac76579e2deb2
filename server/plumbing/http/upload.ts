import { createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '#shared/refusals';
import {
  isFullDisk,
  makeWorkspace,
  mayWrite,
  removeWorkspace,
} from '#server/plumbing/database/files';
import { invalid, raison } from '#server/plumbing/common/raisons';
import type { Preparation } from '#server/plumbing/writes/operations';

/**
 * Receives a file for an operation that prepares itself with it.
 *
 * Throws `DISQUE_PLEIN`, `BASE_EN_LECTURE_SEULE`, and `FICHIER_INVALIDE` for an empty body.
 *
 * @param work gets the path of the file, which is deleted `afterwards`
 */
export async function withUpload<T>(
  { request, afterwards }: Pick<Preparation, 'request' | 'afterwards'>,
  beside: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const { bodyStream: body } = request;
  if (body === null) throw invalid(raison('fichierVide'));
  const workspace = workspaceBeside(beside);
  afterwards.defer(() => removeWorkspace(workspace));
  const received = join(workspace, 'recu');
  try {
    await pipeline(body, createWriteStream(received));
    return await work(received);
  } catch (error) {
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
