import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Couverture } from '#shared/couvertures';
import type { Livre } from '#shared/livres';
import { eventually } from '../support/eventually.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { image } from './support/choosing.ts';
import {
  animated,
  cmyk,
  hollowPng,
  photograph,
  picture,
  pictureFiles,
} from './support/pictures.ts';
import { gives, isbnPath, openSource, type Behaviour } from './support/source.ts';

const ISBN = '9782070360024';

/** A household with one book, whose cover a source did or did not have. */
async function houseAfter(
  behaviour: Behaviour,
): Promise<{ house: House; cover: Couverture | null }> {
  const source = await openSource();
  source.behave(isbnPath(ISBN), behaviour);
  const house = await openHouse(undefined, {
    OPEN_LIBRARY_COVERS_URL: source.url,
    BNF_SRU_URL: `${source.url}/api/SRU`,
  });
  await ajouterLivre(house, { isbn: ISBN });
  const { fetcher } = house.context.covers;
  fetcher.start();
  await eventually(() => fetcher.etat().attente + fetcher.running).toBe(0);
  const { body } = await house.ask(null, 'GET', '/api/livres/1');
  return { house, cover: (body as Livre).couverture };
}

test.each<[string, () => Buffer | Promise<Buffer>, string]>([
  ['nothing at all', () => Buffer.alloc(0), 'image/jpeg'],
  ['a bomb of 50,000 × 50,000', () => hollowPng({ width: 50_000, height: 50_000 }), 'image/png'],
  ['a picture of 51 megapixels', () => hollowPng({ width: 10_000, height: 5_100 }), 'image/png'],
  ['a head without a body', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'image/png'],
])('from a source that gives %s nothing is stored', async (_, make, type) => {
  const { house, cover } = await houseAfter(gives(await make(), type));
  expect(cover).toBeNull();
  expect(pictureFiles(house.context.config.coversPath)).toEqual([]);
  expect((await house.ask(null, 'GET', '/api/moi')).status).toBe(200);
});

test.each<[string, () => Promise<Buffer>, string]>([
  ['in the inks of a printer', cmyk, 'image/jpeg'],
  ['animated', animated, 'image/gif'],
  ['on its side, and telling where it was taken', photograph, 'image/jpeg'],
])(
  'the thumbnails of a picture that is %s are still, upright and without metadata',
  async (_, make, type) => {
    const { house, cover } = await houseAfter(gives(await make(), type));
    for (const taille of ['ligne', 'page']) {
      const { bytes, headers } = await image(house, cover?.cle ?? '', taille, null);
      expect(headers['content-type']).toBe('image/webp');
      const metadata = await sharp(bytes).metadata();
      expect(metadata).toMatchObject({ format: 'webp', space: 'srgb', channels: 3 });
      expect(metadata.pages ?? 1).toBe(1);
      expect(metadata.exif).toBeUndefined();
      expect(metadata.height).toBeGreaterThan(metadata.width);
    }
  },
);

test('a picture that is HTML as well is served as a picture only', async () => {
  const script = Buffer.from('<script>alert(1)</script>');
  const bytes = Buffer.concat([await picture('#ff0000', { format: 'gif' }), script]);
  const { house, cover } = await houseAfter(gives(bytes, 'image/gif'));
  for (const taille of ['ligne', 'page', 'originale']) {
    const answer = await image(house, cover?.cle ?? '', taille, null);
    expect(answer.headers).toMatchObject({
      'content-type': taille === 'originale' ? 'image/gif' : 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(answer.bytes.includes(script)).toBe(taille === 'originale');
  }
});
