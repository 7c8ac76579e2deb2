import type { RowChange } from '#shared/change-reader';
import type { ExportKind } from '#shared/export';
import type { Importation } from '#shared/importations';
import { formatCount } from '#shared/text';
import { auteursOnlyOf } from '#server/subjects/auteurs/auteurs';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Records } from '#server/plumbing/records/records';
import { keepImportation, type Act } from '#server/plumbing/writes/acts';
import { readImportationAct, rewriteResume } from '#server/plumbing/writes/store/modifications';
import { countOutcomes, type ImportationRecord, type Made } from './store.ts';

/** How many of the books of an import went, and how many stayed. */
export interface Undone {
  readonly retires: number;
  readonly gardes: number;
}

/** What is told of an import. */
type Told = Pick<Importation, 'id' | 'nouveaux' | 'prets' | 'series' | 'souhaits' | 'statuts'> & {
  readonly rest: ToldRest;
};

/** How many records the export of a household gave besides those of its rows; filled and refused ones are everyone's. */
interface ToldRest {
  readonly shared: number;
  readonly personal: number;
  readonly filled: number;
  readonly refused: number;
  /** Loans that are over. */
  readonly returned: number;
}

/**
 * Keeps an import as an act. It is everyone's where it gave anything shared, and then tells nothing of
 * its person's wishes and statuses (docs/rules.md § 39); one that gave nothing is none.
 */
export function keepMade(
  database: Transaction,
  told: Told,
  utilisateur: string | null,
  steps: readonly RowChange[] = [],
): Act | undefined {
  const act = actOf(told, utilisateur);
  if (act === null) return undefined;
  const operation = 'importer';
  return keepImportation(database, {
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
  records: Records<Transaction>,
  { id, utilisateur, counts, made }: ImportationRecord,
): void {
  const { database } = records;
  const { nouveau, souhait } = countOutcomes(database, id);
  const rest = toldRest(records, made);
  const told = { ...counts, id, nouveaux: nouveau, souhaits: souhait, rest };
  const act = actOf(told, utilisateur || null);
  const kept = readImportationAct(database, id);
  if (act === null) return;
  const isSame = kept?.annuleeParId === null && kept.proprietaire === act.proprietaire;
  if (isSame) rewriteResume(database, kept.id, act.resume);
  else keepMade(database, told, utilisateur || null);
}

/** How an import is told, and whose its act is; `null` for one that gave nothing. */
function actOf(
  { nouveaux, prets, series, souhaits, statuts, rest }: Told,
  utilisateur: string | null,
): { readonly resume: string; readonly proprietaire: string } | null {
  const shared = sentence(
    [nouveaux, 'livre'],
    [prets, 'prêt'],
    [rest.returned, 'prêt rendu'],
    [series, 'série'],
    [rest.shared, 'autre fiche'],
    [rest.filled, 'fiche complétée'],
    [rest.refused, 'fusion refusée'],
  );
  const personal = sentence(
    [souhaits, 'souhait'],
    [statuts, 'statut'],
    [rest.personal, 'autre fiche'],
  );
  if (shared === '' && personal === '') return null;
  return {
    resume: `Import : ${shared || personal}`,
    proprietaire: shared === '' ? (utilisateur ?? '') : '',
  };
}

/** Keeps the undoing of an import as an act, and says so of the import's own. */
export function keepUndone(
  database: Transaction,
  id: number,
  { retires, gardes }: Undone,
  utilisateur: string | null,
): Act | undefined {
  const act = readImportationAct(database, id);
  if (act === undefined) return undefined;
  const counts = sentence([retires, 'livre retiré'], [gardes, 'livre gardé']);
  return keepImportation(database, {
    importationId: id,
    operation: 'annulerImportation',
    resume: counts === '' ? 'Import annulé' : `Import annulé : ${counts}`,
    utilisateur,
    proprietaire: act.proprietaire,
    annuleId: act.id,
    steps: [],
  });
}

/** What an import has made besides the records of its rows, as it is told. */
export function toldRest(records: Records, all: Made | null): ToldRest {
  const { refus = [], records: made = [], given = [] } = all?.rest ?? {};
  const isPersonal = (kind: ExportKind) => {
    const collection = records.restoringOf(kind)?.collection;
    return collection !== undefined && records.kind(collection).owner !== undefined;
  };
  const personal = made.filter(([kind]) => isPersonal(kind)).length;
  return {
    shared: made.length - personal,
    personal,
    filled: new Set(given.map(([kind, id]) => `${kind} ${String(id)}`)).size,
    refused: refus.length,
    returned: all === null ? 0 : pretsOf(all).length - all.prets.length,
  };
}

/** The loans that an import has made, those that are over among them. */
const pretsOf = ({ prets, pretDigests }: Made): readonly number[] =>
  pretDigests?.map(([id]) => id) ?? prets;

/** What an import has made or filled, as later acts are asked for it: the rows by their keys alone. */
export function stepsOf(records: Records, allMade: Made, utilisateur: string | null): RowChange[] {
  const { livres, statuts, souhaits, series, places, filled, noms, ranges, rest } = allMade;
  const made = (table: string, ids: readonly number[] = []) =>
    ids.map((id) => ({ table, avant: null, apres: { id } }));
  return [
    ...made('Livre', livres),
    ...made('Auteur', auteursOnlyOf(records.database, livres)),
    ...made('Souhait', souhaits),
    ...made('Pret', pretsOf(allMade)),
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
    ...[...(rest?.records ?? []), ...(rest?.given ?? [])].flatMap(([file, id]) => {
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
