import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { abrege, lireForme, type Forme } from '#shared/nom-forme';
import { cleRegroupement } from '#shared/text';
import { forme, fusionner, type AuteurConnu } from '#server/auteurs/fusion';
import { paire, Refus, type Paire } from '#server/auteurs/refus';
import { regrouper } from '#server/auteurs/regroupement';
import { ressemblances } from '#server/auteurs/suggestions';

const prenom = fc.constantFrom('Jean', 'Jeanne', 'Jéan', 'Paul', 'Pauline', 'J.', 'P.', 'Émile');
const nomDeFamille = fc.constantFrom('Martin', 'Martine', 'Durand', 'de Vries', 'García Lorca');

/** Names that often resemble one another, as books spell them. */
const nomQuelconque = fc
  .tuple(fc.array(prenom, { minLength: 1, maxLength: 2 }), nomDeFamille, fc.nat(4))
  .map(([prenoms, famille, style]) => {
    if (style === 0) return `${famille}, ${prenoms.join(' ')}`;
    const nom = `${prenoms.join('-')} ${famille}`;
    return style === 1 ? nom.toUpperCase() : nom;
  });

const auteurs = fc
  .uniqueArray(nomQuelconque, { maxLength: 12, selector: (nom) => nom })
  .map((noms) => noms.map((nom, rang): AuteurConnu => ({ id: rang + 1, nom, formePleine: null })));

/** A few spellings of fewer people, where refusals and merges meet. */
const famille = fc
  .uniqueArray(
    fc
      .tuple(
        fc.constantFrom('Jean', 'J.'),
        fc.constantFrom('Paul', 'P.', 'Pierre'),
        fc.constantFrom('Martin', 'MARTIN', 'Mártin'),
      )
      .map((mots) => mots.join(' ')),
    { maxLength: 8, selector: (nom) => nom },
  )
  .map((noms) => noms.map((nom, rang): AuteurConnu => ({ id: rang + 1, nom, formePleine: null })));

const paires = fc.array(
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => paire(a, b)),
  { maxLength: 8 },
);

/** The records that are left, and for each id the one that stands for it. */
function passer(connus: readonly AuteurConnu[], refuses: readonly Paire[]) {
  const refus = new Refus(refuses);
  const { heritiers, restes } = regrouper(connus, refus);
  const parId = new Map([...connus, ...restes].map((auteur) => [auteur.id, auteur]));
  for (const absorbe of heritiers.keys()) parId.delete(absorbe);
  const representants = new Map(connus.map(({ id }) => [id, heritiers.get(id) ?? id]));
  return { finals: [...parId.values()].sort((a, b) => a.id - b.id), representants, refus };
}

describe('the merges that need nobody’s word', () => {
  it('do not depend on the order of the authors', () => {
    const melange = auteurs.chain((connus) =>
      fc.tuple(fc.constant(connus), fc.shuffledSubarray(connus, { minLength: connus.length })),
    );
    fc.assert(
      fc.property(melange, paires, ([connus, melanges], refuses) => {
        expect(passer(melanges, refuses).finals).toEqual(passer(connus, refuses).finals);
      }),
    );
  });

  it('find nothing left to do a second time', () => {
    fc.assert(
      fc.property(auteurs, paires, (connus, refuses) => {
        const { finals, refus } = passer(connus, refuses);
        expect(regrouper(finals, refus).heritiers.size).toBe(0);
      }),
    );
  });

  it('never undo a refusal, in whichever direction it was said', () => {
    fc.assert(
      fc.property(fc.oneof(auteurs, famille), paires, (connus, refuses) => {
        const { finals, representants } = passer(connus, refuses);
        const retournees = refuses.map(([a, b]): Paire => [b, a]);
        expect(passer(connus, retournees).finals).toEqual(finals);
        for (const [a, b] of refuses.filter(([, haut]) => haut <= connus.length))
          expect(representants.get(a)).not.toBe(representants.get(b));
      }),
      { numRuns: 1000 },
    );
  });

  it('leave one record a key, but for refusals', () => {
    fc.assert(
      fc.property(auteurs, (connus) => {
        const cles = passer(connus, []).finals.map((auteur) => cleRegroupement(forme(auteur)));
        expect(new Set(cles).size).toBe(cles.length);
      }),
    );
  });

  it('never join two names that neither a key nor initials join', () => {
    fc.assert(
      fc.property(auteurs, (connus) => {
        const { finals, representants } = passer(connus, []);
        for (const { id, nom } of connus) {
          const final = finals.find((auteur) => auteur.id === representants.get(id));
          const pleins = cleRegroupement(final ? forme(final) : '').split(' ');
          // Each word is said in full, or is the initial of one that is.
          const manquants = cleRegroupement(nom)
            .split(' ')
            .filter((mot) => !pleins.includes(mot));
          expect(manquants.filter((mot) => mot.length > 1)).toEqual([]);
          expect(pleins.length).toBe(cleRegroupement(nom).split(' ').length);
          for (const lettre of manquants)
            expect(pleins.some((mot) => mot.startsWith(lettre))).toBe(true);
        }
      }),
    );
  });
});

describe('merges by hand', () => {
  it('end in the same record and name in whatever order they come', () => {
    const deuxOrdres = auteurs
      .filter((connus) => connus.length > 0)
      .chain((connus) =>
        fc.tuple(fc.constant(connus), fc.shuffledSubarray(connus, { minLength: connus.length })),
      );
    const fondre = (connus: readonly AuteurConnu[]) =>
      connus.reduce((un, autre) => fusionner(un, autre).reste);
    fc.assert(
      fc.property(deuxOrdres, ([connus, melanges]) => {
        const { id, nom } = fondre(connus);
        expect(fondre(melanges)).toMatchObject({ id, nom });
        expect(fondre(connus.toReversed())).toMatchObject({ id, nom });
      }),
    );
  });
});

describe('an initials form', () => {
  const forme3 = fc.tuple(nomQuelconque, nomQuelconque, nomQuelconque);

  it('abbreviates one way only, and through another', () => {
    fc.assert(
      fc.property(forme3, (noms) => {
        const [a, b, c] = noms.map(lireForme) as [Forme, Forme, Forme];
        expect(abrege(a, b) && abrege(b, a)).toBe(false);
        if (abrege(a, b) && abrege(b, c)) expect(abrege(a, c)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('suggestions', () => {
  it('are those that the comparison of all pairs finds', () => {
    fc.assert(
      fc.property(auteurs, paires, (connus, refuses) => {
        const uniques = passer(connus, []).finals.map((auteur) => ({ ...auteur }));
        const toutes = uniques.flatMap((a, rang) =>
          uniques.slice(rang + 1).flatMap((b) => ressemblances([a, b], new Refus(refuses))),
        );
        const trouvees = ressemblances(uniques, new Refus(refuses));
        expect(trouvees.map((trouvee) => trouvee.paire)).toEqual(toutes.map((une) => une.paire));
      }),
    );
  });
});
