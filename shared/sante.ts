import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';

export const lireSante = endpoint({
  method: 'GET',
  path: '/api/sante',
  summary: 'Dit que le service et sa base répondent.',
  response: Type.Object({ etat: Type.Literal('ok') }),
  also: [503],
});
