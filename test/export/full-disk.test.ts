// @module-tag process
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { startLimited } from '../support/limited.ts';

const BOOKS = 2500;
const DETAILS = 40;

test('a household whose details exceed a sort’s memory is exported completely on a full disk', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const database = temporaryDatabase(path);
  database.write((tx) =>
    tx.run(
      `WITH RECURSIVE book(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM book WHERE n < ?),
         detail(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM detail WHERE k < ?)
       INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, typeDocument, details, dateAjout)
         SELECT 'Livre ' || n, 'livre ' || n, 'livre ' || n, 'Physique', 'NonPrecise',
           (SELECT json_group_array(json_object('nom', 'Nom du détail ' || (n * 7 + k), 'valeur', 'x'))
             FROM detail), '2026-01-02T03:04:05.000Z' FROM book`,
      BOOKS,
      DETAILS,
    ),
  );
  database.close();
  // Enough space for the log's index, but not for a temporary file.
  const url = await startLimited(path, { fileBlocks: 96 });
  const zip = Buffer.from(await (await fetch(`${url}/api/export.zip`)).arrayBuffer());
  expect(zip.subarray(-22).toString('latin1')).toMatch(/^PK\x05\x06/);
  const table = await (await fetch(`${url}/api/export/livres.csv`)).text();
  expect(table.split('\r\n')).toHaveLength(BOOKS + 2);
});
