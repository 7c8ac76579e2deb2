import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differingFields, mergeCandidats } from '#shared/candidats';
import type { Candidat } from '#shared/recherche';
import { normaliser } from '#shared/text';
import { cases } from '../support/random.ts';

const candidat = (changes: Partial<Candidat> = {}): Candidat => ({
  source: 'bnf',
  titre: 'La naissance du jour',
  auteurs: ['Colette'],
  editeur: "L'Arbre sec",
  annee: 2008,
  nombrePages: null,
  isbn: '9782948012048',
  coverUrl: null,
  ...changes,
});

const candidats = fc.array(
  fc
    .record({
      source: fc.constantFrom('bnf' as const, 'openlibrary' as const),
      titre: fc.constantFrom('Désert', 'DESERT', 'Désert !', 'Onitsha'),
      editeur: fc.constantFrom(null, 'Gallimard', 'gallimard', 'Folio'),
      annee: fc.constantFrom(null, 1980, 1985),
      nombrePages: fc.constantFrom(null, 410),
      auteurs: fc.constantFrom<string[][]>([], ['Le Clézio']),
    })
    .map(candidat),
  { maxLength: 5 },
);

test('records that agree are one edition, completed from both', () => {
  const other = candidat({
    source: 'openlibrary',
    titre: 'La Naissance du jour.',
    editeur: "l'arbre sec",
    nombrePages: 189,
  });
  expect(mergeCandidats([candidat(), other])).toEqual([
    { ...candidat(), nombrePages: 189, sources: ['bnf', 'openlibrary'], offered: [] },
  ]);
});

test('an edition fills the first catalogue’s gaps from the next', () => {
  const little = candidat({ auteurs: [], editeur: null, annee: null });
  const much = candidat({
    source: 'openlibrary',
    nombrePages: 189,
    coverUrl: 'https://covers.openlibrary.org/1.jpg',
    typeDocument: 'Roman',
  });
  const other = { ...much, auteurs: ['Willy'], nombrePages: 2, coverUrl: 'https://a.fr/2.jpg' };
  const sources = ['bnf', 'openlibrary'];
  const offered: unknown[] = [];
  expect(mergeCandidats([little, much])).toEqual([{ ...much, source: 'bnf', sources, offered }]);
  expect(
    mergeCandidats([
      { ...much, source: 'bnf' },
      { ...other, typeDocument: 'BandeDessinee' },
    ]),
  ).toEqual([{ ...much, source: 'bnf', sources, offered }]);
  expect(mergeCandidats([little, little])).toEqual([{ ...little, sources: ['bnf'], offered }]);
  const after = { ...little, source: 'openlibrary' } as const;
  expect(mergeCandidats([{ ...much, source: 'bnf' }, after])).toEqual([
    { ...much, source: 'bnf', sources, offered },
  ]);
});

test('further fields of catalogues are offered once, from the first that has them', () => {
  const langue = { nom: 'Langue', valeur: 'français' };
  const collection = { nom: 'Collection', valeur: 'Folio junior ; 100' };
  const first = candidat({ details: [langue] });
  const next = candidat({
    source: 'openlibrary',
    details: [{ ...langue, valeur: 'anglais' }, collection],
  });
  expect(mergeCandidats([first, next])[0]?.offered).toEqual([
    { ...langue, source: 'bnf' },
    { ...collection, source: 'openlibrary' },
  ]);
});

test.each([{ titre: 'Le Blé en herbe' }, { editeur: 'Météores' }, { annee: 1984 }])(
  'records that differ are a choice, which names the difference: %o',
  (changes) => {
    const editions = mergeCandidats([candidat(), candidat(changes)]);
    expect(editions).toHaveLength(2);
    expect(differingFields(editions)).toEqual(Object.keys(changes));
  },
);

test('merging editions loses no data of a catalogue', () => {
  const property = fc.property(candidats, (records) => {
    const editions = mergeCandidats(records);
    const valuesOf = (all: readonly Candidat[], field: 'titre' | 'editeur' | 'annee') =>
      new Set(all.flatMap((one) => (one[field] === null ? [] : normaliser(String(one[field])))));
    for (const field of ['titre', 'editeur', 'annee'] as const)
      expect(valuesOf(editions, field)).toEqual(valuesOf(records, field));
    for (const source of records.map((record) => record.source))
      expect(editions.some(({ sources }) => sources.includes(source))).toBe(true);
    expect(editions.length).toBeLessThanOrEqual(records.length);
    expect(mergeCandidats(editions)).toHaveLength(editions.length);
  });
  fc.assert(property, cases(500));
});
