import { Type, type Static } from 'typebox';
import { endpoint, onRecord } from './endpoint.ts';
import { Id } from './fields.ts';

export const UNITES = ['livres', 'pages'] as const;
export const Unite = Type.Enum([...UNITES], { type: 'string' });
export type Unite = (typeof UNITES)[number];

/** Catches typing errors. */
export const MAX_OBJECTIF = 1_000_000;

/** How much a reader means to read in a year, by books or by pages; one goal a year (docs/rules.md § 55). */
export const Objectif = Type.Object({
  id: Id,
  annee: Type.String({ pattern: '^[1-9][0-9]{3}$' }),
  unite: Unite,
  nombre: Type.Integer({ minimum: 1, maximum: MAX_OBJECTIF }),
});
export type Objectif = Static<typeof Objectif>;

const { id: _, ...entered } = Objectif.properties;
export const ObjectifSaisi = Type.Object(entered);
export type ObjectifSaisi = Static<typeof ObjectifSaisi>;

export const listerObjectifs = endpoint({
  method: 'GET',
  path: '/api/objectifs',
  summary: 'Les objectifs de lecture de la personne qui appelle, par année.',
  response: Type.Array(Objectif),
});

export const fixerObjectif = endpoint({
  method: 'POST',
  path: '/api/objectifs',
  record: { collection: 'objectifs' },
  modification: { operation: 'fixerObjectif', message: 'objectifFixe' },
  summary: 'Fixe l’objectif d’une année, à la place de celui qu’elle avait.',
  body: ObjectifSaisi,
  response: Objectif,
  status: 201,
});

export const retirerObjectif = endpoint({
  ...onRecord('objectifs'),
  method: 'DELETE',
  modification: {
    operation: 'retirerObjectif',
    message: (changes) => ({ fait: 'objectifRetire', nom: changes.deleted('objectifs') }),
  },
  summary: 'Retire l’objectif d’une année.',
});
