import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { EVENTS_PATH } from '#shared/replication';
import { EventStream } from '#server/plumbing/sync/events';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/events.ts';
import { openHouse, type House } from '../support/house.ts';
import { pullAll } from '../support/replication.ts';

const addLivre = (house: House, titre: string) =>
  house.ask(null, 'POST', '/api/livres?confirmerDoublon=true', { titre, format: 'Physique' });
const setStatut = (house: House, utilisateur: string, statut: number | null) =>
  house.ask(utilisateur, 'PUT', '/api/livres/1/statut', { statut });

test('is a stream that no proxy holds back or stores', async () => {
  const { response } = await listen(await openHouse(), null);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream\b/);
  expect(response.headers.get('cache-control')).toContain('no-store');
  expect(response.headers.get('x-accel-buffering')).toBe('no');
});

test('beats with its opening and soon again, so that a listener knows of a proxy that holds it back', async () => {
  const stream = await listen(await openHouse(), null);
  const beats = () => stream.text().split('event: battement\n').length - 1;
  await eventually(beats).toBe(1);
  await expect.poll(beats, { timeout: 10_000 }).toBe(2);
});

test('beats three times a minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const stream = await listen(await openHouse(), null);
  const beats = () => stream.text().split('event: battement\n').length - 1;
  await expect.poll(beats, { timeout: 10_000 }).toBe(2);
  for (const count of [3, 4, 5]) {
    vi.advanceTimersByTime(19_999);
    expect(beats()).toBe(count - 1);
    vi.advanceTimersByTime(1);
    await eventually(beats).toBe(count);
  }
});

test('a HEAD has the headers of the stream, and ends', async () => {
  const { url } = await openHouse();
  const response = await fetch(url + EVENTS_PATH, { method: 'HEAD' });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream\b/);
  expect(await response.text()).toBe('');
});

test('announces shared changes to everyone, unknown callers too', async () => {
  const house = await openHouse();
  const streams = await Promise.all(['ana', 'bob', null].map((who) => listen(house, who)));
  const { headers } = await addLivre(house, 'Sido');
  for (const stream of streams) {
    await eventually(stream.revisions).toEqual([Number(headers.get('x-revision'))]);
  }
});

test('announces a personal change to its owner only', async () => {
  const house = await openHouse();
  await addLivre(house, 'Sido');
  const [ana, bob, nobody] = await Promise.all(
    ['ana', 'bob', null].map((who) => listen(house, who)),
  );
  const personal = Number((await setStatut(house, 'ana', 1)).headers.get('x-revision'));
  const deletion = Number((await setStatut(house, 'ana', null)).headers.get('x-revision'));
  const shared = Number((await addLivre(house, 'Chéri')).headers.get('x-revision'));
  // The shared change comes last: with it, all earlier ones have arrived.
  await eventually(() => bob?.revisions()).toEqual([shared]);
  await eventually(() => nobody?.revisions()).toEqual([shared]);
  await eventually(() => ana?.revisions().at(-1)).toBe(shared);
  expect([personal, deletion, shared]).toEqual(expect.arrayContaining(ana?.revisions() ?? [-1]));
  expect(ana?.revisions().length).toBeGreaterThan(1);
});

test('says nothing of a write that changed nothing', async () => {
  const house = await openHouse();
  const stream = await listen(house, 'ana');
  await house.ask('ana', 'PUT', '/api/livres/99/statut', { statut: 1 });
  const { headers } = await addLivre(house, 'Sido');
  await eventually(stream.revisions).toEqual([Number(headers.get('x-revision'))]);
});

