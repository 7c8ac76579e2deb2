import { m } from '../paraglide/messages.js';

const list = new Intl.ListFormat(m.intl());

/** Numbers in words, three and more in a row as one: « 3 à 5, 7 et 9 ». */
export function tellTomes(numeros: readonly string[]): string {
  const runs: string[][] = [];
  for (const numero of numeros) {
    const run = runs.at(-1);
    if (run !== undefined && Number(run.at(-1)) + 1 === Number(numero)) run.push(numero);
    else runs.push([numero]);
  }
  const parts = runs.flatMap((run) =>
    run.length < 3 ? run : [m.soiree_tomes({ first: run[0] ?? '', last: run.at(-1) ?? '' })],
  );
  return list.format(parts);
}
