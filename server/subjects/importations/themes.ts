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

/**
 * The words that the books of a file have, those of the most books first, each in its first spelling.
 *
 * @param areTaken whether the most used of them become themes unless something else is said
 */
export function proposeThemes(rows: Iterable<ReadRow>, areTaken: boolean): ThemePropose[] {
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

/** What a person has said of the proposed words, by any spelling; all as it was where nothing is said. */
export function chooseThemes(
  proposed: readonly ThemePropose[],
  chosen: readonly string[] | null | undefined,
): readonly ThemePropose[] {
  if (!chosen) return proposed;
  const keys = new Set(chosen.map(textKey));
  return proposed.map((theme) => ({ ...theme, repris: keys.has(textKey(theme.nom)) }));
}

/** A row with those of its words that become themes, and with what is to be said of those that it cannot have. */
export function withThemes(read: ReadRow, keys: ReadonlySet<string>): ReadRow {
  const taken = new Map<string, string>();
  for (const nom of (read.themes ?? []).flatMap(({ noms }) => noms)) {
    const key = textKey(nom);
    if (keys.has(key) && !taken.has(key)) taken.set(key, nom);
  }
  if (taken.size === 0) return read;
  const say = (said: Raison) => ({ avertissements: [...read.avertissements, said] });
  if (read.row.isSouhait) return { ...read, ...say(raison('souhaitSansThemes')) };
  const themes = [...taken.values()];
  const others = themes.splice(MAX_THEMES);
  return {
    ...read,
    row: { ...read.row, themes },
    ...(others.length > 0 && say(tooManyThemes(others))),
  };
}

export const tooManyThemes = (left: readonly string[]): Raison =>
  raison('themesDeTrop', { maximum: MAX_THEMES, noms: left });

export function lostThemes(
  rows: Iterable<{ readonly read: ReadRow }>,
  taken: ReadonlySet<string>,
): ColonnePerdue[] {
  const lost = new Map<string, number>();
  for (const { read } of rows)
    for (const { colonne, noms } of read.themes ?? [])
      if (noms.some((nom) => !taken.has(textKey(nom))))
        lost.set(colonne, (lost.get(colonne) ?? 0) + 1);
  return [...lost].map(([colonne, lignes]) => ({ colonne, lignes }));
}
