import { readFileSync } from 'node:fs';

/** The rows of a table of cases in test/vectors: cells separated by tabs, `#` before a remark. */
export function readVectors(name: string): string[][] {
  return readFileSync(new URL(`../vectors/${name}.tsv`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
}
