import { request as httpRequest, type IncomingMessage } from 'node:http';
import { firstCode } from '#server/subjects/identity/invitations';
import { onTestFinished, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { serve, type RunningServer } from '../support/server.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export const PASSWORD = 'une longue phrase';

const SESSION_COOKIE = /^(?:__Host-)?rayonnage$/;

/** A browser on one device: stores its cookies, and names its own page as the origin of a request. */
export class Browser {
  readonly #url: string;
  readonly #address: string;
  /** The stored cookies, by name. */
  readonly #cookies = new Map<string, string>();
  /** The attributes of the last session cookie. */
  attributes = '';

  /** @param address the client's address, as named by a proxy */
  constructor(url: string, address = '192.0.2.1') {
    this.#url = url;
    this.#address = address;
  }

  /** The headers of a request from this device. */
  headers(more: Record<string, string> = {}): Record<string, string> {
    return {
      'X-Forwarded-For': this.#address,
      'User-Agent': 'Mozilla/5.0 (Android 16; Mobile) Gecko/150.0 Firefox/150.0',
      ...(this.#cookies.size > 0 && {
        Cookie: Array.from(this.#cookies, (pair) => pair.join('=')).join('; '),
      }),
      ...more,
    };
  }

  async ask(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Reply> {
    const type: Record<string, string> =
      body === undefined ? {} : { 'Content-Type': 'application/json' };
    const headers = this.headers({ ...type, ...more });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = httpRequest(this.#url + path, { method, headers }, resolve);
      request.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    for (const line of response.headers['set-cookie'] ?? []) this.#keep(line);
    const text = Buffer.concat(chunks).toString();
    const isJson = response.headers['content-type']?.includes('json') === true;
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: text !== '' && isJson ? JSON.parse(text) : text,
    };
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split('=');
    this.#cookies.delete(name);
    if (value !== '') this.#cookies.set(name, value);
    if (SESSION_COOKIE.test(name)) this.attributes = attributes.join('; ');
  }

  /** The session cookie as sent; `''` without a session. */
  get cookie(): string {
    const session = [...this.#cookies].find(([name]) => SESSION_COOKIE.test(name));
    return session?.join('=') ?? '';
  }

  set cookie(pair: string) {
    for (const name of this.#cookies.keys())
      if (SESSION_COOKIE.test(name)) this.#cookies.delete(name);
    const [name = '', value = ''] = pair.split('=');
    if (name !== '') this.#cookies.set(name, value);
  }

  signIn(identifiant: string, motDePasse = PASSWORD): Promise<Reply> {
    return this.ask('POST', '/api/connexion', { identifiant, motDePasse });
  }
}

/** A household with accounts, on loopback. */
export interface Home extends RunningServer {
  /** A device on which nobody has signed in. */
  device(address?: string): Browser;
  /** Creates a member, and returns a device on which they are signed in. The first member manages the accounts. */
  member(nom: string): Promise<Browser>;
}

export async function openHome(settings: Record<string, string> = {}): Promise<Home> {
  const server = await serve({ ACCOUNTS: 'oui', ...settings });
  const device = (address?: string) => new Browser(server.url, address);
  let manager: Browser | null = null;
  const member = async (nom: string): Promise<Browser> => {
    const browser = device();
    const jeton =
      manager === null
        ? (server.context.database.write((tx) => firstCode(tx)) ?? '')
        : jetonOf(await manager.ask('POST', '/api/invitations', { nom }));
    manager ??= browser;
    const { status } = await browser.ask('POST', '/api/connexion/arrivee', {
      jeton,
      nom,
      motDePasse: PASSWORD,
    });
    if (status !== 201) throw new Error(`${nom} was not let in: ${status}`);
    return browser;
  };
  return { ...server, device, member };
}

/** The secret in a response, which is shown only once. */
export function jetonOf({ body }: Reply): string {
  const jeton: unknown = Reflect.get(Object(body), 'jeton');
  if (typeof jeton !== 'string') throw new Error('an answer without a secret');
  return jeton;
}

/** Creates a key for the active member of a device; returns its secret. */
export async function keyOf(
  browser: Browser,
  ecrit: boolean,
  more?: Record<string, string>,
): Promise<string> {
  const asked = { nom: 'Script', ecrit, motDePasse: PASSWORD };
  return jetonOf(await browser.ask('POST', '/api/cles', asked, more));
}

/** The active member of a device, or the code of the refusal. */
export async function whoReads(browser: Browser): Promise<unknown> {
  const { body } = await browser.ask('GET', '/api/moi');
  const reply = Object(body) as { utilisateur?: unknown; code?: unknown };
  return reply.utilisateur ?? reply.code;
}

/** Advances all clocks by some minutes until the end of the test. */
export function pass(minutes: number): void {
  const ms = minutes * 60_000;
  const read = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => read() + ms);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  onTestFinished(() => {
    clock.mockRestore();
    vi.useRealTimers();
  });
}

/** Holds the write lock, which all other writes wait for, until `end`. */
export function longWork({ context: { database } }: Pick<Home, 'context'>) {
  const { writeLock } = database;
  const whenFree = vi.spyOn(writeLock, 'whenFree');
  onTestFinished(() => whenFree.mockRestore());
  const work = Promise.withResolvers<undefined>();
  const lent = writeLock.handOver('import', () => work.promise);
  onTestFinished(() => work.resolve(undefined));
  return {
    whenFree,
    waiting: (count: number) => eventually(() => whenFree.mock.calls.length).toBe(count),
    end: () => {
      work.resolve(undefined);
      return lent;
    },
  };
}
