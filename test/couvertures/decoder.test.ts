import { expect, test } from 'vitest';
import { Decoder, fromPerson, fromSource, thumbnailsOf } from '#server/couvertures/domain/decoder';
import { DeadlyPicture, DotPicture, UnreadablePicture } from '#server/couvertures/domain/picture';
import { picture } from './support/pictures.ts';

const dot = () => picture('#ff0000', { width: 4, height: 4, format: 'gif' });

test('pictures are made one after the other, whatever is wrong with one of them', async () => {
  const decoder = new Decoder();
  const [red, blue] = [
    await picture('#ff0000', { width: 20 }),
    await picture('#0000ff', { width: 30 }),
  ];
  const [first, text, none, last, thumbnails] = await Promise.allSettled([
    decoder.make('fromSource', red),
    decoder.make('fromSource', Buffer.from('Ceci n’est pas une image.')),
    decoder.make('fromSource', await dot()),
    decoder.make('fromPerson', blue),
    decoder.make('thumbnails', red),
  ]);
  expect(first).toMatchObject({ status: 'fulfilled', value: { largeur: 20, content: red } });
  expect(text).toMatchObject({
    status: 'rejected',
    reason: expect.any(UnreadablePicture) as Error,
  });
  expect(text).toMatchObject({ reason: { message: 'Error: Not a picture' } });
  expect(none).toMatchObject({ status: 'rejected', reason: expect.any(DotPicture) as Error });
  expect(last).toMatchObject({ status: 'fulfilled', value: { largeur: 30, type: 'image/jpeg' } });
  expect(thumbnails.status === 'fulfilled' && Object.keys(thumbnails.value)).toEqual([
    'ligne',
    'page',
  ]);
});

test('a picture that ends its process twice is given up, and the one behind it has its turn', async () => {
  // Less than a process takes to begin.
  const decoder = new Decoder({ bytes: 512_000_000, ms: 1 });
  const content = await picture('#ff0000');
  for (let times = 0; times < 2; times++)
    await expect(decoder.make('fromSource', content)).rejects.toThrow(DeadlyPicture);
});

test('what a person gives is refused in the words of the service, and of a source in those of the picture', async () => {
  const made = await fromSource(await picture('#ff0000'));
  expect(await thumbnailsOf(made.content)).toEqual({ ligne: made.ligne, page: made.page });
  expect(await fromPerson(made.content)).toMatchObject({ type: 'image/jpeg' });
  await expect(fromSource(await dot())).rejects.toThrow('A dot');
  await expect(fromPerson(await dot())).rejects.toMatchObject({
    code: 'IMAGE_INVALIDE',
    cause: expect.any(DotPicture) as Error,
  });
});
