import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Version } from '#shared/version';

const nonPubliee: Version = { numero: null, publiee: false, dateConstruction: null };

/**
 * The version that the build wrote beside the client. Only a build that was told its number and
 * its date is published; the environment at run time changes nothing (specification « Versioning »).
 */
export function lireVersionConstruite(clientPath: string): Version {
  try {
    const { numero, dateConstruction }: Partial<Record<string, unknown>> = JSON.parse(
      readFileSync(join(clientPath, 'version.json'), 'utf8'),
    );
    if (typeof numero !== 'string' || numero === '') return nonPubliee;
    if (typeof dateConstruction !== 'string') return nonPubliee;
    return { numero, publiee: true, dateConstruction: new Date(dateConstruction).toISOString() };
  } catch {
    return nonPubliee;
  }
}