test('a reconnected browser gets exactly the missed announcements', async () => {
  const house = await openHouse();
  const first = await listen(house, 'ana');
  await addLivre(house, 'Sido');
  await eventually(first.revisions).toHaveLength(1);
  const id = /^id: (.+)$/m.exec(first.text())?.[1];
  first.leave();

  await setStatut(house, 'bob', 1);
  const silent = await listen(house, 'ana', id);
  const owner = await listen(house, 'bob', id);
  await eventually(owner.revisions).toEqual([house.context.database.revision()]);
  const { headers } = await addLivre(house, 'Chéri');
  const shared = Number(headers.get('x-revision'));
  await eventually(silent.revisions).toEqual([shared]);

  const missed = await listen(house, 'ana', id);
  await eventually(missed.revisions).toEqual([shared]);
  const restored = await listen(house, 'ana', 'autre-1');
  await eventually(restored.revisions).toEqual([shared]);
  const odd = await listen(house, 'ana', 'n’importe quoi'.normalize('NFKD').replace('’', ''));
  await addLivre(house, 'Atlas');
  await eventually(odd.revisions).toEqual([house.context.database.revision()]);
});

test('a stream opened with a checkpoint confirms it, and announces later changes', async () => {
  const house = await openHouse();
  await addLivre(house, 'Sido');
  const checkpointOf = async (who: string | null) => {
    const { epoque, revision } = await pullAll(house, who, undefined, undefined, true);
    return `?epoque=${epoque}&revision=${String(revision)}`;
  };
  const [ana, unknown] = [await checkpointOf('ana'), await checkpointOf(null)];
  const since = (stream: { text: () => string }) =>
    Number(/^event: battement\ndata: \{"since":(\d+)\}$/m.exec(stream.text())?.[1] ?? NaN);
  const stream = await listen(house, 'ana', undefined, ana);
  await eventually(() => since(stream)).toBe(house.context.database.revision());

  await setStatut(house, 'bob', 1);
  const others = await listen(house, 'ana', undefined, ana);
  await setStatut(house, 'ana', 1);
  const ownStream = await listen(house, 'ana', undefined, ana);
  await eventually(ownStream.revisions).toEqual([house.context.database.revision()]);
  const { headers } = await addLivre(house, 'Chéri');
  const shared = Number(headers.get('x-revision'));
  await eventually(() => others.revisions().at(-1)).toBe(shared);
  expect(others.revisions()).toHaveLength(2);
  // A checkpoint of another reader, an incomplete one, or an invalid one: the device must pull everything.
  for (const [who, query] of [
    ['bob', ana],
    ['ana', unknown],
    ['ana', '?epoque=autre-1.0.0&revision=1'],
    ['ana', '?epoque=&revision=-1'],
    ['ana', '?revision=1'],
  ] as const) {
    const stream = await listen(house, who, undefined, query);
    await eventually(stream.text).toContain('event: battement\ndata: {}\n');
    expect(stream.revisions()).toEqual([]);
  }
});

test('ends with the service, which waits for no listener', async () => {
  const house = await openHouse();
  const streams = await Promise.all(['ana', null].map((who) => listen(house, who)));
  await house.close();
  await Promise.all(streams.map(({ ended }) => ended));
});

test('survives listeners that hang up in any way', async () => {
  const house = await openHouse();
  const { port } = new URL(house.url);
  for (let i = 0; i < 20; i++) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET ${EVENTS_PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    if (i % 2 === 0) await new Promise((resolve) => socket.once('data', resolve));
    socket.resetAndDestroy();
    await addLivre(house, `Livre ${String(i)}`);
  }
  const stream = await listen(house, null);
  const { status, headers } = await addLivre(house, 'Sido');
  expect(status).toBe(201);
  await eventually(stream.revisions).toEqual([Number(headers.get('x-revision'))]);
});

test('keeps one message at most for a stalled client', () => {
  const stream = new EventStream('abc', null);
  for (let revision = 1; revision <= 10_000; revision++) stream.announce(revision);
  expect(stream.body.readableLength).toBeLessThan(100);
  const heard = [stream.body.read(), stream.body.read()].join('');
  expect(heard).toContain('id: abc-10000\ndata: {"revision":10000}\n\n');
  expect(heard).not.toContain('9999');
});

test('beats for a reading client, and drops one long silent', () => {
  const stream = new EventStream('abc', null);
  stream.body.read();
  stream.beat();
  expect(String(stream.body.read())).toBe('event: battement\ndata: {}\n\n');
  stream.beat();
  for (let i = 0; i < 2; i++) stream.beat();
  expect(stream.body.destroyed).toBe(false);
  stream.beat();
  expect(stream.body.destroyed).toBe(true);
});
