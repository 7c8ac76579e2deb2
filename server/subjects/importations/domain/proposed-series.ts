import { setImmediate } from 'node:timers/promises';
import type { SerieProposee } from '#shared/importations';
import { compareText } from '#shared/text';
import type { Reader } from '#server/plumbing/database/reader';
import type { ImportationRecord } from '../store/importations.ts';
import { readReste } from '../store/reste.ts';
import { readLignes } from './content.ts';
import { requireRecord } from './records.ts';
import { Planner } from './plan.ts';
import type { PlannedSerie } from './series-plan.ts';

/** Rows planned before others get a turn. */
const ROWS_PER_TURN = 200;

/**
 * The series that a dry run proposes, the fullest first; none for an import. Others get turns meanwhile. Throws
 * `INTROUVABLE`.
 */
export async function listerSeriesProposees(
  database: Reader,
  id: number,
  utilisateur: string | null,
): Promise<SerieProposee[]> {
  const record = requireRecord(database, id, utilisateur);
  if (record.etat !== 'essai') return [];
  return (await planSeries(database, record))
    .map(({ id: serieId, titre, places }) => ({ id: serieId, titre, volumes: places.length }))
    .sort((a, b) => b.volumes - a.volumes || compareText(a.titre, b.titre));
}

/** The series that a dry run names, with the household as it is now. */
async function planSeries(
  database: Reader,
  { id, format, utilisateur }: ImportationRecord,
): Promise<readonly PlannedSerie[]> {
  const planner = new Planner(database, utilisateur || null);
  for (const lignes of readLignes(database, id, ROWS_PER_TURN)) {
    planner.planAll(lignes);
    await setImmediate();
  }
  if (format === 'rayonnage') planner.planExported(readReste(database, id, 'series'));
  return planner.series.all;
}
