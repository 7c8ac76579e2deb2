import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { MAX_SILENCE_MS } from '#server/http/body';
import { openHouse, type House } from '../support/house.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const BODY = JSON.stringify({ titre: 'x'.repeat(100), format: 'Physique' });

/** The time of the service, and how often it has begun to wait for more of a body. */
function holdTime(): () => number {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const begun = vi.spyOn(globalThis, 'setTimeout');
  return () => begun.mock.calls.filter(([, ms]) => ms === MAX_SILENCE_MS).length;
}

/** A line on which a body arrives as it is written; `answer` is what comes back first. */
async function openLine({ url }: House, path: string) {
  const { hostname, port } = new URL(url);
  const line = connect(Number(port), hostname);
  await once(line, 'connect');
  const answer = once(line, 'data').then(([bytes]) => String(bytes));
  line.write(
    `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${String(BODY.length)}\r\n\r\n`,
  );
  return { line, answer };
}

test.each(['/api/livres', '/api/importations'])(
  'a body that comes for hours is read, whatever its line: %s',
  async (path) => {
    const house = await openHouse();
    const waits = holdTime();
    const { line, answer } = await openLine(house, path);
    for (let sent = 0; sent < BODY.length; sent++) {
      await vi.waitFor(() => expect(waits()).toBe(sent + 1));
      vi.advanceTimersByTime(MAX_SILENCE_MS - 10_000);
      line.write(BODY.charAt(sent));
    }
    expect(await answer).toMatch(/^HTTP\/1.1 (?:201|400) /);
    expect(await answer).not.toContain('DEMANDE_TROP_LENTE');
    line.destroy();
  },
);

test.each(['/api/livres', '/api/importations', '/api/restauration'])(
  'a line that falls silent in the middle of a body is given up: %s',
  async (path) => {
    const house = await openHouse();
    const waits = holdTime();
    const { line, answer } = await openLine(house, path);
    line.write(BODY.slice(0, 10));
    await vi.waitFor(() => expect(waits()).toBeGreaterThan(0));
    vi.advanceTimersByTime(MAX_SILENCE_MS + 1);
    expect(await answer).toMatch(/^HTTP\/1.1 408 /);
    expect(await answer).toContain('DEMANDE_TROP_LENTE');
    // Its place is free again: Node closes a connection on which nothing comes.
    await once(line.resume(), 'close');
    vi.useRealTimers();
    const next = await house.ask(null, 'POST', path, {});
    expect(next.body).not.toMatchObject({ code: 'IMPORTATION_EN_COURS' });
  },
);
