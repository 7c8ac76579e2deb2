// cspell:words fastcgi uwsgi scgi -- words of nginx
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, connect, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Authority } from './authority.ts';

export interface Place {
  readonly folder: string;
  readonly authority: Authority;
  readonly port: number;
  readonly plainPort: number;
  readonly servicePort: number;
  readonly signOnPort: number;
  /** Empty at the root, otherwise `/bibliotheque`. */
  readonly base: string;
  /** Whether the proxy removes the base path. */
  readonly strips: boolean;
}

export interface Proxy {
  readonly name: string;
  /** Debian's package. */
  readonly command: string;
  /** The source of the caller's name: a portal beside the proxy, the proxy by a password, or the service by its accounts. */
  readonly signOn: 'portal' | 'password' | 'accounts';
  /** The names of the places where this proxy is tested; by default all. */
  readonly places?: readonly string[];
  /**
   * Writes the configuration of deploy/ with what a household changes in it, and returns the command that starts the
   * proxy.
   */
  readonly line: (place: Place) => readonly string[];
}

export function changed(
  text: string,
  changes: readonly (readonly [from: string, to: string])[],
): string {
  return changes.reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`There is no « ${from} » in the configuration`);
    return now.replaceAll(from, to);
  }, text);
}

const EVENTS = '/api/replication/evenements';

function nginxConf(place: Place, edit: (file: string) => string): string {
  const { authority, port, plainPort, servicePort, signOnPort, base, strips } = place;
  const asked = 'proxy_pass http://127.0.0.1:3000;';
  const [page, events] = strips ? ['/', EVENTS] : ['', ''];
  const file = changed(readFileSync('deploy/nginx.conf', 'utf8'), [
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['bibliotheque.example.org', 'localhost'],
    ['/etc/ssl/bibliotheque.pem', authority.certPath],
    ['/etc/ssl/bibliotheque.key', authority.keyPath],
    [`location / {\n    ${asked}`, `location ${base}/ {\n    ${asked.replace(';', `${page};`)}`],
    [
      `location = ${EVENTS} {\n    ${asked}`,
      `location = ${base}${EVENTS} {\n    ${asked.replace(';', `${events};`)}`,
    ],
    ['127.0.0.1:3000', `127.0.0.1:${servicePort}`],
    ['127.0.0.1:9091', `127.0.0.1:${signOnPort}`],
  ]);
  return edit(file);
}

/** Writes the configuration, edited further, and returns the command that starts nginx with it. */
export function nginxLine(place: Place, edit: (file: string) => string): readonly string[] {
  const { folder } = place;
  const path = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const main = ['daemon off;', `pid ${join(folder, 'nginx.pid')};`, 'error_log stderr warn;'];
  // Otherwise nginx runs its workers as nobody, who may not read the folder.
  if (process.getuid?.() === 0) main.push('user root;');
  const http = ['access_log off;', ...temporary, nginxConf(place, edit)];
  writeFileSync(path, [...main, 'events {}', 'http {', ...http, '}'].join('\n'));
  return ['nginx', '-e', 'stderr', '-p', folder, '-c', path];
}

const NGINX: Proxy = {
  name: 'nginx',
  command: 'nginx',
  signOn: 'portal',
  line: (place) => nginxLine(place, (file) => file),
};

/** Only the ports of deploy/ listen, and the redirection to HTTPS on another port than 80. */
export const caddyOptions = (plainPort: number): string =>
  `admin off\n\thttp_port ${plainPort}\n\tdefault_bind 127.0.0.1`;

/** Writes the configuration, edited further, and returns the command that starts Caddy with it. */
export function caddyLine(
  { folder, authority, port, plainPort, servicePort, signOnPort, base, strips }: Place,
  edit: (file: string) => string,
): readonly string[] {
  const path = join(folder, 'Caddyfile');
  const { certPath, keyPath } = authority;
  const file = changed(readFileSync('deploy/Caddyfile', 'utf8'), [
    ['grace_period 5s', `grace_period 5s\n\t${caddyOptions(plainPort)}`],
    [
      'bibliotheque.example.org {',
      `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certPath} ${keyPath}`,
    ],
    ['reverse_proxy', strips ? `uri strip_prefix ${base}\n\t\treverse_proxy` : 'reverse_proxy'],
    ['127.0.0.1:3000', `127.0.0.1:${servicePort}`],
    ['127.0.0.1:9091', `127.0.0.1:${signOnPort}`],
  ]);
  writeFileSync(path, edit(file));
  return ['caddy', 'run', '--adapter', 'caddyfile', '--config', path];
}

const CADDY: Proxy = {
  name: 'Caddy',
  command: 'caddy',
  signOn: 'portal',
  line: (place) => caddyLine(place, (file) => file),
};

export const PORTALS: readonly Proxy[] = [NGINX, CADDY];

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** A process of the proof, which is stopped at its end at the latest. */
export class Running {
  readonly #child: ChildProcess;
  #said = '';

  private constructor(line: readonly string[], env: NodeJS.ProcessEnv) {
    const [command = '', ...args] = line;
    this.#child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#said += chunk.toString()));
    this.#child.on('error', (error) => (this.#said += error.message));
    children.add(this.#child);
    this.#child.once('exit', () => children.delete(this.#child));
  }

  /** Resolves once it listens; rejects with its output if it exits first. */
  static async start(
    line: readonly string[],
    port: number,
    env: NodeJS.ProcessEnv = {},
  ): Promise<Running> {
    const running = new Running(line, { PATH: process.env['PATH'], ...env });
    while (!(await listens(port))) {
      if (running.#child.exitCode !== null || running.#child.pid === undefined)
        throw new Error(`${line.join(' ')}\n${running.#said}`);
      await delay(50);
    }
    return running;
  }

  get said(): string {
    return this.#said;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** An unused loopback port below the ephemeral ones, so that nothing takes it while a proxy restarts. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}
