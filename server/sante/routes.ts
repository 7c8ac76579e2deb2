import type { FastifyInstance } from 'fastify';
import { lireSante } from '#shared/sante';
import { Refusal } from '#shared/refusals';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';

export function santeRoutes(app: FastifyInstance, { base }: Context): void {
  mount(app, lireSante, ({ request }) => {
    try {
      base.verify();
      return { etat: 'ok' as const };
    } catch (error) {
      request.log.error(error);
      throw new Refusal('BASE_INJOIGNABLE');
    }
  });
}
