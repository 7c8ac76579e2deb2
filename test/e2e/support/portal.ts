import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The state of the way to the service: open, session expired, or nothing reachable. */
export type State = 'open' | 'expired' | 'gone';

/**
 * How the sign-on layer answers after a session's end: redirect to another host or to this one, both leading back to
 * the requested page; 401 with a page; `home`: a redirect that leads to the start page.
 */
export type Habit = 'elsewhere' | 'here' | 'unauthorised' | 'home';

/** The portal's page that opens a session again. */
const SIGN_IN = '/connexion-du-portail';

/**
 * A single sign-on proxy in front of the service, which names the user and can end a session. Each device has its
 * own, and so its own origin.
 */
export class Portal {
  state: State = 'open';
  habit: Habit = 'home';
  /** The signed-in user, `null` if nobody is. */
  user: string | null;
  /** Rewrites the service worker's script, to simulate a new version. */
  rewriteWorker: ((script: string) => string) | null = null;
  /** Replaces every relayed cover: the relay refuses the addresses of a test. */
  cover: Buffer | null = null;
  /** Called with each request's path; the request is forwarded once the promise resolves. */
  delay: ((path: string) => Promise<unknown>) | null = null;
  /** True for a request to answer with a page of status 500. */
  breaks: ((method: string, path: string) => boolean) | null = null;
  /** Forwards the headers of an event stream, but buffers its body. */
  holdsStreams = false;
  readonly #upstream: (path: string) => string;
  readonly #serviceWorker: boolean;
  readonly #server = createServer((incoming, outgoing) => this.#answer(incoming, outgoing));

  /**
   * @param upstream maps a path to the service's address, at each request since a restart changes it
   * @param options whether the service worker's script is served
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

  /** Closes all connections, event streams included. */
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
      // A lazily loaded module that follows the redirect must not sign in, so only pages do. Checked by `accept`:
      // Firefox changes the mode of a navigation that a service worker forwards.
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
      // Skip the browser's validators: a rewritten script always differs.
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
      // The service closed an idle connection, as by a restart: retry on a new one, as proxies do.
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
