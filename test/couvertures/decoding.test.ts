import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { makers } from '#server/subjects/couvertures/decoding';
import { DotPicture, UnreadablePicture } from '#server/subjects/couvertures/image';
import { hollowPng, photograph, picture } from './support/pictures.ts';

/** The format, the size and the corner's colour of a picture. */
async function describe(content: Buffer) {
  const { format, width, height } = await sharp(content).metadata();
  const [r = 0, g = 0, b = 0] = await sharp(content).removeAlpha().raw().toBuffer();
  return { format, width, height, corner: [r, g, b].map((part) => Math.round(part / 64)) };
}

test('a source’s picture stays as it came beside its thumbnails', async () => {
  const content = await picture('#0040ff', { width: 600, height: 900, format: 'png' });
  const { ligne, page, couleur, ...rest } = await makers.fromSource(content);
  expect(rest).toEqual({
    cle: createHash('sha256').update(content).digest('hex'),
    taille: content.length,
    type: 'image/png',
    largeur: 600,
    hauteur: 900,
    content,
  });
  // Approximately this colour, as six hexadecimal digits.
  expect(couleur).toMatch(/^#0[0-9a-f](?:3|4)[0-9a-f]f[0-9a-f]$/);
  const [format, corner] = ['webp', [0, 1, 4]];
  expect(await describe(page)).toEqual({ format, width: 480, height: 720, corner });
  expect(await describe(ligne)).toEqual({ format, width: 88, height: 132, corner });
  const again = await makers.thumbnails(content);
  expect([again.page.equals(page), again.ligne.equals(ligne)]).toEqual([true, true]);
});

test('an uploaded photograph is upright, without metadata and of limited size', async () => {
  const upright = await makers.fromPerson(await photograph());
  expect(upright).toMatchObject({ type: 'image/jpeg', largeur: 400, hauteur: 600 });
  expect(upright.content.toString('latin1')).not.toContain('Secret');
  for (const [width, height, largeur, hauteur] of [
    [3200, 100, 1600, 50],
    [100, 4800, 50, 2400],
    [20, 30, 20, 30],
  ] as const) {
    const decoded = await makers.fromPerson(await picture('#ff0000', { width, height }));
    expect(decoded).toMatchObject({ largeur, hauteur });
    expect(await describe(decoded.content)).toMatchObject({ width: largeur, height: hauteur });
  }
});

test('transparent parts of a person’s picture become white', async () => {
  const clear = await sharp({
    create: { width: 30, height: 40, channels: 4, background: '#ff000000' },
  })
    .png()
    .toBuffer();
  const { couleur, content } = await makers.fromPerson(clear);
  expect((await describe(content)).corner).toEqual([4, 4, 4]);
  expect(couleur).toMatch(/^#f/);
});

test('a source that gives a dot gives no picture', async () => {
  const of = (width: number, height: number) =>
    picture('#ff0000', { width, height, format: 'gif' });
  await expect(makers.fromSource(await of(10, 10))).rejects.toThrow(DotPicture);
  expect(await makers.fromSource(await of(11, 10))).toMatchObject({ largeur: 11 });
  expect(await makers.fromSource(await of(10, 11))).toMatchObject({ hauteur: 11 });
});

test.each<[string, () => Buffer | Promise<Buffer>, string]>([
  ['text', () => Buffer.from('Ceci n’est pas une image.'), 'Not a picture'],
  ['a long side', () => hollowPng({ width: 16_385, height: 1 }), 'Too large: png of 16385 × 1'],
  ['a high side', () => hollowPng({ width: 1, height: 16_385 }), 'Too large: png of 1 × 16385'],
  [
    'an interlaced PNG of 32 megapixels',
    () => hollowPng({ width: 8001, height: 4000, isInterlaced: true }),
    'Too large: png of 8001 × 4000',
  ],
  ['a PNG of 51 megapixels', () => hollowPng({ width: 10_000, height: 5100 }), 'pixel limit'],
])('%s is refused by its head', async (_, make, sentence) => {
  const content = await make();
  for (const maker of Object.values(makers)) await expect(maker(content)).rejects.toThrow(sentence);
});

test('a plain PNG of 32 megapixels is not refused', async () => {
  const begun = hollowPng({ width: 8001, height: 4000 }).subarray(0, 300);
  await expect(makers.thumbnails(begun)).rejects.not.toThrow('Too large');
});

test('a side of 16384 pixels is read', async () => {
  const long = await makers.fromSource(hollowPng({ width: 16_384, height: 16 }));
  expect(long).toMatchObject({ largeur: 16_384, hauteur: 16 });
});

test('a picture that is cut is not read', async () => {
  const cut = (await picture('#00ff00', { width: 900, height: 900, format: 'png' })).subarray(
    0,
    300,
  );
  for (const maker of Object.values(makers)) await expect(maker(cut)).rejects.toThrow();
  await expect(makers.fromSource(Buffer.from('x'))).rejects.toThrow(UnreadablePicture);
});
