import fc from 'fast-check';
import { FORMATS } from '#shared/livres';
import type { Fate } from './replica.ts';

/** `null` is an unknown caller; Zoé never sets a status. */
export const USERS = ['ana', 'bob', 'Zoé', null] as const;
const READERS = ['ana', 'bob'] as const;

/** A small vocabulary, so that authors match and are renamed to each other. */
const noms = fc.constantFrom('Colette', 'COLETTE', 'Willy', 'Anna Ève', 'Ève, Anna', '?');

const livre = fc.record({
  titre: fc.constantFrom('Sido', 'Chéri', 'Chéri : roman', 'L’Atlas'),
  format: fc.constantFrom(...FORMATS),
  auteurs: fc.array(noms, { maxLength: 3 }),
  emprunteA: fc.constantFrom(null, null, { nom: 'Lise', depuis: '2026-01-02', aRendre: null }),
  details: fc.constantFrom([], [{ nom: 'Prix', valeur: '12' }], [{ nom: 'PRIX', valeur: '3' }]),
});

const list = fc.constantFrom('souhaits', 'souhaits-revues');
const who = fc.constantFrom(...READERS);

/** A wish for either list. */
const souhait = fc.record({
  titre: fc.constantFrom('Sido', 'Sido : récit', 'Rivages', '?'),
  auteur: fc.constantFrom('Colette', null),
  numero: fc.constantFrom('1', null),
  isbn: fc.constantFrom('9782070360024', null),
  coverUrl: fc.constantFrom('https://exemple.fr/c.jpg', null),
});

/** The index of a record, modulo the number of records. */
const nth = fc.nat(50);

/** A series: its parent, and places with or without a book. */
const serie = fc.record({
  titre: fc.constantFrom('Cycle', 'Fondation'),
  parent: fc.option(nth),
  places: fc.array(fc.record({ titre: fc.constantFrom('Un', 'Deux'), livre: fc.option(nth) }), {
    maxLength: 3,
  }),
});

/** An issue; few numbers and words, so that they match. */
const numero = fc.record({
  numero: fc.constantFrom('1', '2', '3'),
  date: fc.constantFrom('2024', '2024-05', null),
  themes: fc.array(fc.constantFrom('Mer', 'MER', 'Ville'), { maxLength: 2 }),
  articles: fc.array(fc.constantFrom('Un', 'Deux'), { maxLength: 2 }),
});

const writes = fc.oneof(
  fc.record({ step: fc.constant('ajouter'), who: fc.constantFrom(...USERS), livre }),
  fc.record({ step: fc.constant('modifier'), nth, livre }),
  fc.record({ step: fc.constant('supprimer'), nth }),
  fc.record({ step: fc.constant('preter'), nth, emprunteur: fc.constantFrom('Luc', 'Léa') }),
  fc.record({ step: fc.constant('rendre'), nth }),
  fc.record({
    step: fc.constant('modifierStatut'),
    who: fc.constantFrom(...READERS),
    nth,
    statut: fc.constantFrom(0, 1, 2, null),
  }),
  fc.record({ step: fc.constant('renommerAuteur'), nth, nom: noms }),
  fc.record({ step: fc.constant('ajouterSerie'), serie }),
  fc.record({ step: fc.constant('modifierSerie'), nth, serie }),
  fc.record({ step: fc.constant('ordonnerSerie'), nth }),
  fc.record({ step: fc.constant('supprimerSerie'), nth }),
  fc.record({
    step: fc.constant('ajouterRevue'),
    titre: fc.constantFrom('Zoom', 'Rivages', 'Cahiers'),
  }),
  fc.record({ step: fc.constant('supprimerRevue'), nth }),
  fc.record({ step: fc.constant('ajouterNumero'), nth, numero }),
  fc.record({ step: fc.constant('modifierNumero'), nth, numero }),
  fc.record({ step: fc.constant('supprimerNumero'), nth }),
  fc.record({ step: fc.constant('ajouterSouhait'), who, list, souhait }),
  fc.record({ step: fc.constant('modifierSouhait'), who, list, nth, souhait }),
  fc.record({ step: fc.constant('supprimerSouhait'), who, list, nth }),
  fc.record({ step: fc.constant('ordonnerSouhaits'), who, list }),
  fc.record({
    step: fc.constant('selection'),
    what: fc.constantFrom('ajouter', 'lister', 'modifier', 'remplir', 'supprimer'),
    who: fc.constantFrom(...USERS),
    nom: fc.constantFrom('Mer', 'Ville', 'Nord'),
    livres: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
    partagee: fc.boolean(),
    nth,
  }),
  fc.record({ step: fc.constant('annuler'), who: fc.constantFrom(...USERS), nth }),
);
export type Write = typeof writes extends fc.Arbitrary<infer T> ? T : never;

const pulls = fc.record({
  step: fc.constant('pull'),
  replica: fc.nat(),
  limite: fc.integer({ min: 1, max: 9 }),
  fate: fc.constantFrom<Fate>('kept', 'kept', 'lost', 'withoutCheckpoint'),
});

/** Events of a household, in any order. */
export const steps = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: writes },
    { weight: 12, arbitrary: pulls },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('restart') }) },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('longAbsence') }) },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('signIn'), replica: fc.nat() }) },
  ),
  { minLength: 20, maxLength: 250, size: 'max' },
);
