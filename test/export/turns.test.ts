import { expect, test, vi } from 'vitest';
import { Snapshot } from '#server/plumbing/database/connection';
import { openHouse } from '../support/house.ts';
import { run } from '../support/lines.ts';
import { download, unzip } from './support.ts';

const LIVRES = 6_000;

test('an export lets others have their turn after each page that it reads', async () => {
  const house = await openHouse();
  run(
    house.context.database,
    `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
     SELECT 'Livre ' || value, 'livre ' || value, 'livre ' || value, 'Physique', '2026-01-01T00:00:00.000Z'
     FROM (WITH RECURSIVE n (value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM n LIMIT ${String(LIVRES)}) SELECT value FROM n)`,
  );
  const reading = vi.spyOn(Snapshot.prototype, 'all');
  const state = { isOver: false };
  const rowsByTurn: number[] = [];
  const look = (): void => {
    const pages = reading.mock.results.filter((_, at) =>
      reading.mock.calls[at]?.[0].includes('> @after'),
    );
    const rows = pages.reduce((sum, { value }) => sum + (value as unknown[]).length, 0);
    if (pages.length > 0) rowsByTurn.push(rows);
    reading.mockClear();
    if (!state.isOver) setImmediate(look);
  };
  look();
  const { bytes } = await download(house, '/api/export.zip');
  state.isOver = true;
  reading.mockRestore();
  const files = await unzip(bytes);
  expect(JSON.parse(files.get('json/livres.json') ?? '[]')).toHaveLength(LIVRES);
  expect(rowsByTurn.length).toBeGreaterThan(20);
  // The first pages of a list are small, and share a turn.
  expect(Math.max(...rowsByTurn)).toBeLessThan(4 * 500);
});
