import { Type, type Static } from 'typebox';
import { editedColumns, type ChangeReader } from './change-reader.ts';
import type { Message } from './history.ts';
import { endpoint, onRecord } from './endpoint.ts';
import { Id, Instant, MAX_LENGTHS, nullable, optionalText, Position, text } from './fields.ts';

/** The most levels of the tree, a room being the first (docs/rules.md § 51). */
export const MAX_NIVEAUX = 6;

export const MAX_DEDANS = 2000;

/** A place for books: a room, a bookcase, a shelf, a box (docs/rules.md § 51). */
export const Emplacement = Type.Object({
  id: Id,
  nom: Type.String({ minLength: 1, maxLength: MAX_LENGTHS.nom, format: 'emplacement-nom' }),
  /** `null` on the first level. */
  parentId: nullable(Id),
  note: nullable(Type.String({ maxLength: MAX_LENGTHS.titre })),
  /** The position among its siblings. */
  rang: Position,
  /** When the box was packed; `null` if it is open. */
  fermeLe: nullable(Instant),
});
export type Emplacement = Static<typeof Emplacement>;

export const EmplacementSaisi = Type.Object({
  nom: text(MAX_LENGTHS.nom),
  parentId: Type.Optional(nullable(Id)),
  note: optionalText(MAX_LENGTHS.titre),
  fermeLe: Type.Optional(nullable(Instant)),
});
export type EmplacementSaisi = Static<typeof EmplacementSaisi>;

/** Where a book is put; `null` takes it out of its location. */
export const Rangement = Type.Object({
  emplacementId: nullable(Id),
  /** True if the book is known to be the last there, as when it is scanned while being put away. */
  auBout: Type.Optional(Type.Boolean()),
});

export const listerEmplacements = endpoint({
  method: 'GET',
  path: '/api/emplacements',
  summary: 'Tous les emplacements, chacun suivi de ce qui est dedans, dans l’ordre choisi.',
  response: Type.Array(Emplacement),
});

export const lireEmplacement = endpoint({
  ...onRecord('emplacements'),
  method: 'GET',
  summary: 'Un emplacement.',
  response: Emplacement,
});

export const ajouterEmplacement = endpoint({
  method: 'POST',
  path: '/api/emplacements',
  record: { collection: 'emplacements' },
  modification: { operation: 'ajouterEmplacement', message: 'emplacementAjoute' },
  summary: 'Ajoute un emplacement, le dernier dans celui qui le contient.',
  body: EmplacementSaisi,
  response: Emplacement,
  status: 201,
});

function describeEdit(changes: ChangeReader): Message {
  const nom = changes.name('emplacements');
  const [row] = changes.rows('Emplacement');
  const changed = row === undefined ? [] : editedColumns(row);
  if (changed.length === 1 && changed[0] === 'fermeLe')
    return {
      fait: row?.apres?.['fermeLe'] === null ? 'emplacementRouvert' : 'emplacementFerme',
      nom,
    };
  if (changed.length === 1 && changed[0] === 'parentId') {
    const parent = changes.nameOf('emplacements', row?.apres?.['parentId']);
    return parent === ''
      ? { fait: 'emplacementDeplace', nom }
      : { fait: 'emplacementDeplaceDans', parent, nom };
  }
  return { fait: 'emplacementModifie', nom };
}

export const modifierEmplacement = endpoint({
  ...onRecord('emplacements'),
  method: 'PUT',
  modification: { operation: 'modifierEmplacement', message: describeEdit },
  summary: 'Récrit un emplacement ; il devient le dernier de celui où il est déplacé.',
  body: EmplacementSaisi,
  response: Emplacement,
});

export const supprimerEmplacement = endpoint({
  ...onRecord('emplacements'),
  method: 'DELETE',
  modification: { operation: 'supprimerEmplacement', message: 'emplacementSupprime' },
  summary: 'Supprime un emplacement ; ce qui y est, livres compris, remonte d’un niveau.',
});

const Ordre = Type.Object({ ids: Type.Array(Id, { maxItems: MAX_DEDANS }) });

export const ordonnerEmplacements = endpoint({
  method: 'PUT',
  path: '/api/emplacements/ordre',
  modification: { operation: 'ordonnerEmplacements', message: 'emplacementsRanges' },
  summary: 'Range les emplacements du premier niveau dans un nouvel ordre.',
  body: Ordre,
  response: Type.Array(Emplacement),
});

export const ordonnerEmplacement = endpoint({
  method: 'PUT',
  path: '/api/emplacements/:id/ordre',
  modification: { operation: 'ordonnerEmplacements', message: 'emplacementsRanges' },
  summary: 'Range ce qui est dans un emplacement dans un nouvel ordre.',
  body: Ordre,
  response: Type.Array(Emplacement),
});
