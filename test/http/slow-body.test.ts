import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { MIN_RATE } from '#server/plumbing/http/request';
import { certificate } from '../support/certificate.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse, type House } from '../support/house.ts';

afterEach(releaseTime);

/** Restore the spies first: one on a fake timer would reinstall it for the following files. */
function releaseTime(): void {
  vi.restoreAllMocks();
  vi.useRealTimers();
}

const BODY = JSON.stringify({ titre: 'x'.repeat(5 * MIN_RATE.bytes), format: 'Physique' });

test('64 kB have a minute', () => {
  expect(MIN_RATE).toEqual({ bytes: 65_536, ms: 60_000 });
});

/**
 * Fakes the service's timers. `waits` counts how often it has waited for more of a body, `freshWaits` how often with
 * the full time.
 */
function holdTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { calls } = vi.spyOn(globalThis, 'setTimeout').mock;
  const waits = () =>
    calls.filter(([, ms = 0]) => ms > MIN_RATE.ms / 6 && ms <= MIN_RATE.ms).length;
  const freshWaits = () => calls.filter(([, ms]) => ms === MIN_RATE.ms).length;
  return { waits, freshWaits };
}

/** A connection with the headers of a long body; `answer` is the first data received. */
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
  'a long body is read however slowly it comes: %s',
  async (path) => {
    const house = await openHouse();
    const { freshWaits } = holdTime();
    const { line, answer } = await openLine(house, path);
    for (let sent = 0; sent < BODY.length; sent += MIN_RATE.bytes) {
      await eventually(freshWaits).toBe(1 + sent / MIN_RATE.bytes);
      vi.advanceTimersByTime(MIN_RATE.ms / 2);
      line.write(BODY.slice(sent, sent + MIN_RATE.bytes));
    }
    expect(await answer).toMatch(/^HTTP\/1.1 (?:201|400) /);
    expect(await answer).not.toContain('DEMANDE_TROP_LENTE');
    line.destroy();
  },
);

test('a body that comes byte by byte is given up', async () => {
  const house = await openHouse();
  const { waits } = holdTime();
  const { line, answer } = await openLine(house, '/api/livres');
  for (let sent = 0; sent < 3; sent++) {
    await eventually(waits).toBe(sent + 1);
    vi.advanceTimersByTime(MIN_RATE.ms / 3);
    line.write(BODY.charAt(sent));
  }
  expect(await answer).toContain('DEMANDE_TROP_LENTE');
  await once(line.resume(), 'close');
});

test('no wait for more of a body is negative', async () => {
  const house = await openHouse();
  let ms = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (ms += MIN_RATE.ms + 1));
  const { calls } = vi.spyOn(globalThis, 'setTimeout').mock;
  const { line, answer } = await openLine(house, '/api/livres');
  line.write(BODY.slice(0, 10));
  expect(await answer).toContain('DEMANDE_TROP_LENTE');
  expect(calls.filter(([, wait = 0]) => wait < 0)).toEqual([]);
});

test.each(['/api/livres', '/api/importations', '/api/restauration'])(
  'a line that falls silent in a body ends: %s',
  async (path) => {
    const house = await openHouse();
    const { freshWaits } = holdTime();
    const { line, answer } = await openLine(house, path);
    line.write(BODY.slice(0, 10));
    await eventually(freshWaits).toBeGreaterThan(0);
    vi.advanceTimersByTime(MIN_RATE.ms + 1);
    expect(await answer).toMatch(/^HTTP\/1.1 408 /);
    expect(await answer).toContain('DEMANDE_TROP_LENTE');
    // The connection is free again: Node closes it once nothing arrives.
    await once(line.resume(), 'close');
    releaseTime();
    const next = await house.ask(null, 'POST', path, {});
    expect(next.body).not.toMatchObject({ code: 'IMPORTATION_EN_COURS' });
  },
);

test('a silent HTTP/2 stream is given up without its connection', async () => {
  const { certPath, keyPath, cert } = certificate();
  const house = await openHouse(undefined, { TLS_CERT: certPath, TLS_KEY: keyPath });
  const session = connectHttp2(house.url, { ca: cert });
  onTestFinished(() => session.destroy());
  await once(session, 'connect');
  const { freshWaits } = holdTime();
  const stream = session.request({
    ':method': 'POST',
    ':path': '/api/livres',
    'content-type': 'application/json',
    'content-length': String(BODY.length),
  });
  const [answered, closed] = [once(stream, 'response'), once(stream, 'close')];
  stream.write(BODY.slice(0, 10));
  await eventually(freshWaits).toBeGreaterThan(0);
  vi.advanceTimersByTime(MIN_RATE.ms + 1);
  expect((await answered)[0]).toMatchObject({ ':status': 408 });
  // The stream's slot in the connection is free again.
  stream.resume();
  await closed;
  const next = session.request({ ':path': '/api/sante' });
  expect((await once(next, 'response'))[0]).toMatchObject({ ':status': 200 });
});
