import { cleRegroupement } from '#shared/text';

const SUFFIXE = /^(?:jr|sr|i{2,3}|iv|ph\.? ?d|m\.? ?d)\b/iu;
const DATES = /,?\s*\(?(?:\d{4}\s*-\s*(?:\d{4}|\.{4})?|-\s*\d{4})\)?\s*$/u;

/**
 * A name as one reads it aloud: « Saint-Exupéry, Antoine de » is « Antoine de Saint-Exupéry »,
 * « Alembert, Jean Le Rond d' » is « Jean Le Rond d’Alembert » without a blank. A name without a
 * comma (a mononym, a body) stays as it is.
 */
export function ordreDeLecture(forme: string): string {
  const nom = forme.replace(DATES, '').trim();
  const [famille = '', prenom = '', ...reste] = nom.split(/\s*,\s*/u);
  if (prenom === '' || SUFFIXE.test(prenom)) return nom.replace(/\s*,$/u, '');
  const joint = /['’]$/u.test(prenom) ? '' : ' ';
  return [`${prenom}${joint}${famille}`, ...reste].join(', ');
}

/** The names, each person once: in the first spelling, by the grouping key. */
export function sansRepetition(noms: readonly string[]): string[] {
  const parCle = new Map<string, string>();
  for (const nom of noms) {
    const cle = cleRegroupement(nom);
    if (!parCle.has(cle)) parCle.set(cle, nom);
  }
  return [...parCle.values()];
}
