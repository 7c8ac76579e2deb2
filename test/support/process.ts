import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { OFFLINE } from '../e2e/support/server.ts';
import { temporaryFolder } from './database.ts';

/** The bundle of a command: `main` is the service. */
export const built = (command: string): string =>
  fileURLToPath(new URL(`../../build/server/${command}.js`, import.meta.url));

/** Shares compiled code among the processes of a run (vitest.config.ts). */
export const COMPILED = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };

interface ProcessEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class ServerProcess {
  readonly #child: ChildProcess;
  readonly ended: Promise<ProcessEnd>;
  #said = '';

  constructor(settings: Record<string, string> = {}) {
    this.#child = spawn(process.execPath, [...OFFLINE, built('main')], {
      cwd: temporaryFolder(),
      // On a busy machine many requests are slow, which logs a warning.
      env: { ...COMPILED, PORT: '0', LOG_LEVEL: 'error', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.#said += chunk.toString()));
    this.#child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code) => resolve({ code, stdout: this.#said, stderr }));
    });
    onTestFinished(() => void this.#child.kill('SIGKILL'));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The address that the service prints; rejects with the output if it exits first. */
  async url(): Promise<string> {
    return this.said(/https?:\/\/\S+/);
  }

  /** Waits for output of this form; rejects as `url` does. */
  async said(form: RegExp): Promise<string> {
    const early = this.ended.then(({ stderr }) => Promise.reject(new Error(stderr)));
    const output = new Promise<string>((resolve) => {
      const look = () => {
        const [found] = form.exec(this.#said) ?? [];
        if (found !== undefined) resolve(found);
      };
      this.#child.stdout?.on('data', look);
      look();
    });
    return Promise.race([output, early]);
  }

  end(signal: NodeJS.Signals): Promise<ProcessEnd> {
    this.#child.kill(signal);
    return this.ended;
  }
}
