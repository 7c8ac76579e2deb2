import { expect, test } from 'vitest';
import { send, serve } from '../support/server.ts';

test('the headers of a write stay short, however long its title', async () => {
  const { url } = await serve();
  for (const sign of ['a', 'é', '書', '📚']) {
    const titre = sign.repeat(490 / sign.length);
    const { status, headers } = await send(`${url}/api/livres`, {
      method: 'POST',
      headers: ['Content-Type', 'application/json'],
      body: JSON.stringify({ titre, format: 'Physique' }),
    });
    const resume = decodeURIComponent(headers['x-modification-resume'] ?? '');
    expect([status, resume.length <= 300, resume.at(-1)], sign).toEqual([201, true, '…']);
    const bytes = Object.entries(headers).flat().join('').length;
    expect(bytes, sign).toBeLessThan(4000);
  }
});
