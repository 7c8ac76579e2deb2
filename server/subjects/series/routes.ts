import type { FastifyInstance } from 'fastify';
import * as series from '#shared/series';
import type { Reader } from '#server/plumbing/database/reader';
import { mount, mountLong } from '#server/plumbing/http/mount';
import { ordonnerSerie, placerLivre, supprimerSerie } from './domain/series.ts';
import { addition, rewriting } from './domain/operations.ts';
import { listSeries, readSerie } from './store/document.ts';
import { serieIdOfPlace } from './store/series.ts';

export function seriesRoutes(app: FastifyInstance, { database }: { database: Reader }): void {
  mount(app, series.listerSeries, () => listSeries(database));
  mount(app, series.lireSerie, ({ params }) => readSerie(database, params.id));
  mountLong(app, addition);
  mountLong(app, rewriting);
  mount(app, series.supprimerSerie, ({ tx, params }) => supprimerSerie(tx, params.id));
  mount(app, series.ordonnerSerie, ({ tx, params, body }) =>
    ordonnerSerie(tx, params.id, body.elements),
  );
  mount(
    app,
    series.placerLivre,
    ({ tx, params, body }) => placerLivre(tx, params.id, body.livreId),
    { recordId: ({ params }) => serieIdOfPlace(database, params.id) },
  );
}
