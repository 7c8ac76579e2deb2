import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Reader } from '#server/plumbing/database/connection';
import { put } from '../couvertures/support/choosing.ts';
import { sourceWith, ISBN } from '../couvertures/support/others.ts';
import { keptKeys, picture } from '../couvertures/support/pictures.ts';
import { gives } from '../couvertures/support/source.ts';
import { readAccess } from '../support/access.ts';
import { send } from '../support/server.ts';

/** A hash of each table's rows. */
function rowsOf(database: Reader): Record<string, string> {
  const tables = database.values<string>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  return Object.fromEntries(
    tables.map((table) => {
      const rows = database.all<Record<string, unknown>>(`SELECT * FROM "${table}"`);
      return [table, hashOf(JSON.stringify(rows))];
    }),
  );
}

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    globSync('**/*', { cwd: folder })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, hashOf(readFileSync(join(folder, name)))]),
  );

const hashOf = (bytes: string | Buffer): string =>
  createHash('sha256').update(bytes).digest('base64url');

test('no read of a read-only key keeps anything', async () => {
  const { source, house } = await sourceWith(3);
  const { database, config } = house.context;
  source.behave('/cover.jpg', gives(await picture('#123456')));
  await house.ask('ana', 'POST', '/api/souhaits', { titre: 'Phare', auteur: 'V. Woolf' });
  await house.ask('ana', 'POST', '/api/revues', { titre: 'Revue' });
  await house.ask('ana', 'POST', '/api/revues/1/numeros', {
    numero: '1',
    themes: [],
    articles: [],
  });
  await house.ask('ana', 'POST', '/api/series', { titre: 'Suite', places: [] });
  const made = await house.ask('ana', 'POST', '/api/cles', { nom: 'Script', ecrit: false });
  const key = String(Reflect.get(Object(made.body), 'jeton'));
  const headers = ['Authorization', `Bearer ${key}`];
  await send(`${house.url}/api/moi`, { headers });
  await put(house, '/api/livres/1/couverture', await picture('#654321'));
  const [cle = ''] = keptKeys(house.context);
  const values: Record<string, string> = { code: ISBN, cle, taille: 'page' };
  const queries: Record<string, string> = {
    '/api/couvertures': `?url=${encodeURIComponent(`${source.url}/cover.jpg`)}`,
    '/api/couvertures/lignes': `?cles=${cle}`,
    '/api/recherche-titre': '?titre=Phare&auteur=Woolf',
    '/api/bibliographie': '?auteur=Woolf',
  };
  const state = () => ({ rows: rowsOf(database), files: filesIn(config.coversPath) });
  const before = state();
  const answered: string[] = [];
  for (const { may, endpoint } of (await readAccess()).operations.values()) {
    const { method, path } = endpoint;
    if (method !== 'GET' || ['anyone', 'visitor'].includes(may)) continue;
    const target = path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? '1');
    const { status } = await send(`${house.url}${target}${queries[path] ?? ''}`, { headers });
    answered.push(`${status} ${path}`);
    expect(state(), `${method} ${target} is ${status}`).toEqual(before);
  }
  const answeredWell = answered.filter((line) => line.startsWith('200'));
  expect(answeredWell.length, answered.join('\n')).toBeGreaterThan(30);
  expect(answered).toContain('403 /api/livres/:id/autres-couvertures');
  expect(answered).toContain('403 /api/souhaits/:id/autres-couvertures');
});
