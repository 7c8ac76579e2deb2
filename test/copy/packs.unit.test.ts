import { describe, expect, test } from 'vitest';
import type { Change } from '#shared/replication';
import { changesIn, prepareToRead, type Pack } from '../../src/lib/sync/packs.ts';
import { mergeIntoPacks, packIdOf } from '../../src/lib/sync/written-packs.ts';

const livre = (id: number, revision: number, titre: string | null): Change =>
  ({
    collection: 'livres',
    id,
    revision,
    document: titre === null ? null : { id, titre },
  }) as Change;

const byId = (packs: readonly Pack[]) => new Map(packs.map((pack) => [pack.id, pack]));

const documents = (packs: readonly Pack[]) =>
  changesIn(packs).map(({ id, document }) => [
    id,
    document === null ? null : (Reflect.get(document, 'titre') as unknown),
  ]);

function earlierPack(): Pack {
  const [pack] = mergeIntoPacks(new Map(), [livre(1, 5, 'Orlando')]);
  if (pack === undefined) throw new Error('no pack');
  return { ...pack, shapes: 'x' };
}

describe('packs', () => {
  test('a page that comes twice, or late, changes nothing', () => {
    const first = mergeIntoPacks(new Map(), [livre(1, 5, 'Orlando'), livre(2, 6, 'Flush')]);
    const second = mergeIntoPacks(byId(first), [livre(1, 7, null)]);
    expect(documents(second)).toEqual([
      [1, null],
      [2, 'Flush'],
    ]);
    expect(mergeIntoPacks(byId(second), [livre(1, 7, null), livre(2, 6, 'Flush')])).toEqual([]);
    expect(mergeIntoPacks(byId(second), [livre(1, 5, 'Orlando')])).toEqual([]);
  });

  test('a deletion stays, so that nothing older comes back', () => {
    const deleted = mergeIntoPacks(new Map(), [livre(1, 5, null)]);
    expect(documents(deleted)).toEqual([[1, null]]);
    expect(mergeIntoPacks(byId(deleted), [livre(1, 4, 'Orlando')])).toEqual([]);
  });

  test('records of one kind with near ids share a pack', () => {
    const ids = [0, 127, 128].map((id) => packIdOf({ collection: 'souhaits-revues', id }));
    expect(ids).toEqual(['souhaits-revues/0', 'souhaits-revues/0', 'souhaits-revues/1']);
  });

  test('a record of earlier shapes is read with its defaults', async () => {
    const earlier = earlierPack();
    await prepareToRead([earlier]);
    expect(changesIn([earlier])[0]?.document).toMatchObject({ titre: 'Orlando', auteurs: [] });
  });

  test('a modification stored with its sentence is shown by that sentence', async () => {
    const resume = 'Prêté à Luc : Dune';
    const records = JSON.stringify([[1, 5, { id: 1, resume, fiches: [] }]]);
    const earlier = { id: 'modifications/0', shapes: 'x', records };
    await prepareToRead([earlier]);
    const [act] = changesIn([earlier]);
    expect(act?.document).toMatchObject({ arguments: { fait: 'phrase', phrase: resume } });
    expect(act?.document).not.toHaveProperty('resume');
  });

  test('a pack of earlier shapes keeps its defaults once rewritten', async () => {
    const earlier = earlierPack();
    await prepareToRead([earlier]);
    const [again] = mergeIntoPacks(byId([earlier]), [livre(2, 6, 'Flush')]);
    expect(again?.shapes).toBe(mergeIntoPacks(new Map(), [livre(1, 5, 'Orlando')])[0]?.shapes);
    expect(changesIn(again ? [again] : [])[0]?.document).toMatchObject({ auteurs: [] });
  });

  test('a kind that only a later version knows is omitted', () => {
    const [pack] = mergeIntoPacks(new Map(), [livre(1, 5, 'Orlando')]);
    expect(changesIn(pack ? [{ ...pack, id: 'cartes/0' }, pack] : [])).toHaveLength(1);
  });
});
