import { expect, test } from 'vitest';
import { withAbsentFields } from '#shared/absent-fields';
import { StatutOrNull } from '#shared/statuts';
import { Type } from 'typebox';

const SHAPE = Type.Object({
  id: Type.Integer(),
  titre: Type.String(),
  note: Type.Number(),
  perdu: Type.Boolean(),
  auteurs: Type.Array(Type.Object({ nom: Type.String(), rang: Type.Integer() })),
  themes: Type.Array(Type.String()),
  couverture: Type.Unsafe<object | null>({ type: ['object', 'null'] }),
  format: Type.Enum(['Physique', 'Numerique'], { type: 'string' }),
  statut: StatutOrNull,
});

const WHOLE = {
  id: 1,
  titre: 'Dune',
  note: 4,
  perdu: true,
  auteurs: [{ nom: 'Zoé', rang: 1 }],
  themes: ['Mer'],
  couverture: null,
  format: 'Numerique',
  statut: 2,
};

test('a field that a record lacks gets its empty value', () => {
  expect(withAbsentFields(SHAPE, {})).toEqual({
    id: 0,
    titre: '',
    note: 0,
    perdu: false,
    auteurs: [],
    themes: [],
    couverture: null,
    format: 'Physique',
    statut: null,
  });
});

test('known and foreign fields of a record are kept', () => {
  expect(withAbsentFields(SHAPE, WHOLE)).toEqual(WHOLE);
  const later = { ...WHOLE, later: 1 };
  expect(withAbsentFields(SHAPE, later)).toEqual(later);
  const whole = { id: 1 };
  expect(withAbsentFields(Type.Object({ id: Type.Integer() }), whole)).toBe(whole);
  expect(withAbsentFields({}, whole)).toBe(whole);
});

test('records within a record’s lists get all fields', () => {
  const later = { ...WHOLE, later: 1, auteurs: [{ nom: 'Zoé' }, 'Léa', null, { rang: 2 }] };
  expect(withAbsentFields(SHAPE, later)).toEqual({
    ...later,
    auteurs: [{ nom: 'Zoé', rang: 0 }, 'Léa', null, { nom: '', rang: 2 }],
  });
});
