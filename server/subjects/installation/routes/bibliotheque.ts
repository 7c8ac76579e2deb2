import type { FastifyInstance } from 'fastify';
import { lireBibliotheque, nommerBibliotheque } from '#shared/bibliotheque';
import type { Context } from '#server/start/context';
import { mount } from '#server/plumbing/http/mount';
import { nommer, nomOf } from '#server/subjects/installation/domain/bibliotheque';

export function bibliothequeRoutes(
  app: FastifyInstance,
  { database, config }: Pick<Context, 'database' | 'config'>,
): void {
  const answer = () => ({ nom: nomOf(database, config) });
  mount(app, lireBibliotheque, answer);
  mount(app, nommerBibliotheque, ({ tx, body }) => {
    nommer(tx, body.nom);
    return answer();
  });
}
