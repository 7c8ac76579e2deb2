import { expect, test } from 'vitest';
import type { Importation, ImportationLigne } from '#shared/importations';
import { openHouse, type House } from '../support/house.ts';
import { MORE_FILES } from './catalogue-files.ts';
import { FILES } from './program-files.ts';
import { sendFile } from './support.ts';

/** Lists that are no tables, each causing remarks. */
const LISTS: Readonly<Record<string, string | Buffer>> = {
  ris: 'TY  - JOUR\nTI  - A\nER  - \nTY  - CHAP\nTI  - B\nT2  - C\nER  - \nTY  - BOOK\nTI  - D',
  bibtex: '@article{a, title = {A}}\n@book{broken, title = {oops\n@book{b, title = {B}}',
  csljson: JSON.stringify([
    { id: 'a', type: 'article', title: 'A' },
    { id: 'b', type: 'chapter', title: 'B', 'container-title': 'C' },
  ]),
  gcstar:
    '<?xml version="1.0"?><collection type="GCbooks" items="1"><item title="A" isbn="123"/></collection>',
  marcxml:
    '<?xml version="1.0"?><collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>00000nam a2200000 a 4500</leader><datafield tag="245" ind1=" " ind2=" "><subfield code="a">A</subfield></datafield><datafield tag="020" ind1=" " ind2=" "><subfield code="a">123</subfield></datafield></record></collection>',
  isbn: '9782070360024\n9782070360025',
  table: 'Titre,Année,Prêté à,Date de prêt,ISBN\nCafÃ©,mdcclx,Luc,au printemps,9.78207E+12\n,,,,\n',
};

const FILES_OF_ALL: Readonly<Record<string, string | Buffer>> = {
  ...LISTS,
  ...Object.fromEntries(
    Object.entries({ ...FILES, ...MORE_FILES }).map(([name, { file }]) => [name, file]),
  ),
};

/** Words that occur in French messages only. */
const FRENCH =
  /[àâçéèêëîïôûùœ«»’]|(?<!\p{L})(?:le|la|les|un|une|du|des|est|et|ou|dans|pour|avec|sur|pas)(?!\p{L})/iu;

type Said = Importation['avertissements'][number] | Importation['refuses'][number];

/** A message without the file's own texts. */
function ownWords({ raison, arguments: values }: Omit<Said, 'ligne'>): string {
  const texts = Object.values(values).flatMap((value) =>
    [value].flat().filter((one): one is string => typeof one === 'string' && one !== ''),
  );
  return texts.reduce((left, text) => left.replaceAll(text, '·'), raison);
}

const remarksOf = ({ refuses, avertissements, raisons }: Importation) => [
  ...refuses,
  ...avertissements,
  ...raisons,
];

const read = async (house: House, path: string, language: string): Promise<unknown> =>
  (
    await fetch(house.url + path, {
      headers: { ...house.headersOf('alice'), 'Accept-Language': language },
    })
  ).json();

test('warnings about the files of all programs are English to an English reader', async () => {
  const counts: Record<string, number> = {};
  for (const [name, file] of Object.entries(FILES_OF_ALL)) {
    const house = await openHouse();
    const sent = await sendFile(house, file, {}, 'alice', { 'Accept-Language': 'en' });
    const essai = sent.body;
    expect(sent.status, `${name}: ${JSON.stringify(essai)}`).toBe(200);
    const path = `/api/importations/${essai.id}`;
    const french = remarksOf((await read(house, path, 'fr')) as Importation);
    const english = remarksOf(essai);
    expect(
      english.filter((said) => FRENCH.test(ownWords(said))),
      name,
    ).toEqual([]);
    // The data of a message is the same in both languages.
    const data = (said: typeof english) =>
      said.map(({ code, arguments: values }) => ({ code, arguments: values }));
    expect(data(english), name).toEqual(data(french));
    expect(english.map(({ code }) => code)).not.toContain('phrase');
    const rows = (await read(house, `${path}/lignes`, 'en')) as ImportationLigne[];
    expect(rows.map(({ motifs }) => motifs.length)).toEqual(
      rows.map(({ raison, avertissements }) => avertissements.length + (raison === null ? 0 : 1)),
    );
    counts[name] = english.length;
  }
  // Most files cause remarks.
  expect(Object.values(counts).filter((count) => count > 0).length).toBeGreaterThan(11);
});

test('a file that cannot be read is refused by a name that stays, in the language of its sender', async () => {
  const house = await openHouse();
  const sent = async (language: string) =>
    (await sendFile(house, '%PDF-1.7', {}, 'alice', { 'Accept-Language': language })).body;
  const refusal = { code: 'FICHIER_INVALIDE', raison: 'pdf', arguments: {} };
  expect(await sent('fr')).toMatchObject({
    ...refusal,
    message: 'C’est un PDF : il faut un fichier CSV, TSV ou JSON.',
  });
  expect(await sent('en')).toMatchObject({
    ...refusal,
    message: 'This is a PDF: a CSV, TSV or JSON file is needed.',
  });
});
