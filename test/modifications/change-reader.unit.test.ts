import { expect, test } from 'vitest';
import { countLivres } from '#shared/acts';
import { editedColumns, textOf, type Row } from '#shared/change-reader';

const SALON = { id: 1, nom: 'Salon', note: null, position: 3 };

test.each<[what: string, avant: Row | null, apres: Row | null, expected: string[]]>([
  ['nothing but a place among others', SALON, { ...SALON, position: 4 }, []],
  ['a text', SALON, { ...SALON, nom: 'Boudoir', position: 4 }, ['nom']],
  ['what was empty', SALON, { ...SALON, note: 'Au fond' }, ['note']],
  ['a row that was added', null, SALON, ['id', 'nom', 'note']],
  ['a row that was deleted', SALON, null, []],
])('a change rewrites %s', (_, avant, apres, expected) => {
  expect(editedColumns({ table: 'Emplacement', avant, apres })).toEqual(expected);
});

test.each([
  ['Salon', 'Salon'],
  ['', ''],
  [null, ''],
  [undefined, ''],
  [7, ''],
])('the text of %j is « %s »', (value, expected) => {
  expect(textOf(value)).toBe(expected);
});

test.each([
  [0, '', '0 livre'],
  [1, '', '1 livre'],
  [1, 'rangé', '1 livre rangé'],
  [2, '', '2 livres'],
  [2, 'rangé', '2 livres rangés'],
  [1234, 'rendu', '1\u202f234 livres rendus'],
])('%i counted books with « %s » are « %s »', (count, participle, expected) => {
  expect(countLivres(count, participle)).toBe(expected);
});
