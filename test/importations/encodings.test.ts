import { expect, test } from 'vitest';
import type { Encodage } from '#shared/importations';
import { decodeFile, decoderOf, guessEncodage } from '#server/subjects/importations/encodings';
import { openHouse } from '../support/house.ts';
import { goodreads, utf16 } from './samples.ts';
import { readFile, rowsOf } from './reading.ts';
import { countsOf, lignesOf, sendFile } from './support.ts';

test.each(['le', 'be'] as const)('UTF-16, %s, with and without its mark', async (endian) => {
  const house = await openHouse();
  const text = goodreads({ Title: 'Été', Author: 'Œdipe' });
  for (const hasMark of [true, false]) {
    const { body } = await sendFile(house, utf16(text, endian, hasMark));
    expect(body).toMatchObject({ encodage: `utf-16${endian}`, nouveaux: 1 });
    expect(await lignesOf(house, body.id)).toMatchObject([{ titre: 'Été', auteurs: ['Œdipe'] }]);
  }
});

test('a double encoding after a byte order mark is repaired', async () => {
  const house = await openHouse();
  const twice = Buffer.from(goodreads({ Title: 'Été à Nîmes', Author: 'Zoé' })).toString('latin1');
  const { body } = await sendFile(house, `\ufeff${twice}`);
  expect(await lignesOf(house, body.id)).toMatchObject([
    { titre: 'Été à Nîmes', auteurs: ['Zoé'] },
  ]);
  expect(countsOf(body).avertissements).toEqual(['accents réparés dans 1 ligne']);
});

const EVERY_PAIR = Array.from({ length: 0x80 * 0x100 }, (_, index) =>
  Buffer.of(0x80 + (index >> 8), index & 0xff),
);
const EVERY_BYTE = Array.from({ length: 0x100 }, (_, index) => Buffer.of(index));

/** Encodes a text by inverting the decoder's table. */
function encoded(text: string, encodage: Encodage): Buffer {
  const isOfPairs = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'].includes(encodage);
  const signs = new Map<string, Buffer>();
  for (const bytes of [...EVERY_BYTE, ...(isOfPairs ? EVERY_PAIR : [])]) {
    const decoder = decoderOf(encodage);
    const sign = decoder.decode(bytes) + decoder.decode();
    if (!signs.has(sign)) signs.set(sign, bytes);
  }
  return Buffer.concat(
    Array.from(text, (sign) => {
      const bytes = signs.get(sign);
      if (bytes === undefined) throw new Error(`${encodage} has no « ${sign} »`);
      return bytes;
    }),
  );
}

const FRENCH = ['Hugo à Nîmes', 'L’Été où rien n’arrive'];

test.each<[Encodage, string[], string]>([
  ['windows-1252', FRENCH, 'Zoé Garçon'],
  ['cp850', ['Hugo à Nîmes', 'Un été'], 'Zoé Garçon'],
  ['macintosh', FRENCH, 'Zoé Garçon'],
  ['windows-1250', ['Příběhy z Malé Strany', 'Wiedźmin'], 'Božena Němcová'],
  ['windows-1254', ['İnce Memed', 'Kırmızı Pazartesi'], 'Yaşar Kemal'],
  ['windows-1251', ['Война и мир', 'Мастер'], 'Лев Толстой'],
  ['koi8-r', ['Война и мир', 'Мастер'], 'Лев Толстой'],
  ['windows-1253', ['Βίος και πολιτεία', 'Ο Αλέξης'], 'Νίκος Καζαντζάκης'],
  ['windows-1255', ['סיפור על אהבה וחושך', 'שלום'], 'עמוס עוז'],
  ['windows-1256', ['أولاد حارتنا', 'موسم الهجرة'], 'نجيب محفوظ'],
  ['shift_jis', ['ノルウェイの森', '雪国'], '村上春樹'],
  ['euc-jp', ['ノルウェイの森', '雪国'], '村上春樹'],
  ['gb18030', ['三体', '红楼梦'], '刘慈欣'],
  ['big5', ['三體', '紅樓夢'], '劉慈欣'],
  ['euc-kr', ['소년이 온다', '채식주의자'], '한강'],
])('a file in %s is read as it was written', async (encodage, titres, auteur) => {
  const rows = titres.map((titre) => `${titre};${auteur};1`);
  const file = encoded(['Titre;Auteur;Tome', ...rows, ''].join('\n'), encodage);
  const read = await readFile(file);
  expect(read).toMatchObject({ encodage, avertissements: [] });
  expect(read.records.map(({ row }) => [row.titre, ...row.auteurs])).toEqual(
    titres.map((titre) => [titre, auteur]),
  );
});

