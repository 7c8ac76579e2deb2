import { describe, expect, it } from 'vitest';
import { refusedSentence, resumeOf, type Message } from '#shared/history';
import type { Fiche } from '#shared/modifications';
import { undoMessage } from '#server/subjects/modifications/sentences';

const fiche = (collection: Fiche['collection'], titre: string, supprimee = false): Fiche => ({
  collection,
  id: 1,
  titre,
  ajoutee: false,
  supprimee,
  champs: [],
});

const ADDED: Message = { fait: 'livreAjoute', nom: 'Dune', serie: null };

const undoing = (operation: string, fiches: readonly Fiche[], autres = 0, isOwner = true) =>
  undoMessage({ operation, message: ADDED, fiches }, autres, { isOwner });

describe('the sentence of an undoing', () => {
  it.each<[string, Fiche[], string]>([
    ['ajouterLivre', [fiche('livres', 'Dune')], 'L’ajout de « Dune » est annulé.'],
    ['ajouterLivre', [], 'L’ajout est annulé.'],
    ['ajouterLivre', [fiche('livres', '')], 'L’ajout est annulé.'],
    [
      'rendre',
      [fiche('livres', 'Dune'), fiche('livres', 'Sido'), fiche('series', 'Cycle')],
      'Le retour de 2 livres est annulé.',
    ],
    ['rendre', [fiche('series', 'Dune'), fiche('series', 'Sido')], 'Le retour est annulé.'],
    [
      'ajouterNumero',
      [fiche('revues', 'Zoom'), fiche('numeros', '112')],
      'L’ajout du n°\u00a0112 est annulé.',
    ],
    ['ajouterNumero', [fiche('numeros', 'HS 3')], 'L’ajout de « HS 3 » est annulé.'],
    ['ajouterLivre', [fiche('livres', '1984')], 'L’ajout de « 1984 » est annulé.'],
    ['ajouterNumero', [fiche('revues', 'Zoom')], 'L’ajout est annulé.'],
    // The contents of a deleted location moved to another one.
    [
      'supprimerEmplacement',
      [fiche('emplacements', 'Salon'), fiche('emplacements', 'Couloir', true)],
      'La suppression de « Couloir » est annulée.',
    ],
    ['ordonnerLivres', [fiche('livres', 'Dune')], 'Le rangement est annulé.'],
    // Stored by an earlier version.
    ['traiterLot', [fiche('livres', 'Dune')], 'La modification de « Dune » est annulée.'],
  ])('of %s, %j', (operation, fiches, expected) => {
    expect(resumeOf(undoing(operation, fiches), 'fr')).toBe(expected);
  });

  it.each([
    ['ajouterLivre', 'L’ajout de « Dune » est annulé.', 'L’ajout de « Dune » est rétabli.'],
    ['fusionnerAuteurs', 'La fusion est annulée.', 'La fusion est rétablie.'],
  ])('of an undoing of %s puts the act itself back', (operation, undone, redone) => {
    const message = undoing(operation, [fiche('livres', 'Dune')]);
    const again = (one: Message) =>
      undoMessage({ operation: 'annulerModification', message: one, fiches: [] }, 0, {
        isOwner: true,
      });
    expect(
      [message, again(message), again(again(message))].map((one) => resumeOf(one, 'fr')),
    ).toEqual([undone, redone, undone]);
  });

  it.each([
    [1, 'L’ajout de « Dune » est annulé, avec une autre action.'],
    [1200, 'L’ajout de « Dune » est annulé, avec 1\u202f200 autres actions.'],
  ])('counts %i acts that went along', (autres, expected) => {
    expect(resumeOf(undoing('ajouterLivre', [fiche('livres', 'Dune')], autres), 'fr')).toBe(
      expected,
    );
  });

  it('names nothing of an act that others may not read', () => {
    const message = undoing('ajouterLivre', [fiche('livres', 'Dune')], 0, false);
    expect(JSON.stringify(message)).not.toContain('Dune');
    expect(resumeOf(message, 'fr')).toBe('L’ajout est annulé.');
  });

  it('names nothing where it is refused', () => {
    expect(refusedSentence('ajouterLivre', 'fr')).toBe('L’ajout ne peut plus être annulé');
    expect(refusedSentence('supprimerLivre', 'fr')).toBe(
      'La suppression ne peut plus être annulée',
    );
  });
});
