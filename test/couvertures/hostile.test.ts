// @module-tag process
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { Decoder } from '#server/subjects/couvertures/decoder';
import { DeadlyPicture } from '#server/subjects/couvertures/image';
import { openHouse } from '../support/house.ts';
import { chunk } from '../support/png.ts';
import { ajouterLivre } from '../support/livres.ts';
import { put } from './support/choosing.ts';
import { hollowPng, picture } from './support/pictures.ts';
import { fails, insert, play, stateOf } from './support/waiting.ts';

/** An AVIF that declares these dimensions; decoding takes 18 bytes per pixel. */
async function hollowAvif(width: number, height: number): Promise<Buffer> {
  const bytes = await picture('#336699', { width: 16, height: 16, format: 'avif' });
  const size = bytes.indexOf('ispe') + 'ispe'.length + 4;
  bytes.writeUInt32BE(width, size);
  bytes.writeUInt32BE(height, size + 4);
  return bytes;
}

/** A progressive JPEG: needs six bytes per pixel, since no part is complete before its end. */
const progressive = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
    .toBuffer();

const HOSTILE: Record<string, () => Promise<Buffer> | Buffer> = {
  'a PNG of 5,000,000 × 9 in 16 bits': () => hollowPng({ width: 5_000_000, height: 9, depth: 16 }),
  'a PNG of 49,999,999 × 1': () => hollowPng({ width: 49_999_999, height: 1 }),
  'a PNG of 9 × 50,000': () => hollowPng({ width: 9, height: 50_000 }),
  'an interlaced PNG of 50 megapixels in 16 bits': () =>
    hollowPng({ width: 7000, height: 7100, depth: 16, isInterlaced: true }),
  'an AVIF of 13 megapixels': () => hollowAvif(3620, 3600),
};

/** The peak memory of this process, in bytes. */
const peak = (): number => process.resourceUsage().maxRSS * 1024;

describe('a picture that would take the memory of the machine is refused by its header', () => {
  test.each(Object.entries(HOSTILE))('%s', async (_, make) => {
    const house = await openHouse();
    await ajouterLivre(house);
    const bytes = await make();
    const before = peak();
    const answer = await put(house, '/api/livres/1/couverture', bytes);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'IMAGE_INVALIDE' });
    expect(peak() - before).toBeLessThan(100e6);
    // A decoder with little memory refuses it, too, instead of being killed.
    const small = new Decoder({ bytes: 200e6, ms: 60_000 });
    await expect(small.make('fromSource', bytes)).rejects.toThrow('Too large');
  });
});

describe('a decoding that goes beyond its bounds ends its own process, and nothing else', () => {
  let large: Buffer;
  beforeAll(async () => {
    large = await progressive(4500, 4500);
  });

  test.each<[string, { bytes: number; ms: number }]>([
    ['memory', { bytes: 150e6, ms: 60_000 }],
    ['time', { bytes: 512e6, ms: 1 }],
  ])('%s', async (_, limits) => {
    const decoder = new Decoder(limits);
    await expect(decoder.make('fromPerson', large)).rejects.toThrow(DeadlyPicture);
  });

  test('the next picture is decoded by a new process', async () => {
    const decoder = new Decoder({ bytes: 150e6, ms: 60_000 });
    const [first, second] = await Promise.allSettled([
      decoder.make('fromPerson', large),
      decoder.make('fromSource', await picture('#204060')),
    ]);
    expect(first.status).toBe('rejected');
    expect(second).toMatchObject({ status: 'fulfilled', value: { largeur: 300, hauteur: 450 } });
  });
});

test('compressed texts of a PNG are not unpacked', async () => {
  const description = Buffer.from('Comment\0\0');
  const texts = Array.from({ length: 60 }, () =>
    chunk(
      'zTXt',
      Buffer.concat([description, deflateSync(Buffer.alloc(40_000_000), { level: 1 })]),
    ),
  );
  const [small, HEAD] = [await picture('#204060', { format: 'png' }), 8 + 25];
  const bytes = Buffer.concat([small.subarray(0, HEAD), ...texts, small.subarray(HEAD)]);
  const decoder = new Decoder({ bytes: 150e6, ms: 60_000 });
  const decoded = await decoder.make('fromSource', bytes);
  expect(decoded).toMatchObject({ largeur: 300, hauteur: 450, taille: bytes.length });
  expect((await decoder.make('fromPerson', bytes)).couleur).toBe(decoded.couleur);
});

test('the address of a deadly picture is asked only once', async () => {
  const ADDRESS = 'https://a.test/1.jpg';
  const { database, fetcher, store, sources, runUntil } = play();
  database.write((tx) => insert(tx, 1, { coverUrl: ADDRESS }));
  // Large, so that its process can be observed while it decodes.
  const content = await progressive(3000, 3000);
  sources.answer(ADDRESS, () => Promise.resolve({ type: 'image/jpeg', content }));
  const decoder = new Decoder({ bytes: 1, ms: 60_000 });
  store.decodeAndWrite = (picture) => decoder.make('fromSource', picture);
  fetcher.start();
  await runUntil(() => fetcher.etat().attente === 0 && fetcher.running === 0);
  expect(stateOf(database, ADDRESS)?.etat).toBe('aucune');
  sources.answer(ADDRESS, fails(500));
  database.write((tx) => insert(tx, 2));
  expect(sources.asks).toHaveLength(1);
});
