import { expect, test } from 'vitest';
import type { Candidat } from '#shared/recherche';
import { findAnswer } from '#server/subjects/complements';

const DUNE = {
  id: 1,
  isbn: '9782221252059',
  titre: 'Dune',
  editeur: null,
  annee: null,
  nombrePages: null,
};

const candidat = (titre: string, rest: Partial<Candidat> = {}): Candidat => ({
  source: 'bnf',
  titre,
  auteurs: [],
  editeur: null,
  annee: null,
  nombrePages: null,
  isbn: DUNE.isbn,
  coverUrl: null,
  ...rest,
});

const NOTHING = { titre: null, editeur: null, annee: null, nombrePages: null };

test('each field comes from the first candidate that has it', () => {
  const found = findAnswer(DUNE, [
    candidat('Les dunes', { editeur: 'Ailleurs', annee: 1900 }),
    candidat('DUNE', { annee: 1965 }),
    candidat('Dune', { annee: 1970, nombrePages: 500 }),
  ]);
  expect(found).toEqual({ ...NOTHING, annee: 1965, nombrePages: 500 });
});

test.each([
  ['Dune', 'Dune, tome 1', true],
  ['Dune messie', 'Dune', true],
  ['Dune', 'Le messie de Dune', false],
  ['Le messie de Dune', 'Dune', false],
  ['Dune', 'Dunes', false],
])('« %s » in a catalogue as « %s »: of one work %s', (titre, found, isSame) => {
  expect(findAnswer({ ...DUNE, titre }, [candidat(found, { annee: 1965 })])).toEqual({
    ...NOTHING,
    titre: isSame ? null : found,
    annee: 1965,
  });
});

test('without a candidate of the same work the first counts', () => {
  const others = [candidat('Ida', { editeur: 'Nord' }), candidat('Emma', { annee: 1815 })];
  expect(findAnswer(DUNE, others)).toEqual({ ...NOTHING, titre: 'Ida', editeur: 'Nord' });
});

test('fields that the book has are not offered again', () => {
  const known = { ...DUNE, annee: 1965 };
  const found = candidat('Dune', { annee: 1970, editeur: 'Nord' });
  expect(findAnswer(known, [found])).toEqual({ ...NOTHING, editeur: 'Nord' });
});

test('no candidate, or none with news, is no answer', () => {
  const known = { ...DUNE, annee: 1965 };
  expect(findAnswer(known, [candidat('Dune', { annee: 1970 })])).toBeNull();
  expect(findAnswer(DUNE, [])).toBeNull();
});
