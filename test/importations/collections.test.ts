import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { openHouse, type House } from '../support/house.ts';
import { countsOf, importFile, sendFile } from './support.ts';
import { zipOf } from './zips.ts';

const livresOf = async (house: House) =>
  (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];

// cspell:disable -- files of other programs
const GCSTAR = `<?xml version="1.0" encoding="UTF-8"?>
<collection type="GCbooks" items="2" version="1.7.3">
 <information><maxId>2</maxId></information>
 <userCollection><fields><field label="Étagère du haut" type="short text" value="gcsfield1" /></fields></userCollection>
 <item id="1" isbn="9782070360024" title="Le Quai des brumes grises" publisher="Seuil" publication="14/03/2011" language="français" pages="214" rating="8" read="1" location="Salon" borrower="none" serie="Brumes" rank="1" translator="" favourite="0" added="02/05/2012" gcsfield1="bleu">
  <authors><line><col>Odile Vautrin</col></line><line><col>Jean Bar</col></line></authors>
  <genre><line><col>Policier</col></line></genre>
  <tags><line><col>à offrir</col></line></tags>
  <description>Un port, l'hiver. &lt;br/&gt;Fin.</description>
  <comments>Dédicacé.</comments>
 </item>
 <item id="2" isbn="" title="Les Eaux mortes &amp; vives" publisher="Seuil" publication="2013" rating="0" read="0" borrower="Paul Renaud" lendDate="02/01/2024" serie="Brumes" rank="2">
  <authors><line><col>Lise Marchand</col></line></authors>
 </item>
</collection>
`;

const TELLICO = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tellico PUBLIC '-//Robby Stephenson/DTD Tellico V11.0//EN' 'http://periapsis.org/tellico/dtd/v11/tellico.dtd'>
<tellico xmlns="http://periapsis.org/tellico/" syntaxVersion="11">
 <collection title="Livres" type="2">
  <fields>
   <field title="Titre" name="title" type="1"/><field title="Auteur" name="author" type="1"/>
   <field title="Mot-clé" name="keyword" type="1"/><field title="Provenance" name="from" type="1"/>
   <field title="Traducteur" name="translator" type="1"/>
  </fields>
  <entry id="7">
   <title>Le Quai des brumes grises</title>
   <authors><author>Vautrin, Odile</author><author>Bar, Jean de</author></authors>
   <translators><translator>Marchand, Lise</translator></translators>
   <keywords><keyword>policier</keyword><keyword>Bretagne</keyword></keywords>
   <isbn>2-07-036002-4</isbn><publisher>Seuil</publisher><pub_year>2011</pub_year><pages>214</pages>
   <series>Brumes</series><series_num>1</series_num><rating>4</rating><read>true</read><loaned>true</loaned>
   <binding>Paperback</binding><from>Marché</from><cover>a.png</cover>
   <cdate calendar="gregorian"><year>2012</year><month>10</month><day>07</day></cdate>
  </entry>
 </collection>
 <borrowers><borrower uid="x" name="Paul Renaud"><loan loanDate="2024-01-02" dueDate="" uid="y" entryRef="7"></loan></borrower></borrowers>
</tellico>
`;

const field = (tag: string, subfields: Readonly<Record<string, string>>, prefix: string) =>
  `<${prefix}datafield tag="${tag}" ind1=" " ind2=" ">${Object.entries(subfields)
    .map(([code, value]) => `<${prefix}subfield code="${code}">${value}</${prefix}subfield>`)
    .join('')}</${prefix}datafield>`;

type Fields = readonly (readonly [tag: string, subfields: Readonly<Record<string, string>>])[];

const UNIMARC: Fields = [
  ['010', { a: '978-2-07-036002-4', d: '12 EUR' }],
  ['101', { a: 'fre', c: 'eng' }],
  ['200', { a: '\u0088Le \u0089Quai des brumes grises', e: 'roman', f: 'Odile Vautrin' }],
  ['214', { a: 'Paris', c: 'Seuil', d: 'DL 2011' }],
  ['215', { a: '1 vol. (214 p.)', d: '21 cm' }],
  ['225', { a: 'Points' }],
  ['461', { t: 'Brumes', v: '1' }],
  ['606', { a: 'Ports' }],
  ['700', { a: 'Vautrin', b: 'Odile', '4': '070' }],
  ['702', { a: 'Marchand', b: 'Élise', '4': '730' }],
];

const MARC21: Fields = [
  ['020', { a: '9782070360024 (broché)' }],
  ['100', { a: 'Vautrin, Odile,', e: 'author.' }],
  ['245', { a: 'Le Quai des brumes grises :', b: 'roman /', c: 'Odile Vautrin.' }],
  ['264', { a: 'Paris :', b: 'Seuil,', c: '[2011]' }],
  ['300', { a: '214 pages ;', c: '21 cm' }],
  ['490', { a: 'Brumes ;', v: '1' }],
  ['650', { a: 'Ports' }],
  ['700', { a: 'Marchand, Élise,', e: 'translator.' }],
];

const marcXml = (fields: Fields, prefix: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${prefix}collection xmlns:mxc="info:lc/xmlns/marcxchange-v2"><${prefix}record>` +
  `<${prefix}leader>00000cam a2200000 i 4500</${prefix}leader>${fields.map(([tag, of]) => field(tag, of, prefix)).join('')}` +
  `</${prefix}record></${prefix}collection>`;

