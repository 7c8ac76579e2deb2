// @module-tag process
import { expect, test } from 'vitest';
import { coverKeeper } from '../../demo/cover-keeper.ts';
import { fillHousehold } from '../../demo/fill.ts';
import type { Livre } from '#shared/livres';
import { send, serve } from '../support/server.ts';

/** The demonstration draws, uploads and decodes some two hundred pictures. */
const TIMEOUT_MS = 300_000;

test(
  'the service takes the whole household of the demonstration',
  async () => {
    const { url, context } = await serve();
    await fillHousehold(url, coverKeeper(context));
    const livres = await send(`${url}/api/livres`);
    expect(Number(livres.headers['x-total-count'])).toBeGreaterThan(100);
    const pages = (JSON.parse(livres.text) as Livre[]).map(({ nombrePages }) => nombrePages);
    expect(pages).not.toContain(null);
    expect(new Set(pages).size).toBeGreaterThan(20);
  },
  TIMEOUT_MS,
);
