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

test('the catalogues’ spelling of a doubtful name is taken over', async () => {
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

test('names stay as they are where no catalogue answers', async () => {
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
  expect(doubtful(records, id)).not.toContain('Poe Edgar Allan');
});

test('an import undone while names are asked stays undone', async () => {
  const { database, records, catalogues, id } = await open(NAMES);
  catalogues.meanwhile = () => {
    catalogues.meanwhile = () => undefined;
    real(records, (inWrite) => annulerImportation(inWrite, id, 'ana'));
  };
  await new NameLookups(database, catalogues).run(id, 'ana');
  expect(() => lireImportation(database, id, 'ana')).toThrow();
});

test('names broken off by the service’s end are no failure', async () => {
  const { database, catalogues, id } = await open(NAMES);
  const names = new NameLookups(database, catalogues);
  catalogues.meanwhile = (signal) => {
    names.close();
    expect(signal.aborted).toBe(true);
    throw new Error('aborted');
  };
  await names.run(id, 'ana');
  expect(catalogues.asked).toEqual([A]);
});

test('an author is asked about by two books at most', async () => {
  const file = babelio(
    ...[A, B, C].map((isbn) => [isbn, isbn, 'Rice Burroughs Edgar', '', '', '', '', '']),
  );
  const { database, records, catalogues, id } = await open(file.bytes);
  await new NameLookups(database, catalogues).run(id, 'ana');
  expect(catalogues.asked).toEqual([A, B]);
  expect(doubtful(records, id)).toHaveLength(1);
});
