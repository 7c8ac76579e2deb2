import type { FastifyInstance } from 'fastify';
import * as importations from '#shared/importations';
import { Refusal } from '#shared/refusals';
import type { Config } from '#server/config';
import type { Covers } from '#server/subjects/couvertures/domain/covers';
import type { Database } from '#server/plumbing/database/database';
import { everyDay } from '#server/plumbing/database/daily';
import { attach } from '#server/plumbing/http/attachment';
import { ownerOf } from '#server/plumbing/http/identity';
import { mount, mountLong, mountPrepared } from '#server/plumbing/http/mount';
import type { Records } from '#server/plumbing/records/records';
import type { Sources } from '#server/plumbing/upstream/sources';
import { backgroundLookups } from '#server/subjects/recherche';
import { readColonnes } from './domain/formats/mapping.ts';
import { lireImportation, listerImportations, listerLignes } from './domain/importations.ts';
import { lireFichier } from './domain/dry-run.ts';
import { listerNomsInverses } from './domain/inverted-names.ts';
import { MetadataLookups } from './domain/metadata-lookups.ts';
import { NameLookups } from './domain/name-lookups.ts';
import { annulation, execution } from './domain/operations.ts';
import { pictureTaker } from './domain/pictures.ts';
import { lireOrdreDesNoms } from './domain/order-of-names.ts';
import { deleteExpired } from './domain/records.ts';
import { listerSeriesProposees } from './domain/proposed-series.ts';
import { exporterRefus } from './domain/refus-csv.ts';

interface ImportationsContext {
  readonly sources: Sources;
  readonly config: Config;
  readonly covers: Covers;
  readonly database: Database;
  readonly records: Records<Database>;
}

export function importationsRoutes(app: FastifyInstance, context: ImportationsContext): void {
  const { covers, database } = context;
  const lookUpPending = openLookups(app, context);
  let isReading = false;
  const startsNow = !database.isReadOnly;
  const endTimer = everyDay(() => deleteExpired(database), { startsNow });
  app.addHook('onClose', async () => endTimer());

  mountPrepared(app, importations.importer, async ({ query, utilisateur, request, reply }) => {
    const { nom = null, aLire = 'statut', essai = true } = query;
    const colonnes = readColonnes(query.colonnes);
    if (isReading) throw new Refusal('IMPORTATION_EN_COURS');
    isReading = true;
    try {
      const { signal } = request;
      const takePicture = pictureTaker(covers.library, { owner: ownerOf(request), signal });
      const options = { utilisateur, nom, aLire, colonnes, takePicture, signal };
      const id = await lireFichier(database, request.bodyBytes ?? Buffer.alloc(0), options);
      lookUpPending(id, utilisateur);
      if (essai) return { write: () => lireImportation(database, id, utilisateur) };
      reply.code(201).header('Location', `/api/importations/${id}`);
      const call = { params: { id }, query: undefined, body: {}, utilisateur };
      return { write: { operation: execution, call } };
    } finally {
      isReading = false;
    }
  });

  mountLong(app, execution, ({ params, utilisateur }) => lookUpPending(params.id, utilisateur));

  mount(app, importations.listerImportations, ({ utilisateur }) =>
    listerImportations(database, utilisateur),
  );

  mount(app, importations.lireImportation, ({ params, utilisateur }) =>
    lireImportation(database, params.id, utilisateur),
  );

  mount(app, importations.listerImportationLignes, ({ params, query, utilisateur, reply }) => {
    const { total, lignes } = listerLignes(database, params.id, utilisateur, query);
    reply.header('X-Total-Count', total);
    return lignes;
  });

  mount(app, importations.listerSeriesProposees, ({ params, utilisateur }) =>
    listerSeriesProposees(database, params.id, utilisateur),
  );

  mount(app, importations.listerNomsInverses, ({ params, utilisateur }) => {
    const noms = listerNomsInverses(database, params.id, utilisateur);
    // The catalogues may have been silent, or the service have ended.
    if (noms.length > 0) lookUpPending(params.id, utilisateur);
    return noms;
  });

  mount(app, importations.lireOrdreDesNoms, ({ params, utilisateur }) =>
    lireOrdreDesNoms(database, params.id, utilisateur),
  );

  mount(app, importations.exporterRefus, ({ params, utilisateur, reply }) => {
    const csv = exporterRefus(database, params.id, utilisateur);
    attach(reply, 'text/csv', `refus-${params.id}.csv`);
    return csv;
  });

  mountLong(app, annulation);
}

/** Has the catalogues asked in the background; failures go to the log. */
function openLookups(
  app: FastifyInstance,
  { config, records, sources }: ImportationsContext,
): (id: number, utilisateur: string | null) => void {
  const coversSite = config.openLibraryCoversUrl;
  const catalogues = backgroundLookups({ sources, coversSite });
  const lookups = new MetadataLookups(records, catalogues);
  const nameLookups = new NameLookups(records.database, catalogues);
  app.addHook('preClose', async () => {
    lookups.close();
    nameLookups.close();
  });
  const report = (error: unknown) => app.log.error(error);
  app.addHook('onReady', async () => void lookups.resume().catch(report));
  // In a later turn of the event loop: the transaction of the request commits first.
  return (id, utilisateur) =>
    void setImmediate(() => {
      lookups.run(id, utilisateur ?? '').catch(report);
      nameLookups.run(id, utilisateur ?? '').catch(report);
    });
}
