import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { coverOf, image, put } from './support/choosing.ts';
import { animated, cmyk, hollowPng, noise, picture, pictureFiles } from './support/pictures.ts';

async function houseWithBook(): Promise<House> {
  const house = await openHouse();
  await ajouterLivre(house);
  return house;
}

const NO_PICTURES: Record<string, () => Promise<Buffer> | Buffer> = {
  nothing: () => Buffer.alloc(0),
  'a text': () => Buffer.from('Ceci n’est pas une image.'),
  'an SVG with a script': () =>
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>',
    ),
  'a PDF': () => Buffer.from('%PDF-1.4\n1 0 obj'),
  'a truncated JPEG': async () => (await noise(800, 1200)).subarray(0, 50_000),
  'a truncated PNG': async () =>
    (await picture('#00ff00', { width: 900, height: 900, format: 'png' })).subarray(0, 300),
  'a head without a body': () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  'a dot': () => picture('#00ff00', { width: 1, height: 1, format: 'gif' }),
  'a bomb of 50,000 × 50,000': () => hollowPng({ width: 50_000, height: 50_000 }),
  'a picture of 51 megapixels': () => hollowPng({ width: 10_000, height: 5_100 }),
};

test('a file that is no picture is refused in a sentence', async () => {
  const house = await houseWithBook();
  for (const [name, make] of Object.entries(NO_PICTURES)) {
    const answer = await put(house, '/api/livres/1/couverture', await make());
    expect([answer.status, answer.json()], name).toMatchObject([400, { code: 'IMAGE_INVALIDE' }]);
    expect((await house.ask(null, 'GET', '/api/livres/1')).body, name).toMatchObject({
      couverture: null,
    });
    expect(pictureFiles(house.context.config.coversPath), name).toEqual([]);
    expect((await house.ask(null, 'GET', '/api/moi')).status, name).toBe(200);
  }
});

test('an iPhone’s HEIC photograph is refused with advice', async () => {
  const house = await houseWithBook();
  for (const brand of ['heic', 'heix', 'mif1']) {
    const head = Buffer.from(`\0\0\0\x20ftyp${brand}\0\0\0\0mif1heicmiaf`, 'latin1');
    const bytes = Buffer.concat([head, Buffer.alloc(2_000)]);
    const answer = await put(house, '/api/livres/1/couverture', bytes);
    expect([answer.status, answer.json()], brand).toMatchObject([400, { code: 'IMAGE_HEIC' }]);
    expect(JSON.stringify(answer.json()), brand).toContain('Le plus compatible');
  }
});

test('a picture of too many bytes is refused', async () => {
  const house = await houseWithBook();
  for (const [bytes, status, code] of [
    [10_485_760, 400, 'IMAGE_INVALIDE'],
    [10_485_761, 413, 'CORPS_TROP_GRAND'],
  ] as const) {
    const answer = await put(house, '/api/livres/1/couverture', Buffer.alloc(bytes));
    expect([answer.status, answer.json()]).toMatchObject([status, { code }]);
  }
});

test('a bomb is refused in little memory', { tags: 'large' }, async () => {
  const house = await houseWithBook();
  await put(house, '/api/livres/1/couverture', await picture('#ff0000'));
  const before = process.memoryUsage().rss;
  const bytes = hollowPng({ width: 50_000, height: 50_000 });
  for (let i = 0; i < 5; i++) await put(house, '/api/livres/1/couverture', bytes);
  expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
});

describe('odd pictures', () => {
  const take = async (house: House, bytes: Buffer) =>
    coverOf(await put(house, '/api/livres/1/couverture', bytes));

  test('of an animated one, the first frame', async () => {
    const house = await houseWithBook();
    const couverture = await take(house, await animated());
    const { bytes } = await image(house, couverture.cle, 'page');
    expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
    expect(couverture.couleur).toMatch(/^#[ef].0.0./);
  });

  test('in the inks of a printer', async () => {
    const house = await houseWithBook();
    const couverture = await take(house, await cmyk());
    const { bytes } = await image(house, couverture.cle, 'originale');
    expect(await sharp(bytes).metadata()).toMatchObject({ space: 'srgb', channels: 3 });
  });

  test('a picture that is HTML as well loses its script', async () => {
    const bytes = Buffer.concat([
      await picture('#ff0000', { format: 'gif' }),
      Buffer.from('<script>alert(1)</script>'),
    ]);
    const house = await houseWithBook();
    const couverture = await take(house, bytes);
    for (const taille of ['ligne', 'page', 'originale'])
      expect((await image(house, couverture.cle, taille)).text).not.toContain('<script');
  });

  test('a shape is kept, and small', async () => {
    const house = await houseWithBook();
    for (const [width, height] of [
      [2000, 100],
      [100, 2000],
      [3, 2],
    ] as const) {
      const shape = { width: 4 * width, height: 4 * height };
      const { cle } = await take(house, await picture('#ff0000', shape));
      const { bytes } = await image(house, cle, 'ligne');
      const metadata = await sharp(bytes).metadata();
      expect(metadata.width / metadata.height).toBeCloseTo(width / height, 1);
      expect(metadata.width * metadata.height).toBeLessThan(480 * 1440);
    }
  });

  test('any format is taken', async () => {
    const house = await houseWithBook();
    for (const format of ['png', 'webp', 'gif', 'avif'] as const) {
      const couverture = await take(house, await picture('#336699', { format }));
      expect(couverture, format).toMatchObject({ largeur: 300, hauteur: 450 });
    }
  });
});
