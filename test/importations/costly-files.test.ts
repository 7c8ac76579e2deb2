import { describe, expect, test } from 'vitest';
import { openFile } from '#server/subjects/importations/sniff';
import { zipOf } from '../export/archive.ts';

// Small files that once took minutes or gigabytes: each is refused, or its costly part is ignored.

const read = async (bytes: string | Buffer) => {
  const file = await openFile(Buffer.from(bytes), { given: null, remembered: () => null });
  return { rows: [...file.records].length, warnings: file.avertissements };
};

const book = (title: string): string => `@book{k${title}, title = {${title}}}\n`;

/** Nested entities, each twice as long as the one before. */
const doubled = (times: number): string =>
  `@string{a0 = "dix signes"}\n${Array.from(
    { length: times },
    (_, at) => `@string{a${String(at + 1)} = a${String(at)} # a${String(at)}}\n`,
  ).join('')}`;

describe('BibTeX', () => {
  test.each([
    ['doubled thirty times', `${doubled(30)}@book{k, title = a30}`],
    ['written out in many books', doubled(9) + '@book{k, title = a9, note = a9}\n'.repeat(2_000)],
    ['of long words in many books', `@string{a = "${'x'.repeat(10_001)}"}\n${book('A')}`],
  ])('abbreviations %s are refused', async (_, text) => {
    await expect(read(text)).rejects.toMatchObject({
      details: { raison: 'abreviationsTropLongues' },
    });
  });

  test('abbreviations of publishers are written out', async () => {
    const text = `@string{gal = "Gallimard"}\n${doubled(5)}@book{k, title = {A}, publisher = gal}\n`;
    expect(await read(text)).toMatchObject({ rows: 1, warnings: [] });
  });

  test.each([
    ['signs that begin an entry', '@'.repeat(40_000)],
    ['lines that begin an entry', '@\n'.repeat(40_000)],
    ['names', `author = {${'a and '.repeat(40_000)}b},`],
    ['characters', `note = {${'mot '.repeat(30_000)}},`],
  ])('an entry with too many %s is reported, and the others are read', async (_, inner) => {
    const { rows, warnings } = await read(
      `${book('A')}@book{b, ${inner} title = {B}}\n${book('C')}`,
    );
    expect([rows, warnings]).toEqual([2, [expect.stringContaining('"ficheNonLue"')]]);
  });
});

const NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const relations = (parts: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${parts
    .map(([type, target], at) => {
      const id = `rId${String(at + 1)}`;
      return `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
    })
    .join('')}</Relationships>`;

function workbook(cells: string, strings = ''): Buffer {
  const files = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook ${NS} xmlns:r="${RELATIONS}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/sharedStrings.xml': `<sst ${NS}>${strings}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${NS}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Titre</t></is></c></row>${cells}</sheetData></worksheet>`,
  };
  return zipOf(Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text) })));
}

const cell = (at: string, text: string): string =>
  `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;

const rows = (count: number, one: (row: string) => string): string =>
  Array.from({ length: count }, (_, at) => {
    const row = String(at + 2);
    return `<row r="${row}">${one(row)}</row>`;
  }).join('');

describe('a workbook', () => {
  test('of short cells is read', async () => {
    const cells = rows(3, (row) => cell(`A${row}`, `Livre ${row}`) + cell(`AZ${row}`, 'x'));
    expect(await read(workbook(cells))).toMatchObject({ rows: 3 });
  });

  test.each([
    ['far columns', rows(5_000, (row) => cell(`A${row}`, 'Sido') + cell(`XFD${row}`, 'a'))],
    [
      'a far corner',
      `${rows(5_000, (row) => cell(`A${row}`, 'Sido'))}<row r="1048576">${cell('XFD1048576', 'a')}</row>`,
    ],
  ])('with %s is read as far as a list goes', async (_, cells) => {
    expect((await read(workbook(cells))).rows).toBe(5_000);
  });

  test.each([
    ['a cell of many characters', 'ligneTropLongue', rows(1, () => cell('A2', 'x'.repeat(40_000)))],
    ['100 MB in a few', 'archiveTropGrande', rows(1, () => cell('A2', 'x'.repeat(1e8)))],
  ])('of %s is refused', async (_, raison, cells) => {
    await expect(read(workbook(cells))).rejects.toMatchObject({ details: { raison } });
  });

  test.each([
    ['a long text', 'ligneTropLongue', 900_000, 80_000],
    ['a text that is not too long', 'archiveTropGrande', 30_000, 3_000],
  ])('whose cells share %s is refused', async (_, raison, length, count) => {
    const cells = rows(count, (row) => `<c r="A${row}" t="s"><v>0</v></c>`);
    const file = workbook(cells, `<si><t>${'x'.repeat(length)}</t></si>`);
    await expect(read(file)).rejects.toMatchObject({ details: { raison } });
  });
});

describe('a book of Alexandria', () => {
  test.each([
    ['broken letters', `title: "${'\\x'.repeat(80_000)}"\n`],
    ['aliases without names', `title: A\nnotes: ${'*\n'.repeat(90_000)}`],
    ['a name that occurs twice', 'title: A\nnotes: b\nnotes: c\n'],
  ])('with %s is reported', async (_, broken) => {
    const files = { 'Livres/1.yaml': broken, 'Livres/2.yaml': 'title: Nadja\nisbn: x\n' };
    const file = zipOf(
      Object.entries(files).map(([name, text]) => ({
        name,
        content: Buffer.from(`--- !ruby/object:Alexandria::Book\n${text}`),
      })),
    );
    expect(await read(file)).toMatchObject({
      rows: 1,
      warnings: [expect.stringContaining('"fichierNonLu"')],
    });
  });

  test('of twenty thousand names is refused', async () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `n${String(at)}: b\n`).join('');
    const file = zipOf([{ name: 'L/1.yaml', content: Buffer.from(`title: A\n${names}`) }]);
    await expect(read(file)).rejects.toMatchObject({ details: { raison: 'colonnesDeTrop' } });
  });
});

test('a value of MARCXML with many spaces inside is read', async () => {
  const value = `A${' '.repeat(80_000)}B`;
  const field = (tag: string) =>
    `<datafield tag="${tag}" ind1=" " ind2=" "><subfield code="a">${value}</subfield></datafield>`;
  const record = `<record><leader>00000nam a2200000 a 4500</leader>${['020', '100', '245', '260', '490', '650'].map(field).join('')}</record>`;
  const text = `<collection xmlns="http://www.loc.gov/MARC21/slim">${record.repeat(10)}</collection>`;
  expect(await read(text)).toMatchObject({ rows: 10 });
});
