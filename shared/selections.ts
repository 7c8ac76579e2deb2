import { Type, type Static } from 'typebox';
import { editedColumns, type ChangeReader } from './change-reader.ts';
import type { Message } from './acts.ts';
import { endpoint, onRecord } from './endpoint.ts';
import { Id, MAX_LENGTHS, Position, text } from './fields.ts';
import { Criteres, Order } from './livres.ts';

/** How many one reader may have, and the house. */
export const MAX_SELECTIONS = 200;

/** What the catalogue is asked, by the words of its address. Those that no version until now has are kept, too. */
export type CriteresGardes = Readonly<Record<string, string | boolean>>;

/** An import is of one day and of this house alone: what it has made is no selection. */
const { importation: _i, ...KEPT } = Criteres.properties;

const CriteresGardes = Type.Unsafe<CriteresGardes>({
  type: 'object',
  properties: { ...KEPT, ...Order.properties },
  propertyNames: { pattern: '^(?!limite$|decalage$|importation$)[a-z][A-Za-z]{0,39}$' },
  additionalProperties: {
    anyOf: [{ type: 'string', maxLength: MAX_LENGTHS.titre }, { type: 'boolean' }],
  },
  minProperties: 1,
  maxProperties: 30,
});

/** A search with its filters and its order under a name: criteria, no list of books (docs/rules.md § 62). */
export const Selection = Type.Object({
  id: Id,
  nom: text(MAX_LENGTHS.nom),
  criteres: CriteresGardes,
  /** Whether it is the house's; else it is one reader's own. */
  partagee: Type.Boolean(),
  /** Whether « Chez nous » leads to it. */
  accueil: Type.Boolean(),
  /** The order among one's own, or among those of the house. */
  rang: Position,
});
export type Selection = Static<typeof Selection>;

/** A selection as it is answered: with the names in it that the household has no more. */
export const SelectionLue = Type.Object({
  ...Selection.properties,
  inconnus: Type.Array(Type.String()),
});
export type SelectionLue = Static<typeof SelectionLue>;

export const SelectionSaisie = Type.Object({
  nom: text(MAX_LENGTHS.nom),
  criteres: CriteresGardes,
  partagee: Type.Optional(Type.Boolean()),
  accueil: Type.Optional(Type.Boolean()),
});
export type SelectionSaisie = Static<typeof SelectionSaisie>;

export const listerSelections = endpoint({
  method: 'GET',
  path: '/api/selections',
  summary: 'Les sélections de la personne qui appelle, puis celles de la maison, par rang.',
  response: Type.Array(SelectionLue),
});

export const ajouterSelection = endpoint({
  method: 'POST',
  path: '/api/selections',
  record: { collection: 'selections' },
  modification: { operation: 'ajouterSelection', message: 'selectionAjoutee' },
  summary: 'Garde une recherche sous un nom, pour soi ou, avec partagee, pour la maison.',
  body: SelectionSaisie,
  response: SelectionLue,
  status: 201,
  also: [401],
});

function describeEdit(changes: ChangeReader): Message {
  const nom = changes.name('selections');
  const [row] = changes.rows('Selection');
  const isGiven = row !== undefined && editedColumns(row).includes('utilisateur');
  return { fait: isGiven ? 'selectionPartagee' : 'selectionModifiee', nom };
}

export const modifierSelection = endpoint({
  ...onRecord('selections'),
  method: 'PUT',
  modification: { operation: 'modifierSelection', message: describeEdit },
  summary:
    'Récrit une sélection ; avec partagee elle est donnée à la maison, dont elle devient la dernière.',
  body: SelectionSaisie,
  response: SelectionLue,
});

export const supprimerSelection = endpoint({
  ...onRecord('selections'),
  method: 'DELETE',
  modification: { operation: 'supprimerSelection', message: 'selectionSupprimee' },
  summary: 'Supprime une sélection ; les livres restent.',
});

export const ordonnerSelections = endpoint({
  method: 'PUT',
  path: '/api/selections/ordre',
  modification: { operation: 'ordonnerSelections', message: 'selectionsRangees' },
  summary: 'Range ses propres sélections, ou celles de la maison, dans un nouvel ordre.',
  body: Type.Object({ ids: Type.Array(Id, { maxItems: 10_000 }) }),
  response: Type.Array(SelectionLue),
});
