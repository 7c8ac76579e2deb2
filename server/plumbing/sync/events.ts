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

/** When a stream beats for the second time: apart from its opening, with which a proxy may send the first one on. */
const SECOND_BEAT_MS = 5_000;

/**
 * `@fastify/rate-limit` counts requests in time, and an event stream has no end. A person has a share, whatever the
 * address; unknown callers of one network, which a proxy may give to a whole household, have theirs together
 * (docs/rules.md § 34).
 */
const MAX_STREAMS_PER_PERSON = 8;
const MAX_STREAMS_PER_NETWORK = 64;
/** Whose stream was ended for a newer one comes back later than after a broken line, and not in turns with it. */
const AFTER_END_MS = 60_000;

/**
 * Tells each caller, an unknown one, too, when something that they may read has changed; they pull what.
 *
 * @param heldBy the revision up to which a caller's replica holds all, `null` where that is not so
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

/** `null` without one, and for what is none: such a listener is told nothing of what came before. */
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

/** A client that has read nothing for so many heartbeats counts as gone. */
const MAX_UNREAD_BEATS = 3;

/**
 * At most one message waits for a slow client: a later revision says all that the earlier ones said.
 *
 * @param utilisateur null for an unknown caller
 * @param held the revision since which it is told of all, `null` where it is from the opening
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

  /** Whether the caller may read documents of one of these owners, '' being everyone. */
  mayRead(owners: ReadonlySet<string>): boolean {
    return owners.has('') || owners.has(this.#utilisateur);
  }

  announce(revision: number): void {
    this.#waiting = revision;
    if (this.body.readableLength === 0) this.#flush();
  }

  /** Tells clients that the connection lives, keeps proxies from closing an idle one, and detects vanished clients. */
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
