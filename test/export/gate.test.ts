import { Assert } from 'typebox/value';
import { expect, test } from 'vitest';
import type { ExportKind } from '#shared/export';
import { Importation } from '#shared/importations';
import { openHouse, type House } from '../support/house.ts';
import { archiveOf } from './archive.ts';
import { DATE, list, livre } from './records.ts';
import { importInto } from './support.ts';

const pret = (more: object = {}) => ({
  id: 1,
  emprunteur: 'Luc',
  datePret: DATE,
  dateRetour: null,
  dateRetourPrevue: null,
  ...more,
});
const lu = (more: object = {}) => ({
  id: 1,
  livreId: null,
  titre: 'Ailleurs',
  auteurs: [],
  isbn: null,
  debut: null,
  fin: null,
  abandon: false,
  note: null,
  avis: null,
  page: null,
  pourcent: null,
  pageJour: null,
  statut: 'Lue',
  ...more,
});
const salon = (more: object = {}) => ({ id: 1, nom: 'Salon', parentId: null, rang: 0, ...more });
const serie = (more: object = {}, place: object = {}) => ({
  id: 1,
  titre: 'Brumes',
  parentId: null,
  nombreTomes: null,
  position: 0,
  ...more,
  places: [{ id: 1, titre: 'Un', numero: '1', livreId: null, position: 0, ...place }],
});
const numero = (more: object) => ({ id: 1, revueId: 1, numero: '1', ...more });

/** Impossible values of an archive, with the refusal of each. */
const IMPOSSIBLE: readonly [kind: ExportKind, record: object, expected: RegExp][] = [
  ['livres', livre(1, 'Un', { prets: [pret({ dateRetourPrevue: 'demain' })] }), /demain/],
  ['livres', livre(1, 'Un', { prets: [pret({ dateRetourPrevue: '2027-02-30' })] }), /2027-02-30/],
  ['livres', livre(1, 'Un', { prets: [pret({ dateRetourPrevue: '2019-01-01' })] }), /2019-01-01/],
  [
    'livres',
    livre(1, 'Un', { prets: [pret({ datePret: '2019-13-45T00:00:00.000Z' })] }),
    /prets\.1/,
  ],
  ['livres', livre(1, 'Un', { prets: [pret({ datePret: '9999-01-01T00:00:00.000Z' })] }), /9999/],
  [
    'livres',
    livre(1, 'Un', { prets: [pret({ dateRetour: '2001-01-01T00:00:00.000Z' })] }),
    /retour/,
  ],
  ['livres', livre(1, 'Un', { prets: [pret(), pret({ emprunteur: 'Zoé' })] }), /en cours/],
  ['livres', livre(1, 'Un', { isbn: '9782070360025' }), /9782070360025/],
  ['livres', livre(1, 'Un', { coverUrl: 'javascript:alert(1)' }), /coverUrl/],
  ['livres', livre(1, 'Un', { annee: 1e300 }), /annee/],
  ['livres', livre(1, 'Un', { rang: 1e300 }), /rang/],
  ['livres', livre(1, 'Un', { ajoutePar: 'a'.repeat(201) }), /ajoutePar/],
  ['livres', livre(1, 'Un', { themes: ['mer', 'm'.repeat(201)] }), /themes\.2/],
  [
    'livres',
    livre(1, 'Un', { themes: Array.from({ length: 21 }, (_, i) => `mer ${i}`) }),
    /themes .*20/,
  ],
  ['livres', livre(1, 'Un', { editeur: 'e'.repeat(201) }), /editeur/],
  ['livres', livre(1, 'Un', { couverture: { cle: 'x' } }), /couverture/],
  ['emplacements', salon({ fermeLe: 'zzz' }), /fermeLe .*zzz/],
  ['emplacements', salon({ rang: 1e300 }), /rang/],
  ['emplacements', salon({ nom: 'Salon › Mur' }), /nom/],
  ['lectures', lu({ debut: 'zzz' }), /debut .*zzz/],
  ['lectures', lu({ debut: '2020-03', fin: '2019-02-01' }), /debut/],
  ['lectures', lu({ fin: '9999-01-01' }), /9999-01-01/],
  ['lectures', lu({ isbn: '123' }), /isbn/],
  ['series', serie({ position: 1e300 }), /position/],
  ['series', serie({}, { position: 1e300 }), /places\.1/],
  ['series', serie({}, { isbn: '9782070360025' }), /places\.1\.isbn/],
  ['revues', { id: 1, titre: 'Rivages', issn: '0988-2481' }, /issn/],
  ['numeros', numero({ date: 'bientôt' }), /date .*bientôt/],
  ['numeros', numero({ articles: [';'] }), /articles\.1/],
  ['numeros', numero({ coverUrl: 'ftp://exemple.org' }), /coverUrl/],
  ['souhaits', { id: 1, titre: 'Ubik', rang: 1, dateAjout: 'hier' }, /dateAjout/],
  ['souhaits-revues', { id: 1, titre: 'Cahiers', rang: 1e300, dateAjout: DATE }, /rang/],
];

