import { Type, type Static } from 'typebox';
import type { ChangeReader } from './change-reader.ts';
import { endpoint } from './endpoint.ts';
import { Id, optionalText } from './fields.ts';

/** A book without a record is not started (docs/rules.md § 12). */
export const STATUTS = { aLire: 0, enCours: 1, lu: 2 } as const;

export const Statut = Type.Enum([0, 1, 2]);
export type Statut = Static<typeof Statut>;

/** `null` for a book not started; 0 is a status. */
export const StatutOrNull = Type.Unsafe<Statut | null>({ enum: [0, 1, 2, null] });
export type StatutOrNull = Static<typeof StatutOrNull>;

/** On the reader's own device; `id` is the book's. */
export const StatutDocument = Type.Object({ id: Id, livreId: Id, statut: Statut });
export type StatutDocument = Static<typeof StatutDocument>;

/** The first status that a change set; where it was set already, that of the reading that was noted. */
export function statutMarque(changes: ChangeReader): number | null {
  const [change] = changes.rows('Statut');
  const [lecture] = changes.rows('Lecture');
  const noted = lecture?.apres?.['fin'] ? STATUTS.lu : STATUTS.enCours;
  const statut = change === undefined && lecture ? noted : change?.apres?.['statut'];
  return typeof statut === 'number' ? statut : null;
}

/** The reader's day, for the reading that the status implies (docs/rules.md § 55). */
export const jour = optionalText(10);

const StatutSaisi = Type.Object({ statut: StatutOrNull, jour });

export const modifierStatut = endpoint({
  method: 'PUT',
  path: '/api/livres/:id/statut',
  modification: {
    operation: 'modifierStatut',
    message: (changes) => ({
      fait: 'statutMarque',
      statut: statutMarque(changes),
      nom: changes.name('livres') || changes.name('lectures'),
    }),
  },
  summary: 'Change le statut de lecture du livre pour la personne qui appelle ; null y met fin.',
  body: StatutSaisi,
  response: Type.Object({
    livreId: Id,
    statut: StatutOrNull,
    /** The service's day, used where the device's cannot be right. */
    jourCorrige: Type.Optional(Type.String()),
  }),
});
