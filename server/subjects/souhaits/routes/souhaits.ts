import type { FastifyInstance } from 'fastify';
import * as series from '#shared/series';
import * as souhaits from '#shared/souhaits';
import { formatSouhaits, type SouhaitLists } from '#shared/souhaits-text';
import type { Reader } from '#server/plumbing/database/reader';
import { attach } from '#server/plumbing/http/attachment';
import { mount } from '#server/plumbing/http/mount';
import { formatCsv } from '../domain/export-csv.ts';
import { revueSouhaiteeList } from '../domain/revues.ts';
import { acheterSouhait, souhaiterPlace, souhaitList } from '../domain/souhaits.ts';
import { listHandlers } from './handlers.ts';

export function souhaitsRoutes(app: FastifyInstance, { database }: { database: Reader }): void {
  const handlers = listHandlers(database, souhaitList);
  mount(app, souhaits.listerSouhaits, handlers.lister);
  mount(app, souhaits.ajouterSouhait, handlers.ajouter);
  mount(app, souhaits.modifierSouhait, handlers.modifier);
  mount(app, souhaits.supprimerSouhait, handlers.supprimer);
  mount(app, souhaits.ordonnerSouhaits, handlers.ordonner);
  mount(app, souhaits.acheterSouhait, ({ tx, utilisateur, params, query, body }) => {
    const confirmed = query.confirmerDoublon === true || body.confirmerDoublon === true;
    return acheterSouhait(tx, { id: params.id, utilisateur }, body, confirmed);
  });
  mount(app, series.souhaiterPlace, ({ tx, utilisateur, params }) =>
    souhaiterPlace(tx, utilisateur, params.id),
  );
  mountExports(app, database);
}

function mountExports(app: FastifyInstance, database: Reader): void {
  const listsOf = (utilisateur: string): SouhaitLists =>
    database.read(() => ({
      souhaits: souhaitList.all(database, utilisateur),
      revues: revueSouhaiteeList.all(database, utilisateur),
    }));
  mount(app, souhaits.exporterSouhaitsText, ({ utilisateur, reply }) => {
    attach(reply, 'text/plain', `souhaits-${today()}.txt`);
    return formatSouhaits(listsOf(utilisateur), new Date());
  });
  mount(app, souhaits.exporterSouhaitsCsv, ({ utilisateur, reply }) => {
    attach(reply, 'text/csv', `souhaits-${today()}.csv`);
    return formatCsv(listsOf(utilisateur));
  });
}

/** The day in the zone of the service (`TZ`), `2026-03-01`: Sweden writes it so. */
const today = (): string => new Date().toLocaleDateString('sv');
