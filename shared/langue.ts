import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { LOCALES } from './locale.ts';

export const Langue = Type.Enum([...LOCALES], { type: 'string' });

export const choisirLangue = endpoint({
  method: 'PUT',
  path: '/api/moi/langue',
  summary: 'La langue dans laquelle la personne lit, sur tous ses appareils.',
  skipsHistory: true,
  body: Type.Object({ langue: Langue }),
});
