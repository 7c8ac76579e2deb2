import { spawn, type ChildProcess } from 'node:child_process';

/** Node options that refuse connections to other machines. */
export const OFFLINE = ['--import', new URL('../../support/offline.mjs', import.meta.url).href];

/** The flags of `scripts/launch.mjs`. */
const SERVICE_FLAGS = [
  '--max-semi-space-size=4',
  '--no-allocation-site-pretenuring',
  '--heap-growing-percent=40',
];

/** The service in its own process, as started by `npm run serve`. */
export class Server {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** Starts the service on a database file; port 0 takes a free one. */
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

  /** Runs a script and resolves with the address that it prints; rejects with its output if it exits first. */
  static async run(line: readonly string[], env: NodeJS.ProcessEnv): Promise<Server> {
    const child = spawn(process.execPath, [...OFFLINE, ...line], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    let output = '';
    const url = await new Promise<string>((resolve, reject) => {
      const listen = (chunk: Buffer) => {
        output += chunk.toString();
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
        if (address) resolve(address[0]);
      };
      child.stdout.on('data', listen);
      child.stderr.on('data', listen);
      child.on('exit', () => reject(new Error(`The server did not start.\n${output}`)));
    });
    return new Server(child, url);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Stops the service as an operator does; rejects if its exit code is not 0. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise<number | null>((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    const code = await ended;
    if (code !== 0) throw new Error(`The server ended with ${String(code)}.`);
  }
}
