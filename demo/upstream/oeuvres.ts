import { readFileSync } from 'node:fs';
import type { PlayedRecord } from './records.ts';

/** Editions for a bibliography, from the lines of `oeuvres.txt`. */
export const OEUVRES: readonly PlayedRecord[] = readFileSync(
  new URL('oeuvres.txt', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line, index) => {
    const [titre = '', date = '', people = ''] = line.split(' | ');
    const ark = `cb92${String(index).padStart(7, '0')}`;
    return { ark, titre, date, numeros: [], creators: people.split(' ; ') };
  });
