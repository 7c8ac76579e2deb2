import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { EXPORT_COVERS } from '#shared/export';
import { atLeastOne } from '../support/at-least-one.ts';
import { openHouse, type House } from '../support/house.ts';
import { zipOf, type HandMade } from './archive.ts';
import { fill } from './random-household.ts';
import { contentOf, download, importInto, unzip } from './support.ts';

/** The text files of a real export, to be changed and zipped again. */
async function exportFiles(seed: number): Promise<HandMade[]> {
  const house = await openHouse();
  await fill(house, seed);
  const files = await unzip((await download(house, '/api/export.zip')).bytes);
  return [...files]
    .filter(([name]) => !name.startsWith(EXPORT_COVERS))
    .map(([name, text]) => ({ name, content: Buffer.from(text) }));
}

/** Replaces one of the files. */
const change = (files: readonly HandMade[], name: string, to: Partial<HandMade>): HandMade[] =>
  files.map((file) => (file.name === name ? { ...file, ...to } : file));

async function expectRefused(
  house: House,
  what: string,
  bytes: Buffer,
  sentence: RegExp,
): Promise<void> {
  const { status, body } = await importInto(house, bytes);
  expect([status, body['code']], what).toEqual([400, 'FICHIER_INVALIDE']);
  expect(body['message'], what).toMatch(sentence);
  expect((await house.ask('ana', 'GET', '/api/importations')).body, what).toEqual([]);
  expect(house.context.records.isEmpty(), what).toBe(true);
}

const LIVRES = 'json/livres.json';

const REFUSED: readonly [string, (files: HandMade[]) => HandMade[], RegExp][] = [
  ['a name that leads out', (files) => [...files, odd('../../etc/passwd')], /incomplète ou abîmée/],
  ['an absolute name', (files) => [...files, odd('/etc/passwd')], /incomplète ou abîmée/],
  ['a name with backslashes', (files) => [...files, odd('..\\passwd')], /incomplète ou abîmée/],
  ['a name twice', (files) => [...files, odd(LIVRES)], /deux fichiers du même nom/],
  [
    'two names for the bytes of one file',
    (files) => [...files, odd('one'), { ...odd('other'), isShared: true }],
    /incomplète ou abîmée/,
  ],
  ['a wrong checksum', (files) => change(files, LIVRES, { crc: 1 }), /incomplète ou abîmée/],
  ['a locked file', (files) => change(files, LIVRES, { flags: 1 }), /mot de passe/],
  ['a file longer than it says', (files) => change(files, LIVRES, { length: 10 }), /abîmée/],
  [
    'a bomb that says so',
    (files) => change(files, LIVRES, { length: 600_000_000 }),
    /trop grande, une fois décompressée/,
  ],
  [
    'a bomb of many files',
    (files) => [...files, ...Array.from({ length: 6 }, (_, i) => bomb(i))],
    /trop grande, une fois décompressée/,
  ],
  [
    'a picture of 20 MB',
    (files) => [...files, { ...odd(`couvertures/${'a'.repeat(64)}.png`), length: 20_000_000 }],
    /trop grande, une fois décompressée/,
  ],
  ['fewer records than it says', (files) => change(files, LIVRES, text('[]')), /abîmée/],
  ['records that are cut', (files) => change(files, LIVRES, text('[{"id": 1')), /JSON|abîmée/],
  ['a missing file', (files) => files.filter(({ name }) => name !== LIVRES), /abîmée/],
  [
    'a later version',
    (files) => change(files, 'rayonnage.json', text('{"version": 99}')),
    /version plus récente/,
  ],
];

test('an archive that lies is refused in a sentence', async () => {
  const files = await exportFiles(32);
  const house = await openHouse();
  for (const [what, make, sentence] of REFUSED)
    await expectRefused(house, what, zipOf(make(files)), sentence);
});

test('a handmade archive is accepted like any export', async () => {
  const files = await exportFiles(32);
  const house = await openHouse();
  expect((await importInto(house, zipOf(files))).status).toBe(201);
});

const odd = (name: string): HandMade => ({ name, content: Buffer.from('x') });
const text = (content: string) => ({ content: Buffer.from(content) });
const bomb = (index: number): HandMade => ({
  name: `bomb-${index}`,
  content: Buffer.alloc(1000),
  length: 100_000_000,
});

