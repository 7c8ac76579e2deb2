import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { reportedErrors } from '$lib/sync/report';
import { device } from '$lib/sync/this-device';
import { announcer } from '$lib/ui/announcer.svelte';
import { loadDeferred } from '$lib/ui/load-deferred';

/** Tells the client's modules whether the network is there. */
function connect(connection: 'online' | 'offline'): void {
  device.status = { ...device.status, connection };
  device.setVisible(false);
}

beforeEach(() => {
  const { status } = device;
  connect('online');
  onTestFinished(() => {
    device.status = status;
    announcer.say('');
  });
});

/** A component that fails to load while the network is gone. */
function partOf() {
  const load = vi.fn(() =>
    device.status.connection === 'offline'
      ? Promise.reject(new Error('gone'))
      : Promise.resolve('the part'),
  );
  const taken: string[] = [];
  return { load, taken, take: (part: string) => void taken.push(part) };
}

test('a failed component is reported and announced, and loaded once the network is back', async () => {
  const { load, taken, take } = partOf();
  connect('offline');
  const cancel = loadDeferred(load, take, 'loading the part');
  onTestFinished(cancel);
  await expect.poll(() => announcer.text).toMatch(/ne s’est pas chargée/);
  expect(reportedErrors().at(-1)).toMatchObject({ where: 'loading the part' });
  connect('offline');
  expect(load).toHaveBeenCalledTimes(1);
  connect('online');
  await expect.poll(() => taken).toEqual(['the part']);
  connect('offline');
  connect('online');
  expect(load).toHaveBeenCalledTimes(2);
});

test('a component that keeps failing is loaded again each time the network is back', async () => {
  const load = vi.fn(() => Promise.reject(new Error('broken')));
  const failed = vi.fn();
  const cancel = loadDeferred(load, vi.fn(), 'loading the part', { onfail: failed });
  onTestFinished(cancel);
  for (const times of [1, 2, 3]) {
    await expect.poll(() => failed.mock.calls.length).toBe(times);
    connect('offline');
    connect('online');
  }
  expect(announcer.text).toBe('');
});

test('a part that is cancelled on its way is not taken', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const load = vi.fn(() => promise);
  const take = vi.fn();
  const cancel = loadDeferred(load, take, 'loading the part');
  await expect.poll(() => load.mock.calls.length).toBe(1);
  cancel();
  resolve('the part');
  await promise;
  await Promise.resolve();
  expect(take).not.toHaveBeenCalled();
});

test('a part that is cancelled after it failed is not loaded again', async () => {
  const { load, take } = partOf();
  connect('offline');
  const failed = vi.fn();
  const cancel = loadDeferred(load, take, 'loading the part', { onfail: failed });
  await expect.poll(() => failed.mock.calls.length).toBe(1);
  cancel();
  connect('online');
  expect(load).toHaveBeenCalledTimes(1);
});
