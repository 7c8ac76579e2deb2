import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ExportLivre, ExportSouhait } from '#shared/export';
import type { Importation } from '#shared/importations';
import { connect } from '#server/plumbing/database/connection';
import { Database } from '#server/plumbing/database/database';
import { readMigrations } from '#server/plumbing/database/migrations';
import { NO_FIELDS } from '#server/subjects/importations/rows';
import { download } from '../export/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { WHOLE_LIVRE } from '../support/entries.ts';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { lignesOf, sendFile } from './support.ts';

/** The migration before counts of rows were stored. */
const BEFORE = 50;

const ROW = {
  titre: 'Sido',
  auteurs: [],
  isbn: null,
  editeur: null,
  annee: null,
  nombrePages: null,
  format: 'Physique',
  isSouhait: false,
  statut: null,
  series: [],
  pret: null,
};

/** A dry run of one row as version 1.0 stored it: the file's remarks are among the row's. */
async function openOlderHouse() {
  const path = join(temporaryFolder(), 'maison.sqlite');
  Database.open(path, readMigrations().slice(0, BEFORE)).close();
  const old = connect({ path, coversUrl: '' });
  const ofRow = 'ce n’est pas un ISBN, laissé de côté : x';
  const remarks = ['accents réparés dans 1 ligne', ofRow].map((raison) => ({ ligne: 1, raison }));
  const counts = { statuts: 0, prets: 0, series: 0, avertissements: remarks };
  old
    .prepare(
      `INSERT INTO Importation (id, utilisateur, date, etat, format, encodage, aLire, headers, counts)
       VALUES (1, 'ana', ?, 'essai', 'librarything', 'utf-8', 'statut', '["titre"]', ?)`,
    )
    .run(Date.now(), JSON.stringify(counts));
  const read = { row: ROW, refus: null, isPending: false, avertissements: [ofRow] };
  const written = {
    ...read,
    row: { ...ROW, auteurs: ['Colette'] },
    auteursEcrits: ['Colette, S.'],
  };
  const insert = old.prepare(
    `INSERT INTO ImportationLigne (importationId, ligne, sort, content) VALUES (1, ?, 'nouveau', ?)`,
  );
  insert.run(1, JSON.stringify(read));
  insert.run(2, JSON.stringify({ ...written, avertissements: [] }));
  old
    .prepare(`INSERT INTO Importation (id, utilisateur, date, etat, format, encodage, aLire, headers, counts)
    VALUES (2, 'ana', 0, 'lecture', 'table', 'utf-8', 'statut', '[]', '{}')`)
    .run();
  old.close();
  const [ofFile, ...ofRows] = remarks;
  return { house: await openHouse(path), said: [{ ...ofFile, ligne: null }, ...ofRows] };
}

test('a dry run from before an update keeps answers', async () => {
  const { house, said } = await openOlderHouse();
  expect((await house.ask('ana', 'GET', '/api/importations')).body).toMatchObject([{ id: 1 }]);
  const path = '/api/importations/1';
  const essai = (await house.ask('ana', 'GET', path)).body as Importation;
  expect(essai).toMatchObject({ etat: 'essai', lignes: 2, nouveaux: 2, notes: 0 });
  expect(essai.avertissements).toMatchObject(said);
  expect(essai.avertissements.map(({ code }) => code)).toEqual(['phrase', 'pasIsbn']);
  expect((await lignesOf(house, 1, '', 'ana')).map(({ auteurs }) => auteurs)).toEqual([
    [],
    ['Colette, S.'],
  ]);
  const executed = (await house.ask('ana', 'POST', `${path}/execution`, {})).body as Importation;
  expect(executed).toMatchObject({ etat: 'faite', nouveaux: 2 });
  expect(executed.avertissements).toMatchObject(said);
});

/** Makes a dry run whose stored rows have none of these fields except the title. */
async function makeWithout(file: Buffer, at: string, fields: readonly string[]) {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Autre' });
  const { body } = await sendFile(house, file, {}, 'ana');
  const paths = fields.flatMap((field) => (field === 'titre' ? [] : [`'$.${at}.${field}'`]));
  house.context.database.write((tx) =>
    tx.run(`UPDATE ImportationLigne SET content = json_remove(content, ${paths.join()})`),
  );
  return house.ask('ana', 'POST', `/api/importations/${String(body.id)}/execution`, {});
}

test('an earlier version’s dry run of a table can be executed', async () => {
  const file = Buffer.from('titre,auteurs,editeur\nSido,Colette,Ferenczi\nAutre,,');
  expect(await makeWithout(file, 'row', Object.keys(NO_FIELDS))).toMatchObject({
    status: 200,
    body: { etat: 'faite', nouveaux: 1, presents: 1, completes: 0 },
  });
});

test.each([
  ['livre', ExportLivre],
  ['souhait', ExportSouhait],
] as const)(
  'an earlier version’s dry run of an export can be executed (%s)',
  async (record, shape) => {
    const source = await openHouse();
    await ajouterLivre(source, WHOLE_LIVRE);
    await source.ask('ana', 'POST', '/api/souhaits', { titre: 'Ubik' });
    const { bytes } = await download(source, '/api/export.zip');
    const fields = Object.keys(shape.properties);
    expect(await makeWithout(bytes, `row.kept.${record}`, fields)).toMatchObject({
      status: 200,
      body: { etat: 'faite', nouveaux: 1, souhaits: 1 },
    });
  },
);
