import { expect, test } from 'vitest';
import {
  executerEssai,
  exporterRefus,
  requireImportation,
  listerLignes,
  listerSeriesProposees,
} from '#server/subjects/importations/importations';
import { MetadataLookups } from '#server/subjects/importations/lookups';
import { annulerImportation } from '#server/subjects/importations/apply';
import { addLivreEntry, supprimerLivre } from '#server/subjects/livres/livres';
import { listModifications } from '#server/subjects/modifications/changesets';
import type { Records } from '#server/plumbing/records/records';
import { open, PlayedCatalogues, real } from './played-catalogues.ts';
import { table } from './samples.ts';

const [A, B, C, D] = ['9782070360024', '9782070424641', '9782253004226', '9782070360017'];

const fates = ({ database }: Records, id: number): string[] =>
  [...listerLignes(database, id, 'ana', {}).lignes].map(({ sort, titre, raison }) =>
    [sort, titre, raison].filter((word) => word !== null).join(' '),
  );

const livresOf = ({ database }: Records) =>
  database.all('SELECT titre, isbn, editeur, annee, nombrePages FROM Livre ORDER BY id');

test('rows with an ISBN alone become the catalogues’ books', async () => {
  const { database, records, catalogues, lookups, id } = await open(
    [A, B, C, D, '9782070360109', 'x', A].join('\n'),
    {
      [A]: [{ titre: 'Sido', auteurs: ['Colette'] }],
      [C]: ['silent', { titre: 'Emma' }],
      [D]: ['revue'],
      '9782070360109': [{ titre: 'Ida', auteurs: ['Gertrude Stein'] }],
    },
  );
  database.write((tx) =>
    addLivreEntry(tx, { titre: 'Ida', format: 'Physique', auteurs: ['Gertrude Stein'] }, null),
  );
  expect(requireImportation(database, id, 'ana').enRecherche).toBe(5);
  await lookups.run(id, 'ana');
  expect(catalogues.asked).toEqual([A, B, C, D, '9782070360109', C]);
  expect(fates(records, id)).toEqual([
    'nouveau Sido',
    'refuse inconnu des catalogues',
    'nouveau Emma',
    'refuse inconnu des catalogues',
    'present Ida déjà dans la bibliothèque, complété : ISBN',
    'refuse ni titre ni ISBN valable',
    'present déjà à la ligne 1',
  ]);
  expect(requireImportation(database, id, 'ana')).toMatchObject({ enRecherche: 0, nouveaux: 2 });
  await lookups.run(id, 'ana');
  expect(catalogues.asked).toHaveLength(6);
});

test.each([
  [false, 2],
  [true, 12],
])('an unanswered row (all silent: %s) ends after %i tries', async (isSilent, tries) => {
  const { records, catalogues, lookups, id } = await open(`${A}\n${B}\n`, {
    [A]: ['silent'],
    [B]: ['silent', 'silent', 'unknown'],
  });
  catalogues.isSilent = isSilent;
  await lookups.run(id, 'ana');
  expect(catalogues.asked.filter((isbn) => isbn === A)).toHaveLength(tries);
  expect(fates(records, id)).toEqual([
    'refuse un catalogue n’a pas répondu',
    isSilent ? 'refuse inconnu des catalogues' : 'refuse un catalogue n’a pas répondu',
  ]);
  // The catalogues are asked again when the import is executed.
  real(records, (inWrite) => executerEssai(inWrite, id, 'ana'));
  catalogues.isSilent = false;
  await lookups.run(id, 'ana');
  expect(catalogues.asked.filter((isbn) => isbn === A)).toHaveLength(tries + 2);
});

