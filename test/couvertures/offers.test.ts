import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AutreCouverture } from '#shared/couvertures';
import { CoverStore, writeChosen } from '#server/subjects/couvertures/cover-store';
import { OFFER_MS, Offers } from '#server/subjects/couvertures/others';
import { decode } from '#server/subjects/couvertures/decoder';
import { envelope } from '../../demo/upstream/sru.ts';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { House } from '../support/house.ts';
import { image } from './support/choosing.ts';
import { VirtualClock } from './support/clock.ts';
import { ISBN, sourceWith } from './support/others.ts';
import { keptKeys, picture, pictureFiles } from './support/pictures.ts';
import { gives } from './support/source.ts';
import { insert } from './support/waiting.ts';

const PATH = '/api/livres/1/autres-couvertures';

describe('pictures that are offered', () => {
  const nobodyIsBusy = () => false;

  test('are their person’s alone for an hour', async () => {
    const clock = new VirtualClock();
    const ended: string[] = [];
    const offers = new Offers(clock, (cles) => void ended.push(...cles));
    offers.add('ana', ['a', 'b']);
    await clock.run(OFFER_MS / 2, nobodyIsBusy);
    offers.add('ana', ['b', 'c']);
    offers.add('bob', ['a']);
    expect(['a', 'b', 'c', 'd'].map((cle) => offers.has('ana', cle))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(offers.has('bob', 'b')).toBe(false);
    await clock.run(OFFER_MS / 2, nobodyIsBusy);
    // Bob may still choose one of them.
    expect(ended).toEqual([]);
    expect(offers.has('ana', 'a')).toBe(false);
    await clock.run(OFFER_MS / 2, nobodyIsBusy);
    expect(ended.sort()).toEqual(['a', 'b', 'c']);
    expect(offers.has('bob', 'a')).toBe(false);
  });

  test('that are offered again keep none of the others', async () => {
    const clock = new VirtualClock();
    const ended: string[] = [];
    const offers = new Offers(clock, (cles) => void ended.push(...cles));
    offers.add('ana', ['a', 'b']);
    await clock.run(OFFER_MS / 2, nobodyIsBusy);
    offers.add('ana', ['a']);
    await clock.run(OFFER_MS / 2, nobodyIsBusy);
    expect([ended, offers.has('ana', 'a')]).toEqual([['b'], true]);
  });

  test('are ended no more once the service stops', () => {
    const clock = new VirtualClock();
    const offers = new Offers(clock, () => {
      throw new Error('ended');
    });
    offers.add('ana', ['a']);
    offers.stop();
    // No timer is left.
    return expect(clock.run(OFFER_MS, nobodyIsBusy)).resolves.toBeUndefined();
  });
});

describe('offered pictures that nobody chose are deleted after an hour', () => {
  /** Advances the service's time; expired offers are removed at the next request. */
  async function pass(house: House, ms: number): Promise<void> {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    await house.ask('chloe', 'GET', PATH);
  }

  const list = async (house: House, who = 'ana') =>
    (await house.ask(who, 'GET', PATH)).body as AutreCouverture[];

  const storedKeys = ({ context }: House) => new Set(keptKeys(context));

  const filesOf = ({ context }: House) =>
    new Set(pictureFiles(context.config.coversPath).map((name) => name.slice(0, 64)));

  test('and what a record or an undoing needs stays', async () => {
    const { source, house } = await sourceWith(12);
    const offers = await list(house);
    expect(offers).toHaveLength(8);
    const [first, second, third] = offers.map(({ cle }) => cle);
    expect((await house.ask('ana', 'PUT', PATH, { cle: first })).status).toBe(200);
    expect((await house.ask('ana', 'PUT', PATH, { cle: second })).status).toBe(200);
    source.fail();
    await pass(house, OFFER_MS - 60_000);
    expect(storedKeys(house).size).toBeGreaterThanOrEqual(8);
    await pass(house, 2 * 60_000);
    // The second is the book's cover, the first what an undo restores.
    expect(storedKeys(house)).toEqual(new Set([first, second]));
    expect(filesOf(house)).toEqual(new Set([first, second]));
    expect((await house.ask('ana', 'PUT', PATH, { cle: third })).status).toBe(404);
    expect((await image(house, second ?? '', 'page', 'bob')).status).toBe(200);
  });

  test('and what is offered to another person meanwhile stays', async () => {
    const { source, house } = await sourceWith(2);
    const offers = await list(house);
    await pass(house, OFFER_MS / 2);
    const [again] = await Promise.all([list(house, 'bob'), list(house, 'dan')]);
    expect(again).toEqual(offers);
    source.fail();
    await pass(house, OFFER_MS / 2 + 60_000);
    expect(storedKeys(house)).toEqual(new Set(offers.map(({ cle }) => cle)));
    const [{ cle } = { cle: '' }] = offers;
    expect((await house.ask('ana', 'PUT', PATH, { cle })).status).toBe(404);
    expect((await house.ask('bob', 'PUT', PATH, { cle })).status).toBe(200);
    await pass(house, OFFER_MS);
    expect(storedKeys(house)).toEqual(new Set([cle]));
    expect((await house.ask(null, 'GET', '/api/livres/1')).body).toMatchObject({ isbn: ISBN });
  });

  test('and a removal that fails stops nobody’s search', async () => {
    const { source, house } = await sourceWith(2);
    await list(house);
    source.fail();
    source.behave('/api/SRU', gives(Buffer.from(envelope([])), 'application/xml'));
    house.context.covers.store.forget = () =>
      Promise.reject(new Error('a folder that takes no writes'));
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => stderr.mockRestore());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + OFFER_MS });
    expect((await house.ask('chloe', 'GET', PATH)).status).toBe(200);
    await eventually(() => stderr.mock.calls.join('')).toContain('a folder that takes no writes');
  });
});

describe('a picture that is removed', () => {
  const open = () => {
    const folder = temporaryFolder();
    const database = temporaryDatabase(join(folder, 'maison.sqlite'));
    database.write((tx) => insert(tx, 1));
    const clock = new VirtualClock();
    const covers = join(folder, 'couvertures');
    return { database, clock, covers, store: new CoverStore(database, covers, clock) };
  };

  test('is none that somebody is about to choose', async () => {
    const { database, clock, covers, store } = open();
    const offered = await store.add(await picture('#204060'));
    await clock.run(OFFER_MS, () => false);
    const chosen = await decode('fromSource', offered.content);
    // The files are written; the offer expires between the writing and the choice.
    const writing = store.write(chosen);
    await store.forget([offered.cle]);
    await writing;
    await store.forget([offered.cle]);
    database.write((tx) => {
      store.note(tx, chosen);
      writeChosen(tx, 'Livre', 1, chosen.cle);
    });
    await clock.run(OFFER_MS, () => false);
    await store.forget([offered.cle]);
    for (const taille of ['ligne', 'page', 'originale'] as const)
      expect(await store.read(offered.cle, taille)).not.toBeNull();
    expect(pictureFiles(covers)).toHaveLength(3);
  });

  test('is written anew when it comes again', async () => {
    const { clock, covers, store } = open();
    const { cle, content } = await store.add(await picture('#204060'));
    await clock.run(OFFER_MS, () => false);
    await store.forget([cle]);
    expect(pictureFiles(covers)).toEqual([]);
    expect(await store.read(cle, 'ligne')).toBeNull();
    await store.add(content);
    expect(await store.read(cle, 'ligne')).not.toBeNull();
  });
});
