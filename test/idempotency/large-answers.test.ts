import { expect, test } from 'vitest';
import { IdempotencyRecords } from '#server/plumbing/writes/idempotency';
import { temporaryDatabase } from '../support/database.ts';

const MIB = 1024 * 1024;

test('large kept answers are limited to eight megabytes', () => {
  const database = temporaryDatabase();
  const keys = new IdempotencyRecords(database);
  const keep = (key: string, bytes: number) =>
    database.write((tx) =>
      keys.keep(
        tx,
        { owner: { utilisateur: '', key }, fingerprint: key },
        { status: 200, headers: {}, message: null, body: 'é'.repeat(bytes / 2) },
      ),
    );
  keep('small', 1000);
  for (let i = 1; i <= 20; i++) keep(`large ${i}`, MIB);
  expect(database.value<number>('SELECT sum(octet_length(body)) FROM IdempotencyRecord')).toBe(
    8 * MIB + 1000,
  );
  for (const key of ['small', 'large 20', 'large 13'])
    expect(keys.find({ utilisateur: '', key }, key)?.status, key).toBe(200);
});
