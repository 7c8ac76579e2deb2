import { expect, test } from 'vitest';
import { executer, lireImportation } from '#server/subjects/importations/domain/importations';
import { listerNomsInverses } from '#server/subjects/importations/domain/inverted-names';
import { NameLookups } from '#server/subjects/importations/domain/name-lookups';
import { annulerImportation } from '#server/subjects/importations/domain/undo';
import { addLivreEntry } from '#server/subjects/livres/domain/livres';
import type { Records } from '#server/plumbing/records/records';
import { open, real } from './played-catalogues.ts';
import { babelio, table } from './samples.ts';

const [A, B, C, D] = ['9782070360024', '9782070424641', '9782253004226', '9782070360017'];

const NAMES = babelio(
  [A, 'Un', 'Poe Edgar Allan', '', '', '', '', ''],
  [B, 'Deux', 'Poe Edgar Allan', '', '', '', '', ''],
  [C, 'Trois', 'Poe Edgar Allan', '', '', '', '', ''],
  [D, 'Quatre', 'Sand George Aurore', '', '', '', '', ''],
  ['', 'Cinq', 'Le Clézio Jean', '', '', '', '', ''],
  ['9782070360109', 'Six', 'Herbert Frank Patrick', '', '', '', '', ''],
  ['9782070360420', 'Sept', 'Camus Albert', '', '', '', '', ''],
).bytes;

const doubtful = ({ database }: Records, id: number): string[] =>
  listerNomsInverses(database, id, 'ana').map(({ nom }) => nom);

test('doubtful names are asked about by two of their books, and stand as the catalogues write them', async () => {
  const { database, records, catalogues, id } = await open(NAMES, {
    [B]: [{ auteurs: ['Charles Baudelaire', 'Edgar Allan Poe'] }],
    [D]: [{ auteurs: ['George Sand'] }],
  });
  const entry = { titre: 'Dune', format: 'Physique', auteurs: ['Frank Patrick Herbert'] } as const;
  database.write((tx) => addLivreEntry(tx, { ...entry, auteurs: [...entry.auteurs] }, null));
  const names = new NameLookups(database, catalogues);
  expect(doubtful(records, id)).toEqual([
    'Le Clézio Jean',
    'Poe Edgar Allan',
    'Sand George Aurore',
  ]);
  await names.run(id, 'ana');
  expect(catalogues.asked).toEqual([A, B, D]);
  expect(doubtful(records, id)).toEqual(['Le Clézio Jean', 'Sand George Aurore']);
  // What they have answered about is asked no more.
  await names.run(id, 'ana');
  expect(catalogues.asked).toHaveLength(3);
  real(records, (inWrite) => executer(inWrite, id, 'ana', { nomsInverses: ['Le Clézio Jean'] }));
  const noms = () =>
    database.all<{ nom: string }>('SELECT nom FROM Auteur ORDER BY nom').map(({ nom }) => nom);
  const asSaid = [
    'Albert Camus',
    'Edgar Allan Poe',
    'Frank Patrick Herbert',
    'Jean Le Clézio',
    'Sand George Aurore',
  ];
  expect(noms()).toEqual(asSaid);
  // An import that is made again knows what they have answered.
  real(records, (inWrite) => annulerImportation(inWrite, id, 'ana'));
  real(records, (inWrite) => executer(inWrite, id, 'ana'));
  expect(noms()).toEqual(asSaid);
  // Nor is anything of an import that is real, or of another program.
  await names.run(id, 'ana');
  expect(catalogues.asked).toHaveLength(3);
});

test('where no catalogue answers, the names are left as they are', async () => {
  const { database, records, read, catalogues, id } = await open(NAMES, {
    [A]: ['silent', { auteurs: ['Edgar Allan Poe'] }],
    [D]: ['revue'],
  });
  const names = new NameLookups(database, catalogues);
  await names.run(id, 'ana');
  expect([catalogues.asked, doubtful(records, id).length]).toEqual([[A], 4]);
  await names.run(id, 'ana');
  expect(catalogues.asked).toEqual([A, A, D, '9782070360109']);
  const other = await read(
    table(['Titre', 'Auteurs', 'ISBN'], [{ Titre: 'A', Auteurs: 'Poe Edgar Allan', ISBN: A }]),
  );
  await names.run(other, 'ana');
  expect(catalogues.asked).toHaveLength(4);
  catalogues.meanwhile = () => {
    catalogues.meanwhile = () => undefined;
    real(records, (inWrite) => annulerImportation(inWrite, again, 'ana'));
  };
  const again = await read(NAMES);
  await names.run(again, 'ana');
  expect(() => lireImportation(database, again, 'ana')).toThrow();
  // Once the service ends none is asked any more, and what is broken off is no failure.
  const last = await read(NAMES);
  catalogues.meanwhile = (signal) => {
    names.close();
    expect(signal.aborted).toBe(true);
    throw new Error('aborted');
  };
  await names.run(last, 'ana');
  expect(doubtful(records, id)).not.toContain('Poe Edgar Allan');
});

test('of one author no more than two books are asked about', async () => {
  const file = babelio(
    ...[A, B, C].map((isbn) => [isbn, isbn, 'Rice Burroughs Edgar', '', '', '', '', '']),
  );
  const { database, records, catalogues, id } = await open(file.bytes);
  await new NameLookups(database, catalogues).run(id, 'ana');
  expect(catalogues.asked).toEqual([A, B]);
  expect(doubtful(records, id)).toHaveLength(1);
});
