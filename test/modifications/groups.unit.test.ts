import { describe, expect, test } from 'vitest';
import { groupModifications, splitSittings } from '../../src/lib/modifications/groups.ts';
import type { ModificationDocument } from '#shared/modifications';

const act = (id: number, rest: Partial<ModificationDocument> = {}): ModificationDocument => ({
  id,
  date: '2026-11-20T10:00:00.000Z',
  utilisateur: 'ana',
  operation: 'ajouterLivre',
  arguments: { fait: 'livreAjoute', nom: String(id), serie: null },
  annulable: true,
  annulee: false,
  annuleId: null,
  annuleeParId: null,
  importationId: null,
  fiches: [],
  ...rest,
});

const groupsOf = (acts: readonly ModificationDocument[]) =>
  groupModifications(acts).map(({ modification, others }) => [
    modification.id,
    ...others.map(({ id }) => id),
  ]);

test('four acts of one kind, one after the other, are a group', () => {
  expect(groupsOf([1, 2, 3].map((id) => act(id)))).toEqual([[1], [2], [3]]);
  for (const operation of ['ajouterLivre', 'preter', 'modifierStatut'])
    expect(groupsOf([1, 2, 3, 4, 5].map((id) => act(id, { operation })))).toEqual([
      [1, 2, 3, 4, 5],
    ]);
});

test('another person, day or operation ends a group', () => {
  const run = (from: number) => [0, 1, 2, 3].map((i) => act(from + i));
  for (const other of [
    { utilisateur: 'bob' },
    { date: '2026-11-18T10:00:00.000Z' },
    { operation: 'preter' },
    { annulee: true },
    { importationId: 3 },
  ])
    expect(groupsOf([...run(1), act(9, other), ...run(11)])).toEqual([
      [1, 2, 3, 4],
      [9],
      [11, 12, 13, 14],
    ]);
});

describe('a sitting', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, -minute)).toISOString();
  const OPERATIONS = ['ajouterLivre', 'modifierLecture', 'rangerLot'];
  const sitting = (from: number, count: number, rest: Partial<ModificationDocument> = {}) =>
    Array.from({ length: count }, (_, i) =>
      act(from + i, { operation: OPERATIONS[i % 3] ?? '', date: at(from + i), ...rest }),
    );
  const partsOf = (acts: readonly ModificationDocument[]) =>
    splitSittings(acts).map(({ acts: held, isSitting }) => [
      isSitting ? 'sitting' : 'acts',
      ...held.map(({ id }) => id),
    ]);
  const ids = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

  test('is ten mixed acts of one person without a pause', () => {
    expect(partsOf(sitting(1, 9))).toEqual([['acts', ...ids(1, 9)]]);
    expect(partsOf(sitting(1, 12))).toEqual([['sitting', ...ids(1, 12)]]);
    expect(partsOf(sitting(1, 12, { operation: 'preter' }))).toEqual([['acts', ...ids(1, 12)]]);
  });

  test('ends with a pause of an hour', () => {
    expect(partsOf([...sitting(1, 10), ...sitting(80, 10)])).toEqual([
      ['sitting', ...ids(1, 10)],
      ['sitting', ...ids(80, 10)],
    ]);
  });

  test('stays together despite other people’s writes, imports and undoing meanwhile', () => {
    const [first, ...others] = sitting(1, 10);
    const between = [
      act(50, { utilisateur: 'bob', date: at(1) }),
      act(51, { importationId: 3, date: at(1) }),
      act(52, { annulee: true, date: at(1) }),
    ];
    expect(partsOf([...(first ? [first] : []), ...between, ...others])).toEqual([
      ['sitting', ...ids(1, 10)],
      ['acts', 50, 51, 52],
    ]);
  });
});
