import { Type } from 'typebox';
import { MAX_COVER_BYTES } from './couvertures.ts';
import { endpoint, notRecorded } from './endpoint.ts';
import { Moi } from './moi.ts';

export const choisirPortrait = endpoint({
  ...notRecorded,
  method: 'PUT',
  path: '/api/moi/portrait',
  summary: 'Donne à la personne qui appelle l’image du corps comme portrait, à côté de l’initiale.',
  bytes: MAX_COVER_BYTES,
  response: Moi,
  perMinute: 30,
  also: [413, 503],
});

export const retirerPortrait = endpoint({
  ...notRecorded,
  method: 'DELETE',
  path: '/api/moi/portrait',
  summary: 'Retire le portrait de la personne qui appelle.',
  response: Moi,
});

/** Readable before sign-in, since faces are shown there; the key is unguessable. */
export const lirePortrait = endpoint({
  ...notRecorded,
  method: 'GET',
  path: '/api/connexion/portraits/:cle',
  summary: 'Le portrait d’un membre, que nomme sa clé.',
  params: Type.Object({ cle: Type.String({ pattern: '^[\\w-]{22}$' }) }),
  response: Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }),
  type: 'image/webp',
});
