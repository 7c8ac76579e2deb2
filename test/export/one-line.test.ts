import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { ajouterNumero, ajouterRevue } from '../support/revues.ts';
import { ajouterSerie } from '../support/series.ts';
import { contentOf, download, importInto, unzip } from './support.ts';

const PASTED = 'La marée\r\n  haute\u0085et\tbasse\u2028';
const CLEAN = 'La marée haute et basse';

test('a title pasted with line breaks is one line everywhere', async () => {
  const house = await openHouse();
  const livre = await ajouterLivre(house, {
    titre: PASTED,
    editeur: 'Au\nPort',
    auteurs: ['A\nB'],
  });
  expect(livre).toMatchObject({ titre: CLEAN, editeur: 'Au Port', auteurs: [{ nom: 'A B' }] });
  await ajouterSerie(house, { titre: PASTED, places: [{ titre: PASTED, numero: '1' }] });
  await ajouterRevue(house, { titre: PASTED });
  await ajouterNumero(house, 1, { numero: '1', resume: 'Un\n\ndeux', articles: [PASTED] });
  await house.ask('ana', 'POST', '/api/souhaits', { titre: PASTED, auteur: 'C\nD' });
  const { bytes } = await download(house, '/api/export.zip');
  const ris = (await unzip(bytes)).get('livres.ris') ?? '';
  expect(ris.split('\r\n').filter((line) => !/^(?:[A-Z][A-Z0-9] {2}- |$)/.test(line))).toEqual([]);
  expect(ris).toContain(`TI  - ${CLEAN}\r\n`);
  const other = await openHouse();
  await importInto(other, bytes);
  const content = await contentOf(other);
  expect(content).toEqual(await contentOf(house));
  expect(JSON.stringify(content)).not.toMatch(/marée(?! haute et basse)/);
  expect(JSON.stringify(content.numeros)).toContain(String.raw`Un\\n\\ndeux`);
});

test('an older export’s texts are imported as one line', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Un', auteurs: ['A B'] });
  await ajouterSerie(house, { titre: 'Série', places: [{ titre: 'Un', numero: '1' }] });
  const { database } = house.context;
  // As accepted before this rule.
  database.write((tx) => {
    tx.prepare("UPDATE Livre SET titre = 'L' || char(10) || 'un'").run();
    tx.prepare("UPDATE Serie SET titre = 'Sé' || char(13, 10) || 'rie'").run();
  });
  const other = await openHouse();
  await importInto(other, (await download(house, '/api/export.zip')).bytes);
  const { livres, series } = await contentOf(other);
  expect(livres.join()).toContain('"titre":"L un"');
  expect(series.join()).toContain('"titre":"Sé rie"');
});
