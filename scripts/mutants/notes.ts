import { existsSync, readFileSync } from 'node:fs';

/** Files in a folder of notes: the active mutant, its process, and its deadline. */
export const ACTIVE = 'active';

/** The killed mutants, one per line, including those whose process had to be ended. */
export const KILLED = 'killed';

export const noticedIn = (folder: string): readonly string[] =>
  linesOf(`${folder}/${KILLED}`).filter((line) => line !== '');

/** The mutant that exceeds its deadline, and its process; `null` for none. */
export function hungIn(folder: string): { readonly mutant: string; readonly pid: number } | null {
  const [mutant = '', pid, until] = (linesOf(`${folder}/${ACTIVE}`)[0] ?? '').split(' ');
  return mutant !== '' && Date.now() > Number(until) ? { mutant, pid: Number(pid) } : null;
}

const linesOf = (path: string): readonly string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
