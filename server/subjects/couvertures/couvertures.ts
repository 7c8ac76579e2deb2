import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import * as api from '#shared/couvertures';
import { autresCouvertures, couverturesChoisies } from '#shared/couvertures-choisies';
import { objectKeys } from '#shared/object-keys';
import { Refusal } from '#shared/refusals';
import type { Database } from '#server/plumbing/database/database';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { logFailure, sendError, toRefusal } from '#server/plumbing/http/framework';
import { callerKeyOf } from '#server/plumbing/http/identity';
import { queueOwnerOf } from '#server/plumbing/http/request';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import type { RecordKind } from '#server/plumbing/records/kind';
import type { Records } from '#server/plumbing/records/records';
import type { QueueOwner } from '#server/plumbing/upstream/queue';
import type { Sources } from '#server/plumbing/upstream/sources';
import { decode, endDecoder } from './decoder.ts';
import { CoverFetcher } from './fetcher.ts';
import type { Picture } from './image.ts';
import {
  CoverStore,
  isKnownPicture,
  pictureOfAdresse,
  realClock,
  writeChosen,
  type StoredImage,
} from './cover-store.ts';
import { OtherCovers } from './others.ts';
import { adressesOf } from './addresses.ts';
import { CoverSources, isbnOf, Relay } from './sources.ts';

export interface Covers {
  readonly store: CoverStore;
  readonly relay: Relay;
  readonly sources: CoverSources;
  /** Fetches nothing until it is started. */
  readonly fetcher: CoverFetcher;
  readonly others: OtherCovers;
}

interface CoversConfig {
  readonly coversPath: string;
  readonly openLibraryCoversUrl: string;
  readonly bnfSruUrl: string;
  readonly upstreamTimeout: number;
}

export function openCovers(
  config: CoversConfig,
  database: Database,
  { bnf, openLibrary, arks }: Pick<Sources, 'bnf' | 'openLibrary' | 'arks'>,
): Covers {
  const store = new CoverStore(database, config.coversPath);
  const relay = new Relay(config.upstreamTimeout);
  const { openLibraryCoversUrl: coversSite, bnfSruUrl } = config;
  const sources = new CoverSources({ relay, bnf, arks, coversSite, bnfSruUrl });
  const failed = (error: unknown): void =>
    void process.stderr.write(`A cover failed: ${String(error)}\n`);
  const parts = { store, sources, clock: realClock, failed };
  const fetcher = new CoverFetcher({ ...parts, database });
  const takeCounted = () => fetcher.takeCounted();
  const others = new OtherCovers({ ...parts, bnf, openLibrary, takeCounted });
  return { store, relay, sources, fetcher, others };
}

/**
 * Whether an address may be relayed to a caller: the cover of a book, an issue or a wish of the caller's own, or a
 * possible fallback cover of such a wish. An unknown caller has no wishes.
 */
export const isKnownCover = (database: Reader, url: string, utilisateur: string | null): boolean =>
  database.get(
    `SELECT 1 FROM Couvert WHERE couvertureAdresse = @url AND @url NOT GLOB 'isbn:*'
       AND utilisateur IN ('', @utilisateur)
     UNION ALL SELECT 1 FROM Souhait
       WHERE utilisateur = @utilisateur AND couverture_de_secours(isbn) = @url`,
    { url, utilisateur },
  ) !== undefined;

/**
 * The stored cover, else its source's, which is stored then (docs/rules.md § 27). Throws `INTROUVABLE` without
 * either.
 */
async function readCouverture(
  database: Reader,
  { store, fetcher, sources }: Covers,
  url: string,
  caller: QueueOwner,
): Promise<StoredImage> {
  const adresses = sources.adressesOf(url);
  const picture = pictureOfAdresse(database, adresses);
  const kept = picture && (await store.read(picture.cle, 'originale'));
  if (kept) return kept;
  if (isbnOf(url) !== null && !fetcher.takeCounted()) throw new Refusal('INTROUVABLE');
  const image = await sources.forScreen(url, caller).catch(() => {
    throw new Refusal('INTROUVABLE');
  });
  fetcher.keep(adresses, image);
  return image;
}

interface Viewer {
  readonly utilisateur: string | null;
  /** The caller to whom « Autres couvertures » are offered. */
  readonly owner: string;
}

