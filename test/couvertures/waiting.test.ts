// @module-tag process
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { Decoder, endDecoder } from '#server/subjects/couvertures/decoder';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { put } from './support/choosing.ts';
import { picture } from './support/pictures.ts';

const { signal } = new AbortController();
const alice = { owner: 'alice', signal };
const bob = { owner: 'bob', signal };

/** Makes starting a process fail until the returned function is called. */
function withoutProcesses(): () => void {
  const { execPath } = process;
  const restore = (): void => void (process.execPath = execPath);
  process.execPath = '/nowhere';
  onTestFinished(restore);
  return restore;
}

/** A PNG of one colour, small as a file. */
const plain = (side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#336699' } })
    .png({ compressionLevel: 9 })
    .toBuffer();

test('after a failed start of its process, decoding resumes', async () => {
  const decoder = new Decoder();
  const content = await picture('#ff0000');
  const restore = withoutProcesses();
  for (let times = 0; times < 2; times++)
    await expect(decoder.make('fromPerson', content)).rejects.toMatchObject({
      code: 'IMAGES_EN_ATTENTE',
    });
  restore();
  expect(await decoder.make('fromPerson', content)).toMatchObject({ type: 'image/jpeg' });
});

test.skipIf(process.platform === 'win32')(
  'a process without a file left decodes again later',
  async () => {
    const script = join(import.meta.dirname, 'support', 'few-files.ts');
    const limited = ['-c', 'ulimit -n 100; exec "$0" "$1"', process.execPath, script];
    const { stdout } = await promisify(execFile)('bash', limited);
    const outcomes = stdout.trim().split('\n');
    expect(outcomes).toHaveLength(7);
    expect([outcomes[0], outcomes.at(-1)]).toEqual(['IMAGES_EN_ATTENTE', 'image/jpeg']);
    expect(new Set(outcomes)).toEqual(new Set(['IMAGES_EN_ATTENTE', 'image/jpeg']));
  },
);

test('a photograph that cannot be decoded now may come later', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const content = await picture('#ff0000');
  endDecoder();
  const restore = withoutProcesses();
  const refused = await put(house, '/api/livres/1/couverture', content);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '60']);
  expect(refused.json()).toMatchObject({ code: 'IMAGES_EN_ATTENTE' });
  restore();
  expect((await put(house, '/api/livres/1/couverture', content)).status).toBe(200);
});

test('one person’s large pictures do not hold up others', async () => {
  const decoder = new Decoder();
  const large = await plain(2000);
  const done: string[] = [];
  const make = (name: string, content: Buffer, asker: typeof alice) =>
    decoder.make('fromPerson', content, asker).then(() => void done.push(name));
  await Promise.all([
    make('first', large, alice),
    make('second', large, alice),
    make('third', large, alice),
    make('small', await plain(20), alice),
    make('of bob', large, bob),
  ]);
  expect(done).toEqual(['first', 'of bob', 'small', 'second', 'third']);
});

test('only a dozen pictures of one person wait', async () => {
  const decoder = new Decoder();
  const content = await plain(20);
  const make = () => decoder.make('fromPerson', content, alice);
  const works = Array.from({ length: 13 }, make);
  await expect(make()).rejects.toMatchObject({ code: 'IMAGES_EN_ATTENTE' });
  expect(await Promise.all(works)).toHaveLength(13);
});
