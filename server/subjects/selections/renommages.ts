import { detailKey } from '#shared/detail-names';
import type { CriteresGardes } from '#shared/selections';
import { textKey } from '#shared/text';
import { parseStored } from '#server/plumbing/common/stored-json';
import { updateRow } from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { nextModificationId } from '#server/subjects/modifications/changesets';

// Saved searches follow renames (docs/rules.md § 62). `criteres` is what the author entered, and
// can be undone; `actuels`, which is not in the history, has today's names. A rename updates all
// readers' searches, and its undo does not undo theirs.

/** The kinds of names that can be renamed. */
export interface Renommage {
  readonly genre: 'theme' | 'detail' | 'auteur';
  readonly de: string;
  readonly vers: string;
}

interface Suivi extends Renommage {
  readonly acte: number;
}

interface Actuels {
  /** The text of `criteres` that `actuels` was derived from; if it differs, `actuels` is stale. */
  readonly base: string;
  readonly criteres: CriteresGardes;
  readonly renommages: readonly Suivi[];
}

/** SQL of the criteria with today's names; the table has the alias `d`. */
export const CRITERES =
  "iif(d.actuels ->> 'base' IS d.criteres, d.actuels -> 'criteres', d.criteres)";

/** The criteria after a rename; the same object if they do not name it. */
export function renamedCriteres(
  criteres: CriteresGardes,
  { genre, de, vers }: Renommage,
): CriteresGardes {
  const isNamed = (value: unknown) => typeof value === 'string' && textKey(value) === textKey(de);
  const changes: Record<string, string> = {};
  if (genre === 'theme' && isNamed(criteres['theme'])) changes['theme'] = vers;
  if (genre === 'detail') {
    const detail = renamedDetail(criteres['detail'], de, vers);
    if (detail !== undefined) changes['detail'] = detail;
  } else if (isNamed(criteres['recherche'])) changes['recherche'] = vers;
  return Object.keys(changes).length === 0 ? criteres : { ...criteres, ...changes };
}

/** Renames in « Traduction:Lise Marchand », whose parts may contain colons, or in a name alone. */
function renamedDetail(
  critere: string | boolean | undefined,
  de: string,
  vers: string,
): string | undefined {
  if (typeof critere !== 'string') return undefined;
  const key = detailKey(de);
  if (detailKey(critere) === key) return vers;
  for (const { index } of critere.matchAll(/:/g))
    if (detailKey(critere.slice(0, index)) === key) return vers + critere.slice(index);
  return undefined;
}

interface SelectionRow {
  readonly id: number;
  readonly criteres: string;
  readonly actuels: string | null;
}

/** Saved searches only: a list of books has no criteria. */
const rowsOf = (database: Reader, where = 'TRUE'): SelectionRow[] =>
  database.all<SelectionRow>(
    `SELECT id, criteres, actuels FROM Selection WHERE criteres <> 'null' AND ${where}`,
  );

function actuelsOf({ criteres: base, actuels }: SelectionRow): Actuels {
  const known = actuels === null ? undefined : parseStored<Actuels>(actuels);
  return known?.base === base
    ? known
    : { base, criteres: parseStored<CriteresGardes>(base), renommages: [] };
}

/** Applies a rename of the running write to the searches of all readers. */
export function suivreRenommage(tx: Transaction, renommage: Renommage): void {
  if (renommage.de === renommage.vers) return;
  const acte = nextModificationId(tx);
  for (const row of rowsOf(tx)) {
    const { base, criteres, renommages } = actuelsOf(row);
    const renamed = renamedCriteres(criteres, renommage);
    if (renamed === criteres) continue;
    write(tx, row, {
      base,
      criteres: renamed,
      renommages: [...renommages, { ...renommage, acte }],
    });
  }
}

/** Applies the renames in force after an undo or redo. */
export function suivreAnnulations(tx: Transaction): void {
  for (const row of rowsOf(tx, 'actuels IS NOT NULL')) {
    const { base, renommages } = actuelsOf(row);
    const criteres = renommages
      .filter(({ acte }) => isInForce(tx, acte))
      .reduce(renamedCriteres, parseStored<CriteresGardes>(base));
    write(tx, row, { base, criteres, renommages });
  }
}

/** A purged modification cannot be undone any more. */
const isInForce = (tx: Reader, acte: number): boolean =>
  tx.value('SELECT 1 FROM Modification WHERE id = ? AND annuleeParId IS NOT NULL', acte) ===
  undefined;

function write(tx: Transaction, { id, actuels: before }: SelectionRow, actuels: Actuels): void {
  const text = JSON.stringify(actuels);
  if (text !== before) updateRow(tx, 'Selection', id, { actuels: text });
}
