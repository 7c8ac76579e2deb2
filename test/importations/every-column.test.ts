import { expect, test } from 'vitest';
import { PROGRAMS } from '#server/subjects/importations/formats/programs';
import { objectKeys } from '#shared/object-keys';
import { readFile } from './reading.ts';
import { table } from './samples.ts';

/** A word that is a valid value of no column. */
const WORD = 'Zyxwa';

/** Columns in which this word leaves no trace: read as no, overridden by another title, or data of a shop. */
const NO_WORDS = [
  'librarything: lending status',
  'storygraph: owned?',
  'calibre: identifiers',
  'calibre: formats',
  'bookbuddy: previously owned',
  'bookbuddy: returned from loan',
  'bubble: dans ma collection',
  'openreads: deleted',
];

const firstOf = (headers: string | readonly string[] | undefined): string =>
  [headers ?? []].flat()[0] ?? '';

test('a word in any column of any program is imported or reported', async () => {
  const silent: string[] = [];
  for (const program of PROGRAMS) {
    const {
      name,
      known,
      columns,
      lectures = {},
      lists = {},
      transformRow,
      silent: numbers = [],
    } = program;
    const read: string[] = [];
    transformRow?.({ titre: '', auteurs: [] }, (header) => {
      read.push(header);
      return '';
    });
    for (const sign of known) {
      const named = [
        ...sign,
        ...Object.values(columns).flat(),
        ...Object.values(lectures).flat(),
        ...objectKeys(lists),
        ...read,
      ];
      const headers = [...new Set(named)].filter((header) => !numbers.includes(header));
      // The columns that others depend on.
      const base = {
        [firstOf(columns.titre) || (sign.includes('titre') ? 'titre' : 'title')]: 'Dune',
        [firstOf(columns.serie) || (sign.includes('titre') ? 'série' : 'series')]: 'Cycle',
        [firstOf(columns.emprunteur) || 'loaned to']: 'Zoé',
        'secondary author': 'Pic, Zoé',
        activity: 'Borrowed',
      };
      for (const header of headers) {
        const all = [...new Set([...sign, ...Object.keys(base), header])];
        const file = table(all, [{ ...base, [header]: WORD }]);
        const { format, records, perdus, themes, avertissements } = await readFile(file);
        const result = JSON.stringify([
          records.map(({ cells: _, ...record }) => record),
          themes,
          avertissements,
        ]);
        const isReported =
          result.includes(WORD) || perdus.some(({ colonne }) => colonne === header);
        if (!isReported || format !== name) silent.push(`${name}: ${header}`);
      }
    }
  }
  expect([...new Set(silent)]).toEqual(NO_WORDS);
});
