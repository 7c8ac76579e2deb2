import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { PUBLIQUE, PUBLIQUE6 } from '../cas.ts';
import * as images from '../images.ts';

export interface Visite {
  readonly adresse: string;
  readonly port: number;
  readonly chemin: string;
  readonly entetes: Readonly<Record<string, unknown>>;
}

const DIX_MIO = 10 * 1024 * 1024;

const type =
  (contentType: string, corps: Buffer, status = 200) =>
  (response: ServerResponse): void =>
    void response
      .writeHead(status, {
        'Content-Type': contentType,
        'Set-Cookie': 'espion=1',
        'X-Espion': '1',
        'Cache-Control': 'no-store',
      })
      .end(corps);

const PAGES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/png': type('image/png', images.PNG),
  '/jpeg': type('image/jpeg', images.JPEG),
  '/gif': type('image/gif', images.GIF),
  '/webp': type('image/webp', images.WEBP),
  '/avif': type('image/avif', images.AVIF),
  '/dix-mio': type('image/png', images.pngDe(DIX_MIO)),
  '/trop-grand': (response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' }).write(images.pngDe(DIX_MIO));
    response.end('!');
  },
  '/annonce-trop-grand': type('image/png', images.pngDe(DIX_MIO + 1)),
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
    const bloc = images.pngDe(1024 * 1024);
    const envoyer = (): void => void response.write(bloc, (error) => error ?? envoyer());
    envoyer();
  },
  '/goutte': (response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' }).write(images.PNG);
    const goutte = setInterval(() => response.write('.'), 50);
    response.on('close', () => clearInterval(goutte));
  },
  '/coupe': (response) => void response.destroy(),
  '/tronque': (response) => {
    response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 500 });
    response.write(images.PNG, () => response.destroy());
  },
  '/muet': () => undefined,
};

/**
 * The web of the namespace: every address of it answers with pictures, on ports that the relay may
 * go to and on one that it may not. Returns the visits, those to a forbidden place apart.
 */
export async function servirSites(): Promise<{ visites: Visite[]; effractions: Visite[] }> {
  const visites: Visite[] = [];
  const effractions: Visite[] = [];
  const accueillir = (request: IncomingMessage, response: ServerResponse): void => {
    const adresse = (request.socket.localAddress ?? '').replace('::ffff:', '');
    const port = request.socket.localPort ?? 0;
    const chemin = request.url ?? '/';
    const permise = [PUBLIQUE, PUBLIQUE6].includes(adresse) && (port === 80 || port === 443);
    (permise ? visites : effractions).push({ adresse, port, chemin, entetes: request.headers });
    response.setHeader('Connection', 'close');
    repondre(chemin, response);
  };
  for (const port of [80, 443, 8080, 22]) {
    const server = createServer(accueillir).listen(port, '::');
    await once(server, 'listening');
  }
  return { visites, effractions };
}

function repondre(chemin: string, response: ServerResponse): void {
  const [, sauts] = /^\/sauts\/(\d+)$/u.exec(chemin) ?? [];
  const [, status, cible] = /^\/vers\/(\d+)(?:\?(.*))?$/u.exec(chemin) ?? [];
  if (sauts !== undefined) {
    const suite = sauts === '1' ? '/png' : `/sauts/${String(Number(sauts) - 1)}`;
    response.writeHead(302, { Location: suite }).end();
  } else if (status !== undefined) {
    const ascii = cible && decodeURIComponent(cible).replace(/[^ -~]/gu, encodeURIComponent);
    const entetes = ascii === undefined ? {} : { Location: ascii };
    response.writeHead(Number(status), entetes).end('ailleurs');
  } else {
    (PAGES[chemin] ?? PAGES['/404'])?.(response);
  }
}
