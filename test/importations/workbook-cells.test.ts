import { expect, test } from 'vitest';
import { writeOds, writeXlsx, type Cell, type CellValue } from 'hucre';
import { readFile, rowsOf } from './reading.ts';

// How spreadsheets convert typed values.

const WRITERS = [
  ['.xlsx', writeXlsx],
  ['.ods', writeOds],
] as const;

const sheetOf = async (
  write: typeof writeXlsx,
  rows: CellValue[][],
  more: {
    readonly cells?: Map<string, Partial<Cell>>;
    readonly merges?: {
      startRow: number;
      endRow: number;
      startCol: number;
      endCol: number;
    }[];
  } = {},
) => Buffer.from(await write({ sheets: [{ name: 'Livres', rows, ...more }] }));

test.each(WRITERS)(
  'in a %s an empty cell far below or far right is no row and no column',
  async (_, write) => {
    const cells = new Map<string, Partial<Cell>>([
      ['150000,0', { value: null, type: 'empty', style: { font: { bold: true } } }],
      ['0,1500', { value: null, type: 'empty', style: { font: { bold: true } } }],
    ]);
    const rows = [
      ['Titre', 'Auteur'],
      ['Un', 'Ann Ro'],
    ];
    expect(
      await rowsOf(
        await sheetOf(write, [...rows, ...Array.from({ length: 149_999 }, () => []), ['']], {
          cells,
        }),
      ),
    ).toMatchObject([{ titre: 'Un' }]);
  },
);

test.each(WRITERS)(
  'in a %s a text beyond a hundred thousand rows is refused, not lost',
  async (_, write) => {
    const rows: CellValue[][] = Array.from({ length: 100_002 }, () => []);
    rows[0] = ['Titre', 'Auteur'];
    rows[1] = ['Un', 'Ann Ro'];
    rows[100_001] = ['Deux', 'Ann Ro'];
    await expect(rowsOf(await sheetOf(write, rows))).rejects.toMatchObject({
      code: 'FICHIER_INVALIDE',
    });
  },
);

test.each(WRITERS)(
  'in a %s a volume number that became a date is reported with its likely value',
  async (_, write) => {
    const { records } = await readFile(
      await sheetOf(write, [
        ['Titre', 'Auteur', 'Série', 'Tome'],
        ['Un', 'Ann Ro', 'Lune', new Date('2026-01-02')],
        ['Deux', 'Ann Ro', 'Lune', 3],
      ]),
    );
    expect(records.map(({ row, avertissements }) => [row.series, avertissements])).toEqual([
      [
        [{ titre: 'Lune', numero: null }],
        ['un tableur a fait un jour de ce numéro, laissé de côté : 2026-01-02, peut-être 1-2'],
      ],
      [[{ titre: 'Lune', numero: '3' }], []],
    ]);
  },
);

test.each(['02-janv', '2-Jan', 'Jan-02', '02-janv-26', '2/1/2026', '2 janv.'])(
  'the number « %s » of a table was volumes 1-2',
  async (text) => {
    const { records } = await readFile(`Titre,Auteur,Série,Tome\nUn,Ann Ro,Lune,${text}\n`);
    expect(records.map(({ row, avertissements }) => [row.series, avertissements])).toEqual([
      [
        [{ titre: 'Lune', numero: null }],
        [`un tableur a fait un jour de ce numéro, laissé de côté : ${text}, peut-être 1-2`],
      ],
    ]);
  },
);

test.each(WRITERS)(
  'in a %s TRUE is a title among titles, and a yes among yes and no',
  async (_, write) => {
    const rows = await rowsOf(
      await sheetOf(write, [
        ['Titre', 'Auteur', 'Lu'],
        ['Un', 'Ann Ro', true],
        [true, 'Ann Ro', false],
        ['Deux', 'Ann Ro', null],
      ]),
    );
    expect(rows).toMatchObject([{ titre: 'Un', statut: 2 }, { titre: 'True' }, { titre: 'Deux' }]);
  },
);

test.each(WRITERS)('in a %s a percentage is read as displayed', async (_, write) => {
  const style = { numFmt: '0%' };
  const cells = new Map<string, Partial<Cell>>([
    ['1,0', { value: 1, type: 'number', style }],
    ['1,3', { value: 0.35, type: 'number', style }],
  ]);
  const rows = [
    ['Titre', 'Auteur', 'Statut', 'Progression'],
    [1, 'Ann Ro', 'En cours', 0.35],
  ];
  expect(await rowsOf(await sheetOf(write, rows, { cells }))).toMatchObject([
    { titre: '100 %', lectures: [{ pourcent: 35 }] },
  ]);
});

test.each(WRITERS)(
  'in a %s an author cell merged over three rows applies to each, with a remark',
  async (_, write) => {
    const { records, avertissements } = await readFile(
      await sheetOf(
        write,
        [
          ['Titre', 'Année', 'Auteur'],
          ['Un', 2001, 'Ann Ro'],
          ['Deux', 2002],
          ['Trois'],
          ['Quatre', 2004],
        ],
        { merges: [{ startRow: 1, endRow: 3, startCol: 2, endCol: 2 }] },
      ),
    );
    expect(records.map(({ row }) => [row.titre, row.annee, row.auteurs])).toEqual([
      ['Un', 2001, ['Ann Ro']],
      ['Deux', 2002, ['Ann Ro']],
      ['Trois', null, ['Ann Ro']],
      ['Quatre', 2004, []],
    ]);
    expect(avertissements).toEqual([
      'feuille « Livres » du classeur',
      '2 cellules vides reprennent le texte de celle avec laquelle elles sont fusionnées',
    ]);
  },
);
