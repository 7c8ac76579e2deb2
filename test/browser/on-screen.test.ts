import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bringForward } from '$lib/couvertures/on-screen';
import { identity } from '$lib/sync/identity.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { device } from '$lib/sync/this-device';

const { status } = device;

/** Makes the device show a household to Alice, online. */
function goTo(bibliotheque: string): void {
  device.status = { ...device.status, reader: 'alice', bibliotheque };
  identity.follow();
}

/** The requested ids of books, by request. */
const asked: (readonly number[])[] = [];
let answer: () => Response;

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
  answer = () => new Response(null, { status: 204 });
  connection.state = 'online';
  goTo('one');
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const body: unknown = await new Request(input, init).json();
    asked.push(Reflect.get(Object(body), 'livres') as number[]);
    return answer();
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  device.status = status;
  identity.follow();
});

const show = async (id: number): Promise<void> => {
  bringForward({ kind: 'livres', id });
  await vi.advanceTimersByTimeAsync(1_100);
};

test('a cover on the screen is asked for once', async () => {
  await show(1);
  await show(1);
  expect(asked).toEqual([[1]]);
});

test('a cover that was asked for in vain is asked for again', async () => {
  answer = () => new Response(null, { status: 502 });
  await show(1);
  answer = () => new Response(null, { status: 204 });
  await show(1);
  expect(asked).toEqual([[1], [1]]);
});

test('a book of another household with the same number is another cover', async () => {
  await show(1);
  goTo('two');
  await show(1);
  expect(asked).toEqual([[1], [1]]);
});

test('a cover that waits when the household changes is asked of neither', async () => {
  bringForward({ kind: 'livres', id: 1 });
  goTo('two');
  await vi.advanceTimersByTimeAsync(1_100);
  expect(asked).toEqual([]);
});
