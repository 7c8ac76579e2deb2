import { Type, type Static } from 'typebox';
import { textOf, type ChangeReader } from './change-reader.ts';
import type { Message } from './history.ts';
import { endpoint } from './endpoint.ts';
import { Id, MAX_LENGTHS, text } from './fields.ts';

/** A word of the household's shared vocabulary (docs/rules.md § 21). */
export const Theme = Type.Object({ id: Id, nom: text(MAX_LENGTHS.nom) });
export type Theme = Static<typeof Theme>;

export const MAX_THEMES = 20;

export const listerThemes = endpoint({
  method: 'GET',
  path: '/api/themes',
  summary: 'Les thèmes des livres et des numéros, par nom.',
  response: Type.Array(Theme),
});

function describeRenaming(changes: ChangeReader): Message {
  const [theme] = changes.rows('Theme');
  return {
    fait: 'themeRenomme',
    avant: textOf(theme?.avant?.['nom']),
    apres: textOf(changes.answer['nom']),
  };
}

export const modifierTheme = endpoint({
  method: 'PUT',
  path: '/api/themes/:id',
  modification: { operation: 'modifierTheme', message: describeRenaming },
  summary: 'Renomme un thème partout ; sous le nom d’un autre, les deux n’en font plus qu’un.',
  body: Type.Object({ nom: Theme.properties.nom }),
  response: Theme,
});
