import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { abbreviates, parseNom, type NomForm } from '#shared/nom-form';
import { cleRegroupement } from '#shared/text';
import {
  applyFusionRules,
  type AuteurRecord,
  fullNom,
  fusionner,
  idPair,
  type IdPair,
  Refus,
} from '#server/subjects/auteurs/merging';
import { UNDECIDED, suggestFusions } from './support.ts';
import { cases } from '../support/random.ts';

const givenNom = fc.constantFrom('Jean', 'Jeanne', 'Jéan', 'Paul', 'Pauline', 'J.', 'P.', 'Émile');
const familyNom = fc.constantFrom('Martin', 'Martine', 'Durand', 'de Vries', 'García Lorca');

/** Similar names, in the spellings of books. */
const anyNom = fc
  .tuple(fc.array(givenNom, { minLength: 1, maxLength: 2 }), familyNom, fc.nat(4))
  .map(([givenNoms, fewPeople, style]) => {
    if (style === 0) return `${fewPeople}, ${givenNoms.join(' ')}`;
    const nom = `${givenNoms.join('-')} ${fewPeople}`;
    return style === 1 ? nom.toUpperCase() : nom;
  });

const auteurs = fc
  .uniqueArray(anyNom, { maxLength: 12, size: 'max', selector: (nom) => nom })
  .map((noms) =>
    noms.map((nom, rang): AuteurRecord => ({
      id: rang + 1,
      nom,
      formePleine: null,
      nomChoisi: nom.startsWith('Paul'),
    })),
  );

/** A few spellings of fewer people, so that refusals and merges interact. */
const fewPeople = fc
  .uniqueArray(
    fc
      .tuple(
        fc.constantFrom('Jean', 'J.'),
        fc.constantFrom('Paul', 'P.', 'Pierre'),
        fc.constantFrom('Martin', 'MARTIN', 'Mártin'),
      )
      .map((words) => words.join(' ')),
    { maxLength: 8, selector: (nom) => nom },
  )
  .map((noms) => noms.map((nom, rang): AuteurRecord => ({ id: rang + 1, nom, formePleine: null })));

const pairs = fc.array(
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => idPair(a, b)),
  { maxLength: 8 },
);

/** Three spellings of one name: if the first two are two people, the third may be either. */
const SPELLINGS = ['Jean Martin', 'JEAN MARTIN', 'Martin, Jean'].map((nom, rang): AuteurRecord => ({
  id: rang + 1,
  nom,
  formePleine: null,
}));

/** The remaining records, and for each id the record that replaces it. */
function merge(known: readonly AuteurRecord[], refuses: readonly IdPair[]) {
  const refus = new Refus(refuses);
  const { successors, kept } = applyFusionRules(known, refus);
  const byId = new Map([...known, ...kept].map((auteur) => [auteur.id, auteur]));
  for (const absorbed of successors.keys()) byId.delete(absorbed);
  const representatives = new Map(known.map(({ id }) => [id, successors.get(id) ?? id]));
  return { finals: [...byId.values()].sort((a, b) => a.id - b.id), representatives, refus };
}

describe('automatic merges', () => {
  it('do not depend on the order of the authors', () => {
    const shuffled = auteurs.chain((known) =>
      fc.tuple(fc.constant(known), fc.shuffledSubarray(known, { minLength: known.length })),
    );
    fc.assert(
      fc.property(shuffled, pairs, ([known, shuffled], refuses) => {
        expect(merge(shuffled, refuses).finals).toEqual(merge(known, refuses).finals);
      }),
      { ...cases(), examples: [[[SPELLINGS, SPELLINGS.toReversed()], [[1, 2]]]] },
    );
  });

  it('change nothing the second time', () => {
    fc.assert(
      fc.property(auteurs, pairs, (known, refuses) => {
        const { finals, refus } = merge(known, refuses);
        expect(applyFusionRules(finals, refus).successors.size).toBe(0);
      }),
      cases(),
    );
  });

  it('respect refusals, in either direction', () => {
    fc.assert(
      fc.property(fc.oneof(auteurs, fewPeople), pairs, (known, refuses) => {
        const { finals, representatives } = merge(known, refuses);
        const reversed = refuses.map(([a, b]): IdPair => [b, a]);
        expect(merge(known, reversed).finals).toEqual(finals);
        for (const [a, b] of refuses.filter(([, haut]) => haut <= known.length))
          expect(representatives.get(a)).not.toBe(representatives.get(b));
      }),
      cases(1000),
    );
  });

  it('leave one record per key, except for refusals', () => {
    fc.assert(
      fc.property(auteurs, (known) => {
        const keys = merge(known, []).finals.map((auteur) => cleRegroupement(fullNom(auteur)));
        expect(new Set(keys).size).toBe(keys.length);
      }),
      cases(),
    );
  });

  it('join only names with the same key, or matching initials', () => {
    fc.assert(
      fc.property(auteurs, (known) => {
        const { finals, representatives } = merge(known, []);
        for (const { id, nom } of known) {
          const final = finals.find((auteur) => auteur.id === representatives.get(id));
          const fullWords = cleRegroupement(final ? fullNom(final) : '').split(' ');
          // Each word is written in full, or is the initial of one that is.
          const missing = cleRegroupement(nom)
            .split(' ')
            .filter((word) => !fullWords.includes(word));
          expect(missing.filter((word) => word.length > 1)).toEqual([]);
          expect(fullWords.length).toBe(cleRegroupement(nom).split(' ').length);
          for (const letter of missing)
            expect(fullWords.some((word) => word.startsWith(letter))).toBe(true);
        }
      }),
      cases(),
    );
  });
});

describe('merges by hand', () => {
  it('end with the same author in any order', () => {
    const twoOrders = auteurs
      .filter((known) => known.length > 0)
      .chain((known) =>
        fc.tuple(fc.constant(known), fc.shuffledSubarray(known, { minLength: known.length })),
      );
    const mergeAll = (known: readonly AuteurRecord[]) =>
      known.reduce((un, other) => fusionner(un, other).kept);
    fc.assert(
      fc.property(twoOrders, ([known, shuffled]) => {
        const { id, nom } = mergeAll(known);
        expect(mergeAll(shuffled)).toMatchObject({ id, nom });
        expect(mergeAll(known.toReversed())).toMatchObject({ id, nom });
      }),
      cases(),
    );
  });
});

describe('an initials form', () => {
  const threeNoms = fc.tuple(anyNom, anyNom, anyNom);

  it('abbreviates one way only, and through another', () => {
    fc.assert(
      fc.property(threeNoms, (noms) => {
        const [a, b, c] = noms.map(parseNom) as [NomForm, NomForm, NomForm];
        expect(abbreviates(a, b) && abbreviates(b, a)).toBe(false);
        expect(abbreviates(a, b) && abbreviates(b, c) && !abbreviates(a, c)).toBe(false);
      }),
      cases(1000),
    );
  });
});

describe('suggestions', () => {
  it('equal those found by comparing all pairs', () => {
    fc.assert(
      fc.property(auteurs, pairs, (known, refuses) => {
        const merged = merge(known, []).finals.map((auteur) => ({ ...auteur }));
        const all = merged.flatMap((a, rang) =>
          merged
            .slice(rang + 1)
            .flatMap((b) => suggestFusions([a, b], new Refus(refuses), UNDECIDED)),
        );
        const found = suggestFusions(merged, new Refus(refuses), UNDECIDED);
        expect(found.map((one) => one.pair)).toEqual(all.map((une) => une.pair));
      }),
      cases(),
    );
  });
});
