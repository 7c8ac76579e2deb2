import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the way to the service is: open, ended by the sign-on layer, or without anything behind it. */
export type State = 'open' | 'expired' | 'gone';

/**
 * What a sign-on answers once it has ended a session: a redirect to another host or to this one, which leads
 * back to where it was asked, or 401 with its page. `home`: a redirect to this host that leads to the start.
 */
export type Habit = 'elsewhere' | 'here' | 'unauthorised' | 'home';

/** The path of the portal's own page, where a session is opened again. */
const SIGN_IN = '/connexion-du-portail';

/**
 * The single sign-on layer in front of the service, as a household has one: it says who is calling,
 * and it can end a session. Each device of a test has its own, so that each has its own origin.
 */
export class Portal {
  state: State = 'open';
  habit: Habit = 'home';
  /** Who is signed in on this device, null when nobody is. */
  user: string | null;
  /** What the service worker's script becomes on its way, by which a new version is told. */
  rewriteWorker: ((script: string) => string) | null = null;
  /** The picture that every address has, in place of the relay, which opens none of a test's. */
  cover: Buffer | null = null;
  /** What a request waits for on its way, told its path. */
  delay: ((path: string) => Promise<unknown>) | null = null;
  /** Whether a request ends in a fault on its way, with a page of status 500. */
  breaks: ((method: string, path: string) => boolean) | null = null;
  /** Whether it sends the headers of an event stream on, and keeps its body. */
  holdsStreams = false;
  readonly #upstream: (path: string) => string;
  readonly #serviceWorker: boolean;
  readonly #server = createServer((incoming, outgoing) => this.#answer(incoming, outgoing));

  /**
   * @param upstream where a path is asked for, asked at each request as the service can move
   * @param options whether it passes the service worker on, or has none
   */
  constructor(
    upstream: (path: string) => string,
    user: string | null,
    { serviceWorker }: { serviceWorker: boolean },
  ) {
    this.#upstream = upstream;
    this.#serviceWorker = serviceWorker;
    this.user = user;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Drops every connection, event streams included. */
  cut(): void {
    this.#server.closeAllConnections();
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  #answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (incoming.url?.endsWith('/service-worker.js') === true && !this.#serviceWorker) {
      outgoing.writeHead(404).end();
    } else if (incoming.url?.startsWith(SIGN_IN) === true) {
      // A part of the application that is loaded late follows the redirect, too, and signs nobody in.
      // By what it accepts: where a service worker hands a navigation on, Firefox calls it another mode.
      if (incoming.headers.accept?.includes('text/html') === true) {
        this.state = 'open';
        const back = new URL(incoming.url, this.url).searchParams.get('rd');
        outgoing.writeHead(302, { location: back ?? '/' }).end();
      } else outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Connexion</h1>');
    } else if (this.state === 'gone') {
      outgoing.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    } else if (this.state === 'expired') {
      this.#refuse(incoming, outgoing);
    } else if (this.breaks?.(incoming.method ?? 'GET', incoming.url ?? '/')) {
      outgoing.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Error</h1>');
    } else if (this.cover !== null && incoming.url?.startsWith('/api/couvertures?')) {
      outgoing.writeHead(200, { 'content-type': 'image/png' }).end(this.cover);
    } else {
      const way = this.delay?.(incoming.url ?? '/') ?? Promise.resolve();
      void way.then(() => this.#forward(incoming, outgoing));
    }
  }

  #refuse({ url = '/' }: IncomingMessage, outgoing: ServerResponse): void {
    const door = `${SIGN_IN}?rd=${encodeURIComponent(this.url + url)}`;
    const location = {
      home: SIGN_IN,
      here: door,
      elsewhere: this.url.replace('127.0.0.1', 'localhost') + door,
    };
    if (this.habit === 'unauthorised')
      outgoing.writeHead(401, { 'content-type': 'text/html' }).end('<h1>Connexion</h1>');
    else outgoing.writeHead(302, { location: location[this.habit] }).end();
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const headers = { ...incoming.headers };
    delete headers['sso_user'];
    if (this.user !== null) headers['sso_user'] = this.user;
    const worker = /^\/(?:service-worker\.js|files\.\w+\.json)$/.test(incoming.url ?? '')
      ? this.rewriteWorker
      : null;
    if (worker) {
      delete headers['accept-encoding'];
      // What is rewritten is never what the browser has.
      delete headers['if-none-match'];
      delete headers['if-modified-since'];
    }
    const outside = request(
      this.#upstream(incoming.url ?? '/'),
      { method: incoming.method, headers },
      (answer) => {
        if (worker) return void this.#rewrite(answer, outgoing, worker);
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        if (this.holdsStreams && answer.headers['content-type']?.includes('event-stream'))
          answer.resume();
        else answer.pipe(outgoing);
        answer.on('error', () => outgoing.destroy());
      },
    );
    outside.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy();
      // A connection that the house has closed meanwhile, as by a new start: a proxy opens another.
      else if (outside.reusedSocket && incoming.method === 'GET') this.#forward(incoming, outgoing);
      else outgoing.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    });
    outgoing.on('close', () => outside.destroy());
    if (incoming.method === 'GET') outside.end();
    else incoming.pipe(outside);
  }

  async #rewrite(
    answer: IncomingMessage,
    outgoing: ServerResponse,
    worker: (script: string) => string,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const { ...headers } = answer.headers;
    delete headers['content-length'];
    delete headers.etag;
    outgoing.writeHead(answer.statusCode ?? 502, headers);
    outgoing.end(worker(Buffer.concat(chunks).toString()));
  }
}
