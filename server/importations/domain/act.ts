import type { Importation } from '#shared/importations';
import { formatCount } from '#shared/text';
import type { Database } from '#server/database/database';
import { keepImportation } from '#server/writes/recording';
import { readImportationAct } from '#server/writes/store/modifications';

/** How many of the books of an import went, and how many stayed. */
export interface Undone {
  readonly retires: number;
  readonly gardes: number;
}

/**
 * Keeps an import as an act. It is everyone's where it gave anything shared, and then tells nothing of
 * its person's wishes and statuses (docs/rules.md § 39); one that gave nothing is none.
 */
export function keepMade(
  database: Database,
  { id, nouveaux, prets, series, souhaits, statuts }: Importation,
  utilisateur: string | null,
): void {
  const shared = sentence([nouveaux, 'livre'], [prets, 'prêt'], [series, 'série']);
  const personal = sentence([souhaits, 'souhait'], [statuts, 'statut']);
  if (shared === '' && personal === '') return;
  keepImportation(database, {
    importationId: id,
    operation: 'importer',
    resume: `Import : ${shared || personal}`,
    utilisateur,
    proprietaire: shared === '' ? (utilisateur ?? '') : '',
    annuleId: null,
  });
}

/** Keeps the undoing of an import as an act, and says so of the import's own. */
export function keepUndone(
  database: Database,
  id: number,
  { retires, gardes }: Undone,
  utilisateur: string | null,
): void {
  const act = readImportationAct(database, id);
  if (act === undefined) return;
  const counts = sentence([retires, 'livre retiré'], [gardes, 'livre gardé']);
  keepImportation(database, {
    importationId: id,
    operation: 'annulerImportation',
    resume: counts === '' ? 'Import annulé' : `Import annulé : ${counts}`,
    utilisateur,
    proprietaire: act.proprietaire,
    annuleId: act.id,
  });
}

/** « 12 livres, 1 prêt », of what there is any. */
const sentence = (...counts: readonly (readonly [number, string])[]): string =>
  counts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${formatCount(count)} ${count > 1 ? plural(words) : words}`)
    .join(', ');

const plural = (words: string): string =>
  words
    .split(' ')
    .map((word) => `${word}s`)
    .join(' ');