const HEADERS = ['Titre', 'ISBN', 'Éditeur', 'Statut', 'Série', 'Numéro', 'Prêté à', 'Emplacement'];
const FILE = table(HEADERS, [
  {
    Titre: 'Sido',
    Statut: 'lu',
    Série: 'Suite',
    Numéro: '1',
    'Prêté à': 'Luc',
    Emplacement: 'Cave',
  },
  {
    ISBN: A,
    Éditeur: 'Le mien',
    Statut: 'lu',
    Série: 'Autre',
    Numéro: '2',
    'Prêté à': 'Zoé',
    Emplacement: 'Salon',
  },
  { ISBN: B },
]);
const EMMA = {
  titre: 'Emma',
  auteurs: ['Jane Austen'],
  editeur: 'Le leur',
  annee: 1815,
  nombrePages: 99,
};

test('undoing a real import removes later finds too', async () => {
  const { database, records, lookups, id } = await open(FILE, {
    [A]: [EMMA],
    [B]: [{ ...EMMA, titre: 'Ida' }],
  });
  real(records, (inWrite) => executerEssai(inWrite, id, 'ana'));
  expect(livresOf(records)).toHaveLength(1);
  await lookups.run(id, 'ana');
  expect(livresOf(records).slice(1)).toEqual([
    { titre: 'Emma', isbn: A, editeur: 'Le mien', annee: 1815, nombrePages: 99 },
    { titre: 'Ida', isbn: B, editeur: 'Le leur', annee: 1815, nombrePages: 99 },
  ]);
  const rest = ['Serie', 'Place', 'Pret', 'Statut', 'Emplacement', 'Auteur'];
  const counts = () => rest.map((name) => database.value(`SELECT count(*) FROM ${name}`));
  expect(counts()).toEqual([2, 2, 2, 2, 2, 1]);
  let undone: object = {};
  real(records, (inWrite) => (undone = annulerImportation(inWrite, id, 'ana').answer));
  expect(undone).toEqual({ retires: 3, gardes: 0 });
  expect([livresOf(records), counts()]).toEqual([[], [0, 0, 0, 0, 0, 0]]);
});

test('two lookups of one import ask about each row once', async () => {
  const { records, catalogues, lookups, id } = await open(`${A}\n${B}\n${C}\n`, { [A]: [EMMA] });
  await Promise.all([lookups.run(id, 'ana'), lookups.run(id, 'ana')]);
  expect(catalogues.asked).toEqual([A, B, C]);
  expect(fates(records, id)[1]).toBe('refuse inconnu des catalogues');
});

test('lookups broken off by the service’s end go on later', async () => {
  const { records, writes, catalogues, lookups, id } = await open(`${A}\n${B}\n`);
  catalogues.meanwhile = (signal) => {
    lookups.close();
    expect(signal.aborted).toBe(true);
    throw new Error('aborted');
  };
  await lookups.run(id, 'ana');
  expect(catalogues.asked).toEqual([A]);
  await new MetadataLookups(writes, new PlayedCatalogues({ [A]: [EMMA] })).resume();
  expect(fates(records, id)[0]).toBe('nouveau Emma');
});

test('lookups that failed may be run again', async () => {
  const { catalogues, lookups, id } = await open(A);
  catalogues.meanwhile = () => {
    throw new Error('broken');
  };
  for (let times = 0; times < 2; times++)
    await expect(lookups.run(id, 'ana')).rejects.toThrow('broken');
});

test('an import undone during its lookups stays undone', async () => {
  const { records, database, catalogues, lookups, id } = await open(`${A}\n${B}\n`, {
    [A]: [EMMA],
  });
  catalogues.meanwhile = () => real(records, (inWrite) => annulerImportation(inWrite, id, 'ana'));
  await lookups.run(id, 'ana');
  expect(catalogues.asked).toEqual([A]);
  expect([livresOf(records), database.value('SELECT count(*) FROM ImportationLigne')]).toEqual([
    [],
    0,
  ]);
});