/** Shared records, the caller's own, and shown wishes of other readers. */
const MAY_READ = `(utilisateur IN ('', @utilisateur) OR @utilisateur IS NOT NULL
    AND utilisateur IN (SELECT utilisateur FROM Partage WHERE souhaits))`;

/**
 * Whether a caller may see a stored picture: one of their or the shared records shows it, or it is offered to them
 * (docs/rules.md § 43). A record shows the picture of its address unless a person chose one whose file exists.
 */
const maySee = (
  database: Reader,
  { others }: Covers,
  cle: string,
  { utilisateur, owner }: Viewer,
): boolean =>
  database.get(
    `SELECT 1 FROM Couvert WHERE couvertureCle = @cle AND ${MAY_READ}
     UNION ALL SELECT 1 FROM Couvert
       WHERE couvertureAdresse IN (SELECT adresse FROM CouvertureAdresse WHERE cle = @cle)
         AND NOT EXISTS (SELECT 1 FROM Couverture WHERE cle = couvertureCle AND perdue = 0)
         AND ${MAY_READ}`,
    { cle, utilisateur },
  ) !== undefined || others.offers.has(owner, cle);

/**
 * An unreadable picture does not affect the others. If all are unreadable, or disk or database refuse, the whole
 * request is refused, and repeated later.
 */
async function readBatch(
  database: Reader,
  covers: Covers,
  cles: readonly string[],
  viewer: Viewer,
  log: FastifyBaseLogger,
): Promise<Buffer> {
  const reads = await Promise.allSettled(
    cles.map(async (cle) =>
      maySee(database, covers, cle, viewer) ? covers.store.read(cle, 'ligne') : null,
    ),
  );
  const images = reads.map((read) => (read.status === 'fulfilled' ? read.value : null));
  const errors = reads.flatMap((read): Error[] =>
    read.status === 'rejected' && read.reason instanceof Error ? [read.reason] : [],
  );
  const [first] = errors;
  const isGeneral = (error: Error) => toRefusal(error).code !== 'ERREUR_INTERNE';
  const general = images.every((image) => image === null) ? first : errors.find(isGeneral);
  if (general !== undefined) throw general;
  if (first !== undefined) logFailure(log, first);
  return Buffer.concat(
    images.flatMap((image) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(image?.content.length ?? 0);
      return image === null ? [length] : [length, image.content];
    }),
  );
}

interface CoverTarget {
  readonly table: string;
  readonly id: number;
  /** The record as its caller sees it; throws where it is not theirs, so that nothing is written. */
  readonly read: () => object;
}

/** Gives a record a person's picture, whose files are written already; `null` restores that of its address. */
export function choose(
  tx: Transaction,
  { store }: Covers,
  { table, id, read }: CoverTarget,
  picture: Picture | null,
): object {
  read();
  if (picture !== null) store.note(tx, picture);
  writeChosen(tx, table, id, picture?.cle ?? null);
  return read();
}

/** A source hardly ever changes the picture at an address. */
const RELAYED_AGE = '30d';
/** A key is the digest of its picture. */
const KEPT_AGE = '365d';

/**
 * Images of other sites are served from the application's origin: this policy forbids anything to run in them.
 * `private`, since a wish's cover is its owner's alone.
 */
const sandbox = (reply: FastifyReply, maxAge: string): FastifyReply =>
  reply
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .cacheControl('private')
    .maxAge(maxAge)
    .cacheControl('immutable');

