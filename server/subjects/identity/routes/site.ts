import type { FastifyRequest } from 'fastify';
import { Refusal } from '#shared/refusals';
import { siteOf, type Site } from '#server/plumbing/http/origin';

/** The site of the page that asks, whose host passkeys are made for. Throws `CLES_ACCES_IMPOSSIBLES`. */
export function requireSite({ headers }: FastifyRequest): Site {
  const site = siteOf(headers);
  if (site === null) throw new Refusal('CLES_ACCES_IMPOSSIBLES');
  return site;
}
