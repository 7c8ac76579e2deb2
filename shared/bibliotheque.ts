import { Type } from 'typebox';
import { textOf } from './change-reader.ts';
import { endpoint } from './endpoint.ts';
import { optionalText } from './fields.ts';

/** In characters: the name has one line of the screen. */
export const MAX_NOM_BIBLIOTHEQUE = 60;

/** The name of the library (docs/rules.md § 31). */
const Bibliotheque = Type.Object({ nom: Type.String() });

export const lireBibliotheque = endpoint({
  method: 'GET',
  path: '/api/bibliotheque',
  summary: 'Le nom que la maison donne à sa bibliothèque.',
  response: Bibliotheque,
});

export const nommerBibliotheque = endpoint({
  method: 'PUT',
  path: '/api/bibliotheque',
  modification: {
    operation: 'nommerBibliotheque',
    message: ({ answer }) => ({ fait: 'bibliothequeNommee', nom: textOf(answer['nom']) }),
  },
  summary: 'Nomme la bibliothèque ; sans nom elle reprend celui de son réglage.',
  body: Type.Object({ nom: optionalText(MAX_NOM_BIBLIOTHEQUE) }),
  response: Bibliotheque,
});
