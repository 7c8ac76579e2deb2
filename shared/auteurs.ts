import { Type, type Static, type TSchema } from 'typebox';
import { textOf, type ChangeReader } from './change-reader.ts';
import type { Message } from './history.ts';
import { endpoint, onRecord } from './endpoint.ts';
import { Id, MAX_LENGTHS, text } from './fields.ts';
import { cleRegroupement } from './text.ts';

/** An author: one record for all spellings (docs/rules.md § 13). */
export const Auteur = Type.Object({
  id: Id,
  nom: text(MAX_LENGTHS.nom),
  nomNormalise: Type.String(),
  nombreLivres: Type.Integer({ minimum: 0 }),
});
export type Auteur = Static<typeof Auteur>;

/** A device counts the books itself. */
const { nombreLivres: _, ...copied } = Auteur.properties;
export const AuteurDocument = Type.Object(copied);
export type AuteurDocument = Static<typeof AuteurDocument>;

export const AuteurRef = Type.Object({ id: Id, nom: Auteur.properties.nom });
export type AuteurRef = Static<typeof AuteurRef>;

/** Whether an author has one of these names, compared by keys; false without any key. */
export const isByOneOf = (
  auteurs: readonly Pick<Auteur, 'nom'>[],
  keys: ReadonlySet<string>,
): boolean => keys.size === 0 || auteurs.some(({ nom }) => keys.has(cleRegroupement(nom)));

export const AuteurSaisi = Type.Object({ nom: Auteur.properties.nom });
export type AuteurSaisi = Static<typeof AuteurSaisi>;

export const listerAuteurs = endpoint({
  method: 'GET',
  path: '/api/auteurs',
  summary: 'Tous les auteurs, par nom.',
  response: Type.Array(Auteur),
});

/** A renaming merges the author into another record that has the name already. */
function describeRenaming(changes: ChangeReader): Message {
  const kept = changes.rows('Auteur').find(({ avant, apres }) => avant !== null && apres !== null);
  const before = textOf(kept?.avant?.['nom']) || changes.deleted('auteurs');
  const after = textOf(changes.answer['nom']);
  return before === after
    ? { fait: 'auteurModifie', nom: after }
    : { fait: 'auteurRenomme', avant: before, apres: after };
}

export const modifierAuteur = endpoint({
  ...onRecord('auteurs'),
  method: 'PUT',
  modification: { operation: 'modifierAuteur', message: describeRenaming },
  summary: 'Renomme un auteur partout où il est cité.',
  body: AuteurSaisi,
  response: Auteur,
});

/** Exactly two. A tuple would need an `items` of several schemas, which OpenAPI 3.1 does not have. */
const pairOf = <S extends TSchema>(schema: S, options = {}) =>
  Type.Unsafe<[Static<S>, Static<S>]>(Type.Array(schema, { minItems: 2, maxItems: 2, ...options }));

/** The reason why two authors may be the same person (docs/rules.md § 15). */
export const FusionMotif = Type.Union([
  /** One name has an additional or different letter, or two neighbouring letters swapped. */
  Type.Object({ genre: Type.Enum(['lettre', 'inversion'], { type: 'string' }) }),
  /** One name has an additional word. */
  Type.Object({ genre: Type.Enum(['mot'], { type: 'string' }), mot: Type.String() }),
  /** The initials of one may stand for the names of the other; with the number of possible names. */
  Type.Object({
    genre: Type.Enum(['initiales'], { type: 'string' }),
    court: Type.String(),
    long: Type.String(),
    noms: Type.Integer(),
  }),
]);
export type FusionMotif = Static<typeof FusionMotif>;

/** Two authors who may be one, the lower id first, with the reason as data and as a sentence. */
export const FusionSuggestion = Type.Object({
  auteurs: pairOf(Auteur),
  motif: FusionMotif,
  raison: Type.String(),
});
export type FusionSuggestion = Static<typeof FusionSuggestion>;

const AuteurPair = Type.Object({ auteurs: pairOf(Id, { uniqueItems: true }) });

/** At most so many pairs are returned, the likeliest first; `X-Total-Count` has the number of all. */
export const MAX_SUGGESTIONS = 500;

export const listerSuggestions = endpoint({
  method: 'GET',
  path: '/api/auteurs/suggestions',
  summary:
    'Les auteurs qui n’en font peut-être qu’un, deux par deux : les 500 paires les plus probables, sur X-Total-Count.',
  response: Type.Array(FusionSuggestion),
});

export const fusionnerAuteurs = endpoint({
  method: 'POST',
  path: '/api/auteurs/fusions',
  record: { collection: 'auteurs' },
  modification: {
    operation: 'fusionnerAuteurs',
    message: (changes) => ({
      fait: 'auteursReunis',
      premier: changes.deleted('auteurs'),
      second: textOf(changes.answer['nom']),
    }),
  },
  summary: 'Fait un seul auteur de deux ; répond celui qui reste, sous le nom le plus présentable.',
  body: AuteurPair,
  response: Auteur,
});

export const refuserFusion = endpoint({
  method: 'POST',
  path: '/api/auteurs/refus',
  modification: {
    operation: 'refuserFusion',
    message: (changes) => {
      const nomOf = (column: string) =>
        changes.nameOf('auteurs', changes.value('FusionRefusee', column));
      return {
        fait: 'auteursGardesAPart',
        premier: nomOf('premierId'),
        second: nomOf('secondId'),
      };
    },
  },
  summary: 'Retient que deux auteurs sont deux personnes.',
  body: AuteurPair,
});
