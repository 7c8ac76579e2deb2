import { expect, test } from 'vitest';
import { noon } from './days.ts';
import { keyOfPicture } from '#server/subjects/importations/pictures';
import type { Livre } from '#shared/livres';
import { picture } from '../couvertures/support/pictures.ts';
import { openHouse, type House } from '../support/house.ts';
import { countsOf, importFile, sendFile } from './support.ts';
import { zipOf, zipOfMany } from './zips.ts';

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

/** Old UNIMARC encoding: an accent precedes its letter. */
const iso5426 = (text: string): Buffer =>
  Buffer.from(
    text
      .replace(/[\u0088\u0089]/g, '')
      .replaceAll('É', '\xc2E')
      .replaceAll('é', '\xc2e'),
    'latin1',
  );

/** MARC-8, the encoding of American libraries. */
const ansel = (text: string): Buffer =>
  Buffer.from(text.replaceAll('É', '\xe2E').replaceAll('é', '\xe2e'), 'latin1');
// cspell:enable

test('GCstar: series, stars of ten, genres and tags, loans, own fields', async () => {
  const house = await openHouse();
  const importation = await importFile(house, GCSTAR, { themes: 'true' });
  expect(importation).toMatchObject({ format: 'gcstar', notes: 1 });
  expect(countsOf(importation)).toMatchObject({
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
      pret: { emprunteur: 'Paul Renaud', datePret: noon('2024-01-02') },
    },
  ]);
  const perdus = importation.perdus.map(({ colonne }) => colonne);
  expect(perdus).toEqual(expect.arrayContaining(['Langue', 'Résumé', 'Note', 'Étagère du haut']));
});

