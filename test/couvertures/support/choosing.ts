import type { Couverture } from '#shared/couvertures';
import type { House } from '../../support/house.ts';
import { send } from '../../support/server.ts';

/** Uploads a record's picture. */
export const put = (
  house: House,
  path: string,
  body: Buffer,
  as: string | null = 'ana',
  more: Record<string, string> = {},
) =>
  send(`${house.url}${path}`, {
    method: 'PUT',
    body,
    headers: [
      ...Object.entries({ ...house.headersOf(as), ...more }).flat(),
      'Content-Type',
      'application/octet-stream',
    ],
  });

/** Requests a stored picture. */
export const image = (
  house: House,
  cle: string,
  taille: string,
  as: string | null = 'ana',
  more: Record<string, string> = {},
) =>
  send(`${house.url}/api/couvertures/${cle}/${taille}`, {
    headers: Object.entries({ ...house.headersOf(as), ...more }).flat(),
  });

/** The cover in a record's response. */
export const coverOf = ({ json }: { json: () => Record<string, unknown> }): Couverture => {
  const { couverture } = json() as { couverture: Couverture | null };
  if (couverture === null) throw new Error('No cover');
  return couverture;
};
