import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ErrorBody } from '#shared/refusals';
import { EVENTS_PATH } from '#shared/replication';
import type { Database } from '#server/plumbing/database/database';
import type { Journal } from '#server/plumbing/records/journal';
import { AddressLimit } from '#server/plumbing/http/limits';
import { EventStream } from './stream.ts';

const HEARTBEAT_MS = 20_000;

/** One for each browser of a household, even where a proxy gives all of them one address. */
const MAX_STREAMS_PER_ADDRESS = 64;

/**
 * The event stream: tells each caller, the unknown one too, when something that they may read has
 * changed. What changed is theirs to pull.
 */
export const eventRoutes = (app: FastifyInstance, database: Database, journal: Journal): void => {
  const streams = new Set<EventStream>();
  const limit = new AddressLimit(MAX_STREAMS_PER_ADDRESS);

  const unsubscribe = journal.subscribe(({ revision, owners }) => {
    for (const stream of streams) if (stream.mayRead(owners)) stream.announce(revision);
  });
  const heartbeat = setInterval(() => {
    for (const stream of streams) stream.beat();
  }, HEARTBEAT_MS).unref();

  app.addHook('preClose', async () => {
    clearInterval(heartbeat);
    unsubscribe();
    for (const stream of streams) stream.end();
  });

  const sendHeaders = (reply: FastifyReply): FastifyReply =>
    reply.type('text/event-stream; charset=utf-8').header('X-Accel-Buffering', 'no');

  app.head(EVENTS_PATH, { compress: false }, (_request, reply) => sendHeaders(reply).send());
  app.get(EVENTS_PATH, OPTIONS, (request, reply) => {
    const leave = limit.enter(request.ip);
    const stream = new EventStream(database.history.origin, request.identity.utilisateur);
    streams.add(stream);
    stream.body.once('close', () => {
      streams.delete(stream);
      leave();
    });
    const heard = heardUpTo(database, request.headers['last-event-id']);
    if (heard !== null && stream.mayRead(journal.ownersSince(heard))) {
      stream.announce(database.revision());
    }
    return sendHeaders(reply).send(stream.body);
  });
};

/**
 * The revision up to which a browser that connects again has heard of everything, from its
 * `Last-Event-ID`; `null` where that tells nothing, and -1 where it comes from another history.
 */
function heardUpTo(database: Database, lastEventId: string | string[] | undefined): number | null {
  const [, origin, revision] = /^([\w-]+)-(\d{1,15})$/.exec(String(lastEventId)) ?? [];
  if (origin === undefined) return null;
  return database.history.holds(origin, Number(revision)) ? Number(revision) : -1;
}

const SCHEMA = {
  summary: 'Le flux d’événements : « revision » quand ce que la personne peut lire a changé.',
  tags: ['replication'],
  response: {
    200: { description: 'OK', content: { 'text/event-stream': { schema: { type: 'string' } } } },
    429: { description: STATUS_CODES[429], ...ErrorBody },
  },
};

const OPTIONS = {
  exposeHeadRoute: false,
  compress: false,
  config: { documented: () => SCHEMA },
} as const;