test.each([
  ['as XML', Buffer.from(TELLICO)],
  ['zipped', zipOf('tellico.xml', Buffer.from(TELLICO))],
])(
  'Tellico %s: names, series, stars, loans, own fields, and covers as remarks',
  async (_, file) => {
    const house = await openHouse();
    const importation = await importFile(house, file, { themes: 'true' });
    expect(importation).toMatchObject({ format: 'tellico', notes: 1 });
    expect(countsOf(importation)).toMatchObject({ nouveaux: 1, statuts: 1, prets: 1, series: 1 });
    expect(countsOf(importation).avertissements).toEqual([
      '1 couverture n’est pas reprise : elles se cherchent par ISBN',
    ]);
    expect(importation.perdus.map(({ colonne }) => colonne)).toEqual(
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

test('covers in a zip of Tellico and of Alexandria are those of its books', async () => {
  const [front, other] = [await picture('#aa3311'), await picture('#1133aa')];
  const tellico = zipOfMany([
    { name: 'tellico.xml', content: Buffer.from(TELLICO) },
    { name: 'images/a.png', content: front },
    { name: 'images/b.png', content: Buffer.from('no picture') },
  ]);
  const alexandria = zipOfMany(
    ALEXANDRIA.map((file) => (file.name.endsWith('.cover') ? { ...file, content: other } : file)),
  );
  for (const [file, content, avertissements] of [
    [tellico, front, ['couvertures abîmées, laissées de côté : 1']],
    [alexandria, other, ['un fichier ne se lit pas : .alexandria/Salon/1.yaml']],
  ] as const) {
    const house = await openHouse();
    const importation = await importFile(house, file);
    expect(importation.avertissements.map(({ raison }) => raison)).toEqual(
      expect.arrayContaining([...avertissements]),
    );
    expect(JSON.stringify(importation.avertissements)).not.toContain('reprise');
    const [livre] = await livresOf(house);
    expect(livre?.couverture).toMatchObject({
      cle: keyOfPicture(content),
      source: 'personne',
      hauteur: 450,
    });
  }
});

test.each([
  ['UNIMARC as the BnF’s XML', 'marcxml', () => marcXml(UNIMARC, 'mxc:')],
  ['MARC21 as XML', 'marcxml', () => marcXml(MARC21, '')],
  ['UNIMARC in ISO 2709', 'marc', () => iso2709(UNIMARC, (text) => Buffer.from(text))],
  ['UNIMARC in ISO 2709 and ISO 5426', 'marc', () => iso2709(UNIMARC, iso5426)],
  ['MARC21 in ISO 2709', 'marc', () => iso2709(MARC21, (text) => Buffer.from(text))],
  ['MARC21 in ISO 2709 and ANSEL', 'marc', () => iso2709(MARC21, ansel)],
])('%s: a book with its series, subjects and translator', async (_, format, make) => {
  const house = await openHouse();
  const importation = await importFile(house, make(), { themes: 'true' });
  expect(importation).toMatchObject({ format, nouveaux: 1, series: 1, refuses: [] });
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

// cspell:disable -- files of other programs
const DELICIOUS = `<?xml version="1.0" encoding="UTF-8"?>
<library>
 <items>
  <book aspect="Broché" author="Odile Vautrin, Jean Bar" fullTitle="Le Quai des brumes grises : roman" title="Le Quai des brumes grises" isbn="9782070360024" genre="Policier&#10;Ports" pages="214" price="12,50 €" published="14-03-2011" publisher="Seuil" purchaseDate="02-05-2012" rating="4" netrating="3.5" uuid="A-1" teinte="bleue">
   <description>Un port, l’hiver.</description>
  </book>
  <movie title="Un film" uuid="A-2"/>
 </items>
 <shelves><shelf name="À offrir" uuid="S-1"><linkto uuid="A-1"/></shelf></shelves>
</library>
`;

const ALEXANDRIA = [
  {
    name: '.alexandria/Salon/9782070360024.yaml',
    content: `--- !ruby/object:Alexandria::Book
authors:
- "Odile Vautrin"
- Jean Bar
edition: Broch\u00e9
isbn: "9782070360024"
library: !ruby/array:Alexandria::Library []
loaned: true
loaned_since: 2024-01-02 00:00:00 +00:00
loaned_to: Paul Renaud
notes: "Un port,\\nl\\xE2\\x80\\x99hiver."
own: true
publisher: Seuil
publishing_year: 2011
rating: 4
redd: true
redd_when: 2020-05-03 00:00:00 +02:00
saved_ident: "9782070360024"
tags:
- policier
teinte: bleue
title: "Le Quai des brumes grises"
version: 0.6.9
want: true
`,
  },
  {
    name: '.alexandria/Salon/9782070368228.yaml',
    content:
      '--- !ruby/object:Alexandria::Book\nauthors:\n- n/a\ntitle: Les Eaux mortes\nown: false\nwant: true\n',
  },
  { name: '.alexandria/Salon/9782070360024.cover', content: 'picture' },
  { name: '.alexandria/Salon/1.yaml', content: `a: &a [x]\nb: [${'*a, '.repeat(1000)}*a]` },
  { name: '__MACOSX/.alexandria/Salon/._9782070360024.yaml', content: 'resource' },
].map(({ name, content }) => ({ name, content: Buffer.from(content) }));
// cspell:enable

test('Delicious Library: shelves, genres, stars, own values, and records that are no books', async () => {
  const house = await openHouse();
  const importation = await importFile(house, DELICIOUS, { themes: 'true' });
  expect(importation).toMatchObject({
    format: 'delicious',
    nouveaux: 1,
    notes: 1,
    nombreRefuses: 1,
  });
  const [livre] = await livresOf(house);
  expect([livre]).toMatchObject([
    {
      titre: 'Le Quai des brumes grises',
      auteurs: [{ nom: 'Odile Vautrin' }, { nom: 'Jean Bar' }],
      isbn: '9782070360024',
      editeur: 'Seuil',
      annee: 2011,
      nombrePages: 214,
      themes: ['À offrir', 'Policier', 'Ports'],
    },
  ]);
  expect(
    Object.fromEntries((livre?.details ?? []).map(({ nom, valeur }) => [nom, valeur])),
  ).toEqual({
    'Titre complet': 'Le Quai des brumes grises : roman',
    Reliure: 'Broché',
    'Paru le': '14-03-2011',
    Prix: '12,50 €',
    Achat: '02-05-2012',
    'Note du public': '3.5',
    Teinte: 'bleue', // cspell:disable-line
    Résumé: 'Un port, l’hiver.',
  });
});

test('Delicious Library: all that is no book is refused, each by its kind', async () => {
  const kinds = ['movie', 'music', 'game', 'software', 'toy', 'tool', 'gadget', 'apparel'];
  const things = kinds.map((kind) => `<${kind} title="Un ${kind}" uuid="${kind}"/>`).join('');
  const house = await openHouse();
  const importation = await importFile(house, `<library><items>${things}</items></library>`);
  expect(importation).toMatchObject({ format: 'delicious', nouveaux: 0 });
  expect(countsOf(importation).refuses).toEqual(
    kinds.map((kind, n) => expect.stringMatching(`^${String(n + 1)} .*${kind}`) as string),
  );
});

test('Alexandria, its folder zipped: readings, loans, wishes, own values; unreadable files as remarks', async () => {
  const house = await openHouse();
  const importation = await importFile(house, zipOfMany(ALEXANDRIA), { themes: 'true' });
  expect(importation).toMatchObject({
    format: 'alexandria',
    nouveaux: 1,
    souhaits: 1,
    notes: 1,
    prets: 1,
  });
  expect(countsOf(importation).avertissements).toEqual([
    'un fichier ne se lit pas : .alexandria/Salon/1.yaml',
    'couvertures abîmées, laissées de côté : 1',
    '2 un souhait n’a pas de détails, laissés de côté',
  ]);
  const [livre] = await livresOf(house);
  expect([livre]).toMatchObject([
    {
      titre: 'Le Quai des brumes grises',
      auteurs: [{ nom: 'Odile Vautrin' }, { nom: 'Jean Bar' }],
      isbn: '9782070360024',
      editeur: 'Seuil',
      annee: 2011,
      statut: 2,
      pret: { emprunteur: 'Paul Renaud', datePret: noon('2024-01-02') },
      themes: ['policier'],
    },
  ]);
  expect(
    Object.fromEntries((livre?.details ?? []).map(({ nom, valeur }) => [nom, valeur])),
  ).toEqual({
    Reliure: 'Broché',
    Bibliothèque: 'Salon',
    Note: 'Un port,\nl’hiver.',
    Teinte: 'bleue', // cspell:disable-line
  });
  const lectures = (await house.ask('alice', 'GET', '/api/lectures')).body;
  expect(lectures).toMatchObject([{ fin: '2020-05-03', note: 8 }]);
});

test('unused fields of library records are reported, and every note is imported', async () => {
  const house = await openHouse();
  const field = (tag: string, text: string) =>
    `<datafield tag="${tag}" ind1=" " ind2=" "><subfield code="a">${text}</subfield></datafield>`;
  const record = (...fields: string[]) =>
    `<record><leader>     nam  22        450 </leader>${fields.join('')}</record>`;
  const file = `<?xml version="1.0"?><collection>${[
    record(
      field('200', 'Dune'),
      field('327', 'Deux parties'),
      field('517', 'Arrakis'),
      field('801', 'FR'),
    ),
    record(field('200', 'Ubik'), field('517', 'Demi-vie')),
  ].join('')}</collection>`;
  const importation = await importFile(house, Buffer.from(file));
  expect(countsOf(importation).avertissements).toEqual([
    'champs de notice laissés de côté : 517 (2)',
  ]);
  const [dune] = await livresOf(house);
  expect(dune?.details).toEqual([{ nom: 'Note', valeur: 'Deux parties' }]);
});

test('a .gcz of GCstar, its list and its pictures zipped, is read', async () => {
  const house = await openHouse();
  const file = zipOfMany([
    { name: 'images/1.jpg', content: Buffer.from('picture') },
    { name: 'collection.gcs', content: Buffer.from(GCSTAR) },
  ]);
  expect(await importFile(house, file)).toMatchObject({ format: 'gcstar', nouveaux: 2 });
});

test('XML in ISO-8859-15 has its « œ » and « € »', async () => {
  const house = await openHouse();
  const file = GCSTAR.replace('UTF-8', 'ISO-8859-15').replaceAll('Brumes', 'C\u00bdur \u00a4');
  const importation = await importFile(
    house,
    Buffer.from(file.replace("l'hiver", 'hiver'), 'latin1'),
  );
  expect(importation).toMatchObject({
    nouveaux: 2,
    encodage: 'iso-8859-15',
    encodagePar: 'octets',
  });
  const series = (await house.ask('alice', 'GET', '/api/series')).body;
  expect(series).toMatchObject([{ titre: 'Cœur €' }]);
});

// cspell:disable -- headers of another program
test('a Bookpedia table: each cell becomes a field, a series, a detail or a remark', async () => {
  const house = await openHouse();
  const cells = {
    Title: 'Le Quai des brumes grises',
    Author: 'Odile Vautrin',
    ISBN: '9782070360024',
    Publisher: 'Seuil',
    'Release Date': '2011-03-14',
    Pages: '214',
    Series: 'Brumes',
    Volume: '1',
    Genre: 'Policier',
    Translator: 'Lise Marchand',
    'My Rating': '4',
    Language: 'français',
    Price: '12,50 €',
    Location: 'Salon',
    Summary: 'Un port.',
    Comments: 'Dédicacé.',
    Condition: 'bon',
    Dewey: '843',
  };
  const importation = await importFile(
    house,
    [Object.keys(cells), Object.values(cells)].map((row) => row.join('\t')).join('\n'),
    { themes: 'true' },
  );
  const [livre] = await livresOf(house);
  const places = (await house.ask('alice', 'GET', '/api/emplacements')).body;
  const series = (await house.ask('alice', 'GET', '/api/series')).body;
  const all = JSON.stringify([livre, places, series, importation.perdus]);
  expect([importation.nouveaux, importation.notes, livre?.annee]).toEqual([1, 1, 2011]);
  const found = Object.entries(cells).filter(
    ([name, value]) => !all.includes(value) && !all.includes(`"${name}"`),
  );
  expect(found.map(([name]) => name)).toEqual(['Release Date']);
});
// cspell:enable

test('XML in the encoding that it declares is read by that', async () => {
  const house = await openHouse();
  const file = GCSTAR.replace('UTF-8', 'ISO-8859-1').replace('Odile', 'Zoé');
  const importation = await importFile(house, Buffer.from(file, 'latin1'));
  expect(importation).toMatchObject({
    nouveaux: 2,
    encodage: 'windows-1252',
    encodagePar: 'octets',
  });
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
