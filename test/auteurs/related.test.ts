import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyFusions,
  findAuteurs,
  findOrCreateAuteurs,
  insertAuteur,
  insertRefus,
  listAuteurRecords,
  listRefus,
} from '#server/subjects/auteurs/auteurs';
import { applyFusionRules, idPair, Refus } from '#server/subjects/auteurs/merging';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/connection';
import { cleRegroupement } from '#shared/text';
import { temporaryDatabase } from '../support/database.ts';
import { cases } from '../support/random.ts';

const words = fc.constantFrom(
  ...['Jean', 'Jeanne', 'jean', 'Jéan', 'J.', 'J', 'Paul', 'P.', 'PAUL', 'Œdipe', 'Œ.', 'Œ', 'de'],
  ...['Martin', 'martin', 'MARTIN', 'Mártin', 'M.', 'Martine', '™', '李', '½', 'd’Arc', '?', '№'],
);

/** Names that match in every way: orders, cases, initials of each word, characters that normalise to letters. */
const anyNom = fc
  .tuple(fc.array(words, { minLength: 1, maxLength: 3 }), fc.nat(5))
  .map(([parts, style]) => {
    const nom =
      style === 0 && parts.length > 1
        ? `${parts[0]}, ${parts.slice(1).join(' ')}`
        : parts.join(' ');
    return style === 1 ? nom.toUpperCase() : style === 2 ? nom.toLowerCase() : nom;
  });

/** An author is added, or two existing authors are declared different. */
type Step =
  | { readonly kind: 'nom'; readonly nom: string }
  | { readonly kind: 'refus'; readonly pair: readonly [number, number] };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: anyNom.map((nom) => ({ kind: 'nom' as const, nom })) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(), fc.nat()).map((pair) => ({ kind: 'refus' as const, pair })),
  },
);

/** Stores that two authors are different people. */
function refuse(database: Transaction, [a, b]: readonly [number, number]): void {
  const ids = listAuteurRecords(database).map(({ id }) => id);
  const [first, second] = [ids[a % ids.length], ids[b % ids.length]];
  if (first !== undefined && second !== undefined && first !== second)
    insertRefus(database, idPair(first, second));
}

function empty(database: Transaction): void {
  database.prepare('DELETE FROM FusionRefusee').run();
  database.prepare('DELETE FROM Auteur').run();
  database.prepare('DELETE FROM Dormant').run();
}

/** The last name reorders a full form, so that only one full form is left for « P. Jean Martin ». */
const REORDERED: Step[] = [
  'PAUL JEAN MARTIN',
  'P. J. Martin',
  'Pierre Jean Martin',
  'P. Jean Martin',
  'Jean Paul Martin',
].map((nom) => ({ kind: 'nom', nom }));

function findBeforeCreating(database: Transaction, nom: string) {
  const ids = new Set(listAuteurRecords(database).map(({ id }) => id));
  const expected = findAuteurs(database, [nom]);
  const found = findOrCreateAuteurs(database, [nom]);
  expect(expected).toEqual(found.map((id) => (ids.has(id) ? id : -1)));
}

/** Uses one transaction per case, to write to the disk once. */
function play(steps: readonly Step[], database: Transaction) {
  empty(database);
  for (const each of steps) {
    if (each.kind === 'refus') refuse(database, each.pair);
    else findBeforeCreating(database, each.nom);
    const refus = new Refus(listRefus(database));
    expect([...applyFusionRules(listAuteurRecords(database), refus).successors]).toEqual([]);
  }
}

const shown = (database: Database): string[] =>
  listAuteurRecords(database)
    .map(({ nom, formePleine }) => JSON.stringify([nom, formePleine]))
    .sort();

describe('a name that would come with a book', () => {
  it('is found as it would be, without adding an author', () => {
    const database = temporaryDatabase();
    database.write((tx) => {
      const [full = 0, hugo = 0] = findOrCreateAuteurs(tx, ['Jean Martin', 'V. Hugo']);
      const noms = ['Paul Durand', 'Victor Hugo', 'J. Martin', 'MARTIN, Jean', 'Luc Simon'];
      const [first = 0, ...others] = findAuteurs(database, noms);
      expect(others.slice(0, -1)).toEqual([hugo, full, full]);
      const last = others.at(-1) ?? 0;
      expect(Math.max(first, last)).toBeLessThan(0);
      expect(first).not.toBe(last);
      expect(shown(database)).toEqual(['["Jean Martin",null]', '["V. Hugo",null]']);
    });
  });

  it.each([
    {
      noms: ['PAUL JEAN MARTIN', 'Pierre Jean Martin', 'P. Jean Martin', 'Jean Paul Martin'],
      left: ['["Jean Paul Martin",null]', '["Pierre Jean Martin",null]'],
    },
    {
      noms: ['M. Szabó', 'SZABO MAGDA', 'Magda Szabo'],
      left: ['["M. Szabó","Magda Szabo"]'],
    },
    {
      noms: ['JEAN MARTIN', 'J. Martin', 'Jacques Martin', 'MARTIN, J.'],
      left: ['["J. Martin","JEAN MARTIN"]', '["Jacques Martin",null]'],
    },
  ])('goes to the author whose name or initials fit: $noms', (each) => {
    const database = temporaryDatabase();
    const steps = each.noms.map((nom): Step => ({ kind: 'nom', nom }));
    database.write((tx) => play(steps, tx));
    expect(shown(database)).toEqual(each.left);
  });
});

describe('a new name is compared with those that it may concern', () => {
  it('and comparing all names would find nothing more', () => {
    const database = temporaryDatabase();
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25, size: 'max' }), (steps) => {
        database.write((tx) => play(steps, tx));
      }),
      { ...cases(150), examples: [[REORDERED]] },
    );
  });

  it('and becomes the author that comparing with all would choose', () => {
    const [database, all] = [temporaryDatabase(), temporaryDatabase()];
    fc.assert(
      fc.property(fc.array(anyNom, { maxLength: 25, size: 'max' }), (noms) => {
        database.write((tx) => {
          empty(tx);
          for (const nom of noms) findOrCreateAuteurs(tx, [nom]);
        });
        all.write((tx) => {
          empty(tx);
          for (const nom of noms) addComparingAll(tx, nom);
        });
        expect(shown(database)).toEqual(shown(all));
      }),
      cases(150),
    );
  });
});

/** The plain rule: insert the name, then compare all names. */
function addComparingAll(database: Transaction, nom: string): void {
  const known = listAuteurRecords(database).some(
    (auteur) => cleRegroupement(auteur.nom) === cleRegroupement(nom),
  );
  if (known) findOrCreateAuteurs(database, [nom]);
  else insertAuteur(database, nom);
  const refus = new Refus(listRefus(database));
  applyFusions(database, applyFusionRules(listAuteurRecords(database), refus));
}
