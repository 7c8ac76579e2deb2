import type { SerieProposee } from '#shared/importations';
import { compareText } from '#shared/text';
import type { Database } from '#server/database/database';
import type { ImportationRecord } from '../store/importations.ts';
import { lignesInBatches } from '../store/lignes.ts';
import { readContent } from './content.ts';
import { requireRecord } from './records.ts';
import { Planner } from './plan.ts';
import type { PlannedSerie } from './series-plan.ts';

/** The series that a dry run proposes, the fullest first; none for an import. Throws `INTROUVABLE`. */
export function listerSeriesProposees(
  database: Database,
  id: number,
  utilisateur: string | null,
): SerieProposee[] {
  const record = requireRecord(database, id, utilisateur);
  if (record.etat !== 'essai') return [];
  return planSeries(database, record)
    .map(({ id: serieId, titre, places }) => ({ id: serieId, titre, volumes: places.length }))
    .sort((a, b) => b.volumes - a.volumes || compareText(a.titre, b.titre));
}

/** The series that the rows of a dry run name, with the household as it is now. */
function planSeries(
  database: Database,
  { id, utilisateur }: ImportationRecord,
): readonly PlannedSerie[] {
  const planner = new Planner(database, utilisateur || null);
  for (const lignes of lignesInBatches(database, id)) {
    const contents = lignes.map(({ ligne, content }) => ({ ligne, read: readContent(content) }));
    planner.lookAhead(contents.map(({ read }) => read.row));
    for (const { ligne, read } of contents) planner.plan(ligne, read);
  }
  return planner.series.all;
}
