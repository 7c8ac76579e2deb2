import fc from 'fast-check';
import { collectionNames } from '#shared/collections';
import { FORMATS } from '#shared/livres';

/** `null` is a caller whom nobody knows; Zoé never writes a status. */
export const USERS = ['ana', 'bob', 'Zoé', null] as const;
const READERS = ['ana', 'bob'] as const;

/** Few words, so that authors meet and are renamed onto each other. */
const noms = fc.constantFrom('Colette', 'COLETTE', 'Willy', 'Anna Ève', 'Ève, Anna', '?');

const livre = fc.record({
  titre: fc.constantFrom('Sido', 'Chéri', 'Chéri : roman', 'L’Atlas'),
  format: fc.constantFrom(...FORMATS),
  auteurs: fc.array(noms, { maxLength: 3 }),
});

const liste = fc.constantFrom('souhaits', 'souhaits-revues');
const qui = fc.constantFrom(...READERS);

/** What is wished, as either list takes it. */
const souhait = fc.record({
  titre: fc.constantFrom('Sido', 'Sido : récit', 'Rivages', '?'),
  auteur: fc.constantFrom('Colette', null),
  numero: fc.constantFrom('1', null),
  isbn: fc.constantFrom('9782070360024', null),
  coverUrl: fc.constantFrom('https://exemple.fr/c.jpg', null),
});

/** Which of the records that were ever made; the step wraps around. */
const nth = fc.nat(50);

/** A series: which one it is in, and places of this or that book, or of none. */
const serie = fc.record({
  titre: fc.constantFrom('Cycle', 'Fondation'),
  parent: fc.option(nth),
  places: fc.array(fc.record({ titre: fc.constantFrom('Un', 'Deux'), livre: fc.option(nth) }), {
    maxLength: 3,
  }),
});

/** An issue, of few numbers and words, so that both meet. */
const numero = fc.record({
  numero: fc.constantFrom('1', '2', '3'),
  date: fc.constantFrom('2024', '2024-05', null),
  themes: fc.array(fc.constantFrom('Mer', 'MER', 'Ville'), { maxLength: 2 }),
  articles: fc.array(fc.constantFrom('Un', 'Deux'), { maxLength: 2 }),
});

const writes = fc.oneof(
  fc.record({ pas: fc.constant('ajouter'), qui: fc.constantFrom(...USERS), livre }),
  fc.record({ pas: fc.constant('modifier'), nth, livre }),
  fc.record({ pas: fc.constant('supprimer'), nth }),
  fc.record({ pas: fc.constant('preter'), nth, emprunteur: fc.constantFrom('Luc', 'Léa') }),
  fc.record({ pas: fc.constant('rendre'), nth }),
  fc.record({
    pas: fc.constant('statut'),
    qui: fc.constantFrom(...READERS),
    nth,
    statut: fc.constantFrom(0, 1, 2, null),
  }),
  fc.record({ pas: fc.constant('renommer'), nth, nom: noms }),
  fc.record({ pas: fc.constant('ajouterSerie'), serie }),
  fc.record({ pas: fc.constant('modifierSerie'), nth, serie }),
  fc.record({ pas: fc.constant('ordonnerSerie'), nth }),
  fc.record({ pas: fc.constant('supprimerSerie'), nth }),
  fc.record({ pas: fc.constant('revue'), titre: fc.constantFrom('Zoom', 'Rivages', 'Cahiers') }),
  fc.record({ pas: fc.constant('supprimerRevue'), nth }),
  fc.record({ pas: fc.constant('ajouterNumero'), nth, numero }),
  fc.record({ pas: fc.constant('modifierNumero'), nth, numero }),
  fc.record({ pas: fc.constant('supprimerNumero'), nth }),
  fc.record({ pas: fc.constant('souhaiter'), qui, liste, souhait }),
  fc.record({ pas: fc.constant('changerSouhait'), qui, liste, nth, souhait }),
  fc.record({ pas: fc.constant('retirerSouhait'), qui, liste, nth }),
  fc.record({ pas: fc.constant('ordonnerSouhaits'), qui, liste }),
);
export type Write = typeof writes extends fc.Arbitrary<infer T> ? T : never;

const pulls = fc.record({
  pas: fc.constant('tirer'),
  replica: fc.nat(),
  collection: fc.constantFrom(...collectionNames),
  limite: fc.integer({ min: 1, max: 7 }),
  /** What becomes of the page: kept, lost on its way, or kept without its checkpoint. */
  sort: fc.constantFrom('garde', 'perdu', 'sansJalon'),
});
export type Pull = typeof pulls extends fc.Arbitrary<infer T> ? T : never;

/** What may happen in a household, in any order. */
export const lesPas = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: writes },
    { weight: 12, arbitrary: pulls },
    { weight: 1, arbitrary: fc.record({ pas: fc.constant('redemarrer') }) },
  ),
  { minLength: 20, maxLength: 250, size: 'max' },
);
