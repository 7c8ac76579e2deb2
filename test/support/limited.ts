import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { built, COMPILED } from './process.ts';

/** An account other than root, to which file permissions apply. */
export const NOBODY = 65534;

interface Limits {
  /** The largest file that the process may write, in blocks of 1024 bytes. */
  readonly fileBlocks?: number;
  /** Runs as an account without rights of its own. */
  readonly asNobody?: true;
}

/**
 * Starts the service with little disk space or few rights; resolves with its address, or with its output if it
 * exited.
 */
export function startLimited(
  databasePath: string,
  { fileBlocks, asNobody }: Limits,
): Promise<string> {
  const limit = fileBlocks === undefined ? '' : `ulimit -f ${String(fileBlocks)}; `;
  const owner = asNobody && process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn('bash', ['-c', `${limit}exec "$0" "$1"`, process.execPath, built('main')], {
    env: { ...COMPILED, PORT: '0', DATABASE_PATH: databasePath, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...owner,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return new Promise((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const [url] = /https?:\/\/\S+/.exec(chunk.toString()) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('close', () => resolve(output));
  });
}
