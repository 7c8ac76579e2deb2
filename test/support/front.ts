import { mkdtempSync, rmSync } from 'node:fs';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openContext } from '#server/start/context';
import { EVENTS_PATH } from '#shared/replication';
import { signedIn } from './sign-on.ts';
import { writeEmptyDatabase } from './template.ts';
import { Refusal } from '#shared/refusals';
import type { FrontBehaviour } from './front-behaviour.ts';

interface House {
  readonly port: number;
  close(): Promise<void>;
}

const PAGE = '<!doctype html><title>Sign in</title>';
const HTML = { 'content-type': 'text/html' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** A real service behind a proxy that names the user, and fails as proxies do. */
export class Front {
  behaviour: FrontBehaviour = 'transparent';
  user: string | null = null;
  /** How many more pages of a pull are forwarded before one is cut off in the middle; `null` for all. */
  pullsBeforeCut: number | null = null;
  readonly streams = new Set<ServerResponse>();
  readonly asked: string[] = [];
  #house: House | null = null;

  async open(): Promise<void> {
    await this.close();
    this.behaviour = 'transparent';
    this.user = null;
    this.pullsBeforeCut = null;
    this.asked.length = 0;
    this.#house = await openHouse();
  }

  async close(): Promise<void> {
    await this.#house?.close();
    this.#house = null;
  }

  async answers(addresses: readonly string[]): Promise<unknown[]> {
    const house = `http://127.0.0.1:${String(this.#house?.port)}`;
    const answers: unknown[] = [];
    for (const address of addresses) {
      const response = await fetch(house + address, { headers: signedIn(this.user) });
      if (!response.ok) throw new Error(`${address}: ${await response.text()}`);
      answers.push(await response.json());
    }
    return answers;
  }

  pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = 'GET', url = '/' } = incoming;
    this.asked.push(`${method} ${url}`);
    if (this.#refuse(url, outgoing)) return;
    if (!this.#house) {
      // Drop the connection, as without a server: a request that gets no response would time out after a minute.
      outgoing.destroy();
      return;
    }
    const cut = this.#cuts(url);
    const lost = this.behaviour === 'lostAnswers' && method !== 'GET';
    if (url.split('?')[0] === EVENTS_PATH) this.#follow(outgoing);
    const { SSO_USER: _, ...headers } = incoming.headers;
    const onward = request(
      {
        port: this.#house.port,
        host: '127.0.0.1',
        method,
        path: url,
        headers: { ...headers, ...signedIn(this.user) },
      },
      (answer) => {
        if (lost) {
          outgoing.destroy();
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        if (cut) answer.once('data', () => outgoing.destroy());
        else answer.pipe(outgoing);
        // End the response if the service aborts it, as it does with streams at its shutdown.
        answer.on('close', () => {
          if (!answer.complete) outgoing.destroy();
        });
      },
    );
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }

  #follow(outgoing: ServerResponse): void {
    this.streams.add(outgoing);
    outgoing.on('close', () => this.streams.delete(outgoing));
  }

  #cuts(url: string): boolean {
    if (this.pullsBeforeCut === null || !url.startsWith('/api/replication?')) return false;
    return --this.pullsBeforeCut < 0;
  }

  /** Answers in the service's place; returns false if the request must be forwarded. */
  #refuse(url: string, outgoing: ServerResponse): boolean {
    const answers: Partial<Record<FrontBehaviour, () => unknown>> = {
      noNetwork: () => outgoing.destroy(),
      noServer: () => outgoing.writeHead(502, HTML).end(PAGE),
      signOnElsewhere: () => outgoing.writeHead(302, { location: 'https://sso.invalid/' }).end(),
      signOnHere: () => outgoing.writeHead(302, { location: '/login' }).end(),
      unauthorised: () => outgoing.writeHead(401, HTML).end(PAGE),
      forbidden: () => outgoing.writeHead(403, HTML).end(PAGE),
      signOnPage: () => outgoing.writeHead(200, HTML).end(PAGE),
      emptyObject: () => outgoing.writeHead(200, JSON_TYPE).end('{}'),
      emptyList: () => outgoing.writeHead(200, JSON_TYPE).end('[]'),
      stopping: () => refuse(outgoing, new Refusal('SERVICE_ARRETE')),
      busy: () => refuse(outgoing, new Refusal('TRAVAIL_EN_COURS', { travail: 'import' })),
    };
    const answer = answers[this.behaviour];
    if (answer) answer();
    else if (this.behaviour !== 'failingPulls' || !url.startsWith('/api/replication?'))
      return false;
    else outgoing.writeHead(500, { 'content-type': 'application/json' }).end('{}');
    return true;
  }
}

function refuse(outgoing: ServerResponse, { status, code, message, details }: Refusal): void {
  const body = { statusCode: status, error: 'Service Unavailable', code, message, ...details };
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function openHouse(): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-'));
  const path = join(folder, 'bibliotheque.sqlite');
  writeEmptyDatabase(path);
  const context = openContext(readConfig({ DATABASE_PATH: path, LOG_LEVEL: 'silent' }));
  const app = await createApp(context);
  await app.listen({ host: '127.0.0.1', port: 0 });
  // A test that does not close its household must not keep the process alive.
  app.server.unref();
  const { port } = app.server.address() as AddressInfo;
  return {
    port,
    async close() {
      await app.close();
      context.database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
