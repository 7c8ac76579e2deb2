import {
  createServer as createHttp,
  STATUS_CODES,
  type RequestListener,
  type Server,
} from 'node:http';
import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { BASE_LOCALE } from '#shared/locale';
import { champRefusal, Refusal } from '#shared/refusals';
import { errorBody } from '#server/plumbing/common/error-body';

/** Limits for receiving a request, in milliseconds; a response has no timeout. */
const LIMITS = {
  headersTimeout: 15_000,
  // `arriving` ends a body that is too slow for its length.
  requestTimeout: 0,
  keepAliveTimeout: 10_000,
  maxHeaderSize: 16_384,
  // Fastify answers a request without Host like any other; Node would send an empty 400.
  requireHostHeader: false,
} as const;

const HTTP2_SETTINGS = { maxConcurrentStreams: 128, maxHeaderListSize: LIMITS.maxHeaderSize };

/** How long an HTTP/2 connection may be silent; event streams send heartbeats more often. */
const SESSION_TIMEOUT_MS = 120_000;

export function createServer(listener: RequestListener, tls: Tls | null): Server {
  const server = tls ? createTls(listener, tls) : createHttp(LIMITS, listener);
  // Expectations other than 100-continue are ignored: Node would answer an empty 417.
  server.on('checkExpectation', listener);
  return server;
}

/** HTTP/2, and HTTP/1.1 for clients without it, on one port. */
function createTls(listener: RequestListener, tls: Tls): Server {
  const options = { ...LIMITS, ...tls, allowHTTP1: true, settings: HTTP2_SETTINGS };
  const server = createSecureServer(options);
  const connections = new Set<Duplex>();
  server.on('request', listener);
  server.on('stream', (stream) => stream.once('finish', () => closeAnswered(stream)));
  answerPlainHttp(server);
  server.on('connection', (socket: Duplex) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('session', (session) => {
    session.setTimeout(SESSION_TIMEOUT_MS, () => session.close());
  });
  const closeAllConnections = () => {
    for (const connection of connections) connection.destroy();
  };
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- requests and answers of HTTP/2 are compatible with those of HTTP/1.1, which are the ones that Fastify's types know
  return Object.assign(server, { closeAllConnections }) as unknown as Server;
}

/** The first byte of every TLS connection. */
const HANDSHAKE = 0x16;

/** Plain HTTP gets an answer instead of a hang-up. */
function answerPlainHttp(server: NetServer): void {
  const [shakeHands] = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    // Until the TLS handshake sets a timeout of its own.
    socket.setTimeout(LIMITS.headersTimeout, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.once('data', (chunk: Buffer) => {
      socket.setTimeout(0).removeAllListeners('timeout');
      if (chunk[0] !== HANDSHAKE) {
        refuse(socket, new Refusal('HTTPS_ATTENDU'));
        return;
      }
      socket.pause().unshift(chunk);
      shakeHands?.call(server, socket);
    });
  });
}

/** Frees the stream of a request that was answered before its body arrived: nobody waits for the rest. */
function closeAnswered(stream: ServerHttp2Stream): void {
  const isBodyAwaited = stream.state.state === constants.NGHTTP2_STREAM_STATE_OPEN;
  if (isBodyAwaited) stream.close(constants.NGHTTP2_NO_ERROR);
}

export function answerNoHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy(error);
    return;
  }
  refuse(socket, refusalOf(error.code));
}

function refuse(socket: Duplex, refusal: Refusal): void {
  const body = JSON.stringify(errorBody(refusal, BASE_LOCALE));
  const lines = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: private, no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** The field that Node's own handler reads. */
const isAnswering = (socket: Duplex): boolean =>
  Reflect.get(Object(Reflect.get(socket, '_httpMessage')), '_headerSent') === true;

function refusalOf(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal('EN_TETES_TROP_GRANDS');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('DEMANDE_TROP_LENTE');
  return champRefusal('demande', 'PAS_HTTP');
}

export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}
