import type { FastifyInstance } from 'fastify';
import * as modifications from '#shared/modifications';
import { found } from '#shared/refusals';
import { everyDay } from '#server/plumbing/database/daily';
import type { Reader } from '#server/plumbing/database/connection';
import type { Database } from '#server/plumbing/database/database';
import { purgeArchived } from '#server/plumbing/records/dormant';
import type { RecordKind } from '#server/plumbing/records/kind';
import type { Records } from '#server/plumbing/records/records';
import { operation, read } from '#server/plumbing/writes/operations';
import { mount } from '#server/plumbing/http/mount';
import { BYTES_A_RECORD } from '#server/plumbing/writes/orders';
import { countTouched } from '#server/plumbing/writes/traces';
import {
  deleteOldModifications,
  historySince,
  listModifications,
  modificationProjection,
  readModification,
} from './changesets.ts';
import { annuler } from './undo.ts';

export const kind: RecordKind<'modifications'> = {
  projection: modificationProjection,
  owner: 'proprietaire',
};

/** Deletes expired history entries, and the archived rows that no other entry needs (docs/rules.md § 39). */
export async function forgetOldModifications(database: Database): Promise<void> {
  await database.writeInTurns(deleteOldModifications);
  await database.writeInTurns((tx) => purgeArchived(tx, historySince()));
}

/** The long details of the books that a modification has changed, in records. */
const sizeOfDetails = (database: Reader, id: number): number =>
  database.value<number>(
    `SELECT total(octet_length(l.details) / ${BYTES_A_RECORD})
     FROM (SELECT cle FROM Trace WHERE acte = ? AND nom = 'Livre' LIMIT 100) t
     JOIN Livre l ON l.id = CAST(t.cle AS INTEGER)`,
    id,
  ) ?? 0;

const annulation = operation(modifications.annulerModification, {
  may: 'household',
  holder: 'annulation',
  size: (database, { params: { id } }) => countTouched(database, id) + sizeOfDetails(database, id),
  run: (_, { params, query, utilisateur, locale, records, retried }) =>
    annuler(
      records,
      params.id,
      { utilisateur, locale },
      { withObstacles: query.avec !== undefined, retried },
    ),
});

const DEFAULT_LIMIT = 100;

/** Mounts the endpoints; deletes expired history entries once a day. */
export function routes(app: FastifyInstance, { records }: { records: Records<Database> }): void {
  const { database } = records;
  const forget = () => forgetOldModifications(database);
  if (!database.isReadOnly) app.addHook('onClose', everyDay(forget, { startsNow: true }));

  mount(app, [
    read(modifications.listerModifications, {
      may: 'household',
      run: ({ query, utilisateur, locale }) =>
        listModifications(
          database,
          utilisateur,
          { avant: query.avant, limite: query.limite ?? DEFAULT_LIMIT },
          locale,
        ),
    }),
    read(modifications.lireModification, {
      may: 'household',
      run: ({ params, utilisateur, locale }) =>
        found(readModification(database, params.id, utilisateur, locale)),
    }),
    annulation,
  ]);
}
