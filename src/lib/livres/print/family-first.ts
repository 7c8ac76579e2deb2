import { auteurSortKey } from '#shared/sort';
import { normaliser } from '#shared/text';

/** « Honoré de Balzac » as « Balzac, Honoré de »; what is one word, or has a comma, as it is. */
export function familyFirst(nom: string): string {
  if (nom.includes(',')) return nom;
  const [family = ''] = auteurSortKey(nom).split('\n');
  const words = nom.split(' ');
  let left = family.split(' ').length;
  let start = words.length;
  while (start > 0 && left > 0) left -= normaliser(words[--start] ?? '').split(' ').length;
  const given = words.slice(0, start).join(' ');
  return given === '' ? nom : `${words.slice(start).join(' ')}, ${given}`;
}
