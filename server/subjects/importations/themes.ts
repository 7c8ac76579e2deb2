import { MAX_THEMES_PROPOSES, type Perdu, type ThemePropose } from '#shared/importations';
import { compareText, textKey } from '#shared/text';
import { MAX_THEMES } from '#shared/themes';
import type { ReadRow } from './rows.ts';

// Tags, genres, subjects and shelves of one's own: whoever imports a file says which of its words become themes
// (docs/rules.md § 35).

/** So many of a file are taken where its person has all of them taken. */
const MAX_TAKEN = 60;

/** More different words of one file are not counted. */
const MAX_KNOWN = 4 * MAX_THEMES_PROPOSES;

/**
 * The words that the books of a file have, those of the most books first, each in its first spelling.
 *
 * @param areTaken whether the most used of them become themes unless something else is said
 */
export function proposeThemes(rows: readonly ReadRow[], areTaken: boolean): ThemePropose[] {
  const words = new Map<string, { nom: string; livres: number; colonnes: Set<string> }>();
  for (const { row, refus, isPending, themes = [] } of rows) {
    if (row.isSouhait || (refus !== null && !isPending)) continue;
    const ofRow = new Set<string>();
    for (const { colonne, noms } of themes)
      for (const nom of noms) {
        const key = textKey(nom);
        const known = words.get(key);
        if (known === undefined && words.size >= MAX_KNOWN) continue;
        const word = known ?? { nom, livres: 0, colonnes: new Set() };
        words.set(key, word);
        word.colonnes.add(colonne);
        if (!ofRow.has(key)) word.livres++;
        ofRow.add(key);
      }
  }
  return [...words]
    .sort(([key, a], [other, b]) => b.livres - a.livres || compareText(key, other))
    .slice(0, MAX_THEMES_PROPOSES)
    .map(([, { colonnes, ...word }], index) => ({
      ...word,
      colonnes: [...colonnes],
      repris: areTaken && index < MAX_TAKEN,
    }));
}

/** The words of a file that become themes; counts the rows in which others do not. */
export class TakenThemes {
  readonly #keys: ReadonlySet<string>;
  readonly #lost = new Map<string, number>();

  constructor(proposed: readonly ThemePropose[]) {
    this.#keys = new Set(proposed.filter(({ repris }) => repris).map(({ nom }) => textKey(nom)));
  }

  /** A row with its themes, and with what is to be said of those that it cannot have. */
  decide(read: ReadRow): ReadRow {
    const taken = new Map<string, string>();
    for (const nom of (read.themes ?? []).flatMap(({ noms }) => noms)) {
      const key = textKey(nom);
      if (this.#keys.has(key) && !taken.has(key)) taken.set(key, nom);
    }
    if (taken.size === 0) return read;
    const say = (raison: string) => [...read.avertissements, raison];
    if (read.row.isSouhait)
      return { ...read, avertissements: say('un souhait n’a pas de thèmes, laissés de côté') };
    const [themes, others] = [
      [...taken.values()].slice(0, MAX_THEMES),
      [...taken.values()].slice(MAX_THEMES),
    ];
    const row = { ...read.row, themes };
    if (others.length === 0) return { ...read, row };
    const raison = `plus de ${MAX_THEMES} thèmes, laissés de côté : ${others.join(', ')}`;
    return { ...read, row, avertissements: say(raison) };
  }

  /** Counts a row under each column with a word that becomes no theme. */
  count({ themes = [] }: ReadRow): void {
    for (const { colonne, noms } of themes)
      if (noms.some((nom) => !this.#keys.has(textKey(nom))))
        this.#lost.set(colonne, (this.#lost.get(colonne) ?? 0) + 1);
  }

  /** The columns with words that become no themes, and the number of rows that have such. */
  get perdus(): Perdu[] {
    return [...this.#lost].map(([colonne, lignes]) => ({ colonne, lignes }));
  }
}

/** What a person has said of the proposed words, by any spelling; all as it was where nothing is said. */
export function chooseThemes(
  proposed: readonly ThemePropose[],
  chosen: readonly string[] | null | undefined,
): readonly ThemePropose[] {
  if (!chosen) return proposed;
  const keys = new Set(chosen.map(textKey));
  return proposed.map((theme) => ({ ...theme, repris: keys.has(textKey(theme.nom)) }));
}