function iso2709(fields: Fields, encode: (text: string) => Buffer): Buffer {
  const data = fields.map(([tag, subfields]) => ({
    tag,
    bytes: encode(
      `  ${Object.entries(subfields)
        .map(([code, value]) => `\x1f${code}${value}`)
        .join('')}\x1e`,
    ),
  }));
  let at = 0;
  const directory = data.map(({ tag, bytes }) => {
    const entry = `${tag}${String(bytes.length).padStart(4, '0')}${String(at).padStart(5, '0')}`;
    at += bytes.length;
    return entry;
  });
  const base = 24 + 12 * data.length + 1;
  const leader = `${String(base + at + 1).padStart(5, '0')}cam  22${String(base).padStart(5, '0')}   450 `;
  return Buffer.concat([
    Buffer.from(`${leader}${directory.join('')}\x1e`),
    ...data.map(({ bytes }) => bytes),
    Buffer.from('\x1d'),
  ]);
}

/** As old UNIMARC has it: an accent before its letter. */
const iso5426 = (text: string): Buffer =>
  Buffer.from(
    text
      .replace(/[\u0088\u0089]/g, '')
      .replaceAll('É', '\xc2E')
      .replaceAll('é', '\xc2e'),
    'latin1',
  );

/** As MARC-8 of American libraries has it. */
const ansel = (text: string): Buffer =>
  Buffer.from(text.replaceAll('É', '\xe2E').replaceAll('é', '\xe2e'), 'latin1');
// cspell:enable

test('GCstar: series, stars of ten, genres and tags, loans, own fields', async () => {
  const house = await openHouse();
  const made = await importFile(house, GCSTAR, { themes: 'true' });
  expect(made).toMatchObject({ format: 'gcstar', notes: 1 });
  expect(countsOf(made)).toMatchObject({
    lignes: 2,
    nouveaux: 2,
    statuts: 1,
    prets: 1,
    series: 1,
    refuses: [],
    avertissements: [],
  });
  expect(await livresOf(house)).toMatchObject([
    {
      titre: 'Le Quai des brumes grises',
      auteurs: [{ nom: 'Odile Vautrin' }, { nom: 'Jean Bar' }],
      isbn: '9782070360024',
      annee: 2011,
      nombrePages: 214,
      statut: 2,
      themes: ['Policier', 'à offrir'],
    },
    {
      titre: 'Les Eaux mortes & vives',
      pret: { emprunteur: 'Paul Renaud', datePret: '2024-01-02T00:00:00.000Z' },
    },
  ]);
  const perdus = made.perdus.map(({ colonne }) => colonne);
  expect(perdus).toEqual(expect.arrayContaining(['Langue', 'Résumé', 'Note', 'Étagère du haut']));
});

