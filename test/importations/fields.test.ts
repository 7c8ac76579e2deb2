import { expect, test } from 'vitest';
import { LIVRE_TEXTS } from '#shared/livres';
import { mapObject } from '#shared/object-keys';
import type { ALire } from '#shared/importations';
import { cleanRow } from '#server/subjects/importations/rows';
import type { ImportRecord } from '#server/subjects/importations/record';
import { raison } from '#server/plumbing/common/raisons';
import { withSentences } from './sentences.ts';

/** Reads a record with these texts. */
const read = (raw: Partial<ImportRecord>, aLire: ALire = 'statut') =>
  withSentences(cleanRow({ titre: 'A', auteurs: [], ...raw }, aLire, false));

const warned = (raw: Partial<ImportRecord>): readonly string[] => read(raw).avertissements;

test('a record of a title alone has nothing else', () => {
  expect(read({})).toEqual({
    row: {
      titre: 'A',
      auteurs: [],
      isbn: null,
      ...mapObject(LIVRE_TEXTS, () => null),
      annee: null,
      nombrePages: null,
      format: 'Physique',
      isSouhait: false,
      statut: null,
      lectures: [],
      series: [],
      emplacement: [],
      pret: null,
    },
    refus: null,
    isPending: false,
    avertissements: [],
  });
});

test.each([
  ['  Deux   mots ', 'Deux mots'],
  ['Deux\nlignes\u0000 et\u0007 bips', 'Deux lignes et bips'],
  ['Cafe\u0301', 'Café'],
  ['Caf&eacute; &#x27;noir&#39;', "Café 'noir'"],
  ['Caf&eacute, noir', 'Café noir'],
  ['Caf&EACUTE, &#233, &#xE9,', 'Caf&EACUTE, é é'],
  ['&frac12, et &frac14;', '½ et ¼'],
  ['R&D, Q&R', 'R&D, Q&R'],
  ['a & b', 'a & b'],
  ['Un \ud800', 'Un \ufffd'],
])('the text « %s » is kept as « %s »', (titre, expected) => {
  expect(read({ titre, editeur: titre, auteurs: [titre] }).row).toMatchObject({
    titre: expected,
    editeur: expected,
    auteurs: [expected],
  });
});

test('a value too long is dropped with a warning', () => {
  const [fits, tooLong] = ['n'.repeat(200), 'n'.repeat(201)];
  expect(warned({ auteurs: [fits], editeur: fits, emplacement: fits })).toEqual([]);
  expect(
    read({
      notes: [raison('critiqueCoupee')],
      auteurs: [tooLong, ' Ana', 'Ana ', ''],
      editeur: tooLong,
      emplacement: `Salon > ${tooLong}`,
      pret: { emprunteur: tooLong, date: null },
      annee: '-3001',
      nombrePages: '1000001',
      lecture: 'abandon',
    }),
  ).toMatchObject({
    row: {
      auteurs: ['Ana'],
      editeur: null,
      emplacement: [],
      pret: null,
      annee: null,
      nombrePages: null,
    },
    avertissements: [
      'critique trop longue, coupée',
      'nombre de pages impossible, laissé de côté : 1000001',
      'nom d’auteur trop long, laissé de côté',
      'éditeur : trop long, laissé de côté',
      'année impossible, laissée de côté : -3001',
      'emplacement de trop de niveaux ou de nom trop long, laissé de côté',
      'nom d’emprunteur trop long, prêt laissé de côté',
    ],
  });
  expect(read({ annee: '3000', pret: { emprunteur: fits, date: null } })).toMatchObject({
    row: { annee: 3000, pret: { emprunteur: fits } },
    avertissements: [],
  });
});

test('a book keeps a hundred authors at most', () => {
  const noms = Array.from({ length: 101 }, (_, index) => `N${index}`);
  expect(read({ auteurs: noms })).toMatchObject({
    row: { auteurs: noms.slice(0, 100) },
    avertissements: ['seuls les 100 premiers auteurs sont gardés'],
  });
  expect(warned({ auteurs: noms.slice(1) })).toEqual([]);
});

test('a location may have six levels', () => {
  const levels = Array.from({ length: 6 }, (_, index) => `N${index}`);
  expect(read({ emplacement: levels.join(' > ') }).row.emplacement).toEqual(levels);
});

test.each([
  ['𝓐'.repeat(500), null],
  ['a'.repeat(501), 'titre de plus de 500 caractères'],
  ['', 'ni titre ni ISBN valable'],
])('a title of %# is refused for: %s', (titre, refus) => {
  expect(read({ titre })).toMatchObject({ refus, isPending: false });
});

test('a record with an ISBN alone waits for the catalogues', () => {
  const alone = { titre: '', isbns: ['2070360024'] };
  expect(read(alone)).toMatchObject({
    refus: 'en attente d’une réponse des catalogues',
    isPending: true,
  });
  expect(read({ ...alone, refusal: raison('pasLivre') })).toMatchObject({
    refus: 'ce n’est pas un livre',
    isPending: false,
  });
  expect(read({ ...alone, titre: 'A' })).toMatchObject({ refus: null, isPending: false });
});

test.each([
  ['lu', 'statut', 2, false],
  ['enCours', 'souhait', 1, false],
  ['aLire', 'statut', 0, false],
  ['aLire', 'souhait', 0, true],
  ['souhait', 'statut', null, true],
  ['abandon', 'souhait', null, false],
  [null, 'souhait', null, false],
] as const)('« %s » with « %s » is status %s, a wish: %s', (lecture, aLire, statut, isSouhait) => {
  expect(read({ lecture }, aLire).row).toMatchObject({ statut, isSouhait });
});

test('a volume’s series needs a title and number that fit', () => {
  const [titre, numero] = ['t'.repeat(500), '1'.repeat(40)];
  const series = [
    { titre: ' Suite&amp;fin ', numero: ' 2 ' },
    { titre: ' ', numero: '1' },
    { titre: `${titre}t`, numero: '1' },
    { titre, numero },
    { titre: 'Long', numero: `${numero}1` },
    { titre: 'Sans', numero: null },
  ];
  expect(read({ series }).row.series).toEqual([
    { titre: 'Suite&fin', numero: '2' },
    { titre, numero },
    { titre: 'Sans', numero: null },
  ]);
});

test('a loan without a borrower is ignored', () => {
  expect(read({ pret: { emprunteur: ' ', date: null } }).row.pret).toBeNull();
});

test('a row marked as digital is an ebook', () => {
  expect(read({ isNumerique: true }).row.format).toBe('Numerique');
});

test('a record of a household’s own keeps its texts', () => {
  const souhait = {
    id: 1,
    titre: 'A',
    auteur: null,
    isbn: null,
    coverUrl: null,
    dateAjout: '2026-01-01T00:00:00.000Z',
    rang: 1,
    placeId: null,
  };
  const titre = 'Œuvres\u00a0: R&amp;D';
  const { row } = read(
    {
      titre: ` ${titre}\u2028`,
      editeur: titre,
      lecture: 'aLire',
      pret: { emprunteur: ' Zoé&amp;', date: 'jadis' },
      kept: { souhait },
    },
    'souhait',
  );
  expect(row).toMatchObject({
    titre,
    editeur: titre,
    isSouhait: false,
    statut: 0,
    pret: { emprunteur: ' Zoé&amp;', datePret: 'jadis' },
    kept: { souhait },
  });
  expect(read({ kept: { souhait }, pret: null }).row.pret).toBeNull();
});
