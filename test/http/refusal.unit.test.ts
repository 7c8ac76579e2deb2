import { expect, test } from 'vitest';
import { champRefusal, found, Refusal } from '#shared/refusals';

test('adding details to a refusal does not change the original', () => {
  const refusal = new Refusal('DEJA_PRETE', { emprunteur: 'Luc' });
  const more = refusal.with({ status: 410, details: { livreId: 7 } });
  expect(more.details).toEqual({ emprunteur: 'Luc', livreId: 7 });
  expect(more.message).toBe(refusal.message);
  expect(refusal.message).toBe('Ce livre est déjà prêté à Luc.');
  expect([more.code, more.status]).toEqual(['DEJA_PRETE', 410]);
  expect(refusal.details).toEqual({ emprunteur: 'Luc' });
  expect(refusal.status).toBe(409);
});

test.each<[Refusal, status: number, message: string]>([
  [
    champRefusal('titre', 'NECESSAIRE'),
    400,
    'La demande n’a pas la forme attendue (titre : est nécessaire).',
  ],
  [new Refusal('REQUETE_INVALIDE', { champs: [] }), 400, 'La demande n’a pas la forme attendue.'],
  [
    new Refusal('LIVRE_PRETE', { emprunteur: 'Luc' }),
    409,
    'Ce livre est prêté à Luc : il doit d’abord être rendu.',
  ],
  [
    new Refusal('AUTEUR_EXISTANT', { auteur: { id: 1, nom: 'Zoé' } }),
    409,
    'Cet auteur existe déjà sous le nom Zoé.',
  ],
  [
    new Refusal('REVUE_EXISTANTE', { revue: { id: 1, titre: 'Zoom' }, champ: 'issn' }),
    409,
    'Cet ISSN est déjà celui de la revue Zoom.',
  ],
  [
    new Refusal('EMPLACEMENT_EXISTANT', { emplacement: { id: 1, nom: 'Salon' } }),
    409,
    'Il y a déjà un emplacement Salon à cet endroit.',
  ],
  [
    new Refusal('NUMERO_EXISTANT', { numero: { id: 1, numero: '12' } }),
    409,
    'Cette revue a déjà un numéro 12.',
  ],
  [
    new Refusal('ANNULATION_IMPOSSIBLE', { raison: 'Le livre est prêté.' }),
    409,
    'Le livre est prêté.',
  ],
  [
    new Refusal('ANNULATION_IMPOSSIBLE', {
      raison: 'Le livre est prêté.',
      acte: 'L’ajout ne peut plus être annulé',
    }),
    409,
    'L’ajout ne peut plus être annulé : le livre est prêté.',
  ],
  [
    new Refusal('MODIFIE_ENTRETEMPS', { actuel: null }),
    412,
    'Cette fiche a été supprimée entre-temps.',
  ],
  [
    new Refusal('MODIFIE_ENTRETEMPS', { actuel: {} }),
    412,
    'Cette fiche a été modifiée entre-temps : rien n’a été enregistré.',
  ],
  [
    new Refusal('TRAVAIL_EN_COURS', { travail: 'import' }),
    503,
    'Un autre travail est en cours : rien n’est encore enregistré, réessayez dans un instant.',
  ],
])('a refusal’s sentence contains its details: $message', (refusal, status, message) => {
  expect([refusal.status, refusal.message]).toEqual([status, message]);
});

test('every missing record gets the same refusal', () => {
  expect(() => found(undefined)).toThrow('Il n’y a rien à cette adresse.');
});

test('a record that is null is found', () => {
  expect(found(null)).toBeNull();
});
