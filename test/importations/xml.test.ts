import { expect, test } from 'vitest';
import { elementsOf } from '#server/subjects/importations/formats/xml';
import { readFile, rowsOf } from './reading.ts';

// cspell:ignore subfield
// XML as programs write it, and as nobody should.

const dict = (...pairs: string[]) =>
  `<?xml version="1.0"?><plist version="1.0"><array><dict><key>title</key><string>Un port</string>${pairs.join('')}</dict></array></plist>`;

const detailsOf = async (file: string): Promise<Record<string, string>> => {
  const { records } = await readFile(file);
  const details = records.flatMap((record) => record.details ?? []);
  return Object.fromEntries(details.map(({ colonne, valeur }) => [colonne, valeur]));
};

test.each([
  ['a section of characters', '<![CDATA[Une <île> & une mer]]>', 'Une <île> & une mer'],
  ['a section between texts', 'Une <![CDATA[<île>]]> &amp; une mer', 'Une <île> & une mer'],
  ['a comment between texts', 'Une <!-- <key>b</key> -->île', 'Une île'],
  ['numbers of characters', '&#xCE;le&#233;', 'Îleé'],
  ['an entity of HTML', 'Une &eacute;toile', 'Une étoile'],
  ['a character that XML forbids', 'Une\u000bîle', 'Une île'],
])('%s is read in a property list', async (_, text, expected) => {
  expect(await detailsOf(dict(`<key>zone</key><string>${text}</string>`))).toEqual({
    zone: expected,
  });
});

test('values in values of a property list are details, each by its keys', async () => {
  const file = dict(
    '<key>shelf</key><dict><key>room</key><string>Salon</string><key>row</key><integer>3</integer></dict>',
    '<key>marks</key><array><string>a</string><array><string>b</string></array><dict><key>c</key><real>1.5</real></dict></array>',
    '<key>gone</key><date>nobody knows</date>',
    '<key>empty</key><string/>',
    '<key>publisher</key><string>Seuil</string>',
  );
  expect(await detailsOf(file)).toEqual({
    shelf: 'room: Salon, row: 3',
    marks: 'a\nb\nc: 1.5',
    gone: 'nobody knows',
  });
  expect(await rowsOf(file)).toMatchObject([{ titre: 'Un port', editeur: 'Seuil' }]);
});

test('a value of a property list without its key, or a key without a value, moves nothing', async () => {
  const file = dict(
    '<key>publisher</key><key>isbn</key><string>9782070360024</string><string>astray</string>',
  );
  expect(await rowsOf(file)).toMatchObject([{ titre: 'Un port', isbn: '9782070360024' }]);
  expect(await detailsOf(file)).toEqual({});
});

test('an attribute may hold « > », quotes of either kind, and a line’s end as a number', async () => {
  const file = `<library><items><book uuid='A' title="Plus > moins" author='Ann "Bo" Ro&#10;Zoé Li' /></items></library>`;
  expect(await rowsOf(file)).toMatchObject([
    { titre: 'Plus > moins', auteurs: ['Ann "Bo" Ro', 'Zoé Li'] },
  ]);
});

test('a record inside a comment or CDATA section is not read', () => {
  const text =
    '<a><!-- <item n="1"/> --><item n="2"><![CDATA[<item n="3">]]></item><p:item n="4"/></a>';
  expect(
    [...elementsOf(text, ['item'])].map(({ attributes, text: own }) => [attributes.get('n'), own]),
  ).toEqual([
    ['2', '<item n="3">'],
    ['4', ''],
  ]);
});

const GCSTAR =
  '<?xml version="1.0"?>\n<collection type="GCbooks" items="2"><item title="Un" isbn="1"/>\n<item title="Deux"/>';

test('a list truncated between two records is read, and reported as truncated', async () => {
  const { records, avertissements } = await readFile(GCSTAR);
  expect(records.map(({ row }) => row.titre)).toEqual(['Un', 'Deux']);
  expect(avertissements).toEqual(['le fichier n’est pas fini : il est peut-être coupé']);
});

test('damage is reported with its line', async () => {
  await expect(rowsOf(`${GCSTAR}\n<item title="Trois></collection>`)).rejects.toMatchObject({
    code: 'FICHIER_INVALIDE',
    message: expect.stringContaining('ligne 4') as string,
  });
});

test.each([
  ['elements in elements', `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}`],
  ['a hundred thousand elements', '<a/>'.repeat(100_001)],
])('a record of %s is refused', (_, inner) => {
  expect(() => [...elementsOf(`<r><item>${inner}</item></r>`, ['item'])]).toThrow(
    'plus d’éléments',
  );
});
