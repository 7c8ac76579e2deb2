import type { FastifyInstance, FastifyReply } from 'fastify';
import * as series from '#shared/series';
import * as souhaits from '#shared/souhaits';
import { formatSouhaits, type SouhaitLists } from '#shared/souhaits-text';
import type { Database } from '#server/database/database';
import { mount } from '#server/http/mount';
import { formatCsv } from '../domain/export-csv.ts';
import { revueSouhaiteeList } from '../domain/revues.ts';
import { acheterSouhait, souhaiterPlace, souhaitList } from '../domain/souhaits.ts';
import { listHandlers } from './handlers.ts';

export function souhaitsRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  const handlers = listHandlers(database, souhaitList);
  mount(app, souhaits.listerSouhaits, handlers.lister);
  mount(app, souhaits.ajouterSouhait, handlers.ajouter);
  mount(app, souhaits.modifierSouhait, handlers.modifier);
  mount(app, souhaits.supprimerSouhait, handlers.supprimer);
  mount(app, souhaits.ordonnerSouhaits, handlers.ordonner);
  mount(app, souhaits.acheterSouhait, ({ utilisateur, params, query, body }) => {
    const confirmed = query.confirmerDoublon === true || body.confirmerDoublon === true;
    return acheterSouhait(database, { id: params.id, utilisateur }, body, confirmed);
  });
  mount(app, series.souhaiterPlace, ({ utilisateur, params }) =>
    souhaiterPlace(database, utilisateur, params.id),
  );
  mountExports(app, database);
}

function mountExports(app: FastifyInstance, database: Database): void {
  const listsOf = (utilisateur: string): SouhaitLists =>
    database.read(() => ({
      souhaits: souhaitList.all(database, utilisateur),
      revues: revueSouhaiteeList.all(database, utilisateur),
    }));
  mount(app, souhaits.exporterSouhaitsText, ({ utilisateur, reply }) => {
    const date = new Date();
    attach(reply, 'text/plain', `souhaits-${isoDay(date)}.txt`);
    return formatSouhaits(listsOf(utilisateur), date);
  });
  mount(app, souhaits.exporterSouhaitsCsv, ({ utilisateur, reply }) => {
    attach(reply, 'text/csv', `souhaits-${isoDay(new Date())}.csv`);
    return formatCsv(listsOf(utilisateur));
  });
}

const isoDay = (date: Date): string => date.toISOString().slice(0, 10);

/** Makes the answer a file for the browser to save. */
const attach = (reply: FastifyReply, type: string, fileName: string): void =>
  void reply
    .type(`${type}; charset=utf-8`)
    .header('Content-Disposition', `attachment; filename="${fileName}"`);
