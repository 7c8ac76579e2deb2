import { spawn, type ChildProcess } from 'node:child_process';

/** What keeps a process on this machine. */
export const OFFLINE = ['--import', new URL('../../support/offline.mjs', import.meta.url).href];

/** As `scripts/launch.mjs` starts the service. */
const SERVICE_FLAGS = ['--max-semi-space-size=4', '--no-allocation-site-pretenuring'];

/** The service in a process of its own, as `npm run serve` runs it. */
export class Server {
  readonly #child: ChildProcess;
  /** Its origin, `http://127.0.0.1:<port>`. */
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** Starts it on a database file; a port of 0 takes a free one. */
  static start(
    databasePath: string,
    port = 0,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Server> {
    const env = { PORT: String(port), DATABASE_PATH: databasePath, LOG_LEVEL: 'error' };
    return Server.run([...SERVICE_FLAGS, 'build/server/main.js'], {
      ...env,
      ...settings,
    });
  }

  /** Runs a script that tells its address once it listens; rejects with what it said when it ends. */
  static async run(line: readonly string[], env: NodeJS.ProcessEnv): Promise<Server> {
    const child = spawn(process.execPath, [...OFFLINE, ...line], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    let said = '';
    const url = await new Promise<string>((resolve, reject) => {
      const listen = (chunk: Buffer) => {
        said += chunk.toString();
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
        if (address) resolve(address[0]);
      };
      child.stdout.on('data', listen);
      child.stderr.on('data', listen);
      child.on('exit', () => reject(new Error(`The server did not start.\n${said}`)));
    });
    return new Server(child, url);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Ends it as an operator does, and rejects when it does not end well. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise<number | null>((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    const code = await ended;
    if (code !== 0) throw new Error(`The server ended with ${String(code)}.`);
  }
}
