import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';

/**
 * The relay of cover images. A missing or doubled `url` is refused like every other, with one and
 * the same 404 (contract.md « The cover relay »).
 */
export const relayerCouverture = endpoint({
  method: 'GET',
  path: '/api/couvertures',
  summary: 'L’image d’une couverture connue de la bibliothèque ; tout refus est le même 404.',
  query: Type.Object({ url: Type.Optional(Type.String()) }),
  response: Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }),
});

/** Where the application shows a cover from: always through the relay. */
export const adresseRelayee = (coverUrl: string): string =>
  `/api/couvertures?url=${encodeURIComponent(coverUrl)}`;
