import { writeOds, writeXlsx } from 'hucre';
import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { table } from '../importations/samples.ts';
import { zipOfMany } from '../importations/zips.ts';
import { device } from './support/device.ts';
import { expectFeedback } from './support/feedback.ts';
import { household, type Household } from './support/household.ts';
import { importButton, importedCount } from './support/importer.ts';

/** Ten files in turn on a busy machine. */
const LONG = { timeout: 240_000 };

const livresOf = async ({ url }: Household) =>
  (await (await fetch(`${url}/api/livres`)).json()) as Livre[];

const XML = '<?xml version="1.0" encoding="UTF-8"?>';

const record = (text: string) =>
  `${String(text.length + 26).padStart(5, '0')}nam a2200037   4500200${String(text.length + 1).padStart(4, '0')}00000\x1e${text}\x1e\x1d`;

const workbook = (write: typeof writeXlsx, titre: string) =>
  write({
    sheets: [
      {
        name: 'Livres',
        rows: [
          ['Titre', 'Prix'],
          [titre, '12 €'],
        ],
      },
    ],
  }).then((bytes) => Buffer.from(bytes));

// cspell:disable -- files of other programs
/** A file of each program with one book, and the detail that is imported with it. */
const FILES: readonly (readonly [
  label: string,
  name: string,
  content: string | Buffer | Promise<Buffer>,
  titre: string,
  detail: string | null,
])[] = [
  ['RIS', 'a.ris', 'TY  - BOOK\nTI  - Alcools\nLA  - fr\nER  - \n', 'Alcools', 'français'],
  [
    'BibTeX',
    'a.bib',
    '@book{b, title = {Belle du Seigneur}, translator = {Mar, Paul}}\n',
    'Belle du Seigneur',
    'Paul Mar',
  ],
  [
    'CSL-JSON',
    'a.json',
    JSON.stringify([{ id: '1', type: 'book', title: 'Colline', 'call-number': 'R GIO' }]),
    'Colline',
    'R GIO',
  ],
  [
    'GCstar',
    'a.gcs',
    `${XML}<collection type="GCbooks" items="1"><item id="1" title="Désert" language="français"/></collection>`,
    'Désert',
    'français',
  ],
  [
    'Tellico',
    'a.tc',
    zipOfMany([
      {
        name: 'tellico.xml',
        content: Buffer.from(
          `${XML}<tellico syntaxVersion="11"><collection title="L" type="2"><fields></fields><entry id="0"><title>Ellis Island</title><binding>Broché</binding></entry></collection></tellico>`,
        ),
      },
    ]),
    'Ellis Island',
    'Broché',
  ],
  [
    'Alexandria',
    'a.zip',
    zipOfMany([
      {
        name: '.alexandria/1.yaml',
        content: Buffer.from(
          '--- !ruby/object:Alexandria::Book\ntitle: Fictions\nedition: Broché\n',
        ),
      },
    ]),
    'Fictions',
    'Broché',
  ],
  [
    'Delicious Library',
    'Library Media Data.xml',
    `${XML}<library><items><book uuid="1" title="Gaspard" author="Ana Li" price="9 €"/></items></library>`,
    'Gaspard',
    '9 €',
  ],
  [
    'Bookpedia',
    'a.plist',
    `${XML}<plist version="1.0"><array><dict><key>title</key><string>Hyperion</string><key>format</key><string>Broché</string></dict></array></plist>`,
    'Hyperion',
    'Broché',
  ],
  [
    'MARCXML',
    'a.xml',
    `${XML}<collection><record><leader>     nam  22        450 </leader><datafield tag="200" ind1="1" ind2=" "><subfield code="a">Ivoire</subfield></datafield><datafield tag="300" ind1=" " ind2=" "><subfield code="a">Dédicacé</subfield></datafield></record></collection>`,
    'Ivoire',
    'Dédicacé',
  ],
  ['MARC', 'a.mrc', record('1 \x1faJazz'), 'Jazz', null],
  [
    'Excel, LibreOffice',
    'a.xlsx',
    workbook(writeXlsx, 'Kafka sur le rivage'),
    'Kafka sur le rivage',
    '12 €',
  ],
  ['Excel, LibreOffice', 'a.ods', workbook(writeOds, 'Lolita'), 'Lolita', '12 €'],
  [
    'CLZ Books',
    'a.csv',
    table(
      ['Title', 'Collection Status', 'Price'],
      [{ Title: 'Moderato', 'Collection Status': 'In Collection', Price: '7' }],
    ),
    'Moderato',
    '7',
  ],
];
// cspell:enable

test('a phone imports a book with its detail from the files of other programs', LONG, async () => {
  const house = await household();
  const page = await (await device(house)).open('/importer');
  for (const [label, name, content, titre, detail] of FILES) {
    await page.getByLabel('Fichier', { exact: true }).setInputFiles({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(await content),
    });
    await page.getByRole('button', { name: 'Vérifier', exact: true }).click();
    await importedCount(page, '1 livre');
    const head = page.getByRole('status');
    await head.getByText(name, { exact: true }).waitFor();
    await head.getByText(label, { exact: true }).waitFor();
    await importButton(page).click();
    // Wait for the response: until then the file is kept for another try.
    await expectFeedback(page, '1 livre importé');
    const livre = (await livresOf(house)).find((one) => one.titre === titre);
    expect([name, livre?.details.map(({ valeur }) => valeur)]).toEqual([
      name,
      detail === null ? [] : [detail],
    ]);
    await page.goto(`${house.url}/importer`);
  }
});