test('undoing removes a book’s later additions', async () => {
  const file = table(HEADERS, [
    { Titre: 'Sido' },
    { ISBN: A, Statut: 'lu', Série: 'Suite', Numéro: '1', 'Prêté à': 'Zoé' },
    { ISBN: B },
  ]);
  const { database, records, lookups, id } = await open(file, {
    [A]: [EMMA],
    // The catalogue gives her full name.
    [B]: [{ ...EMMA, titre: 'Persuasion' }],
  });
  database.write((tx) => {
    addLivreEntry(tx, { titre: 'Emma', format: 'Physique', auteurs: ['J. Austen'] }, null);
    tx.run("INSERT INTO Serie (titre, position) VALUES ('Suite', 0)");
    tx.run("INSERT INTO Place (serieId, titre, numero, position) VALUES (1, 'Un', '1', 0)");
  });
  const state = () =>
    [
      ['nom', 'Auteur'],
      ['statut', 'Statut'],
      ['emprunteur', 'Pret'],
      ['livreId', 'Place'],
    ].map(([column = '', of = '']) => database.values(`SELECT ${column} FROM ${of}`));
  const before = state();
  real(records, (inWrite) => executerEssai(inWrite, id, 'ana'));
  await lookups.run(id, 'ana');
  expect(state()).toEqual([['Jane Austen'], [2], ['Zoé'], [1]]);
  real(records, (inWrite) => annulerImportation(inWrite, id, 'ana'));
  expect(state()).toEqual(before);
});

test('a series left out stays out of later finds', async () => {
  const { database, records, lookups, id } = await open(`ISBN,Série\n${A},Suite\n`, {
    [A]: [{ titre: 'Emma' }],
  });
  real(records, (inWrite) => executerEssai(inWrite, id, 'ana', { seriesIgnorees: ['Suite'] }));
  await lookups.run(id, 'ana');
  expect(livresOf(records)).toMatchObject([{ titre: 'Emma' }]);
  expect(database.value('SELECT count(*) FROM Serie')).toBe(0);
});

test('the additions of a late response are counted and reported', async () => {
  const { database, records, lookups, id } = await open(FILE, { [A]: [EMMA], [B]: ['unknown'] });
  real(records, (inWrite) => executerEssai(inWrite, id, 'ana'));
  expect(requireImportation(database, id, 'ana')).toMatchObject({
    statuts: 1,
    prets: 1,
    series: 1,
  });
  await lookups.run(id, 'ana');
  expect(requireImportation(database, id, 'ana')).toMatchObject({
    statuts: 2,
    prets: 2,
    series: 2,
  });
  expect(listModifications(database, 'ana', { limite: 1 }, 'fr')).toMatchObject([
    { resume: 'Import : 2 livres, 2 prêts, 2 séries, 2 autres fiches' },
  ]);
});

test('a twin known by its ISBN alone becomes a book', async () => {
  const { records, lookups, id } = await open(`${A}\n${A}\n`, { [A]: [EMMA, EMMA] });
  const decisions = [{ ligne: 2, sort: 'creer' as const }];
  real(records, (inWrite) => executerEssai(inWrite, id, 'ana', { decisions }));
  await lookups.run(id, 'ana');
  expect(livresOf(records)).toMatchObject([{ titre: 'Emma' }, { titre: 'Emma' }]);
});

test('a row left out is neither asked about nor exported', async () => {
  const { database, records, catalogues, lookups, id } = await open(`${A}\n`, { [A]: [EMMA] });
  const decisions = [{ ligne: 1, sort: 'ignorer' as const }];
  real(records, (inWrite) => executerEssai(inWrite, id, 'ana', { decisions }));
  await lookups.run(id, 'ana');
  expect(catalogues.asked).toEqual([]);
  expect(livresOf(records)).toEqual([]);
  expect([...exporterRefus(database, id, 'ana')].join('')).not.toContain(A);
});

test('a row whose book was deleted meanwhile is looked up', async () => {
  const { database, records, read, lookups } = await open(`${B}\n`, { [A]: ['unknown'] });
  const livreId = database.write((tx) =>
    addLivreEntry(tx, { titre: 'Ida', format: 'Physique', auteurs: [], isbn: A }, null),
  );
  const id = await read(`${A}\n`);
  expect(requireImportation(database, id, 'ana')).toMatchObject({ presents: 1, enRecherche: 0 });
  database.write((tx) => supprimerLivre(tx, livreId));
  real(records, (inWrite) => executerEssai(inWrite, id, 'ana'));
  expect(requireImportation(database, id, 'ana')).toMatchObject({ presents: 0, enRecherche: 1 });
  await lookups.run(id, 'ana');
  expect([...exporterRefus(database, id, 'ana')].join('')).toContain(A);
});

