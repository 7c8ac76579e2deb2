import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { download } from '../export/support.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { importFile } from './support.ts';

const TITRES = ["=cmd|'/c calc'!A1", '+1', '-30-', '@home', '\uff1dcmd'];
const WITH_APOSTROPHES = ["'=deux", "''+3", "'Salem"];

const titresOf = async (house: House) =>
  ((await house.ask('alice', 'GET', '/api/livres')).body as Livre[])
    .map(({ titre }) => titre)
    .sort();

/** Downloads the refused rows of a file with formulas. */
async function refusedRows(house: House): Promise<string> {
  const rows = TITRES.map((titre) => `,"${titre}","Deux\nlignes"`);
  const { id } = await importFile(house, ['Titre,Éditeur,Note', ...rows].join('\n'), {
    colonnes: JSON.stringify({ titre: 'Titre' }),
  });
  const { bytes } = await download(house, `/api/importations/${id}/refus.csv`, 'alice');
  return bytes.toString();
}

test('no cell of the refused rows opens as a formula', async () => {
  const csv = await refusedRows(await openHouse());
  for (const titre of TITRES) expect(csv).toContain(`'${titre}`);
  expect(csv).toContain('"Deux\nlignes"');
  expect(csv).not.toMatch(/(?:^|,"?)[=+\-@\uff1d]/m);
});

const BY_OTHER_SEPARATOR = [
  'un;=cmd',
  'deux,=cmd',
  'trois; @cmd',
  'quatre\t+cmd',
  'cinq;"=cmd"',
  "six;'=cmd",
  'sept,-1;=2',
  "l'huit, b; c",
];

/** The cells of a table as another program splits them, ignoring quotes. */
const cellsBy = (csv: string, sign: string): string[] =>
  csv.split(/\r?\n/).flatMap((line) => line.split(sign).map((cell) => cell.replace(/^[\s"]+/, '')));

test('no part of a cell opens as a formula by another separator', async () => {
  const house = await openHouse();
  for (const titre of BY_OTHER_SEPARATOR) {
    await ajouterLivre(house, { titre, auteurs: [titre], editeur: titre });
    await house.ask('alice', 'POST', '/api/souhaits', { titre, auteur: titre });
  }
  const { id } = await importFile(
    house,
    ['Titre,Éditeur', ...BY_OTHER_SEPARATOR.map((text) => `,"${text.replaceAll('"', '""')}"`)].join(
      '\n',
    ),
    { colonnes: JSON.stringify({ titre: 'Titre' }) },
  );
  const paths = ['livres.csv', 'goodreads.csv'].map((name) => `/api/export/${name}`);
  for (const path of [...paths, '/api/souhaits/export.csv', `/api/importations/${id}/refus.csv`]) {
    const csv = (await download(house, path, 'alice')).bytes.toString();
    expect(csv).toContain('cmd');
    for (const sign of [',', ';', '\t'])
      expect(
        cellsBy(csv, sign).filter((cell) => /^[=+\-@]/.test(cell)),
        `${path} by ${sign}`,
      ).toEqual([]);
  }
});

test('a formula within a cell is read back unchanged', async () => {
  const house = await openHouse();
  for (const titre of BY_OTHER_SEPARATOR) await ajouterLivre(house, { titre });
  const titres = await titresOf(house);
  for (const name of ['livres.csv', 'goodreads.csv']) {
    const other = await openHouse();
    await importFile(other, (await download(house, `/api/export/${name}`, 'alice')).bytes);
    expect(await titresOf(other)).toEqual(titres);
  }
});

test('our own import takes the guard of a formula off', async () => {
  const house = await openHouse();
  const csv = await refusedRows(house);
  const mended = await importFile(house, csv, { colonnes: JSON.stringify({ titre: 'Éditeur' }) });
  expect(mended).toMatchObject({ nouveaux: TITRES.length, refuses: [] });
  expect(await titresOf(house)).toEqual([...TITRES].sort());
});

test('our own tables of books are read back with their titles', async () => {
  const house = await openHouse();
  const titres = [...TITRES, ...WITH_APOSTROPHES];
  for (const titre of titres) await ajouterLivre(house, { titre });
  for (const name of ['livres.csv', 'goodreads.csv']) {
    const other = await openHouse();
    const { bytes } = await download(house, `/api/export/${name}`, 'alice');
    expect(await importFile(other, bytes)).toMatchObject({ nouveaux: titres.length });
    expect(await titresOf(other)).toEqual(titres.sort());
  }
});
