import { expect, test } from 'vitest';
import { groupModifications } from '../../src/lib/modifications/groups.ts';
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
