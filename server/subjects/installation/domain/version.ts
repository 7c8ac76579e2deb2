import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { Version } from '#shared/version';

const UNPUBLISHED: Version = { numero: null, publiee: false, dateConstruction: null };

/**
 * The version that the build wrote beside the client. Only a build that was told its number and
 * its date is published; the environment at run time changes nothing (docs/rules.md § 32).
 */
export function readBuiltVersion(clientPath: string): Version {
  try {
    const written: unknown = JSON.parse(readFileSync(join(clientPath, 'version.json'), 'utf8'));
    if (!Value.Check(Version, written) || !written.numero || !written.dateConstruction)
      return UNPUBLISHED;
    const dateConstruction = new Date(written.dateConstruction).toISOString();
    return { numero: written.numero, publiee: true, dateConstruction };
  } catch {
    return UNPUBLISHED;
  }
}
