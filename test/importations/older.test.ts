import { expect, test } from 'vitest';
import { ExportLivre, ExportSouhait } from '#shared/export';
import { NO_FIELDS } from '#server/subjects/importations/rows';
import { download } from '../export/support.ts';
import { WHOLE_LIVRE } from '../support/entries.ts';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { sendFile } from './support.ts';

test('a remark that Rayonnage 1.1 kept as a sentence is shown unchanged', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, Buffer.from('titre,isbn\nSido,x'), {}, 'ana');
  const phrase = 'accents réparés dans 1 ligne';
  house.context.database.write((tx) =>
    tx.run(
      'UPDATE ImportationAvertissement SET raison = ?',
      JSON.stringify({ code: 'phrase', arguments: { phrase } }),
    ),
  );
  const path = `/api/importations/${String(body.id)}?langue=en`;
  expect((await house.ask('ana', 'GET', path)).body).toMatchObject({
    avertissements: [{ code: 'phrase', raison: phrase }],
  });
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
