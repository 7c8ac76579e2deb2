import { MAX_NIVEAUX } from '#shared/emplacements';
import type { Body } from '#shared/endpoint';
import type { executerImportation } from '#shared/importations';
import type { CleanRow } from './rows.ts';

// What a person says of all books of an import at once (docs/rules.md § 36).

export type ForAll = Pick<Body<typeof executerImportation>, 'chemins' | 'statut' | 'emplacement'>;

export const forAllOf = ({ chemins, statut, emplacement }: ForAll): ForAll => ({
  ...(chemins === true && { chemins }),
  ...(typeof statut === 'number' && { statut }),
  ...(emplacement && emplacement.length > 0 && { emplacement }),
});

/** « House / Office / Shelf » as the names of a path; `null` for what is no path, or one that is too deep. */
export function pathOf(emplacement: readonly string[]): readonly string[] | null {
  const [only = '', ...others] = emplacement;
  if (others.length > 0) return null;
  const names = only.split(/[/\\|]/).flatMap((name) => name.trim() || []);
  return names.length > 1 && names.length <= MAX_NIVEAUX ? names : null;
}

/** A reading that a row tells stays the row's own, whatever is said of all. */
export function rowForAll(row: CleanRow, said: ForAll): CleanRow {
  const { chemins, statut, emplacement } = said;
  if (Object.keys(said).length === 0) return row;
  const path = chemins === true ? pathOf(row.emplacement) : null;
  return {
    ...row,
    statut: row.lectures.length === 0 ? (statut ?? row.statut) : row.statut,
    emplacement: emplacement ?? path ?? row.emplacement,
  };
}
