import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { PUBLIC_IPV4, PUBLIC_IPV6 } from '../cases.ts';
import * as images from '../images.ts';

export interface Visit {
  readonly address: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

const TEN_MIB = 10 * 1024 * 1024;

const type =
  (contentType: string, payload: Buffer, status = 200) =>
  (response: ServerResponse): void =>
    void response
      .writeHead(status, {
        'Content-Type': contentType,
        'Set-Cookie': 'espion=1',
        'X-Espion': '1',
        'Cache-Control': 'no-store',
      })
      .end(payload);

const PAGES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/png': type('image/png', images.PNG),
  // Late, but within the relay's timeout.
  '/late': (response) => void setTimeout(() => type('image/png', images.PNG)(response), 500),
  '/jpeg': type('image/jpeg', images.JPEG),
  '/gif': type('image/gif', images.GIF),
  '/webp': type('image/webp', images.WEBP),
  '/avif': type('image/avif', images.AVIF),
  '/dix-mio': type('image/png', images.pngOf(TEN_MIB)),
  '/trop-grand': (response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' }).write(images.pngOf(TEN_MIB));
    response.end('!');
  },
  '/annonce-trop-grand': type('image/png', images.pngOf(TEN_MIB + 1)),
  '/svg': type('image/svg+xml', images.SVG),
  '/svg-png': type('image/png', images.SVG),
  '/html-png': type('image/png', images.HTML),
  '/png-html': type('text/html', images.PNG),
  '/sans-type': (response) => void response.end(images.PNG),
  '/vide': type('image/png', Buffer.alloc(0)),
  '/204': (response) => void response.writeHead(204, { 'Content-Type': 'image/png' }).end(),
  '/206': type('image/png', images.PNG, 206),
  '/404': type('image/png', images.PNG, 404),
  '/500': type('image/png', images.PNG, 500),
  '/comprime': (response) =>
    void response
      .writeHead(200, { 'Content-Type': 'image/png', 'Content-Encoding': 'gzip' })
      .end(images.PNG),
  '/sans-fin': (response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' });
    const block = images.pngOf(1024 * 1024);
    const sendBlock = (): void => void response.write(block, (error) => error ?? sendBlock());
    sendBlock();
  },
  '/goutte': (response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' }).write(images.PNG);
    const drip = setInterval(() => response.write('.'), 50);
    response.on('close', () => clearInterval(drip));
  },
  '/coupe': (response) => void response.destroy(),
  '/tronque': (response) => {
    response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 500 });
    response.write(images.PNG, () => response.destroy());
  },
  '/muet': () => undefined,
};

/**
 * The namespace's web: serves pictures on all addresses, on allowed ports and on one that is not. Returns the visits,
 * and separately those to forbidden places.
 */
export async function serveSites(): Promise<{ visits: Visit[]; breakIns: Visit[] }> {
  const visits: Visit[] = [];
  const breakIns: Visit[] = [];
  const accept = (request: IncomingMessage, response: ServerResponse): void => {
    const address = (request.socket.localAddress ?? '').replace('::ffff:', '');
    const port = request.socket.localPort ?? 0;
    const path = request.url ?? '/';
    const allowed = [PUBLIC_IPV4, PUBLIC_IPV6].includes(address) && (port === 80 || port === 443);
    (allowed ? visits : breakIns).push({ address, port, path, headers: request.headers });
    response.setHeader('Connection', 'close');
    respond(path, response);
  };
  for (const port of [80, 443, 8080, 22]) {
    const server = createServer(accept).listen(port, '::');
    await once(server, 'listening');
  }
  return { visits, breakIns };
}

function respond(path: string, response: ServerResponse): void {
  const [, hops] = /^\/sauts\/(\d+)$/u.exec(path) ?? [];
  const [, status, target] = /^\/vers\/(\d+)(?:\?(.*))?$/u.exec(path) ?? [];
  if (hops !== undefined) {
    const next = hops === '1' ? '/png' : `/sauts/${String(Number(hops) - 1)}`;
    response.writeHead(302, { Location: next }).end();
  } else if (status !== undefined) {
    const ascii = target && decodeURIComponent(target).replace(/[^ -~]/gu, encodeURIComponent);
    const headers = ascii === undefined ? {} : { Location: ascii };
    response.writeHead(Number(status), headers).end('ailleurs');
  } else {
    (PAGES[path] ?? PAGES['/404'])?.(response);
  }
}
