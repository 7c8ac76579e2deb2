import type { FastifyInstance } from 'fastify';
import * as series from '#shared/series';
import type { Context } from '#server/context';
import { mount } from '#server/http/mount';
import { ajouter, lire, modifier, ordonner, souhaiter, supprimer } from './domain.ts';
import { toutesLesSeries } from './store.ts';

export function seriesRoutes(app: FastifyInstance, { base }: Context): void {
  mount(app, series.listerSeries, () => toutesLesSeries(base));
  mount(app, series.lireSerie, ({ params }) => lire(base, params.id));
  mount(app, series.ajouterSerie, ({ body, reply }) => {
    const serie = ajouter(base, body);
    reply.header('Location', `/api/series/${serie.id}`);
    return serie;
  });
  mount(app, series.modifierSerie, ({ params, body }) => modifier(base, params.id, body));
  mount(app, series.supprimerSerie, ({ params }) => {
    supprimer(base, params.id);
    return undefined;
  });
  mount(app, series.ordonnerSerie, ({ params, body }) => ordonner(base, params.id, body.elements));
  mount(app, series.souhaiterPlace, ({ utilisateur, params }) =>
    souhaiter(base, utilisateur, params.id),
  );
}
