import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { httpErrors } from '@fastify/sensible';
import { Type } from 'typebox';
import {
  EVENTS_PATH,
  HEARTBEAT,
  type Checkpoint,
  pullChanges,
  type HeartbeatEvent,
} from '#shared/replication';
import { refusalRef } from '#server/plumbing/common/error-body';
import type { Database } from '#server/plumbing/database/database';
import type { Journal } from '#server/plumbing/records/journal';
import { callerKeyOf } from '#server/plumbing/http/identity';

const HEARTBEAT_MS = 20_000;

/** The delay of the second heartbeat: a buffering proxy may forward the first one with the opening. */
const SECOND_BEAT_MS = 5_000;

/**
 * `@fastify/rate-limit` counts requests over time, but event streams have no end. Each person has a quota, whatever
 * the address; unknown callers of one network share one, since a proxy may give a whole household one address
 * (docs/rules.md § 34).
 */
const MAX_STREAMS_PER_PERSON = 8;
const MAX_STREAMS_PER_NETWORK = 64;
/**
 * How long a client whose stream was ended in favour of a newer one waits before it reconnects, so that the two do
 * not alternate.
 */
const AFTER_END_MS = 60_000;

/**
 * Notifies each caller, unknown ones included, when documents that they may read have changed; clients then pull.
 *
 * @param revisionOf the revision up to which a caller's replica is complete, `null` if unknown
 */
export const eventRoutes = (
  app: FastifyInstance,
  database: Database,
  journal: Journal,
  revisionOf: (utilisateur: string | null, checkpoint: Checkpoint) => number | null,
): void => {
  const streams = new Map<EventStream, string>();

  const unsubscribe = journal.subscribe(({ revision, owners }) => {
    for (const stream of streams.keys()) if (stream.mayRead(owners)) stream.announce(revision);
  });
  const heartbeat = setInterval(() => {
    for (const stream of streams.keys()) stream.beat();
  }, HEARTBEAT_MS).unref();

  app.addHook('preClose', async () => {
    clearInterval(heartbeat);
    unsubscribe();
    for (const stream of streams.keys()) stream.end();
  });

  const sendHeaders = (reply: FastifyReply): FastifyReply =>
    reply.type('text/event-stream; charset=utf-8').header('X-Accel-Buffering', 'no');

  app.head(EVENTS_PATH, { compress: false }, (_request, reply) => sendHeaders(reply).send());
  app.get(EVENTS_PATH, OPTIONS, (request, reply) => {
    const { utilisateur } = request.identity;
    const owner = callerKeyOf(request);
    const [oldest, ...newer] = [...streams].flatMap(([one, of]) => (of === owner ? [one] : []));
    const open = oldest === undefined ? 0 : newer.length + 1;
    if (utilisateur === null && open >= MAX_STREAMS_PER_NETWORK) throw httpErrors.tooManyRequests();
    if (utilisateur !== null && oldest !== undefined && open >= MAX_STREAMS_PER_PERSON) {
      streams.delete(oldest);
      oldest.giveWay();
    }
    const checkpoint = checkpointOf(request.url);
    const since = checkpoint && revisionOf(utilisateur, checkpoint);
    const stream = new EventStream(database.history.origin, utilisateur, since);
    streams.set(stream, owner);
    const second = setTimeout(() => stream.beat(), SECOND_BEAT_MS).unref();
    stream.body.once('close', () => {
      clearTimeout(second);
      streams.delete(stream);
    });
    const after = since ?? revisionOfEvent(database, request.headers['last-event-id']);
    if (after !== null && stream.mayRead(journal.ownersSince(after))) {
      stream.announce(database.revision());
    }
    return sendHeaders(reply).send(stream.body);
  });
};

/** `null` if absent or malformed: such a client gets only future events. */
function checkpointOf(url: string): Checkpoint | null {
  const query = new URLSearchParams(url.split('?', 2)[1]);
  const [epoque, revision] = [query.get('epoque'), query.get('revision') ?? ''];
  return epoque !== null && /^\d{1,15}$/.test(revision)
    ? { epoque, revision: Number(revision) }
    : null;
}

/** `null` without `Last-Event-ID`, -1 from another history. */
function revisionOfEvent(
  database: Database,
  lastEventId: string | string[] | undefined,
): number | null {
  const [, origin, revision] = /^([\w-]+)-(\d{1,15})$/.exec(String(lastEventId)) ?? [];
  if (origin === undefined) return null;
  return database.history.holds(origin, Number(revision)) ? Number(revision) : -1;
}

const SCHEMA = {
  summary: 'Le flux d’événements : « revision » quand ce que la personne peut lire a changé.',
  tags: ['replication'],
  querystring: Type.Pick(pullChanges.query, ['epoque', 'revision']),
  response: {
    200: { description: 'OK', content: { 'text/event-stream': { schema: { type: 'string' } } } },
    429: { description: STATUS_CODES[429], allOf: [refusalRef(429)] },
  },
};

const OPTIONS = {
  exposeHeadRoute: false,
  compress: false,
  config: { documented: SCHEMA },
} as const;

const beatOf = (data: HeartbeatEvent): string =>
  `event: ${HEARTBEAT}\ndata: ${JSON.stringify(data)}\n\n`;

const BEAT = beatOf({});

/** A client that reads nothing during so many heartbeats counts as gone. */
const MAX_UNREAD_BEATS = 3;

/**
 * Buffers at most one message for a slow client: a later revision includes the earlier ones.
 *
 * @param utilisateur null for an unknown caller
 * @param since the revision from which the client misses no event; `null` if from the opening only
 */
export class EventStream {
  readonly body: Readable;
  readonly #origin: string;
  readonly #utilisateur: string;
  #waiting: number | null = null;
  #unread = 0;

  constructor(origin: string, utilisateur: string | null, since: number | null = null) {
    this.#origin = origin;
    this.#utilisateur = utilisateur ?? '';
    this.body = new Readable({ read: () => this.#flush() });
    // A client that hangs up during a write is no error of the service.
    this.body.on('error', () => undefined);
    this.body.push(`retry: 3000\n\n${since === null ? BEAT : beatOf({ since: since })}`);
  }

  /** Whether the caller may read documents of one of these owners, '' being shared. */
  mayRead(owners: ReadonlySet<string>): boolean {
    return owners.has('') || owners.has(this.#utilisateur);
  }

  announce(revision: number): void {
    this.#waiting = revision;
    if (this.body.readableLength === 0) this.#flush();
  }

  /** Keeps the connection and proxies alive, and detects vanished clients. */
  beat(): void {
    if (this.body.readableLength === 0) {
      this.#unread = 0;
      this.body.push(BEAT);
    } else if (++this.#unread >= MAX_UNREAD_BEATS) {
      this.body.destroy();
    }
  }

  end(): void {
    this.body.push(null);
  }

  giveWay(): void {
    this.body.push(`retry: ${String(AFTER_END_MS)}\n\n`);
    this.end();
  }

  #flush(): void {
    if (this.#waiting === null) return;
    const revision = this.#waiting;
    this.#waiting = null;
    const data = JSON.stringify({ revision });
    this.body.push(`event: revision\nid: ${this.#origin}-${String(revision)}\ndata: ${data}\n\n`);
  }
}
