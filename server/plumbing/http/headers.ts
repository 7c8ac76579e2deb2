import type { FastifyInstance } from 'fastify';

/** For an answer that is no page: nothing in it may load or run anything. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** What every answer tells the browser, unless its route says something else. */
export const DATA_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex, nofollow',
  'Content-Security-Policy': DATA_POLICY,
} as const;

/** Adds these headers, and how long an answer may be kept: not at all, unless its route says so. */
export function addHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, next) => {
    // On the plain answer and « not modified », too, which the compression leaves as they are.
    reply.headers(DATA_HEADERS).vary('accept-encoding');
    next();
  });
  // Last, since `cacheControl` adds to what there is.
  app.addHook('onSend', (_request, reply, payload, next) => {
    if (!reply.hasHeader('Cache-Control')) reply.cacheControl('private').cacheControl('no-store');
    next(null, payload);
  });
}
