import type { FastifyInstance } from 'fastify';
import { autresCouvertures, couverturesChoisies } from '#shared/couvertures-choisies';
import { objectKeys } from '#shared/object-keys';
import { ownerOf } from '#server/plumbing/http/identity';
import { mount, mountPrepared } from '#server/plumbing/http/mount';
import type { RecordKind } from '#server/plumbing/records/kind';
import type { Records } from '#server/plumbing/records/records';
import { choose, chooseOffered, preparePicture } from '../domain/choice.ts';
import type { Covers } from '../domain/covers.ts';

/** Whose record a request speaks of. */
interface OwnCall {
  readonly params: { readonly id: number };
  readonly utilisateur: string | null;
}

/** What people choose as covers; a picture is read and written before the transaction of its choice. */
export function couverturesChoisiesRoutes(
  app: FastifyInstance,
  { covers, records }: { covers: Covers; records: Records },
): void {
  const { database } = records;
  const recordsOf = (collection: keyof typeof couverturesChoisies) => {
    const { source }: RecordKind = records.kind(collection);
    return ({ params: { id }, utilisateur }: OwnCall) => ({
      table: source.table,
      id,
      read: () => {
        const record = records.read(collection, id, utilisateur);
        app.assert(record, 404);
        return record;
      },
    });
  };

  for (const collection of objectKeys(couverturesChoisies)) {
    const { choisir, remettre } = couverturesChoisies[collection];
    const recordOf = recordsOf(collection);
    mountPrepared(app, choisir, async (call) => {
      const record = recordOf(call);
      record.read();
      const { request } = call;
      const asker = { owner: ownerOf(request), signal: request.signal };
      const picture = await preparePicture(covers, request.bodyBytes, asker);
      return {
        write: (tx) => choose(tx, covers, record, picture),
        discard: () => covers.library.release(picture.cle),
      };
    });
    mount(app, remettre, (call) => choose(call.tx, covers, recordOf(call), null));
  }

  for (const collection of objectKeys(autresCouvertures)) {
    const { lister, choisir } = autresCouvertures[collection];
    const recordOf = recordsOf(collection);
    const { findOeuvre }: RecordKind = records.kind(collection);
    mount(app, lister, async ({ params, utilisateur, request }) => {
      const wanted = findOeuvre?.(database, params.id, utilisateur);
      app.assert(wanted, 404);
      return covers.others.list(wanted, { owner: ownerOf(request), signal: request.signal });
    });
    mount(app, choisir, (call) => {
      const offer = { owner: ownerOf(call.request), cle: call.body.cle };
      return chooseOffered(call.tx, covers, recordOf(call), offer);
    });
  }
}
