import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openExport } from '#server/subjects/importations/formats/archive';
import { readFile, rowsOf } from '../importations/reading.ts';
import { temporaryFolder } from '../support/database.ts';
import { archiveOf, filesOf, zipOf, type HandMade } from './archive.ts';

const LIVRE = { id: 7, titre: 'Nadja' };
const LIVRES = { livres: [LIVRE] };

test('an export’s books come before its wishes as rows', async () => {
  const open = { id: 1, emprunteur: 'Zoé', datePret: '2020-05-06T07:08:09.000Z', dateRetour: null };
  const file = archiveOf({
    livres: [
      {
        ...LIVRE,
        auteurs: [
          { id: 1, nom: 'André Breton' },
          { id: 2, nom: 'Man Ray' },
        ],
        isbn: '9782070360024',
        editeur: 'Gallimard',
        annee: 1928,
        nombrePages: 190,
        format: 'Numerique',
        statut: 2,
        prets: [
          { ...open, id: 2, emprunteur: 'Luc', dateRetour: '2021-05-06T07:08:09.000Z' },
          open,
        ],
      },
      { id: 8, titre: 'Un\nDeux ', statut: 1, format: 'Physique' },
      { id: 9, titre: 'Trois', statut: 0, isbn: null },
      { id: 'x' },
    ],
    souhaits: [
      { id: 1, titre: 'Ubik', auteur: 'Dick ; Herbert', isbn: '9782070360024', rang: 1 },
      { id: 2, titre: 'Sido', rang: 2 },
      { id: 3 },
    ],
  });
  expect(await rowsOf(file)).toMatchObject([
    {
      titre: 'Nadja',
      auteurs: ['André Breton', 'Man Ray'],
      isbn: '9782070360024',
      editeur: 'Gallimard',
      annee: 1928,
      nombrePages: 190,
      format: 'Numerique',
      statut: 2,
      pret: { emprunteur: 'Zoé', datePret: '2020-05-06T07:08:09.000Z' },
      kept: { livre: { id: 7 } },
    },
    { titre: 'Un Deux', statut: 1 },
    { titre: 'Trois', statut: 0 },
    {
      titre: '',
      refus:
        'la fiche ne se lit pas, id laissé de côté (x) : doit être un nombre entier ; titre laissé de côté : ne doit pas être vide',
    },
    {
      titre: 'Ubik',
      auteurs: ['Dick ; Herbert'],
      isbn: '9782070360024',
      isSouhait: true,
      kept: { souhait: { id: 1 } },
    },
    { titre: 'Sido', isSouhait: true },
    {
      titre: '',
      refus:
        'la fiche ne se lit pas, titre laissé de côté : ne doit pas être vide ; rang laissé de côté (0) : doit être au moins 1',
    },
  ]);
  const { records, ...rest } = await readFile(file);
  expect(records.map(({ ligne }) => ligne)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(records[0]?.cells).toEqual(['Nadja', 'André Breton ; Man Ray', '9782070360024']);
  expect(records[1]).toMatchObject({
    row: { auteurs: [], isbn: null, editeur: null, annee: null, nombrePages: null, pret: null },
    avertissements: [],
  });
  expect(records[5]?.row).toMatchObject({ auteurs: [], isbn: null });
  expect(rest).toEqual({
    format: 'rayonnage',
    encodage: 'utf-8',
    colonnes: null,
    headers: ['titre', 'auteurs', 'isbn'],
    exemples: undefined,
    avertissements: [],
    perdus: [],
    themes: [],
    rest: {},
    pictures: [],
  });
});

test('an export’s other records are kept beside its rows', async () => {
  const serie = { id: 1, titre: 'Suite\n', places: [{ id: 1, titre: 'Un\ttome' }] };
  const { rest, avertissements } = await readFile(
    archiveOf(
      {
        auteurs: [{ id: 1, nom: ' André\nBreton' }, { id: 2 }],
        refus: [{ premierId: 1 }],
        series: [serie],
        numeros: [{ id: 1, revueId: 1, numero: '1', une: ' À\nla une', resume: 'A\nB' }],
      },
      { utilisateur: null },
    ),
  );
  expect(rest).toMatchObject({
    auteurs: [{ nom: 'André Breton', formePleine: null }],
    series: [{ titre: 'Suite', parentId: null, places: [{ titre: 'Un tome', numero: null }] }],
    numeros: [{ une: 'À\nla une', articles: [] }],
  });
  expect(rest['refus']).toBeUndefined();
  expect(avertissements).toEqual([
    'cet export ne contient que ce qui est partagé',
    'auteurs.json, fiche 2 : la fiche ne se lit pas, nom laissé de côté : ne doit pas être vide',
    'refus.json, fiche 1 : la fiche ne se lit pas, secondId laissé de côté (0) : doit être au moins 1',
    'numeros.json, fiche 1 : revueId laissé de côté (1) : ne mène à aucune fiche de cette archive, ce numéro n’entre pas',
  ]);
});

test('many records are read in order, despite cuts between chunks', async () => {
  const livres = Array.from({ length: 2500 }, (_, id) => ({
    id: id + 1,
    titre: `${'é😀'.repeat(20)} ${id}`,
  }));
  const { records, rest } = await readFile(archiveOf({ livres, series: livres }));
  expect(records.map(({ row }) => row.titre)).toEqual(livres.map(({ titre }) => titre));
  expect(rest['series']).toHaveLength(2500);
});

test('an export at a path is read like another', async () => {
  const path = join(temporaryFolder(), 'export.zip');
  writeFileSync(path, archiveOf(LIVRES));
  const opened = await openExport(path);
  expect([...opened.records]).toMatchObject([{ ligne: 1, record: { titre: 'Nadja' } }]);
});

test('a damaged export at a path is refused', async () => {
  const path = join(temporaryFolder(), 'export.zip');
  writeFileSync(path, 'x');
  await expect(openExport(path)).rejects.toThrow('Cette archive est incomplète ou abîmée.');
});

const named = (content: Buffer, extension = ''): HandMade => ({
  name: `couvertures/${createHash('sha256').update(content).digest('hex')}${extension}`,
  content,
});

test('pictures of an export are named after their bytes', async () => {
  const [one, two, three] = ['un', 'deux', 'trois'].map((text) => Buffer.from(text));
  const pictures = [
    named(Buffer.from('un'), '.png'),
    named(Buffer.from('deux')),
    { ...named(Buffer.from('trois'), '.jpg'), content: Buffer.from('autre') },
    { name: 'couvertures/lisez-moi.txt', content: Buffer.from('x') },
    { ...named(Buffer.from('x')), name: `autre/couvertures/${'a'.repeat(64)}` },
    { ...named(Buffer.from('x')), name: `couvertures/${'a'.repeat(64)}.png/x` },
  ];
  const found = await readFile(zipOf([...filesOf(LIVRES), ...pictures]));
  expect(found.pictures).toEqual([one, two]);
  expect(found.pictures).not.toContainEqual(three);
  expect(found.avertissements).toEqual(['couvertures abîmées, laissées de côté : 1']);
});

const refused = (files: readonly HandMade[]) =>
  readFile(zipOf(files)).then(
    () => 'read',
    (error: unknown) => (error instanceof Error ? error.message : error),
  );

const LIVRES_FILE = 'json/livres.json';
const DAMAGED = 'Cette archive est incomplète ou abîmée.';
const TOO_LARGE = 'Cette archive est trop grande, une fois décompressée.';
const extra = (length: number, name = 'autre'): HandMade => ({
  name,
  content: Buffer.from('x'),
  length,
});

test.each<[string, readonly HandMade[], string]>([
  ['text for a head', [{ name: 'rayonnage.json', content: Buffer.from('x') }], DAMAGED],
  [
    'another head',
    filesOf(LIVRES, { application: 'autre' }),
    'C’est une archive zip, et pas un export de Rayonnage.',
  ],
  [
    'a later version',
    filesOf(LIVRES, { version: 2 }),
    'Cet export vient d’une version plus récente de Rayonnage : mettez Rayonnage à jour.',
  ],
  ['too many records said', filesOf(LIVRES, { counts: { livres: 2 } }), DAMAGED],
  ['too few records said', filesOf(LIVRES, { counts: { livres: 0 } }), DAMAGED],
  ['no file of a kind', filesOf(LIVRES, { counts: { livres: 1, series: 0 } }), DAMAGED],
  ['as much as may be', [...filesOf(LIVRES), extra(499_999_000)], 'read'],
  ['too much', [...filesOf(LIVRES), extra(500_010_000)], TOO_LARGE],
  [
    'a picture as large as it may be',
    [...filesOf(LIVRES), extra(10_485_760, 'couvertures/x')],
    'read',
  ],
  ['more of pictures than a file of its size has', [...filesOf(LIVRES), ...many(60)], TOO_LARGE],
  ['a large picture', [...filesOf(LIVRES), extra(10_485_761, 'couvertures/x')], TOO_LARGE],
  [
    'a wrong checksum',
    filesOf(LIVRES).map((file) => (file.name === LIVRES_FILE ? { ...file, crc: 1 } : file)),
    DAMAGED,
  ],
  [
    'a file longer than it says',
    filesOf(LIVRES).map((file) => (file.name === LIVRES_FILE ? { ...file, length: 1 } : file)),
    DAMAGED,
  ],
  [
    'a file twice',
    [...filesOf(LIVRES), extra(1), extra(1)],
    'Cette archive a deux fichiers du même nom : elle a été modifiée.',
  ],
  [
    'a password',
    [...filesOf(LIVRES), { ...extra(1), flags: 1 }],
    'Cette archive est protégée par un mot de passe : retirez-le d’abord.',
  ],
])('an export of %s is answered to', async (_, files, sentence) => {
  expect(await refused(files)).toBe(sentence);
});

function many(count: number): HandMade[] {
  return Array.from({ length: count }, (_, index) => extra(10_000_000, `couvertures/${index}`));
}

test('a kind missing from the head is not read', async () => {
  const { records } = await readFile(zipOf(filesOf(LIVRES, { counts: {} })));
  expect(records).toEqual([]);
});
