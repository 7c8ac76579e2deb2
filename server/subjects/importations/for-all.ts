import { MAX_NIVEAUX } from '#shared/emplacements';
import type { Body } from '#shared/endpoint';
import type { executerImportation } from '#shared/importations';
import type { CleanRow } from './rows.ts';

// Answers for all books of an import at once (docs/rules.md § 36).

export type ForAll = Pick<Body<typeof executerImportation>, 'chemins' | 'statut' | 'emplacement'>;

export const forAllOf = ({ chemins, statut, emplacement }: ForAll): ForAll => ({
  ...(chemins === true && { chemins }),
  ...(typeof statut === 'number' && { statut }),
  ...(emplacement && emplacement.length > 0 && { emplacement }),
});

/** The names of a path such as « House / Office / Shelf »; `null` for a single name and for too deep a path. */
export function pathOf(emplacement: readonly string[]): readonly string[] | null {
  const [only = '', ...others] = emplacement;
  if (others.length > 0) return null;
  const names = only.split(/[/\\|]/).flatMap((name) => name.trim() || []);
  return names.length > 1 && names.length <= MAX_NIVEAUX ? names : null;
}

/** What the answers change of a row. A row with readings keeps its own state of reading. */
export function changesForAll(row: CleanRow, answers: ForAll): Partial<CleanRow> {
  const { chemins, statut, emplacement } = answers;
  const path = emplacement ?? (chemins === true ? pathOf(row.emplacement) : null);
  return {
    ...(typeof statut === 'number' && row.lectures.length === 0 && { statut }),
    ...(path !== null && { emplacement: path }),
  };
}
