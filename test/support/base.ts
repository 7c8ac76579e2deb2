import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Base } from '#server/database/base';

/** A folder of its own for the test that asks, gone with it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A database of its own for the test that asks, closed at its end. */
export function temporaryBase(path = join(temporaryFolder(), 'bibliotheque.sqlite')): Base {
  const base = Base.open(path);
  onTestFinished(() => base.close());
  return base;
}
