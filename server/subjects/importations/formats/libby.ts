import { DAY_MS, localDay } from '#shared/days';
import { raison } from '#server/plumbing/common/raisons';
import { NO_LECTURES, type ImportRecord } from '../record.ts';
import type { TableFormat } from './table-format.ts';

// The loans of a public library, as Libby lists them (docs/rules.md § 35)

/** The loan of a book from its day on, for a number of days; nothing once they are over. */
function loanUntil(nom: string, instant: number, days: string): Pick<ImportRecord, 'enCours'> {
  const until = instant + Number(/^\d{1,3}(?= )/.exec(days)?.[0] ?? Number.NaN) * DAY_MS;
  if (!(until > Date.now())) return {};
  return { enCours: { nom, instant, aRendre: localDay(new Date(until)) } };
}

/**
 * Library loans are read as readings without a book of the household; their return does not tell that they were
 * finished. Open ones are borrowed books.
 */
export const libby: TableFormat = {
  name: 'libby',
  programme: 'Libby',
  known: [
    ['title', 'author', 'timestamp', 'activity', 'library'],
    ['title', 'author', 'timestamp', 'activity', 'details'],
  ],
  columns: {},
  readsNoms: true,
  transformRow(row, cell) {
    const [activity, library, day] = [cell('activity'), cell('library'), cell('timestamp')];
    const instant = Date.parse(day);
    if (!/^(?:borrow|emprunt|loan)/i.test(activity)) {
      const isReturn = /^(?:return|rendu|retour)/i.test(activity);
      return {
        titre: row.titre,
        auteurs: row.auteurs,
        isbns: row.isbns ?? [],
        refusal:
          activity === ''
            ? raison('pasEmpruntRien')
            : raison(isReturn ? 'pasEmpruntRendu' : 'pasEmprunt', { activite: activity }),
        ...(isReturn && instant > 0 && { rendu: instant }),
      };
    }
    return {
      ...row,
      // Names only, in any language of the household.
      ...loanUntil(library === '' ? 'Libby' : library, instant, cell('details')),
      notOwned:
        library === '' ? raison('empruntBibliotheque') : raison('emprunteA', { nom: library }),
      lectures: {
        ...(row.lectures ?? NO_LECTURES),
        debut: day,
        avis: library,
      },
    };
  },
  silent: ['cover', 'details'],
};
