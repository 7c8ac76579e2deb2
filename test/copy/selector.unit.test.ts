import {
  getQueryMatcher,
  type FilledMangoQuery,
  type RxDocumentData,
  type RxJsonSchema,
} from 'rxdb';
import { describe, expect, test } from 'vitest';
import { compare, getMingoQuery } from '../../src/lib/sync/selector.ts';

const LWT = 1_790_000_000_000;

const VALUES = ['', 'a', 'collection', 'livres/0', 0, 1, LWT, true, false];

/** Documents with and without each part, of every kind of value that RxDB's own have. */
const DOCUMENTS: readonly object[] = VALUES.flatMap((id) =>
  VALUES.flatMap((context) => [
    { id, context, _deleted: false, _meta: { lwt: LWT } },
    { id, context, _deleted: true, _meta: { lwt: LWT + 1 } },
    { id, context },
  ]),
);

/** What the installed RxDB and the application ask for. */
const ASKED: readonly (readonly [what: string, selector: object])[] = [
  ['a whole collection', { _deleted: { $eq: false } }],
  ['the collections of a database', { context: 'collection', _deleted: { $eq: false } }],
  ['one record', { id: 'a', _deleted: { $eq: false } }],
  [
    'what has changed since',
    {
      $or: [{ '_meta.lwt': { $gt: LWT } }, { '_meta.lwt': { $eq: LWT }, id: { $gt: 'a' } }],
      '_meta.lwt': { $gte: LWT },
    },
  ],
  ['all of two', { $and: [{ id: { $lte: 'b' } }, { context: { $lt: 1 } }] }],
];

describe('what stands for Mingo in the build', () => {
  test.each(ASKED)('finds %s as Mingo does', (_, selector) => {
    const ours = getMingoQuery(selector);
    const query = { selector, sort: [], skip: 0 } as FilledMangoQuery<object>;
    const theirs = getQueryMatcher({} as RxJsonSchema<RxDocumentData<object>>, query);
    const found = DOCUMENTS.map((document) => ours.test(document));
    expect(found).toEqual(DOCUMENTS.map((document) => theirs(document as RxDocumentData<object>)));
    expect(new Set(found)).toEqual(new Set([true, false]));
  });

  test.each([
    [{ id: { $regex: 'a' } }],
    [{ $nor: [{ id: 'a' }] }],
    [{ id: null }],
    [{ id: ['a'] }],
    [{ id: { $eq: null } }],
    ['a'],
  ])('refuses %j, which nobody asks for', (selector) => {
    expect(() => getMingoQuery(selector)).toThrow('no query of this application');
  });

  test('orders values of one kind', () => {
    expect([false, true, false].toSorted(compare)).toEqual([false, false, true]);
    expect(['b', 'a'].toSorted(compare)).toEqual(['a', 'b']);
  });
});
