// @module-tag random
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { titreKey } from '#shared/text';
import { ENTRIES, entryAt } from '../support/entries.ts';
import { openHouse, type House } from '../support/house.ts';
import { cases } from '../support/random.ts';
import { play, steps, type Step } from './random-household.ts';
import { contentOf, download, importInto } from './support.ts';

const withHouses = async (work: (house: House, other: House) => Promise<void>) => {
  const [house, other] = [await openHouse(), await openHouse()];
  try {
    await work(house, other);
  } finally {
    await house.close();
    await other.close();
  }
};

/** A household with periodicals only. */
const PERIODICALS_ONLY: Step[] = [
  {
    kind: 'numero',
    revue: { ...entryAt(ENTRIES.revues, 0), issn: '0988-2480', secondIssn: null },
    body: entryAt(ENTRIES.numeros, 0),
  },
];

/** Two series with the same title. */
const SAME_TITLE: Step[] = [1, 2].map(() => ({
  kind: 'serie',
  body: entryAt(ENTRIES.series, 0),
  parent: null,
  places: [],
}));

const isEmpty = (content: object): boolean =>
  Object.values(content).every((records) => Array.isArray(records) && records.length === 0);

const livresOf = async (house: House): Promise<Livre[]> =>
  (await house.ask('ana', 'GET', '/api/livres')).body as Livre[];

const exportOf = async (house: House): Promise<Buffer> =>
  (await download(house, '/api/export.zip')).bytes;

test('any household is restored unchanged into an empty one', async () => {
  await fc.assert(
    fc.asyncProperty(steps, (todo) =>
      withHouses(async (house, other) => {
        await play(house, todo);
        const content = await contentOf(house);
        const { status, body } = await importInto(other, await exportOf(house));
        const taken = isEmpty(content) ? [400, undefined] : [201, []];
        expect([status, body['refuses']]).toEqual(taken);
        expect(await contentOf(other)).toEqual(content);
      }),
    ),
    { ...cases(4), examples: [[PERIODICALS_ONLY]] },
  );
});

test('any household’s import leaves another’s books as they were', async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, (todo, own) =>
      withHouses(async (house, other) => {
        await play(house, todo);
        await play(other, own);
        const before = await livresOf(other);
        const bytes = await exportOf(house);
        const { status, body } = await importInto(other, bytes);
        if (status === 400) return;
        expect(Number(body['lignes'])).toBe(
          ['nouveaux', 'presents', 'souhaits'].reduce((sum, name) => sum + Number(body[name]), 0),
        );
        const after = await livresOf(other);
        expect(after).toHaveLength(before.length + Number(body['nouveaux']));
        // Existing books are unchanged, except that their authors may get a fuller name.
        const plain = (livres: readonly Livre[]) =>
          new Map(
            livres.map(({ id, titre, isbn, editeur, dateAjout }) => [
              id,
              { titre, isbn, editeur, dateAjout },
            ]),
          );
        const now = plain(after);
        for (const [id, livre] of plain(before)) expect(now.get(id)).toEqual(livre);
        for (const { titre, isbn } of await livresOf(house))
          expect(
            after.some(
              (livre) =>
                titreKey(livre.titre) === titreKey(titre) || (isbn !== null && livre.isbn === isbn),
            ),
          ).toBe(true);
        const content = await contentOf(other);
        expect(await importInto(other, bytes)).toMatchObject({
          body: { nouveaux: 0, souhaits: 0, statuts: 0, prets: 0, series: 0 },
        });
        expect(await contentOf(other)).toEqual(content);
      }),
    ),
    { ...cases(4), examples: [[SAME_TITLE, []]] },
  );
});

test('undoing any household’s import leaves another as it was', async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, (todo, own) =>
      withHouses(async (house, other) => {
        await play(house, todo);
        await play(other, own);
        const before = await contentOf(other);
        const { status, body } = await importInto(other, await exportOf(house));
        if (status === 400) return;
        const undone = await other.ask('ana', 'DELETE', `/api/importations/${String(body['id'])}`);
        expect(undone.body).toEqual({ retires: body['nouveaux'], gardes: 0 });
        expect(await contentOf(other)).toEqual(before);
      }),
    ),
    cases(4),
  );
});