test.each([
  ['as XML', Buffer.from(TELLICO)],
  ['zipped', zipOf('tellico.xml', Buffer.from(TELLICO))],
])(
  'Tellico %s: names, series, stars, loans, own fields, and covers that are told',
  async (_, file) => {
    const house = await openHouse();
    const made = await importFile(house, file, { themes: 'true' });
    expect(made).toMatchObject({ format: 'tellico', notes: 1 });
    expect(countsOf(made)).toMatchObject({ nouveaux: 1, statuts: 1, prets: 1, series: 1 });
    expect(countsOf(made).avertissements).toEqual([
      '1 1 couverture n’est pas reprise : elles se cherchent par ISBN',
    ]);
    expect(made.perdus.map(({ colonne }) => colonne)).toEqual(
      expect.arrayContaining(['Traduction', 'Reliure', 'Provenance']),
    );
    expect(await livresOf(house)).toMatchObject([
      {
        titre: 'Le Quai des brumes grises',
        auteurs: [{ nom: 'Odile Vautrin' }, { nom: 'Jean de Bar' }],
        isbn: '9782070360024',
        annee: 2011,
        nombrePages: 214,
        themes: ['policier', 'Bretagne'],
        pret: { emprunteur: 'Paul Renaud' },
      },
    ]);
  },
);

test.each([
  ['UNIMARC as the BnF’s XML', 'marcxml', () => marcXml(UNIMARC, 'mxc:')],
  ['MARC21 as XML', 'marcxml', () => marcXml(MARC21, '')],
  ['UNIMARC in ISO 2709', 'marc', () => iso2709(UNIMARC, (text) => Buffer.from(text))],
  ['UNIMARC in ISO 2709 and ISO 5426', 'marc', () => iso2709(UNIMARC, iso5426)],
  ['MARC21 in ISO 2709', 'marc', () => iso2709(MARC21, (text) => Buffer.from(text))],
  ['MARC21 in ISO 2709 and ANSEL', 'marc', () => iso2709(MARC21, ansel)],
])('%s: a book with its series, subjects and translator', async (_, format, make) => {
  const house = await openHouse();
  const made = await importFile(house, make(), { themes: 'true' });
  expect(made).toMatchObject({ format, nouveaux: 1, series: 1, refuses: [] });
  const [livre] = await livresOf(house);
  expect(livre?.details).toContainEqual({ nom: 'Traduction', valeur: 'Élise Marchand' });
  expect([livre]).toMatchObject([
    {
      titre: 'Le Quai des brumes grises',
      auteurs: [{ nom: 'Odile Vautrin' }],
      isbn: '9782070360024',
      editeur: 'Seuil',
      annee: 2011,
      nombrePages: 214,
      themes: ['Ports'],
    },
  ]);
});

test('XML in the encoding that it declares is read by that', async () => {
  const house = await openHouse();
  const file = GCSTAR.replace('UTF-8', 'ISO-8859-1').replace('Odile', 'Zoé');
  const made = await importFile(house, Buffer.from(file, 'latin1'));
  expect(made).toMatchObject({ nouveaux: 2, encodage: 'windows-1252', encodagePar: 'octets' });
  expect((await livresOf(house))[0]?.auteurs[0]?.nom).toBe('Zoé Vautrin');
});

const BOMB = '<!DOCTYPE c [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>';

test.each([
  ['XML with entities of its own', () => GCSTAR.replace('?>', `?>${BOMB}`)],
  ['GCstar’s films', () => GCSTAR.replace('GCbooks', 'GCfilms')],
  ['GCstar that is cut', () => GCSTAR.slice(0, 700)],
  ['Tellico that is cut', () => TELLICO.slice(0, 1200)],
  [
    'Tellico that is cut, zipped',
    () => zipOf('tellico.xml', Buffer.from(TELLICO)).subarray(0, 500),
  ],
  ['an empty collection', () => '<collection type="GCbooks"></collection>'],
  ['MARC that is cut', () => iso2709(MARC21, (text) => Buffer.from(text)).subarray(0, 300)],
  ['MARC that is damaged', () => Buffer.from('00123cam  2299999   450 001\x1e\x1d')],
  ['MARCXML that is cut', () => marcXml(MARC21, '').slice(0, 500)],
  ['XML of something else', () => '<?xml version="1.0"?><opml><outline/></opml>'],
])('%s is refused in a sentence', async (_, make) => {
  const house = await openHouse();
  const { status, body } = await sendFile(house, make());
  expect([status, body]).toMatchObject([400, { code: 'FICHIER_INVALIDE' }]);
  expect(Reflect.get(body, 'message')).toMatch(/^[A-ZÀ-Ý].*\.$/s);
});