test('a backup uploaded as an import is refused with advice', async () => {
  const house = await openHouse();
  const bytes = zipOf([{ name: 'manifest.json', content: Buffer.from('{}') }]);
  await expectRefused(house, 'a backup', bytes, /^C’est une sauvegarde/);
});

test('a zip64 archive is read', async () => {
  const zip = new ZipFile();
  for (const { name, content } of await exportFiles(33))
    zip.addBuffer(content, name, { compress: name !== 'rayonnage.json', forceZip64Format: true });
  zip.end({ forceZip64Format: true, comment: '' });
  const other = await openHouse();
  const bytes = await buffer(Readable.from(zip.outputStream));
  expect((await importInto(other, bytes)).status).toBe(201);
});

test('unreadable records are reported while the others are imported', async () => {
  const files = await exportFiles(34);
  const read = (path: string): unknown =>
    JSON.parse(files.find(({ name }) => name === path)?.content.toString() ?? '');
  const livres = read(LIVRES) as { readonly id: number }[];
  const lectures = read('json/lectures.json') as { readonly livreId: number | null }[];
  const lost = livres[0]?.id;
  const series = files.find(({ name }) => name === 'json/series.json');
  const [parent] = read('json/series.json') as { readonly id: number }[];
  const children = (read('json/series.json') as { readonly parentId: number | null }[]).flatMap(
    ({ parentId }, index) => (parentId === parent?.id ? [index + 1] : []),
  );
  const odd = series?.content.toString().replace('"titre":', '"nom":') ?? '';
  const other = await openHouse();
  const { body } = await importInto(
    other,
    zipOf(
      change(
        change(files, LIVRES, text(JSON.stringify([{ titre: 3 }, ...livres.slice(1)]))),
        'json/series.json',
        text(odd),
      ),
    ),
  );
  expect(body).toMatchObject({
    nouveaux: livres.length - 1,
    refuses: [
      {
        ligne: 1,
        raison:
          'la fiche ne se lit pas, id laissé de côté (0) : doit être au moins 1 ; titre laissé de côté (3) : doit être un texte',
      },
    ],
    avertissements: [
      {
        ligne: null,
        raison:
          'series.json, fiche 1 : la fiche ne se lit pas, titre laissé de côté : ne doit pas être vide',
      },
      ...atLeastOne(children).map((fiche) => ({
        raison: `series.json, fiche ${String(fiche)} : parentId laissé de côté (${String(parent?.id)}) : ne mène à aucune fiche de cette archive`,
      })),
      ...lectures.flatMap(({ livreId }, index) =>
        livreId === lost
          ? [
              {
                raison: `lectures.json, fiche ${String(index + 1)} : livreId laissé de côté (${String(lost)}) : ne mène à aucune fiche de cette archive`,
              },
            ]
          : [],
      ),
    ],
  });
});

test('undoing an export leaves a house with books as before', async () => {
  const source = await openHouse();
  await fill(source, 35);
  const { bytes } = await download(source, '/api/export.zip');
  const house = await openHouse();
  await house.ask('ana', 'POST', '/api/livres', {
    titre: 'Nadja',
    format: 'Physique',
    auteurs: ['Colette'],
    isbn: '9782070360024',
  });
  await house.ask('ana', 'POST', '/api/revues', { titre: 'Rivages' });
  const before = await contentOf(house);
  const { body } = await importInto(house, bytes);
  expect(Number(body['nouveaux']) + Number(body['presents'])).toBeGreaterThan(11);
  const undone = await house.ask('ana', 'DELETE', `/api/importations/${String(body['id'])}`);
  expect(undone.body).toEqual({ retires: body['nouveaux'], gardes: 0 });
  expect(await contentOf(house)).toEqual(before);
});

test('unknown fields are ignored in every kind of record', async () => {
  const files = await exportFiles(33);
  const unknown = { 'nom) SELECT 1 --': 1, other: 'x' };
  const altered = files.map((file) => {
    const records: unknown = file.name.startsWith('json/') && JSON.parse(String(file.content));
    if (!Array.isArray(records)) return file;
    const others = records.map((record: object) => ({ ...record, ...unknown }));
    return { ...file, ...text(JSON.stringify(others)) };
  });
  const [plain, other] = [await openHouse(), await openHouse()];
  for (const [house, archive] of [[plain, files] as const, [other, altered] as const])
    expect((await importInto(house, zipOf(archive))).status).toBe(201);
  expect(await contentOf(other)).toEqual(await contentOf(plain));
});
