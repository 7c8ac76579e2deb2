import { describe, expect, it } from 'vitest';
import type { Fiche } from '#shared/modifications';
import {
  redoneSentence,
  refusedSentence,
  undoneSentence,
} from '#server/subjects/modifications/sentences';

const fiche = (collection: Fiche['collection'], titre: string, supprimee = false): Fiche => ({
  collection,
  id: 1,
  titre,
  ajoutee: false,
  supprimee,
  champs: [],
});

describe('the sentence of an undoing', () => {
  it.each<[string, Fiche[], string]>([
    ['L’ajout {} est annulé', [fiche('livres', 'Dune')], 'L’ajout de « Dune » est annulé.'],
    ['L’ajout {} est annulé', [], 'L’ajout est annulé.'],
    ['L’ajout {} est annulé', [fiche('livres', '')], 'L’ajout est annulé.'],
    [
      'Le retour {} est annulé',
      [fiche('livres', 'Dune'), fiche('livres', 'Sido'), fiche('series', 'Cycle')],
      'Le retour de 2 livres est annulé.',
    ],
    [
      'Le retour {} est annulé',
      [fiche('series', 'Dune'), fiche('series', 'Sido')],
      'Le retour est annulé.',
    ],
    [
      'L’ajout {numeros} est annulé',
      [fiche('revues', 'Zoom'), fiche('numeros', '112')],
      'L’ajout du n°\u00a0112 est annulé.',
    ],
    ['L’ajout {numeros} est annulé', [fiche('numeros', 'HS 3')], 'L’ajout de « HS 3 » est annulé.'],
    ['L’ajout {} est annulé', [fiche('livres', '1984')], 'L’ajout de « 1984 » est annulé.'],
    ['L’ajout {numeros} est annulé', [fiche('revues', 'Zoom')], 'L’ajout est annulé.'],
    // What it held has gone into another one.
    [
      'La suppression {emplacements} est annulée',
      [fiche('emplacements', 'Salon'), fiche('emplacements', 'Couloir', true)],
      'La suppression de « Couloir » est annulée.',
    ],
    ['Le rangement est annulé', [fiche('livres', 'Dune')], 'Le rangement est annulé.'],
  ])('%s of %j', (undone, fiches, expected) => {
    expect(undoneSentence({ undone, fiches })).toBe(expected);
  });

  it.each([
    ['L’ajout de « Dune » est annulé.', 'L’ajout de « Dune » est rétabli.'],
    ['La réunion est annulée.', 'La réunion est rétablie.'],
    ['L’ajout de « Tout est annulé. » est annulé.', 'L’ajout de « Tout est annulé. » est rétabli.'],
    // As acts were told before.
    ['Annulé : Livre ajouté', 'Rétabli : Livre ajouté'],
    ['Livre modifié : Annulé : tout', 'Livre modifié : Annulé : tout'],
  ])('« %s » turns into « %s », and back', (sentence, expected) => {
    expect(redoneSentence(sentence)).toBe(expected);
    expect(redoneSentence(expected)).toBe(sentence);
  });

  it('names nothing where it is refused', () => {
    expect(refusedSentence({ undone: 'L’ajout {} est annulé' })).toBe(
      'L’ajout ne peut plus être annulé',
    );
    expect(refusedSentence({ undone: 'La suppression {livres} est annulée' })).toBe(
      'La suppression ne peut plus être annulée',
    );
  });
});
