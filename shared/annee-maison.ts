import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { nullable } from './fields.ts';

/** So many have to agree before anything is counted: the count of one alone would be theirs (docs/rules.md § 56). */
export const MIN_LECTEURS = 2;

const Count = Type.Integer({ minimum: 0 });

/** What those who agree have read in a year, all together: numbers, and never whose or which. */
const CompteMaison = Type.Object({
  /** How many agree. */
  lecteurs: Count,
  livres: Count,
  /** Of the books of the house that say how many they have. */
  pages: Count,
  /** Books by the month of their end, January first; those of which only the year is known are in none. */
  mois: Type.Array(Count, { minItems: 12, maxItems: 12 }),
});
export type CompteMaison = Static<typeof CompteMaison>;

/** The household's year, as one of its readers may see it. */
export const AnneeMaison = Type.Object({
  /** Whether the caller agrees to be counted. */
  accord: Type.Boolean(),
  /** `null` for who does not agree, and as long as fewer than two do. */
  compte: nullable(CompteMaison),
});
export type AnneeMaison = Static<typeof AnneeMaison>;

const Annee = Type.Integer({ minimum: 1, maximum: 9999 });

export const lireAnneeMaison = endpoint({
  method: 'GET',
  path: '/api/annee-maison',
  summary:
    'Ce que la maison a lu dans une année, en nombres : ensemble, et de qui l’accepte seulement.',
  query: Type.Object({ annee: Annee }),
  response: AnneeMaison,
  personal: true,
});

export const modifierAccord = endpoint({
  method: 'PUT',
  path: '/api/annee-maison/accord',
  summary: 'Accepte d’être compté dans l’année de la maison, ou ne l’accepte plus.',
  body: Type.Object({ accord: Type.Boolean() }),
  status: 204,
  // Nothing of the household changes, and the same switch takes it back.
  hasOwnUndo: true,
  personal: true,
});
