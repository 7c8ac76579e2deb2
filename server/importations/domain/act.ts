import type { RowChange } from '#shared/change-reader';
import type { Importation } from '#shared/importations';
import { formatCount } from '#shared/text';
import { auteursOnlyOf } from '#server/auteurs/store/auteurs';
import type { Database } from '#server/database/database';
import type { Records } from '#server/records/records';
import { keepImportation } from '#server/writes/recording';
import { readImportationAct, rewriteResume } from '#server/writes/store/modifications';
import type { ImportationRecord, Made } from '../store/importations.ts';
import { countOutcomes } from '../store/lignes.ts';

/** How many of the books of an import went, and how many stayed. */
export interface Undone {
  readonly retires: number;
  readonly gardes: number;
}

/** What is told of an import. */
type Told = Pick<Importation, 'id' | 'nouveaux' | 'prets' | 'series' | 'souhaits' | 'statuts'>;

/**
 * Keeps an import as an act. It is everyone's where it gave anything shared, and then tells nothing of
 * its person's wishes and statuses (docs/rules.md § 39); one that gave nothing is none.
 */
export function keepMade(
  database: Database,
  told: Told,
  utilisateur: string | null,
  steps: readonly RowChange[] = [],
): void {
  const act = actOf(told, utilisateur);
  if (act === null) return;
  const operation = 'importer';
  keepImportation(database, {
    ...act,
    importationId: told.id,
    operation,
    utilisateur,
    annuleId: null,
    steps,
  });
}

/** Tells what the catalogues have found of an import since, in its act; in one of its own where that is not everyone's. */
export function tellFound(
  database: Database,
  { id, utilisateur, counts }: Pick<ImportationRecord, 'id' | 'utilisateur' | 'counts'>,
): void {
  const { nouveau, souhait } = countOutcomes(database, id);
  const told = { ...counts, id, nouveaux: nouveau, souhaits: souhait };
  const act = actOf(told, utilisateur || null);
  const kept = readImportationAct(database, id);
  if (act === null) return;
  const isSame = kept?.annuleeParId === null && kept.proprietaire === act.proprietaire;
  if (isSame) rewriteResume(database, kept.id, act.resume);
  else keepMade(database, told, utilisateur || null);
}

/** How an import is told, and whose its act is; `null` for one that gave nothing. */
function actOf(
  { nouveaux, prets, series, souhaits, statuts }: Told,
  utilisateur: string | null,
): { readonly resume: string; readonly proprietaire: string } | null {
  const shared = sentence([nouveaux, 'livre'], [prets, 'prêt'], [series, 'série']);
  const personal = sentence([souhaits, 'souhait'], [statuts, 'statut']);
  if (shared === '' && personal === '') return null;
  return {
    resume: `Import : ${shared || personal}`,
    proprietaire: shared === '' ? (utilisateur ?? '') : '',
  };
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
    steps: [],
  });
}

/** What an import has made or filled, as later acts are asked for it: the rows by their keys alone. */
export function stepsOf(
  records: Records,
  { livres, statuts, souhaits, prets, series, places, filled, noms, ranges, rest }: Made,
  utilisateur: string | null,
): RowChange[] {
  const made = (table: string, ids: readonly number[] = []) =>
    ids.map((id) => ({ table, avant: null, apres: { id } }));
  return [
    ...made('Livre', livres),
    ...made('Auteur', auteursOnlyOf(records.database, livres)),
    ...made('Souhait', souhaits),
    ...made('Pret', prets),
    ...made('Serie', series),
    ...made('Place', places),
    ...made('Place', filled),
    ...made(
      'Auteur',
      noms?.map(({ given }) => given.id),
    ),
    ...made(
      'Livre',
      ranges?.map(([livreId]) => livreId),
    ),
    ...statuts.map(([livreId]) => ({
      table: 'Statut',
      avant: null,
      apres: { livreId, utilisateur },
    })),
    ...(rest?.records ?? []).flatMap(([file, id]) => {
      const collection = records.restoringOf(file)?.collection;
      return collection === undefined ? [] : made(records.kind(collection).source.table, [id]);
    }),
  ];
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
