import { readFileSync } from 'node:fs';

/** The rows of a table of cases in test/vectors, with cells separated by tabs; `#` begins a comment. */
export function readVectors(name: string): string[][] {
  return readFileSync(new URL(`../vectors/${name}.tsv`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
}
