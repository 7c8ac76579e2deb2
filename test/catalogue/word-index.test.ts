import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byTitre, createEntry, entriesContaining, type Entry } from '#shared/catalogue-entries';
import { WordIndex } from '#shared/catalogue-index';
import { searchedDetails } from '#shared/details';
import { normaliser } from '#shared/text';
import { makeLivre } from '../support/livres.ts';
import { cases } from '../support/random.ts';
import { livres } from './random.ts';

const entryOf = (livre: Parameters<typeof createEntry>[0]) => createEntry(livre, new Map());

/** More books than a word has bits, in title order, by id. */
const someEntries = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    entryOf(
      makeLivre(i + 1, `Tome ${String(i)} ${i % 3 === 0 ? 'Harry' : 'Or'}`, {
        auteurs: [{ id: 1, nom: i % 7 === 0 ? 'Zoé Atome' : 'Léa' }],
      }),
    ),
  ).sort(byTitre);

const inDetails = (entries: Iterable<Entry>, word: string): readonly boolean[] => {
  const books: boolean[] = [];
  for (const { livre } of entries)
    if (searchedDetails(livre.details).includes(word)) books[livre.id] = true;
  return books;
};

const ids = (entries: readonly Entry[]) => entries.map(({ livre }) => livre.id);

describe('the index of words', () => {
  it('finds words where a scan finds them', () => {
    const entries = someEntries(100);
    const index = new WordIndex(entries);
    for (const query of ['tome', 'harr', 'o', '99', 'ome zoe', 'harry or', 'e', 'zzz']) {
      const words = query.split(' ');
      expect(ids(index.find(words))).toEqual(ids(entriesContaining(entries, words)));
    }
    expect(ids(index.find([]))).toEqual(ids(entries));
  });

  it('follows changes until it is stale after too many', () => {
    const entries = someEntries(100);
    const index = new WordIndex(entries);
    const [first, second, third] = entries;
    const renamed = entryOf(makeLivre(first?.livre.id ?? 0, 'Zut, encore Harry'));
    index.replace(first, renamed);
    index.replace(second, undefined);
    index.replace(undefined, entryOf(makeLivre(200, 'Harry')));
    expect(index.isStale).toBe(false);
    const current = [renamed, entryOf(makeLivre(200, 'Harry')), ...entries.slice(2)].sort(byTitre);
    expect(ids(index.find(['harr']))).toEqual(ids(entriesContaining(current, ['harr'])));
    expect(ids(index.find([]))).toEqual(ids(current));
    index.replace(renamed, third);
    index.replace(undefined, entryOf(makeLivre(201, 'Or')));
    expect(index.isStale).toBe(true);
  });

  it('is read in portions, with changes in between', () => {
    const entries = someEntries(5_000);
    const index = new WordIndex(entries);
    expect(index.readSome()).toBe(true);
    index.replace(entries[0], undefined);
    index.replace(entries[4_999], undefined);
    while (index.readSome());
    const current = entries.slice(1, -1);
    for (const word of ['harr', '99', 'atome'])
      expect(ids(index.find([word]))).toEqual(ids(entriesContaining(current, [word])));
    expect(index.readSome()).toBe(false);
  });

  it('answers like a scan, whatever the books and the changes', () => {
    const books = (max: number) =>
      fc.array(livres(fc.integer({ min: 1, max: 90 })), { maxLength: max, size: 'max' });
    const unique = (list: readonly Parameters<typeof createEntry>[0][]) =>
      new Map(list.map((livre) => [livre.id, entryOf(livre)]));
    fc.assert(
      fc.property(books(80), books(8), (before, changes) => {
        const current = unique(before);
        const index = new WordIndex([...current.values()].sort(byTitre));
        for (const [id, next] of unique(changes)) {
          const isDeleted = id % 3 === 0;
          index.replace(current.get(id), isDeleted ? undefined : next);
          if (isDeleted) current.delete(id);
          else current.set(id, next);
        }
        for (const recherche of ['ha', 'le', 'o', 'harr 2', '三', 'e']) {
          const words = normaliser(recherche).split(' ');
          const expected = entriesContaining([...current.values()].sort(byTitre), words, (word) =>
            inDetails(current.values(), word),
          );
          expect(ids(index.find(words))).toEqual(ids(expected));
        }
      }),
      cases(100),
    );
  });
});
