import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { sendFile } from '../importations/support.ts';
import { openHouse } from '../support/house.ts';

test('a long write whose thread runs out of memory is refused clearly, and writes nothing', async () => {
  const house = await openHouse();
  const rows = Array.from({ length: 300 }, (_, nth) => `Titre ${nth};Auteur${nth} Nom${nth}`);
  const { status, body } = await sendFile(house, ['Titre;Auteurs', ...rows].join('\n'));
  expect(status).toBe(200);
  const importing = () =>
    house.ask('alice', 'POST', `/api/importations/${String(body.id)}/execution`, {});

  const post = vi.spyOn(Worker.prototype, 'postMessage');
  post.mockImplementation(function (this: Worker) {
    // The error with which Node.js reports a full heap.
    this.emit('error', Object.assign(new Error('full'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }));
  });
  expect(await importing()).toMatchObject({ status: 503, body: { code: 'MEMOIRE_INSUFFISANTE' } });
  post.mockRestore();
  expect((await house.ask('alice', 'GET', '/api/livres')).body).toEqual([]);
  expect(await importing()).toMatchObject({ status: 200, body: { nouveaux: 300 } });
});
