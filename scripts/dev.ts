import { spawn, type ChildProcess } from 'node:child_process';
import { simulatedUser } from './support/user.ts';

/**
 * Starts server and client in watch mode: the server restarts on a change, and Vite serves the client with its
 * component gallery.
 */
const env = { ...process.env, HOST: '127.0.0.1', SIMULATED_USER: simulatedUser() };
const api = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`;

const sides = [
  spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
    stdio: 'inherit',
    env,
  }),
  spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'dev'], {
    stdio: 'inherit',
    env: { ...process.env, API_URL: api, ATELIER: '1' },
  }),
];

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(0));
for (const side of sides) side.on('exit', () => end(1));

function end(code: number): void {
  process.exitCode ??= code;
  const running = (side: ChildProcess) => side.exitCode === null && side.signalCode === null;
  for (const side of sides.filter(running)) side.kill('SIGTERM');
}
