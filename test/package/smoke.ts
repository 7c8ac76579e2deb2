import { expect } from 'vitest';
import { noise } from '../couvertures/support/pictures.ts';
import { send } from '../support/server.ts';

const json = ['Content-Type', 'application/json'];

/**
 * Uses each part of the service: a write, a picture decoded by its process, the API's page. Leaves one book with a
 * cover.
 */
export async function smoke(url: string): Promise<void> {
  const body = JSON.stringify({ titre: 'Nadja', format: 'Physique' });
  const added = await send(`${url}/api/livres`, { method: 'POST', headers: json, body });
  expect(added.status).toBe(201);
  const photograph = `${url}/api/livres/${String(added.json()['id'])}/couverture`;
  const stored = await send(photograph, { method: 'PUT', body: await noise(300, 400) });
  expect(stored.status).toBe(200);
  const script = await send(`${url}/api/documentation/static/swagger-ui-bundle.js`);
  expect(script.status).toBe(200);
}
