import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { archiveOfCopy } from '../../src/lib/sync/copy-archive.ts';
import { Records } from '../../src/lib/sync/records.ts';
import { openHouse } from '../support/house.ts';
import { runs } from '../support/random.ts';
import { pullAll } from '../support/replication.ts';
import { furnish } from './furnish.ts';
import { fill } from './random-household.ts';
import { OF_A_COPY, saveCopy } from './saved-copy.ts';
import { contentOf, importInto, unzip } from './support.ts';

type Content = Awaited<ReturnType<typeof contentOf>>;

/**
 * The content without what a device does not have: refused merges, chosen names, originals, the place that a wish
 * came from.
 */
function known({ auteurs, refus: _, livres, numeros, souhaits, ...rest }: Content) {
  const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
  const bare = (text: string) => ({ ...parse(text), couverture: null });
  return {
    ...rest,
    auteurs: auteurs.map((text) => parse(text)['nom']).sort(),
    livres: livres.map(bare),
    numeros: numeros.map(bare),
    souhaits: souhaits.map((souhait) => ({ ...souhait, couverture: null, place: null })),
  };
}

test.each(Array.from({ length: runs(6) }, (_, index) => 31 + index))(
  'a copy that a device saves comes back whole into an empty house (%i)',
  { tags: 'random' },
  async (seed) => {
    const house = await openHouse();
    await fill(house, seed);
    const other = await openHouse();
    const { status, body } = await importInto(other, await saveCopy(house));
    expect([status, body['format'], body['refuses'], body['raisons']]).toEqual([
      201,
      'rayonnage',
      [],
      [],
    ]);
    expect(body['avertissements']).toMatchObject([{ ligne: null, raison: OF_A_COPY }]);
    expect(known(await contentOf(other))).toEqual(known(await contentOf(house)));
  },
);

test('a second reader’s replica adds their own records, without duplicates', async () => {
  const house = await openHouse();
  await fill(house, 31);
  for (const [index, livre] of ((await house.ask('bob', 'GET', '/api/livres')).body as Livre[])
    .slice(0, 4)
    .entries()) {
    const statut = index % 3;
    await house.ask('bob', 'PUT', `/api/livres/${livre.id}/statut`, { statut });
  }
  await house.ask('bob', 'POST', '/api/souhaits', { titre: 'Sido', auteur: 'Colette' });
  await house.ask('bob', 'POST', '/api/lectures', { titre: 'Ulysse', debut: '2026-03-01' });
  const other = await openHouse();
  for (const reader of ['ana', 'bob']) {
    const bytes = await saveCopy(house, reader);
    expect((await importInto(other, bytes, 'essai=false', reader)).status).toBe(201);
  }
  for (const reader of ['ana', 'bob'])
    expect(known(await contentOf(other, reader))).toEqual(known(await contentOf(house, reader)));
});

test('a saved replica has thumbnails of uploaded covers, and nobody else’s wishes', async () => {
  const house = await openHouse();
  await furnish(house);
  const thumbnail = async (cle: string) => {
    const headers = house.headersOf('ana');
    const answer = await fetch(`${house.url}/api/couvertures/${cle}/ligne`, { headers });
    return answer.ok ? answer.arrayBuffer() : null;
  };
  const bytes = await saveCopy(house, 'ana', thumbnail);
  const names = [...(await unzip(bytes)).keys()].filter((name) => name.startsWith('couvertures/'));
  expect(names.length).toBeGreaterThan(0);
  const other = await openHouse();
  const { status, body } = await importInto(other, bytes);
  expect([status, body['avertissements']]).toMatchObject([
    201,
    [{ ligne: null, raison: OF_A_COPY }],
  ]);
  const of = await contentOf(other);
  expect([...of.livres, ...of.numeros].some((text) => /"couverture":\{/.test(text))).toBe(true);
  const others = await unzip(await saveCopy(house, 'bob'));
  const souhaits = JSON.parse(others.get('json/souhaits.json') ?? '') as { id: number }[];
  const wishes = (await house.ask('bob', 'GET', '/api/souhaits')).body as { id: number }[];
  expect(souhaits.map(({ id }) => id)).toEqual(wishes.map(({ id }) => id));
});

test('ten thousand books are saved without one text for all of them', async () => {
  const records = new Records();
  const house = await openHouse();
  await furnish(house);
  records.take((await pullAll(house, 'ana')).changements);
  const [livre] = records.livres;
  if (livre === undefined) throw new Error('no book');
  const livres = Array.from({ length: 10_000 }, (_, id) => ({ ...livre, id: id + 1 }));
  let pauses = 0;
  const blob = await archiveOfCopy(
    { ...records.tables, livres, statuts: records.statuts },
    {
      utilisateur: 'ana',
      bibliotheque: '',
      page: { name: 'page.html', html: '' },
      onProgress: () => undefined,
      readThumbnail: () => Promise.resolve(null),
      pause: () => Promise.resolve(void pauses++),
    },
  );
  expect(pauses).toBeGreaterThanOrEqual(100);
  const files = await unzip(Buffer.from(await blob.arrayBuffer()));
  expect(JSON.parse(files.get('json/livres.json') ?? '')).toHaveLength(10_000);
});
