import type { FastifyInstance } from 'fastify';

/**
 * The address of a request below the application's base (docs/rules.md § 31): a proxy may take the base away
 * or pass it on.
 */
export const belowBase = (basePath: string, url = '/'): string =>
  basePath !== '' && url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url;

/** What the service tells of where something is, is told as the browser has to ask for it. */
export function addBaseToLocations(app: FastifyInstance, basePath: string): void {
  if (basePath === '') return;
  app.addHook('onSend', (_request, reply, payload, next) => {
    const location = reply.getHeader('Location');
    if (typeof location === 'string' && location.startsWith('/'))
      reply.header('Location', basePath + location);
    next(null, payload);
  });
}
