import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';

const DOCUMENTATION = '/api/documentation';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the OpenAPI document says of a route; one without it is not told there. */
    documented?: () => FastifySchema;
  }
}

/**
 * The OpenAPI 3.1 document of every operation that is mounted after this, and its page. They are made when
 * somebody first asks for them: few households ever do, and it takes 0.1 s of a start.
 */
export function addDocumentation(app: FastifyInstance, basePath: string): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (route.config?.documented !== undefined && route.method !== 'HEAD') routes.push(route);
  });
  const make = async () => {
    const { createDocumentation } =
      await import('#server/subjects/installation/domain/documentation');
    return createDocumentation(DOCUMENTATION, routes, basePath);
  };
  let documentation: Promise<FastifyInstance> | undefined;
  const answer = async ({ url, headers }: FastifyRequest, reply: FastifyReply) => {
    documentation ??= make().catch((error: unknown) => {
      // Made anew when it is next asked for.
      documentation = undefined;
      throw error;
    });
    const told = await (await documentation).inject({ url, headers });
    const { connection, ...rest } = told.headers;
    if (told.statusCode === 404) reply.callNotFound();
    else await reply.code(told.statusCode).headers(rest).send(told.rawPayload);
    return reply;
  };
  app.get(DOCUMENTATION, answer);
  app.get(`${DOCUMENTATION}/*`, answer);
}
