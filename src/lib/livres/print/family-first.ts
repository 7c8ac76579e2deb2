import { familyName } from '#shared/sort';

/** « Honoré de Balzac » as « Balzac, Honoré de »; what is one word, or has a comma, as it is. */
export function familyFirst(nom: string): string {
  const family = familyName(nom);
  const given = nom.slice(0, -family.length).trim();
  return nom.includes(',') || given === '' ? nom : `${family}, ${given}`;
}
