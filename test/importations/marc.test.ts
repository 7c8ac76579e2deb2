import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import type { Serie } from '#shared/series';
import { openHouse, type House } from '../support/house.ts';
import { importFile } from './support.ts';

const livresOf = async (house: House) =>
  (await house.ask('alice', 'GET', '/api/livres?tri=ajout')).body as readonly Livre[];

// cspell:disable -- letters as their norms have them
const field = (tag: string, ...subfields: readonly string[]): readonly [string, string] => [
  tag,
  `  ${subfields.map((text) => `\x1f${text}`).join('')}`,
];

interface Options {
  readonly leader?: string;
  /** The text whose length the directory gives. */
  readonly lengthOf?: (text: string) => number;
  readonly encode?: (text: string) => Buffer;
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** An ISO 2709 record. */
function recordOf(
  fields: readonly (readonly [tag: string, text: string])[],
  { leader = 'nam  22', lengthOf, encode = latin1 }: Options = {},
): Buffer {
  let at = 0;
  const directory = fields.map(([tag, text]) => {
    const length = lengthOf?.(`${text}\x1e`) ?? encode(`${text}\x1e`).length;
    const entry = `${tag}${String(length).padStart(4, '0')}${String(at).padStart(5, '0')}`;
    at += length;
    return entry;
  });
  const base = String(24 + 12 * fields.length + 1).padStart(5, '0');
  const data = encode(`${fields.map(([, text]) => `${text}\x1e`).join('')}\x1d`);
  return Buffer.concat([latin1(`00000${leader}${base}   450 ${directory.join('')}\x1e`), data]);
}

const seriesOf = async (house: House) =>
  ((await house.ask('alice', 'GET', '/api/series')).body as readonly Serie[]).flatMap(
    ({ titre, places }) => places.map(({ numero }) => [titre, numero]),
  );

const unimarc = (sets: string) => field('100', `a20140730d2014    u  y0frey${sets}    ba`);
const titresOf = (livres: readonly { readonly titre: string }[]) =>
  livres.map(({ titre }) => titre);

test('ISO 5426: marks of sorting vanish, and every accent is with its letter', async () => {
  const house = await openHouse();
  const titre =
    '\x88Les \x89for\xc3ets \xc2epaisses de Krak\xc2ow, K\xd3atz, \xd6D\xd4A, \x1bHThe \x1bIblood';
  await importFile(
    house,
    recordOf([
      unimarc('0103'),
      field('200', `a${titre}`),
      field('214', 'aParis', 'c\xc2Editions du Ch\xc3ene', 'dDL 2014'),
      field('215', 'a1 vol. (453 p.)'),
      field('461', 'tLe cycle des for\xc3ets', 'v2'),
      field('700', 'aBolt', 'bSara', '4070'),
      field('702', 'aNo\xc2e', 'bAna\xc8is', '4730'),
    ]),
  );
  const [livre] = await livresOf(house);
  expect(livre).toMatchObject({
    titre: 'Les forêts épaisses de Kraków, Kątz, ḌḀ, The blood'.normalize('NFC'),
    auteurs: [{ nom: 'Sara Bolt' }],
    editeur: 'Éditions du Chêne',
    nombrePages: 453,
  });
  expect(await seriesOf(house)).toEqual([['Le cycle des forêts', '2']]);
  expect(livre?.details).toContainEqual({ nom: 'Traduction', valeur: 'Anaïs Noé' });
});

test.each([
  [
    'the letters of ANSEL',
    'Micha\xb1, \xa1\xe2od, K\xb2benhavn, B\xb5k, T\xbdng, Stra\xc7e',
    'Michał, Łód, København, Bæk, Tưng, Straße',
  ],
  ['the marks of ANSEL', '\xe2e\xe8u\xf0c\xf1a\xf2d\xf4a\xf7s\xfes', 'éüçąḍḁșs\u0313'],
  ['signs of transliteration', 'Gogol\xa7, \xb0Ali, Qur\xaean', 'Gogolʹ, ʻAli, Qurʼan'],
  ['signs below and above the line', 'CO\x1bb2\x1bs, m\x1bp2\x1bs, \x1bga\x1bs', 'CO₂, m², α'],
  ['a named set and back', '\x1b(B\x1b)!EDe l\xe2\x1b(Be', 'De lé'],
])('MARC-8: %s', async (_, bytes, expected) => {
  const house = await openHouse();
  await importFile(house, recordOf([field('245', `aTitre ${bytes}`)]));
  expect(titresOf(await livresOf(house))).toEqual([`Titre ${expected}`.normalize('NFC')]);
});

test('each record is read by its own characters', async () => {
  const house = await openHouse();
  const utf8 = (text: string) => Buffer.from(text);
  const importation = await importFile(
    house,
    Buffer.concat([
      recordOf([field('245', 'aÉté à Köln')], { leader: 'nam a22', encode: utf8 }),
      recordOf([field('245', 'a\xe2Et\xe2e \xe1a Z\xe8urich')]),
      recordOf([unimarc('0103'), field('200', 'a\xc2Eclair')]),
      recordOf([unimarc('5050'), field('200', 'aÉlan')], { encode: utf8 }),
      recordOf([field('245', 'aLa le\xe7on fran\xe7aise \xe0 Orl\xe9ans')]),
    ]),
  );
  expect(titresOf(await livresOf(house)).toSorted()).toEqual(
    ['Été à Köln', 'Été à Zürich', 'Éclair', 'Élan', 'La leçon française à Orléans'].toSorted(),
  );
  expect(importation.avertissements.length).toBe(1);
});

test('a wrong byte in a record of UTF-8 spoils that character alone', async () => {
  const house = await openHouse();
  const encode = (text: string) =>
    Buffer.concat(
      text.split('!').flatMap((part, i) => [...(i > 0 ? [latin1('\xff')] : []), Buffer.from(part)]),
    );
  await importFile(
    house,
    Buffer.concat([
      recordOf([field('245', 'aÉlodée à l’école !')], { leader: 'nam a22', encode }),
      recordOf([field('245', 'aÎles')], { leader: 'nam a22', encode }),
    ]),
  );
  expect(titresOf(await livresOf(house)).toSorted()).toEqual(['Élodée à l’école \ufffd', 'Îles']);
});

test('a directory that counts characters is read by the marks between fields', async () => {
  const house = await openHouse();
  await importFile(
    house,
    recordOf(
      [
        ['001', 'x'],
        field('020', 'a9782070361618'),
        field('100', 'aÉlodée, Zoé'),
        field('245', 'aÉté à l’école', 'brécits'),
        field('260', 'aOrléans', 'bÉditions d’août', 'c2003'),
        field('300', 'a123 p.'),
      ],
      {
        leader: 'nam a22',
        encode: (text) => Buffer.from(text),
        lengthOf: (text) => text.length,
      },
    ),
  );
  expect(await livresOf(house)).toMatchObject([
    {
      titre: 'Été à l’école',
      auteurs: [{ nom: 'Zoé Élodée' }],
      editeur: 'Éditions d’août',
      annee: 2003,
      nombrePages: 123,
      isbn: '9782070361618',
    },
  ]);
});

test('entries that overlap refuse their record, and no other', async () => {
  const house = await openHouse();
  const good = recordOf([field('245', 'aBon')]);
  const [leader, data] = [24, '  \x1faPartagé\x1e'];
  const entry = `245${String(data.length).padStart(4, '0')}00000`;
  const base = String(leader + 24 + 1).padStart(5, '0');
  const overlapping = latin1(`00000nam  22${base}   450 ${entry}${entry}\x1e${data}\x1d`);
  const many = `245${String(data.length).padStart(4, '0')}00000`.repeat(7000);
  const flood = latin1(
    `00000nam  22${String(leader + many.length + 1).padStart(5, '0')}   450 ${many}\x1e${data}\x1d`,
  );
  const importation = await importFile(house, Buffer.concat([good, overlapping, flood, good]));
  expect(importation).toMatchObject({
    refuses: [
      { ligne: 2, raison: 'notice abîmée : son répertoire ne mène pas à ses champs' },
      { ligne: 3, raison: 'notice abîmée : son répertoire ne mène pas à ses champs' },
    ],
  });
  expect(titresOf(await livresOf(house))).toContain('Bon');
});

test.each([
  ['800', ['aMaurel, J. K.', 'tLes Potiers ;', 'v4']],
  ['810', ['aFrance.', 'tLes Potiers ;', 'v4']],
  ['811', ['aColloque', 'tLes Potiers ;', 'v4']],
  ['830', ['aLes Potiers ;', 'v4']],
  ['490', ['aLes Potiers ;', 'v4']],
])('MARC21 %s names the series by its title', async (tag, subfields) => {
  const house = await openHouse();
  await importFile(house, recordOf([field('245', 'aLa Coupe'), field(tag, ...subfields)]));
  expect(await seriesOf(house)).toEqual([['Les Potiers', '4']]);
});

test.each([
  ['e', 'printer'],
  ['e', 'publisher.'],
  ['e', 'dedicatee'],
  ['4', 'prt'],
  ['4', 'pbl'],
  ['4', 'dte'],
  ['4', '610'],
  ['e', 'former owner'],
  ['4', 'own'],
  ['4', '320'],
])('a person with only $%s%s is no author', async (code, role) => {
  const house = await openHouse();
  await importFile(
    house,
    recordOf([
      field('100', 'aMaurel, J. K.'),
      field('245', 'aLa Coupe'),
      field('700', 'aPresse, Paul', `${code}${role}`),
    ]),
  );
  const [livre] = await livresOf(house);
  expect(livre?.auteurs.map(({ nom }) => nom)).toEqual(['J. K. Maurel']);
  expect(livre?.details).toContainEqual({
    nom: 'Autres personnes',
    valeur: `Paul Presse (${role})`,
  });
});

test('a person who printed the book and did more for it is an author', async () => {
  const house = await openHouse();
  await importFile(
    house,
    recordOf([
      field('100', 'aMaurel, J. K.'),
      field('245', 'aLa Coupe'),
      field('700', 'aPresse, Paul', 'eprinter', 'eauthor'),
    ]),
  );
  const [livre] = await livresOf(house);
  expect(livre?.auteurs.map(({ nom }) => nom)).toEqual(['J. K. Maurel', 'Paul Presse']);
});
