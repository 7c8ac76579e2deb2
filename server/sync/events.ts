import type { FastifyInstance } from 'fastify';
import { EVENEMENTS } from '#shared/replication';
import type { Context } from '#server/context';
import { EventStream } from './stream.ts';

const HEARTBEAT_MS = 20_000;

/**
 * The event stream: tells each caller, the unknown one too, when something that they may read has
 * changed. What changed is theirs to pull.
 */
export const eventRoutes = (app: FastifyInstance, { base, journal }: Context): void => {
  const streams = new Set<EventStream>();

  const unsubscribe = journal.subscribe(({ revision, lines }) => {
    const owners = new Set(lines.map(({ utilisateur }) => utilisateur));
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

  app.get(EVENEMENTS, { exposeHeadRoute: false, schema: SCHEMA }, (request, reply) => {
    const stream = new EventStream(base.epoque, request.identite.utilisateur);
    streams.add(stream);
    stream.body.once('close', () => streams.delete(stream));
    const heard = stream.heardUpTo(request.headers['last-event-id']);
    if (heard !== null && stream.mayRead(journal.ownersSince(heard))) {
      stream.announce(base.revision());
    }
    return reply
      .type('text/event-stream; charset=utf-8')
      .header('X-Accel-Buffering', 'no')
      .send(stream.body);
  });
};

const SCHEMA = {
  summary: 'Le flux d’événements : « revision » quand ce que la personne peut lire a changé.',
  tags: ['replication'],
  response: {
    200: { description: 'OK', content: { 'text/event-stream': { schema: { type: 'string' } } } },
  },
};
