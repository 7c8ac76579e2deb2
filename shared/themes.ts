import { Type, type Static } from 'typebox';
import { textOf, type ChangeReader } from './change-reader.ts';
import { actWords, endpoint } from './endpoint.ts';
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

function tellRenaming(changes: ChangeReader): string {
  const [theme] = changes.rows('Theme');
  return `Thème renommé : ${textOf(theme?.avant?.['nom'])} → ${textOf(changes.answer['nom'])}`;
}

export const modifierTheme = endpoint({
  method: 'PUT',
  path: '/api/themes/:id',
  modification: actWords(() => 'Le changement de thème est annulé')('modifierTheme', tellRenaming),
  summary: 'Renomme un thème partout ; sous le nom d’un autre, les deux n’en font plus qu’un.',
  body: Type.Object({ nom: Theme.properties.nom }),
  response: Theme,
});
