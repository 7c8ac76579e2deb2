import { expect, test } from 'vitest';
import { SHEETS } from '../e2e/support/sheets.ts';
import { readSources } from './modules.ts';

/** A dialog with several headings counts once per heading. */
const KINDS = /const HEADINGS = \{(?<entries>[^}]*)\}.*?\| '(?<other>\w+)'/s;

const sheetsOf = (text: string): number => {
  const tags = text.match(/<[Dd]ialog\b|role="dialog"/g)?.length ?? 0;
  const kinds = KINDS.exec(text)?.groups?.['entries']?.match(/\w+:/g)?.length;
  return kinds === undefined ? tags : tags * (kinds + 1);
};

test('every sheet of the client is walked by the keyboard', () => {
  const counts = Object.fromEntries(
    [...readSources()]
      .filter(([path]) => path.endsWith('.svelte') && !path.startsWith('src/atelier/'))
      .filter(([path]) => !path.endsWith('ui/controls/Dialog.svelte'))
      .map(([path, text]) => [path.replace('src/', ''), sheetsOf(text)] as const)
      .filter(([, count]) => count > 0),
  );
  const walked = Object.entries(SHEETS).map(([path, names]) => [path, names.length] as const);
  expect(Object.fromEntries(walked)).toEqual(counts);
});
