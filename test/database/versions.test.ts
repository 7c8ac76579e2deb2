import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { registerFunctions } from '#server/plumbing/database/connection';
import { migrate, readMigrations } from '#server/plumbing/database/migrations';
import { COVERS_SITE } from '#shared/couvertures';
import type { Livre } from '#shared/livres';
import type { Serie } from '#shared/series';
import type { Souhait } from '#shared/souhaits';
import { temporaryFolder } from '../support/database.ts';
import { openHouse, type House } from '../support/house.ts';
import { makeLegacy } from '../support/legacy.ts';

const MIGRATIONS = readMigrations();

/** Rows that a household could contain before a migration, in the schema of that time. */
const ENTRIES: Readonly<Record<number, string>> = {
  7: `INSERT INTO Souhait (utilisateur, titre, cleOeuvre, rang, dateAjout)
      VALUES ('camille', 'Ubik', 'ubik', 1, '2024-01-01T00:00:00.000Z')`,
  8: `INSERT INTO Serie (id, titre, position) VALUES (1, 'Dune', 0);
      INSERT INTO Place (serieId, titre, numero, livreId, position)
      VALUES (1, 'Dune', '1', 1, 0), (1, 'Le Messie de Dune', '2', NULL, 1)`,
  9: `INSERT INTO Revue (id, titre) VALUES (1, 'Rivages');
      INSERT INTO Numero (revueId, numero, numeroNormalise) VALUES (1, '12', '12')`,
};

/** Creates a small database of each version by its own migrations, with data of each time. */
function makeVersion(path: string, version: number): void {
  const legacy = makeLegacy(path, [
    { titre: 'Dune', auteur: 'HERBERT, FRANK', statut: 2, ajoutePar: 'camille' },
    { titre: 'Dune', auteur: 'Frank Herbert', isbn: '2-07-036822-X' },
  ]);
  legacy.exec(
    "INSERT INTO Pret (livreId, emprunteur, datePret) VALUES (2, 'Zoé', '2020-01-02 03:04:05')",
  );
  registerFunctions(legacy, COVERS_SITE);
  const written = Object.keys(ENTRIES).map(Number);
  for (const step of [...written.filter((each) => each < version), version]) {
    if (step > 1) migrate(legacy, MIGRATIONS.slice(0, step));
    legacy.exec(ENTRIES[step] ?? '');
  }
  legacy.close();
}

async function contentOf(house: House, version: number): Promise<object> {
  const get = async (path: string) => (await house.ask('camille', 'GET', path)).body;
  const livres = (await get('/api/livres')) as Livre[];
  const series = (await get('/api/series')) as Serie[];
  const souhaits = (await get('/api/souhaits')) as Souhait[];
  return {
    livres: livres.map(({ titre, auteurs, isbn, statut, pret, couverture }) => [
      titre,
      auteurs.map(({ nom }) => nom),
      isbn,
      statut,
      pret?.emprunteur ?? null,
      couverture,
    ]),
    ...(version >= 7 && { souhaits: souhaits.map(({ titre, rang }) => [titre, rang]) }),
    ...(version >= 8 && {
      series: series.map(({ titre, places }) => [
        titre,
        places.map(({ numero, livreId }) => [numero, livreId]),
      ]),
    }),
    ...(version >= 9 && { numeros: ((await get('/api/numeros')) as unknown[]).length }),
  };
}

const expected = (version: number): object => ({
  livres: [
    ['Dune', ['Frank Herbert'], null, 2, null, null],
    ['Dune', ['Frank Herbert'], '9782070368228', null, 'Zoé', null],
  ],
  ...(version >= 7 && { souhaits: [['Ubik', 1]] }),
  ...(version >= 8 && {
    series: [
      [
        'Dune',
        [
          ['1', 1],
          ['2', null],
        ],
      ],
    ],
  }),
  ...(version >= 9 && { numeros: 1 }),
});

const VERSIONS = MIGRATIONS.map(({ numero }) => numero);

test.each(VERSIONS)('a file of version %i is upgraded with its content', async (version) => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  makeVersion(path, version);
  const house = await openHouse(path);
  expect(await contentOf(house, version)).toEqual(expected(version));
  await house.close();
  const db = new Sqlite(path, { readonly: true });
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.pragma('foreign_key_check')).toEqual([]);
  expect(db.pragma('user_version', { simple: true })).toBe(VERSIONS.length);
  db.close();
  const copies = readdirSync(folder).filter((name) => name.includes('.avant-'));
  expect(copies).toHaveLength(version === VERSIONS.length ? 0 : 1);
});

test('a copy from before an upgrade can be upgraded again', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  makeVersion(path, 9);
  const house = await openHouse(path);
  await house.ask('camille', 'POST', '/api/livres', { titre: 'Après', format: 'Physique' });
  const seen = house.context.database.history.origin;
  await house.close();
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
  copyFileSync(join(folder, 'maison.avant-010.sqlite'), path);
  const again = await openHouse(path);
  expect(await contentOf(again, 9)).toEqual(expected(9));
  // Devices that have seen later revisions learn that the household is in another state.
  expect(again.context.database.history.holds(seen, 1)).toBe(false);
});
