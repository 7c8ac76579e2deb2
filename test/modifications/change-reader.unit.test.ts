import { expect, test } from 'vitest';
import { resumeOf, type Message } from '#shared/history';
import { editedColumns, textOf, type Row } from '#shared/change-reader';
import type { Locale } from '#shared/locale';

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

test.each<[Locale, Message, string]>([
  ['fr', { fait: 'livresRendus', livres: 0 }, '0 livre rendu'],
  ['fr', { fait: 'livresRendus', livres: 1 }, '1 livre rendu'],
  ['fr', { fait: 'livresRendus', livres: 1234 }, '1\u202f234 livres rendus'],
  ['fr', { fait: 'livresRanges', livres: 2, emplacement: 'Salon' }, '2 livres rangés dans Salon'],
  ['en', { fait: 'livresRendus', livres: 0 }, '0 books returned'],
  ['en', { fait: 'livresRendus', livres: 1 }, '1 book returned'],
  ['en', { fait: 'livresRendus', livres: 1234 }, '1,234 books returned'],
  ['en', { fait: 'livresRanges', livres: 2, emplacement: 'Salon' }, '2 books put away in Salon'],
])('in « %s », %j is shown as « %s »', (locale, message, expected) => {
  expect(resumeOf(message, locale)).toBe(expected);
});
