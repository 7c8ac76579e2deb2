import { MAX_THEMES_PROPOSES, type ColonnePerdue, type ThemePropose } from '#shared/importations';
import { compareText, textKey } from '#shared/text';
import { MAX_THEMES } from '#shared/themes';
import { raison, type Raison } from '#server/plumbing/common/raisons';
import type { ReadRow } from './rows.ts';

// Themes: tags, genres, subjects and shelves of one's own. Whoever imports a file says which of its words become themes
// (docs/rules.md § 35).

/** So many of a file are taken where its person has all of them taken. */
const MAX_TAKEN = 60;

/** More different words of one file are not counted. */
const MAX_KNOWN = 4 * MAX_THEMES_PROPOSES;

/** The words that the books of a file have. */
export class FileWords {
  readonly #words = new Map<string, { nom: string; livres: number; colonnes: Set<string> }>();

  add({ row, refus, isPending, themes = [] }: ReadRow): void {
    if (row.isSouhait || (refus !== null && !isPending)) return;
    const ofRow = new Set<string>();
    for (const { colonne, noms } of themes)
      for (const nom of noms) {
        const key = textKey(nom);
        const known = this.#words.get(key);
        if (known === undefined && this.#words.size >= MAX_KNOWN) continue;
        const word = known ?? { nom, livres: 0, colonnes: new Set() };
        this.#words.set(key, word);
        word.colonnes.add(colonne);
        if (!ofRow.has(key)) word.livres++;
        ofRow.add(key);
      }
  }

  /**
   * Those of the most books first, each in its first spelling.
   *
   * @param areTaken whether the most used of them become themes unless something else is said
   */
  propose(areTaken: boolean): ThemePropose[] {
    return [...this.#words]
      .sort(([key, a], [other, b]) => b.livres - a.livres || compareText(key, other))
      .slice(0, MAX_THEMES_PROPOSES)
      .map(([, { colonnes, ...word }], index) => ({
        ...word,
        colonnes: [...colonnes],
        repris: areTaken && index < MAX_TAKEN,
      }));
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

/** Those words of a row that become themes; there may be more of them than a book may have. */
export function chosenThemes({ themes = [] }: ReadRow, keys: ReadonlySet<string>): string[] {
  const taken = new Map<string, string>();
  for (const nom of themes.flatMap(({ noms }) => noms)) {
    const key = textKey(nom);
    if (keys.has(key) && !taken.has(key)) taken.set(key, nom);
  }
  return [...taken.values()];
}

export const tooManyThemes = (left: readonly string[]): Raison =>
  raison('themesDeTrop', { maximum: MAX_THEMES, noms: left });

/** The columns of words that become no themes, each with the number of its rows. */
export class LostThemes {
  readonly #lost = new Map<string, number>();
  readonly #taken: ReadonlySet<string>;

  constructor(taken: ReadonlySet<string>) {
    this.#taken = taken;
  }

  add({ themes = [] }: ReadRow): void {
    for (const { colonne, noms } of themes)
      if (noms.some((nom) => !this.#taken.has(textKey(nom))))
        this.#lost.set(colonne, (this.#lost.get(colonne) ?? 0) + 1);
  }

  get columns(): ColonnePerdue[] {
    return [...this.#lost].map(([colonne, lignes]) => ({ colonne, lignes }));
  }
}
