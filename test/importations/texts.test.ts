import { expect, test } from 'vitest';
import { decodeFile, repairDoubleEncoding } from '#server/subjects/importations/encodings';
import { readFile } from './reading.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** « Été » in UTF-8, byte by byte. */
const ETE = '\xc3\x89t\xc3\xa9';

test.each([
  [latin1(`\xef\xbb\xbf${ETE}`), 'utf-8', 'Été', 0],
  [latin1('\xef\xbb'), 'windows-1252', 'ï»', 0],
  [latin1('\xef\xbb!'), 'windows-1252', 'ï»!', 0],
  [latin1('\xefx\xbf'), 'windows-1252', 'ïx¿', 0],
  [latin1('x\xbb\xbf'), 'windows-1252', 'x»¿', 0],
  [latin1('\xff\xfe\xc9\0'), 'utf-16le', 'É', 0],
  [latin1('\xfe\xff\0\xc9'), 'utf-16be', 'É', 0],
  [latin1('\xff\xfe\xc9\0!'), 'utf-16le', 'É\ufffd', 0],
  [latin1('\xff!'), 'windows-1252', 'ÿ!', 0],
  [latin1('!\xfe'), 'windows-1252', '!þ', 0],
  [latin1('\xfe!'), 'windows-1252', 'þ!', 0],
  [latin1('!\xff'), 'windows-1252', '!ÿ', 0],
  [latin1('T\0i\0t\0r\0e\0,\0A\0u\0t\0'), 'utf-16le', 'Titre,Aut', 0],
  [latin1('\0T\0i\0t\0r\0e\0,\0A\0u\0t'), 'utf-16be', 'Titre,Aut', 0],
  [latin1('T\0i\0t\0r\0e\0,\0A\0u\0'), 'utf-8', 'T\0i\0t\0r\0e\0,\0A\0u\0', 0],
  [latin1('\0T\0i\0t\0r\0e\0,\0A\0u'), 'utf-8', '\0T\0i\0t\0r\0e\0,\0A\0u', 0],
  [latin1('T\0i\0t\0r\0e\0,\0A\0u\0t\0\0\x01'), 'utf-8', 'T\0i\0t\0r\0e\0,\0A\0u\0t\0\0\x01', 0],
  [latin1('\0T\0i\0t\0r\0e\0,\0A\0u\0t\x01\0'), 'utf-8', '\0T\0i\0t\0r\0e\0,\0A\0u\0t\x01\0', 0],
  [latin1(''), 'utf-8', '', 0],
  [latin1('Titre'), 'utf-8', 'Titre', 0],
  [latin1(ETE), 'utf-8', 'Été', 0],
  [latin1(`${ETE} \x80`), 'utf-8', 'Été €', 1],
  [latin1(`${ETE} \x80\xe9`), 'windows-1252', 'Ã‰tÃ© €é', 0],
  [latin1('\xe2\x82\xac\xf0\x9f\x98\x80\xe9!'), 'utf-8', '€😀é!', 1],
  [latin1('\xc9t\xe9'), 'windows-1252', 'Été', 0],
])('%# is decoded as %s: %j', (bytes, encodage, text, strays) => {
  const { utf8, ...decoded } = decodeFile(bytes);
  expect({ ...decoded, text: utf8.toString() }).toMatchObject({ encodage, text, strays });
});

test('a stray byte leaves a large file read as UTF-8', async () => {
  // One piece of the encoding's detection, and some bytes of the next.
  const bytes = Buffer.concat([Buffer.from('Ποίηση\n'.repeat(20_165)), latin1('Caf\xe9\n')]);
  const decoded = decodeFile(bytes);
  expect(decoded.encodage).toBe('utf-8');
  expect(decoded.utf8.toString().slice(-12)).toBe('Ποίηση\nCafé\n');
  expect(decoded.strays).toBe(1);
});

test('a single UTF-8 character does not make a large Latin-1 file UTF-8', async () => {
  const bytes = Buffer.concat([
    latin1(`${ETE}\n${'x\n'.repeat(200_000)}`),
    latin1('Caf\xe9\n'.repeat(9)),
  ]);
  expect(decodeFile(bytes).encodage).toBe('windows-1252');
});

test.each([
  ['Ã‰tÃ©', 'Été'],
  ['Åuvre', 'Åuvre'],
  ['Å’uvre â‚¬', 'Œuvre €'],
  ['ÃŽle', 'Île'],
  ['Ã\u0089tÃ©', 'Été'],
  ['Été', 'Été'],
  ['Ã© 你', 'Ã© 你'],
  ['Ã© é', 'Ã© é'],
  ['SÃO', 'SÃO'],
  ['', ''],
])('the twice encoded « %s » is « %s »', (text, expected) => {
  expect(repairDoubleEncoding(text)).toBe(expected);
});

const remarksOf = async (file: Buffer) => (await readFile(file)).avertissements;

test('the number of lines with repaired accents is reported', async () => {
  expect(await remarksOf(Buffer.from('Titre\nÃ©t\nÉté\n'))).toEqual([
    'accents réparés dans 1 ligne',
  ]);
  expect(await remarksOf(Buffer.from('Titre,Auteur\nÃ©t,Ã©\nÃ©,\n'))).toEqual([
    'accents réparés dans 2 lignes',
  ]);
});

test('the number of guessed letters is reported', async () => {
  expect(await remarksOf(latin1(`Titre\n${ETE}\n${ETE}\nCaf\xe9\n`))).toEqual([
    '1 lettre mal écrite dans le fichier, lue au mieux',
  ]);
  expect(await remarksOf(latin1(`Titre\n${ETE}\n${ETE}\nCaf\xe9\nCaf\xe9\n`))).toEqual([
    '2 lettres mal écrites dans le fichier, lues au mieux',
  ]);
  expect(await remarksOf(latin1(`9782070360024\n9782070424641 ${ETE}\xe9\n`))).toEqual([
    '1 lettre mal écrite dans le fichier, lue au mieux',
  ]);
});
