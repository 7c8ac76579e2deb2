import { Type, type Static } from 'typebox';
import { editedColumns, type ChangeReader } from './change-reader.ts';
import type { Message } from './history.ts';
import { endpoint, onRecord } from './endpoint.ts';
import { Id, MAX_LENGTHS, nullable, Position, text } from './fields.ts';
import { Criteres, Order } from './livres.ts';

/** The maximum for one reader, and for the household. */
export const MAX_SELECTIONS = 200;

/** The most books in a manual list. */
export const MAX_LISTE = 1000;

/** Catalogue criteria by their names in the address, unknown ones of later versions included. */
export type CriteresGardes = Readonly<Record<string, string | boolean>>;

/** An import exists in this household only, for a limited time: it is no criterion of a selection. */
const { importation: _i, ...KEPT } = Criteres.properties;

const criteresGardes = {
  properties: { ...KEPT, ...Order.properties },
  propertyNames: { pattern: '^(?!limite$|decalage$|importation$)[a-z][A-Za-z]{0,39}$' },
  additionalProperties: {
    anyOf: [{ type: 'string', maxLength: MAX_LENGTHS.titre }, { type: 'boolean' }],
  },
  minProperties: 1,
  maxProperties: 30,
};

const CriteresOuRien = Type.Unsafe<CriteresGardes | null>({
  type: ['object', 'null'],
  ...criteresGardes,
});

const Livres = Type.Array(Id, { maxItems: MAX_LISTE });

/** A saved search, or a manual list of books, with a name (docs/rules.md § 62). */
export const Selection = Type.Object({
  id: Id,
  nom: text(MAX_LENGTHS.nom),
  /** A search with its filters and its order; `null` for a list. */
  criteres: CriteresOuRien,
  /** The books of a list, in its order; `null` for a search. */
  livres: nullable(Livres),
  /** True for a shared selection, false for a reader's own. */
  partagee: Type.Boolean(),
  /** Whether « Chez nous » shows it. */
  accueil: Type.Boolean(),
  /** The position among one's own, or among the shared ones. */
  rang: Position,
});
export type Selection = Static<typeof Selection>;

/** A selection in a response, with those of its names that no longer exist. */
export const SelectionLue = Type.Object({
  ...Selection.properties,
  inconnus: Type.Array(Type.String()),
});
export type SelectionLue = Static<typeof SelectionLue>;

export const SelectionSaisie = Type.Object({
  nom: text(MAX_LENGTHS.nom),
  /** A selection has either of these two, and never changes its kind; `null` for none. */
  criteres: Type.Optional(CriteresOuRien),
  /** Omitted in an edit, the books of the list stay. */
  livres: Type.Optional(nullable(Livres)),
  partagee: Type.Optional(Type.Boolean()),
  accueil: Type.Optional(Type.Boolean()),
});
export type SelectionSaisie = Static<typeof SelectionSaisie>;

/** The existing books of a list in its order. */
export const livresOfListe = <T>(
  livres: readonly number[],
  get: (id: number) => T | undefined,
): T[] => livres.flatMap((id) => get(id) ?? []);

export const listerSelections = endpoint({
  method: 'GET',
  path: '/api/selections',
  summary: 'Les sélections de la personne qui appelle, puis celles de la maison, par rang.',
  response: Type.Array(SelectionLue),
});

const isListe = (changes: ChangeReader): boolean =>
  changes.value('Selection', 'criteres') === 'null';

const describeAddition = (changes: ChangeReader): Message => ({
  fait: isListe(changes) ? 'listeAjoutee' : 'selectionAjoutee',
  nom: changes.name('selections'),
});

export const ajouterSelection = endpoint({
  method: 'POST',
  path: '/api/selections',
  record: { collection: 'selections' },
  modification: { operation: 'ajouterSelection', message: describeAddition },
  summary:
    'Garde sous un nom une recherche (criteres) ou une liste de livres (livres), pour soi ou, avec partagee, pour la maison.',
  body: SelectionSaisie,
  response: SelectionLue,
  status: 201,
  also: [401],
});

function describeEdit(changes: ChangeReader): Message {
  const nom = changes.name('selections');
  const [row] = changes.rows('Selection');
  const isGiven = row !== undefined && editedColumns(row).includes('utilisateur');
  if (isListe(changes) || row === undefined)
    return { fait: isGiven ? 'listePartagee' : 'listeModifiee', nom };
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
  modification: {
    operation: 'supprimerSelection',
    message: (changes) => ({
      fait: isListe(changes) ? 'listeSupprimee' : 'selectionSupprimee',
      nom: changes.deleted('selections'),
    }),
  },
  summary: 'Supprime une sélection ; les livres restent.',
});

/** Names the book if only one was added or removed. */
function describeLivres(changes: ChangeReader): Message {
  const liste = changes.name('selections');
  const rows = changes.rows('SelectionLivre');
  const added = rows.filter(({ avant }) => avant === null);
  const removed = rows.filter(({ apres }) => apres === null);
  if (added.length > 0 && removed.length === 0)
    return { fait: 'livresEnListe', livres: added.length, liste };
  if (removed.length > 0 && added.length === 0)
    return { fait: 'livresHorsListe', livres: removed.length, liste };
  return { fait: 'listeModifiee', nom: liste };
}

export const modifierListe = endpoint({
  method: 'PUT',
  path: '/api/selections/:id/livres',
  record: { collection: 'selections' },
  modification: { operation: 'modifierListe', message: describeLivres },
  summary: 'Donne à une liste ses livres, dans l’ordre.',
  body: Type.Object({ ids: Livres }),
  response: SelectionLue,
});

export const ordonnerSelections = endpoint({
  method: 'PUT',
  path: '/api/selections/ordre',
  modification: { operation: 'ordonnerSelections', message: 'selectionsRangees' },
  summary: 'Range ses propres sélections, ou celles de la maison, dans un nouvel ordre.',
  body: Type.Object({ ids: Type.Array(Id, { maxItems: 10_000 }) }),
  response: Type.Array(SelectionLue),
});
