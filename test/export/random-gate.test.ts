// @module-tag random
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportKindNames, exportKinds, type ExportKind } from '#shared/export';
import { parseLenient } from '#server/plumbing/common/parse-lenient';
import { openHouse, type House } from '../support/house.ts';
import { cases } from '../support/random.ts';
import { archiveOf } from './archive.ts';
import { fill } from './random-household.ts';
import { download, importInto, unzip } from './support.ts';

type Archive = Record<ExportKind, unknown[]>;

async function archiveOfHouse(house: House): Promise<Archive> {
  const files = await unzip((await download(house, '/api/export.zip')).bytes);
  const read = (kind: ExportKind): unknown[] =>
    JSON.parse(files.get(`json/${kind}.json`) ?? '[]') as unknown[];
  return Object.fromEntries(exportKindNames.map((kind) => [kind, read(kind)])) as Archive;
}

const ODD: readonly unknown[] = [
  null,
  '',
  ' ',
  'zzz',
  'demain',
  '2027-02-30',
  '2019-13-45',
  '0000',
  '9999-12-31',
  true,
  {},
  '2019-13-45T00:00:00.000Z',
  '9999-01-01T00:00:00.000Z',
  '2020-01-01T00:00Z',
  'nul\0',
  ';',
  -1,
  0,
  1,
  1.5,
  1e300,
  2 ** 53,
  '\ud800',
  'x'.repeat(201),
  'x'.repeat(10_001),
  'a › b',
  '😀'.repeat(200),
  '😀'.repeat(201),
  'javascript:alert(1)',
  '9782070360025',
  [],
  [null],
  ['', 'a', 'a', 'A'],
  Array.from({ length: 300 }, (_, index) => `mot ${index}`),
  [{}],
];

const mutation = fc.record({
  kind: fc.constantFrom(...exportKindNames),
  record: fc.nat(100),
  /** The path to a field: its index in the record, then in the nested object, and so on. */
  path: fc.array(fc.nat(100), { minLength: 1, maxLength: 3 }),
  value: fc.constantFrom(...ODD),
});

type Mutation = typeof mutation extends fc.Arbitrary<infer M> ? M : never;

function change(archive: Archive, { kind, record, path, value }: Mutation) {
  let inside = Object(archive[kind][record % Math.max(1, archive[kind].length)]) as object;
  path.forEach((choice, depth) => {
    const keys = Object.keys(inside);
    const key = keys[choice % Math.max(1, keys.length)] ?? '';
    const next: unknown = Reflect.get(inside, key);
    if (depth === path.length - 1 || typeof next !== 'object' || next === null)
      Reflect.set(inside, key, structuredClone(value));
    else inside = next;
  });
}

/** Whether two records of a kind have one id, for which an archive is refused (docs/rules.md § 41). */
const hasTwins = (archive: Archive): boolean =>
  exportKindNames.some((kind) => {
    const ids = archive[kind].map((record) => Reflect.get(Object(record), 'id') as unknown);
    const numbers = ids.filter(Number.isInteger);
    return new Set(numbers).size < numbers.length;
  });

const PATHS = [
  'livres',
  'prets/en-cours',
  'prets/echeances.ics',
  'emplacements',
  'lectures',
  'objectifs',
  'series',
  'revues',
  'numeros',
  'souhaits',
  'souhaits-revues',
  'auteurs',
  'themes',
  'importations',
  'export/livres.csv',
  'export/goodreads.csv',
  'export/livres.bib',
  'export/livres.ris',
];

/** The kinds whose form must be able to save the imported record unchanged. */
const FORMS = ['livres', 'emplacements', 'series', 'revues', 'numeros', 'souhaits', 'lectures'];

test('the records of a changed archive fit their schemas and forms', async () => {
  const source = await openHouse();
  await fill(source, 41);
  const archive = await archiveOfHouse(source);
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 12 }), async (mutations) => {
      const changed = structuredClone(archive);
      for (const one of mutations) change(changed, one);
      fc.pre(!hasTwins(changed));
      const house = await openHouse();
      const { status, body } = await importInto(house, archiveOf(changed));
      expect([status, body['message']]).toEqual([201, undefined]);
      for (const path of PATHS) {
        const answer = await fetch(`${house.url}/api/${path}`, { headers: house.headersOf('ana') });
        expect([path, answer.status]).toEqual([path, 200]);
        await answer.arrayBuffer();
      }
      for (const kind of FORMS) {
        const records = (await house.ask('ana', 'GET', `/api/${kind}`)).body as { id: number }[];
        for (const record of records) {
          const saved = await house.ask('ana', 'PUT', `/api/${kind}/${record.id}`, record);
          expect([kind, saved.status, saved.body]).toEqual([kind, 200, expect.any(Object)]);
        }
      }
      const brought = await archiveOfHouse(house);
      for (const kind of exportKindNames)
        expect(
          brought[kind].flatMap((record) => parseLenient(exportKinds[kind], record).faults),
          kind,
        ).toEqual([]);
      await house.close();
    }),
    cases(3),
  );
});
