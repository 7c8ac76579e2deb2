import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { restoreBackup } from '#server/plumbing/database/backup/restore';
import { temporaryFolder } from '../support/database.ts';
import { makeHousehold, run } from './support.ts';

const TITRES = ['Nadja', 'Les Vagues'];

test('covers are restored with a backup, the replaced ones kept', async () => {
  const { path, backups, folder } = makeHousehold(TITRES);
  const covers = join(folder, 'couvertures');
  mkdirSync(covers);
  const [here, gone] = ['une image', 'une image perdue'].map((text) => keepCover(path, text));
  writeFileSync(join(covers, here ?? ''), 'une image');
  writeFileSync(join(covers, 'a'.repeat(64)), 'ce que la base ne nomme pas');
  const { path: file, manifest } = await makeBackup(path, backups);
  expect(manifest.couvertures).toBe(1);
  expect(gone).not.toBe(here);

  writeFileSync(join(covers, here ?? ''), 'abîmée depuis');
  await restoreBackup(file, { databasePath: path });
  const both = ['a'.repeat(64), here].sort();
  expect(readdirSync(covers).sort()).toEqual(both);
  expect(readFileSync(join(covers, here ?? ''), 'utf8')).toBe('une image');
  const replaced = readdirSync(folder).find((name) => name.startsWith('couvertures.remplacee-'));
  expect(readdirSync(join(folder, replaced ?? '')).sort()).toEqual(both);
  expect(readdirSync(folder).filter((name) => name.includes('partiel'))).toEqual([]);
});

test('backup and restore use the covers folder that is set', async () => {
  const { path, backups } = makeHousehold(TITRES);
  const coversPath = join(temporaryFolder(), 'images');
  mkdirSync(coversPath);
  const cle = keepCover(path, 'une image');
  writeFileSync(join(coversPath, cle), 'une image');
  const backup = await run('backup', [backups], { DATABASE_PATH: path, COVERS_PATH: coversPath });
  expect(backup.lines[0]).toMatch(/1 couvertures?\.$/);
  const elsewhere = {
    DATABASE_PATH: join(temporaryFolder(), 'b.sqlite'),
    COVERS_PATH: join(temporaryFolder(), 'i'),
  };
  expect((await run('restore', [backup.lines.at(-1) ?? ''], elsewhere)).code).toBe(0);
  expect(readdirSync(elsewhere.COVERS_PATH)).toEqual([cle]);
});

/** Registers a cover in the database; returns its key, the digest of its bytes. */
function keepCover(path: string, text: string): string {
  return keepCovers(path, [text])[0] ?? '';
}

function keepCovers(path: string, texts: readonly string[]): string[] {
  const db = new Sqlite(path);
  const insert = db.prepare(
    `INSERT INTO Couverture (cle, type, taille, largeur, hauteur, couleur)
     VALUES (?, 'image/png', ?, 1, 1, '#000000')`,
  );
  const keep = (text: string) => {
    const cle = hash('sha256', text);
    insert.run(cle, text.length);
    return cle;
  };
  const keys = db.transaction(() => texts.map(keep))();
  db.close();
  return keys;
}

test('the backup of thousands of covers can be read back', { tags: 'large' }, async () => {
  const { path, backups, folder } = makeHousehold(TITRES);
  const covers = join(folder, 'couvertures');
  mkdirSync(covers);
  const texts = Array.from({ length: 5000 }, (_, nth) => `image ${String(nth)}`);
  const keys = keepCovers(path, texts);
  for (const [nth, text] of texts.entries()) writeFileSync(join(covers, keys[nth] ?? ''), text);
  const { manifest } = await makeBackup(path, backups);
  expect(manifest.couvertures).toBe(texts.length);
});
