import { once } from 'node:events';
import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { openHouse, type House } from '../support/house.ts';
import { sendFile } from './support.ts';

/** Sends a complete file, and closes the connection while a thread reads it, before the response. */
async function sendAndHangUp(house: House, file: string): Promise<void> {
  const events = vi.spyOn(Worker.prototype, 'emit');
  const threadsThat = (event: string): unknown[] =>
    events.mock.calls.flatMap(([name], nth) => (name === event ? [events.mock.contexts[nth]] : []));
  const running = () => {
    const over = threadsThat('exit');
    return threadsThat('online').filter((thread) => !over.includes(thread));
  };
  const sending = request(`${house.url}/api/importations?essai=false`, {
    method: 'POST',
    headers: { ...house.headersOf('alice'), 'Content-Type': 'text/csv' },
  });
  const ended = new Promise<void>((resolve) =>
    sending.once('close', resolve).once('error', () => resolve()),
  );
  sending.end(file);
  // The headers were sent long before, so no other upload takes the slot.
  await once(sending, 'finish');
  const other = () =>
    fetch(`${house.url}/api/importations`, {
      method: 'POST',
      headers: { ...house.headersOf('alice'), 'Content-Type': 'text/csv' },
      body: 'Titre\nAutre\n',
    });
  while ((await other()).status !== 409) await setImmediate();
  await expect.poll(running).toHaveLength(1);
  const [thread] = running();
  sending.destroy();
  await ended;
  await expect.poll(() => threadsThat('exit')).toContain(thread);
  expect(threadsThat('message')).not.toContain(thread);
}

test('an aborted request frees its file’s resources', async () => {
  const house = await openHouse();
  const rows = Array.from({ length: 99_000 }, (_, nth) => `Titre ${nth},"Nom ${nth}, Un; Mot, A"`);
  await sendAndHangUp(house, ['Titre,Auteur', ...rows].join('\n'));
  // The rate limit is thirty files a minute per person.
  await expect
    .poll(async () => (await sendFile(house, 'Titre\nDernier\n', { essai: 'false' })).status, {
      interval: 2_500,
    })
    .toBe(201);
  const livres = (await house.ask('alice', 'GET', '/api/livres')).body as { titre: string }[];
  expect(livres.map(({ titre }) => titre)).toEqual(['Dernier']);
});