function mountChoices(app: FastifyInstance, covers: Covers, records: Records): void {
  for (const collection of objectKeys(couverturesChoisies)) {
    const { projection, findOeuvre }: RecordKind = records.kind(collection);
    const recordOf = (id: number, utilisateur: string | null): CoverTarget => ({
      table: projection.table,
      id,
      read: () => {
        const record = records.read(collection, id, utilisateur);
        app.assert(record, 404);
        return record;
      },
    });

    const may = collection === 'souhaits' ? 'owner' : 'household';
    const chosen = couverturesChoisies[collection];
    const offered = autresCouvertures[collection];
    mount(app, [
      operation(chosen.choisir, {
        may,
        prepare: async (call) => {
          const { params, utilisateur, request, onFailure } = call;
          const record = recordOf(params.id, utilisateur);
          record.read();
          const content = request.bodyBytes ?? Buffer.alloc(0);
          const picture = await decode('fromPerson', content, queueOwnerOf(call));
          await covers.store.write(picture);
          onFailure.defer(() => covers.store.release(picture.cle));
          return { record, picture };
        },
        run: (tx, { prepared: { record, picture } }) => answer(choose(tx, covers, record, picture)),
      }),
      operation(chosen.remettre, {
        may,
        run: (tx, { params, utilisateur }) =>
          answer(choose(tx, covers, recordOf(params.id, utilisateur), null)),
      }),
      read(offered.lister, {
        may,
        run: async (call) => {
          const { params, utilisateur } = call;
          const wanted = findOeuvre?.(records.database, params.id, utilisateur);
          app.assert(wanted, 404);
          return covers.others.list(wanted, queueOwnerOf(call));
        },
      }),
      operation(offered.choisir, {
        may,
        prepare: ({ request }) => callerKeyOf(request),
        run: (tx, { params, utilisateur, body: { cle }, prepared: caller }) => {
          const record = recordOf(params.id, utilisateur);
          record.read();
          const isOffered = covers.others.offers.has(caller, cle);
          if (!isOffered || !isKnownPicture(tx, cle)) throw new Refusal('INTROUVABLE');
          writeChosen(tx, record.table, record.id, cle);
          return answer(record.read());
        },
      }),
    ]);
  }
}

export function routes(
  app: FastifyInstance,
  {
    covers,
    database,
    records,
  }: { readonly covers: Covers; readonly database: Reader; readonly records: Records },
): void {
  const { fetcher, store } = covers;

  void app.register(async (scope) => {
    // Always the same 404: it must disclose neither another person's list nor the household's network.
    scope.setErrorHandler((error: Partial<FastifyError>, request, reply) => {
      const { status } = toRefusal(error);
      if (status === 401 || status === 403) return sendError(error, request, reply);
      if (status >= 500) logFailure(request.log, error);
      return sendError(scope.httpErrors.notFound(), request, reply);
    });
    mount(scope, [
      read(api.lireCouverture, {
        may: 'household',
        run: async (call) => {
          const { utilisateur, reply } = call;
          const { url } = call.query;
          if (url === undefined || !isKnownCover(database, url, utilisateur))
            throw new Refusal('INTROUVABLE');
          const image = await readCouverture(database, covers, url, queueOwnerOf(call));
          sandbox(reply, RELAYED_AGE).type(image.type);
          return image.content;
        },
      }),
    ]);
  });

  mount(app, [
    read(api.lireImage, {
      may: 'household',
      run: async ({ params: { cle, taille }, utilisateur, request, reply }) => {
        const viewer = { utilisateur, owner: callerKeyOf(request) };
        if (!maySee(database, covers, cle, viewer)) throw new Refusal('INTROUVABLE');
        const image = await store.read(cle, taille);
        if (image === null) throw new Refusal(store.isLost(cle) ? 'IMAGE_PERDUE' : 'INTROUVABLE');
        const etag = `"${cle}-${taille}"`;
        sandbox(reply, KEPT_AGE).header('ETag', etag);
        if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
        reply.type(image.type);
        return image.content;
      },
    }),
    read(api.lireLignes, {
      may: 'household',
      run: async ({ query, utilisateur, request, reply }) => {
        reply.type('application/octet-stream');
        const viewer = { utilisateur, owner: callerKeyOf(request) };
        return readBatch(database, covers, query.cles.split(','), viewer, request.log);
      },
    }),
    read(api.lireEtatCouvertures, { may: 'household', run: () => fetcher.etat() }),
    operation(api.reessayerCouvertures, {
      may: 'household',
      run: (tx) => {
        fetcher.retry(tx);
        return answer(fetcher.etat());
      },
    }),
    operation(api.avancerCouvertures, {
      may: 'household',
      run: (tx, { body, utilisateur }) => {
        const { livres = [], numeros = [], souhaits = [] } = body;
        fetcher.toFront(adressesOf(tx, { livres, numeros, souhaits }, utilisateur));
        return answer();
      },
    }),
  ]);

  mountChoices(app, covers, records);

  app.addHook('preClose', async () => {
    covers.others.offers.stop();
    await fetcher.stop();
    endDecoder();
    await covers.relay.close();
  });
}