test.each<Encodage>(['windows-1252', 'cp850', 'macintosh'])(
  'accented headers of a file in %s are known',
  async (encodage) => {
    const file = encoded('Titre;Série;Prêté à;Éditeur\nUn;Marée;Zoé;Écume\n', encodage);
    expect(await rowsOf(file)).toEqual([
      {
        titre: 'Un',
        editeur: 'Écume',
        series: [{ titre: 'Marée', numero: null }],
        pret: { emprunteur: 'Zoé', datePret: null },
      },
    ]);
  },
);

test('a single accent decides the encoding, and ambiguous bytes are windows-1252', () => {
  expect(guessEncodage(encoded('Titre\nZoé\n', 'macintosh'))).toBe('macintosh');
  expect(guessEncodage(encoded('Titre\nZoé\n', 'cp850'))).toBe('cp850');
  for (const text of ['é', '€', 'ÿ', '§', 'À', '’'])
    expect(guessEncodage(encoded(text, 'windows-1252'))).toBe('windows-1252');
});

test('an encoding that the bytes declare is not guessed, and a person’s choice overrides both', () => {
  const utf8 = Buffer.from('\ufeffÉté');
  expect(decodeFile(utf8)).toMatchObject({ encodage: 'utf-8', encodagePar: 'octets' });
  expect(decodeFile(utf8, 'utf-8').utf8.toString()).toBe('Été');
  const dos = encoded('Été', 'cp850');
  expect(decodeFile(dos)).toMatchObject({ encodage: 'cp850', encodagePar: 'estimation' });
  expect(decodeFile(dos, 'macintosh')).toMatchObject({ encodagePar: 'choix' });
  expect(decodeFile(dos, 'cp850').utf8.toString()).toBe('Été');
});

test('a character of two bytes at the boundary of two chunks is intact', () => {
  const text = `Titre\nx${'森'.repeat(600_000)}`;
  const bytes = encoded(text, 'shift_jis');
  expect(decodeFile(bytes, 'shift_jis').utf8.toString()).toBe(text);
});

test('a guessed encoding is shown with three lines, and another can be chosen', async () => {
  const house = await openHouse();
  const file = encoded('Titre;Auteur\nÉté;Zoé\nA;B\nÎle;Noé\nNuée;Zoé\n', 'macintosh');
  const { body } = await sendFile(house, file);
  expect(body).toMatchObject({
    encodage: 'macintosh',
    encodagePar: 'estimation',
    encodageExemples: ['Été · Zoé', 'Île · Noé', 'Nuée · Zoé'],
  });
  const chosen = await sendFile(house, file, { encodage: 'windows-1252' });
  expect(chosen.body).toMatchObject({ encodage: 'windows-1252', encodagePar: 'choix' });
  expect(chosen.body.encodageExemples[0]).toMatch(/^ƒt/);
  expect((await house.ask('alice', 'GET', `/api/importations/${body.id}`)).body).toMatchObject({
    encodagePar: 'estimation',
    encodageExemples: body.encodageExemples,
  });
  expect((await sendFile(house, file, { encodage: 'rot13' })).status).toBe(400);
  const plain = await sendFile(house, 'Titre\nÉté\n');
  expect(plain.body).toMatchObject({ encodagePar: 'octets', encodageExemples: [] });
});

test('the refusal of a table of unknown columns names the guessed encoding', async () => {
  const house = await openHouse();
  const file = encoded('タイトル;著者\n雪国;川端康成\n', 'shift_jis');
  const { status, body } = await sendFile(house, file);
  expect(status).toBe(400);
  expect(body).toMatchObject({
    entetes: ['タイトル', '著者'],
    encodage: 'shift_jis',
    encodagePar: 'estimation',
    encodageExemples: ['タイトル · 著者', '雪国 · 川端康成'],
  });
});
