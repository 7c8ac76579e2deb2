import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Change, ChangePage } from '#shared/replication';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openContext } from '#server/start/context';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { NO_PAGE } from '../../src/lib/sync/packs.ts';
import { mergeIntoPacks, packIdOf, stateDocument } from '../../src/lib/sync/written-packs.ts';

/**
 * Stores this version's files of a small household: an export, a backup and a device's replica. Run once per release,
 * `node test/released/make.ts 0.1.0`; stored files are never replaced.
 */
const [name] = process.argv.slice(2);
if (name === undefined) throw new Error('node test/released/make.ts VERSION');
const target = join(import.meta.dirname, name);
mkdirSync(target);
const folder = mkdtempSync(join(tmpdir(), 'rayonnage-'));
const DATABASE_PATH = join(folder, 'maison.sqlite');
const context = openContext(
  readConfig({ DATABASE_PATH, LOG_LEVEL: 'silent', SIMULATED_USER: 'ana' }),
);
const app = await createApp(context);

async function ask(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) {
  const answer = await app.inject({
    method,
    url,
    ...(payload && { payload }),
  });
  if (answer.statusCode >= 400) throw new Error(`${url}: ${answer.body}`);
  return answer;
}

for (let tome = 1; tome <= 30; tome++)
  await ask('POST', '/api/livres', {
    titre: `La marée haute, tome ${String(tome)}`,
    format: tome === 30 ? 'Numerique' : 'Physique',
    auteurs: ['Élise Brun', 'J. Martin'],
    ...(tome === 1 && { isbn: '9782070360024', editeur: 'Au Port', annee: 1999, nombrePages: 120 }),
  });
await ask('POST', '/api/livres/2/prets', { emprunteur: 'Tante Zoé' });
await ask('PUT', '/api/livres/3/statut', { statut: 2 });
await ask('POST', '/api/series', {
  titre: 'La marée haute',
  places: [
    { titre: 'La marée haute, tome 1', numero: '1', livreId: 1 },
    { titre: 'La marée haute, tome 31', numero: '31', auteur: 'Élise Brun' },
  ],
});
await ask('POST', '/api/places/2/souhait', {});
const shelf = (await ask('POST', '/api/emplacements', { nom: 'Salon' })).json<{ id: number }>();
await ask('PUT', '/api/livres/4/emplacement', { emplacementId: shelf.id });
await ask('POST', '/api/revues/numeros', {
  revue: { titre: 'Rivages', issn: '0988-2480' },
  numero: { numero: '1', date: 'printemps 2026', resume: 'Un\ndeux', themes: ['Mer'] },
});
await ask('POST', '/api/souhaits-revues', { titre: 'Cahiers', numero: '12' });

writeFileSync(join(target, 'export.zip'), (await ask('GET', '/api/export.zip')).rawPayload);
const changements: Change[] = [];
let page: ChangePage | null = null;
do {
  const from: string =
    page === null ? '' : `&epoque=${page.epoque}&revision=${String(page.revision)}`;
  page = (await ask('GET', `/api/replication?modifications=true${from}`)).json<ChangePage>();
  changements.push(...page.changements);
} while (!page.complet);
const { epoque, revision } = page;
const packs = [...new Set(changements.map(packIdOf))];
const state = { ...NO_PAGE, epoque, revision, isComplete: true, packs };
const copy = [...mergeIntoPacks(new Map(), changements), stateDocument(state)];
writeFileSync(join(target, 'copy.json.gz'), gzipSync(JSON.stringify(copy)));
await app.close();
context.database.close();
copyFileSync((await makeBackup(DATABASE_PATH, folder)).path, join(target, 'sauvegarde.zip'));
rmSync(folder, { recursive: true });
