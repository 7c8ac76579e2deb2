import { expect, test } from 'vitest';
import { readMigrations } from '#server/plumbing/database/migrations';
import { temporaryDatabase } from '../support/database.ts';

test('records every migration with the digest of its file', () => {
  const database = temporaryDatabase();
  const rows = database
    .prepare('SELECT numero, nom, empreinte FROM Migration ORDER BY numero')
    .all();
  expect(rows).toEqual(
    readMigrations().map(({ numero, nom, empreinte }) => ({ numero, nom, empreinte })),
  );
});
