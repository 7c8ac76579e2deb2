import { createWriteStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '#shared/refusals';
import type { Sauvegardes } from '#shared/sauvegardes';
import { InvalidBackup } from '#server/plumbing/database/backup/invalid-backup';
import {
  prepareRestore,
  type HouseholdPaths,
  type PreparedRestore,
} from '#server/plumbing/database/backup/restore';
import { makeWorkspace, removeWorkspace } from '#server/plumbing/database/backup/workspace';
import { isFullDisk } from '#server/plumbing/database/disk-errors';
import { UnusableDatabase } from '#server/plumbing/database/unusable';

/** A file has this name only once it has been read back. */
const BACKUP = /^rayonnage-(?:nuit-)?[\dT-]+Z(?:-\d+)?\.zip$/;

/** The backups of a folder: how many, and the newest one. */
export function readBackups(folder: string): Pick<Sauvegardes, 'nombre' | 'derniere'> {
  const files = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => BACKUP.test(name))
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .filter((stats) => stats !== undefined)
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
  const [newest] = files;
  return {
    nombre: files.length,
    derniere:
      newest === undefined ? null : { date: newest.mtime.toISOString(), octets: newest.size },
  };
}

/**
 * Saves an uploaded file beside a path, calls `work` with where it is and deletes it at the end. Throws
 * `DISQUE_PLEIN`, and `FICHIER_INVALIDE` for an empty body.
 */
export async function withUpload<T>(
  body: Readable | null,
  beside: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  if (body === null) throw new Refusal('FICHIER_INVALIDE', { raison: 'Ce fichier est vide.' });
  const workspace = makeWorkspace(beside);
  const received = join(workspace, 'recu');
  try {
    await pipeline(body, createWriteStream(received));
    return await work(received);
  } catch (error) {
    if (!isFullDisk(error)) throw error;
    const refusal = new Refusal('DISQUE_PLEIN');
    refusal.cause = error;
    throw refusal;
  } finally {
    removeWorkspace(workspace);
  }
}

/** Prepares the restore of an uploaded backup. Throws `FICHIER_INVALIDE` with the reason. */
export async function prepareUpload(file: string, place: HouseholdPaths): Promise<PreparedRestore> {
  try {
    return await prepareRestore(file, place);
  } catch (error) {
    if (error instanceof InvalidBackup)
      throw new Refusal('FICHIER_INVALIDE', { raison: error.message });
    // The error's own message names paths of the server, which the answer must not disclose.
    if (error instanceof UnusableDatabase)
      throw new Refusal('FICHIER_INVALIDE', {
        raison: 'La base de cette sauvegarde n’est pas lisible par cette version de Rayonnage.',
      });
    throw error;
  }
}