/** Values that are ignored in a form, and so in an archive. */
const BLANK: readonly [kind: ExportKind, record: object][] = [
  ['emplacements', salon({ note: '' })],
  ['auteurs', { id: 1, nom: 'Zoé Pic', formePleine: '' }],
  ['series', serie({}, { numero: '', auteur: '', isbn: '' })],
  ['livres', livre(1, 'Un', { editeur: '', isbn: '', ajoutePar: '', coverUrl: '' })],
  ['lectures', lu({ debut: '', fin: '', avis: '', isbn: '' })],
  ['revues', { id: 1, titre: 'Rivages', issn: '' }],
  ['souhaits', { id: 1, titre: 'Ubik', auteur: '', rang: 1, dateAjout: DATE }],
];

/** A valid book, since an archive needs one; for an issue also its periodical. */
const beside = (kind: ExportKind, record: object) => ({
  livres: [livre(99, 'Témoin')],
  revues: [{ id: 1, titre: 'Cahiers' }],
  [kind]: kind === 'livres' ? [record, livre(99, 'Témoin')] : [record],
});

/** The refusals and warnings in an import's response. */
function remarksOf(body: unknown): string {
  Assert(Importation, body);
  return [...body.refuses, ...body.avertissements].map(({ raison }) => raison).join('\n');
}

/** Expects the data of every screen to be readable. */
async function expectAlive(house: House, what: string): Promise<void> {
  for (const path of [
    '/api/livres',
    '/api/prets/en-cours',
    '/api/prets/echeances.ics',
    '/api/emplacements',
    '/api/lectures',
    '/api/series',
    '/api/numeros',
    '/api/souhaits',
    '/api/export/livres.csv',
    '/api/export/goodreads.csv',
  ]) {
    const response = await fetch(house.url + path, { headers: house.headersOf('ana') });
    expect([response.status, await response.text()], `${what} ${path}`).toEqual([
      200,
      expect.any(String),
    ]);
  }
}

test('an impossible value of an archive is omitted and reported', async () => {
  for (const [kind, record, sentence] of IMPOSSIBLE) {
    const what = `${kind} ${String(sentence)}`;
    const house = await openHouse();
    const { status, body } = await importInto(house, archiveOf(beside(kind, record)));
    expect([status, body['message']], what).toEqual([201, undefined]);
    expect(remarksOf(body), what).toMatch(sentence);
    expect(JSON.stringify(await list(house, '/api/livres')), what).toContain('Témoin');
    await expectAlive(house, what);
    await house.close();
  }
});

test('a blank of an archive is nothing and needs no word', async () => {
  for (const [kind, record] of BLANK) {
    const house = await openHouse();
    const { status, body } = await importInto(house, archiveOf(beside(kind, record)));
    expect([status, remarksOf(body)], kind).toEqual([201, '']);
    await house.close();
  }
});

test('the loan stays where only its day of return cannot be', async () => {
  const house = await openHouse();
  await importInto(
    house,
    archiveOf({ livres: [livre(1, 'Un', { prets: [pret({ dateRetourPrevue: 'demain' })] })] }),
  );
  expect(await list(house, '/api/prets/en-cours')).toMatchObject([
    { emprunteur: 'Luc', datePret: DATE, dateRetourPrevue: null },
  ]);
});

test('twins in an archive are one, and no error', async () => {
  const house = await openHouse();
  const twins = (one: object) => [
    { ...one, id: 1 },
    { ...one, id: 2 },
  ];
  const { status } = await importInto(
    house,
    archiveOf({
      livres: [livre(1, 'Un')],
      series: [
        {
          ...serie(),
          places: [1, 2].map((id) => ({ id, titre: 'Un', livreId: 1, position: 0, numero: '1' })),
        },
      ],
      souhaits: twins({ titre: 'Ubik', rang: 1, dateAjout: DATE }),
      'souhaits-revues': twins({ titre: 'Cahiers', rang: 1, dateAjout: DATE }),
      auteurs: twins({ nom: 'Zoé Pic' }),
      emplacements: twins({ nom: 'Salon', rang: 0 }),
      revues: twins({ titre: 'Rivages', issn: '0988-2480' }),
      numeros: twins({ revueId: 1, numero: '12' }),
    }),
  );
  expect(status).toBe(201);
});
