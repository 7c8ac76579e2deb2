import { ExportSouhait } from '#shared/export';
import { parseIssn } from '#shared/issn';
import { Souhait, souhaitKeys } from '#shared/souhaits';
import { RevueSouhaitee, revueSouhaiteeKeys } from '#shared/souhaits-revues';
import { COVER, documentSource } from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { renewRows } from '#server/plumbing/database/renewal';
import { RankedTable } from './ranked-table.ts';

/** A wish without a cover shows the fallback of its ISBN (docs/rules.md § 17). */
export const souhaitSource = documentSource('Souhait', Souhait, {
  isbnAffiche: 'format_isbn(d.isbn)',
  coverUrl: 'coalesce(d.coverUrl, couverture_de_secours(d.isbn))',
  couverture: COVER,
});

export const exportSouhaitSource = documentSource('Souhait', ExportSouhait, { couverture: COVER });

export const revueSouhaiteeSource = documentSource('RevueSouhaitee', RevueSouhaitee);

/**
 * A client may send back the fallback cover that it was shown, of the old ISBN or of the new one:
 * it is never stored. A rewrite without a cover keeps the stored one.
 */
export const souhaitTable = new RankedTable(souhaitSource, {
  onInsert: { coverUrl: 'nullif(@coverUrl, couverture_de_secours(@isbn))' },
  onUpdate: {
    coverUrl: `coalesce(
      nullif(nullif(@coverUrl, couverture_de_secours(@isbn)), couverture_de_secours(isbn)),
      coverUrl)`,
  },
});

export const revueSouhaiteeTable = new RankedTable(revueSouhaiteeSource);

/** The cover that was given for a wish, without the fallback. */
export function readStoredCoverUrl(database: Reader, id: number): string | null {
  return database.value<string | null>('SELECT coverUrl FROM Souhait WHERE id = ?', id) ?? null;
}

/** A step of the start-up pass: the keys as the rules make them; a taken key stays as it is. */
export const renormaliserSouhaits = (database: Transaction): boolean =>
  renewRows<Souhait & ReturnType<typeof souhaitKeys>>(database, 'Souhait', souhaitKeys);

/** The same for wished periodicals, with ISSNs in their dashed form; a text that is no ISSN stays. */
export function renormaliserRevuesSouhaitees(database: Transaction): boolean {
  type Keyed = RevueSouhaitee & ReturnType<typeof revueSouhaiteeKeys>;
  const areKeysRenewed = renewRows<Keyed>(database, 'RevueSouhaitee', revueSouhaiteeKeys);
  const areIssnsRenewed = renewRows<Keyed>(database, 'RevueSouhaitee', ({ issn }) => ({
    issn: issn === null ? null : (parseIssn(issn) ?? issn),
  }));
  return areKeysRenewed && areIssnsRenewed;
}

/** A reader's wish of a work and an author, by its keys. */
export function souhaitIdByKeys(
  database: Reader,
  utilisateur: string,
  { cleOeuvre, auteurNormalise }: ReturnType<typeof souhaitKeys>,
): number | null {
  const sql =
    'SELECT id FROM Souhait WHERE utilisateur = ? AND cleOeuvre = ? AND auteurNormalise = ?';
  return database.value<number>(sql, utilisateur, cleOeuvre, auteurNormalise) ?? null;
}
