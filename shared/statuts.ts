import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, ParId } from './fields.ts';

/** The reading statuses; no record at all means « not started » (specification « Reading status »). */
export const STATUTS = { aLire: 0, enCours: 1, lu: 2 } as const;

export const Statut = Type.Enum([0, 1, 2]);
export type Statut = Static<typeof Statut>;

/** A status or « not started », which is `null` and never 0. */
export const StatutOuRien = Type.Unsafe<Statut | null>({ enum: [0, 1, 2, null] });
export type StatutOuRien = Static<typeof StatutOuRien>;

/** What a device holds of its reader's statuses; `id` is the book's own. */
export const StatutDocument = Type.Object({ id: Id, livreId: Id, statut: Statut });
export type StatutDocument = Static<typeof StatutDocument>;

export const StatutSaisi = Type.Object({ statut: StatutOuRien });
export type StatutSaisi = Static<typeof StatutSaisi>;

export const changerStatut = endpoint({
  method: 'PUT',
  path: '/api/livres/:id/statut',
  summary: 'Change le statut de lecture du livre pour la personne qui appelle ; null y met fin.',
  params: ParId,
  body: StatutSaisi,
  response: Type.Object({ livreId: Id, statut: StatutOuRien }),
  personal: true,
});
