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
  type: 'image/*',
});

/** The site that the covers of an ISBN come from, unless a setting says another. */
export const SITE_DES_COUVERTURES = 'https://covers.openlibrary.org';

/**
 * Where the cover of an ISBN is, if there is one: `default=false` makes a missing one a 404
 * instead of a placeholder (specification « ISBN lookup » 5).
 *
 * @param site as its setting says
 */
export const couvertureDe = (site: string, isbn13: string): string =>
  `${site.replace(/\/$/u, '')}/b/isbn/${isbn13}-L.jpg?default=false`;

/** Where the application shows a cover from: always through the relay. */
export const adresseRelayee = (coverUrl: string): string =>
  `/api/couvertures?url=${encodeURIComponent(coverUrl)}`;
