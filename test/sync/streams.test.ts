// @module-tag process
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { EVENTS_PATH } from '#shared/replication';
import { eventually } from '../support/eventually.ts';
import { ServerProcess } from '../support/process.ts';
import { RANDOM_TIMEOUT_MS, runs } from '../support/random.ts';
import { send } from '../support/server.ts';

const COUNT = runs(50);
/** Less than the limit per address. */
const OF_ONE_ADDRESS = 50;
const MAX_MB = 256;

/** Opens an event stream from its own loopback address, and collects its text. */
function openStream(url: string, nth: number): () => string {
  const localAddress = `127.0.0.${String(1 + Math.floor(nth / OF_ONE_ADDRESS))}`;
  let text = '';
  const asked = request(url + EVENTS_PATH, { localAddress, agent: false }, (response) => {
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('error', () => undefined);
  });
  asked.on('error', (error) => (text += String(error))).end();
  onTestFinished(() => void asked.destroy());
  return () => text;
}

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1]) / 1024;

// Linux reports the memory of a process in /proc.
test.runIf(process.platform === 'linux')(
  'many event streams all hear a write in bounded memory',
  async () => {
    const server = new ServerProcess();
    const url = await server.url();
    const streams = Array.from({ length: COUNT }, (_, nth) => openStream(url, nth));
    const havingHeard = (text: string) =>
      streams.filter((received) => received().includes(text)).length;
    await eventually(() => havingHeard('\n\n')).toBe(COUNT);
    const { headers } = await send(`${url}/api/livres`, {
      method: 'POST',
      headers: ['Content-Type', 'application/json'],
      body: JSON.stringify({ titre: 'Sido', format: 'Physique' }),
    });
    await eventually(() => havingHeard(`"revision":${String(headers['x-revision'])}}`)).toBe(COUNT);
    expect(memoryOf(server.pid)).toBeLessThan(MAX_MB);
  },
  RANDOM_TIMEOUT_MS,
);
