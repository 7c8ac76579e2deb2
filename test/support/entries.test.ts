import fc from 'fast-check';
import type { TObject } from 'typebox';
import { expect, test } from 'vitest';
import { EmplacementSaisi } from '#shared/emplacements';
import { LectureSaisie } from '#shared/lectures';
import { LivreSaisi } from '#shared/livres';
import { NumeroSaisi } from '#shared/numeros';
import { ObjectifSaisi } from '#shared/objectifs';
import { PretSaisi } from '#shared/prets';
import { RevueSaisie } from '#shared/revues';
import { SelectionSaisie } from '#shared/selections';
import { SerieSaisie } from '#shared/series';
import { RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import { SouhaitSaisi } from '#shared/souhaits';
import { play, step, type Asker } from '../export/random-household.ts';
import { act, doAct } from '../modifications/support/acts.ts';
import { unsaidFields } from './entries.ts';

/** The payloads, with the path that each is sent to. */
const PAYLOADS: readonly (readonly [payload: string, shape: TObject, path: RegExp])[] = [
  ['livres', LivreSaisi, /^.api.livres(?:\?.*|\/\d+)$/],
  ['emplacements', EmplacementSaisi, /^.api.emplacements(?:\/\d+)?$/],
  ['prets', PretSaisi, /\/prets$/],
  ['series', SerieSaisie, /^.api.series(?:\/\d+)?$/],
  ['revues', RevueSaisie, /^.api.revues(?:\/\d+)?$/],
  ['numeros', NumeroSaisi, /^.api.(?:revues\/\d+\/numeros|numeros\/\d+)$/],
  ['souhaits', SouhaitSaisi, /^.api.souhaits(?:\/\d+)?$/],
  ['souhaits-revues', RevueSouhaiteeSaisie, /^.api.souhaits-revues(?:\/\d+)?$/],
  ['selections', SelectionSaisie, /^.api.selections(?:\/\d+)?$/],
  ['objectifs', ObjectifSaisi, /^.api.objectifs$/],
  ['lectures', LectureSaisie, /^.api.lectures(?:\/\d+)?$/],
];

/** Records the requests of `work` to a household whose every response is a record with this id. */
async function sent(work: (house: Asker) => Promise<unknown>) {
  const bodies: (readonly [path: string, body: unknown])[] = [];
  const body = Object.assign([{ id: 1, places: [{ id: 1 }] }], { id: 1 });
  await work({
    url: '',
    headersOf: () => ({}),
    ask(_who, _method, path, payload) {
      // An issue can be added together with its periodical.
      const { revue, numero } = Object(payload) as Readonly<Record<string, unknown>>;
      bodies.push([path, payload], ['/api/revues', revue], ['/api/numeros/1', numero]);
      return Promise.resolve({ status: 200, headers: new Headers(), body });
    },
  });
  return (expected: RegExp) =>
    bodies.flatMap(([path, one]) => (one !== undefined && expected.test(path) ? [one] : []));
}

const SEEDED = { seed: 1, numRuns: 2000 };

test.each([
  [
    'exports',
    (house: Asker) =>
      play(
        house,
        fc.sample(step, SEEDED).filter(({ kind }) => kind !== 'couverture'),
      ),
  ],
  [
    'histories',
    async (house: Asker) => {
      for (const one of fc.sample(act, SEEDED)) await doAct(house, one);
    },
  ],
])('the random households of %s say something in every field of every payload', async (_, work) => {
  const payloadsTo = await sent(work);
  const unsaid = PAYLOADS.flatMap(([name, shape, path]) =>
    unsaidFields(shape, payloadsTo(path), name),
  );
  // The id of an existing place depends on the household.
  expect(unsaid.filter((path) => path !== 'series.places.id')).toEqual([]);
});
