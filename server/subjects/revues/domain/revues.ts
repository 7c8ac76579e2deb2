import { found, Refusal } from '#shared/refusals';
import { RevueSaisie, type Revue } from '#shared/revues';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { refusingTwins } from '#server/plumbing/database/violations';
import { enteredFields, enteredIssn } from '#server/plumbing/common/entry';
import * as store from '../store/revues.ts';
import { deleteUnusedThemes } from '../store/themes.ts';

/** One periodical. Throws `INTROUVABLE`. */
export const lireRevue = (database: Reader, id: number): Revue =>
  found(store.readRevue(database, id));

/** The household's periodical with an ISSN in the hyphenated form; `null` without one. */
export const revueIdByIssn = (database: Reader, issn: string): number | null =>
  store.revueByIssn(database, issn)?.id ?? null;

/**
 * Finds a periodical by its ISSN, else by its title, or creates it. One found by title takes the
 * given ISSN where it has none; with another ISSN it is another periodical (docs/rules.md § 20).
 *
 * @param others the ids of those that it is not, though they have its title
 */
export function findOrCreateRevue(
  database: Transaction,
  saisie: RevueSaisie,
  others: ReadonlySet<number> = new Set(),
): { revue: Revue; created: boolean } {
  const { titre, issn } = readEntry(saisie);
  const known = issn === null ? undefined : store.revueByIssn(database, issn);
  if (known) return { revue: known, created: false };
  const possible = store
    .revuesByTitre(database, titre)
    .filter((revue) => !others.has(revue.id) && (issn === null || revue.issn === null));
  const found = possible.find((revue) => revue.issn === issn) ?? possible[0];
  if (found === undefined) {
    const id = store.insertRevue(database, { titre, issn });
    return { revue: lireRevue(database, id), created: true };
  }
  if (issn !== null) store.updateRevue(database, found.id, { titre: found.titre, issn });
  return { revue: lireRevue(database, found.id), created: false };
}

/** Rewrites a periodical. Throws `REVUE_EXISTANTE` where another has the ISSN. */
export function modifierRevue(database: Transaction, id: number, saisie: RevueSaisie): Revue {
  lireRevue(database, id);
  const revue = readEntry(saisie);
  refusingTwins(
    ['Revue.issn'],
    () => store.updateRevue(database, id, revue),
    () => {
      const other = store.revueByIssn(database, revue.issn ?? '');
      return (
        other && new Refusal('REVUE_EXISTANTE', { revue: { id: other.id, titre: other.titre } })
      );
    },
  );
  return lireRevue(database, id);
}

/** Deletes a periodical with its issues, and the themes that only these had. */
export function supprimerRevue(database: Transaction, id: number): void {
  if (!store.deleteRevue(database, id)) throw new Refusal('INTROUVABLE');
  deleteUnusedThemes(database);
}

function readEntry(saisie: RevueSaisie) {
  const fields = enteredFields(RevueSaisie, saisie);
  return { ...fields, issn: enteredIssn(fields.issn) };
}