const RATED = table(
  ['ISBN', 'Titre', 'Ma note', 'Lu le'],
  [
    { ISBN: A, 'Ma note': '4', 'Lu le': '12/03/2020' },
    { Titre: 'Sido', 'Ma note': '3' },
  ],
);

test('ratings and dates of a late find are counted', async () => {
  const { database, records, lookups, id } = await open(RATED, { [A]: [EMMA] });
  real(records, (inWrite) => executerEssai(inWrite, id, 'ana'));
  const importation = () => requireImportation(database, id, 'ana');
  expect(importation()).toMatchObject({ nouveaux: 1, notes: 1, datesDeLecture: 0 });
  await lookups.run(id, 'ana');
  expect(importation()).toMatchObject({ nouveaux: 2, notes: 2, datesDeLecture: 1 });
});

test('a dry run counts the catalogues’ results', async () => {
  const { database, records, lookups, id } = await open(FILE, { [A]: [EMMA], [B]: [EMMA] });
  const essai = () => requireImportation(database, id, 'ana');
  expect(essai()).toMatchObject({ nouveaux: 1, statuts: 1, prets: 1, series: 1, enRecherche: 2 });
  await lookups.run(id, 'ana');
  const found = { lignes: 3, nouveaux: 3, statuts: 2, prets: 2, series: 2, enRecherche: 0 };
  expect(essai()).toMatchObject(found);
  expect(listerSeriesProposees(database, id, 'ana').map(({ titre }) => titre)).toEqual([
    'Autre',
    'Suite',
  ]);
  real(records, (inWrite) => executerEssai(inWrite, id, 'ana'));
  expect(requireImportation(database, id, 'ana')).toMatchObject(found);
});

test('a find is compared with other rows of its run', async () => {
  const file = table(
    ['Titre', 'Auteurs', 'ISBN'],
    [{ Titre: 'Emma', Auteurs: 'Jane Austen' }, { ISBN: A }, { ISBN: B }, { Titre: 'Ida' }],
  );
  const { records, lookups, id } = await open(file, { [A]: [EMMA], [C]: ['unknown'] });
  const planned = [
    'nouveau Emma',
    'present Emma déjà à la ligne 2',
    'refuse inconnu des catalogues',
    'nouveau Ida',
  ];
  await lookups.run(id, 'ana');
  expect(fates(records, id)).toEqual(planned);
});

test('all finds of a long dry run are counted', async () => {
  const isbns = Array.from({ length: 205 }, (_, nth) => isbnOf(nth));
  const responses = isbns.map((isbn, nth) => [isbn, [{ ...EMMA, titre: `Tome ${nth}` }]] as const);
  const { database, lookups, id } = await open(
    isbns.join('\n'),
    Object.fromEntries(responses.slice(1)),
  );
  await lookups.run(id, 'ana');
  expect(requireImportation(database, id, 'ana')).toMatchObject({ nouveaux: 204, lignes: 205 });
});

test('a result is announced at once, however many rows wait', async () => {
  const isbns = Array.from({ length: 205 }, (_, nth) => isbnOf(nth));
  const { records, catalogues, lookups, id } = await open(isbns.join('\n'), {
    [isbnOf(0)]: [EMMA],
  });
  const announced: string[][] = [];
  catalogues.meanwhile = () => void announced.push(fates(records, id).slice(0, 1));
  await lookups.run(id, 'ana');
  expect(announced[1]).toEqual(['nouveau Emma']);
});

/** The nth of a series of valid ISBNs. */
function isbnOf(nth: number): string {
  const digits = `97820703${String(nth).padStart(4, '0')}`;
  const sum = Array.from(digits).reduce(
    (all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 1 : 3),
    0,
  );
  return `${digits}${String((10 - (sum % 10)) % 10)}`;
}
