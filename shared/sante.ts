import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Count, nullable } from './fields.ts';

/** The service's state for its operator. */
export const EtatDuService = Type.Object({
  /** The number of the last migration. */
  schema: Count,
  /** The journal's. */
  revision: Count,
  couverturesEnAttente: Count,
  /** The time of the newest backup in the folder. */
  derniereSauvegarde: nullable(Type.String()),
  /** On the disk of the database, in bytes. */
  placeLibre: Count,
  /** Since the start: for how long nobody was answered, in milliseconds. */
  plusLongTour: Count,
});
export type EtatDuService = Static<typeof EtatDuService>;

export const lireSante = endpoint({
  method: 'GET',
  path: '/api/sante',
  summary:
    'Dit que le service et sa base répondent et enregistrent ; à qui demande depuis la machine même, sans proxy, où ils en sont.',
  response: Type.Object({
    etat: Type.Literal('ok'),
    service: Type.Optional(EtatDuService),
  }),
  also: [503],
});
