import type { Row } from '#shared/change-reader';
import type { Reader } from '#server/plumbing/database/reader';
import { findLentEbook } from '#server/subjects/livres/domain/livres';
import { openPretOfLivre } from '#server/subjects/livres/store/livres';
import type { RecordKind } from '#server/plumbing/records/kind';
import { pretSource, readPret, renormaliserPrets } from './store.ts';

const lentTo = (emprunteur: unknown): string => `Le livre est prêté à ${String(emprunteur)}.`;

/** Why a loan is not as an act left it: lent again, returned, open again, corrected, or gone with its book. */
function changed(database: Reader, { id, dateRetour }: Row): string {
  const pret = readPret(database, Number(id));
  if (pret === undefined) return 'Le livre a été supprimé depuis.';
  const open = openPretOfLivre(database, pret.livreId);
  if (open !== undefined && open.id !== pret.id) return lentTo(open.emprunteur);
  if (pret.dateRetour === dateRetour) return 'Le prêt a été corrigé depuis.';
  return pret.dateRetour === null ? 'Le livre n’est plus rendu.' : 'Le livre a été rendu depuis.';
}

export const pretKind: RecordKind<'prets'> = {
  source: pretSource,
  tables: {
    Pret: {
      partOf: ['livreId', 'Livre'],
      fields: ['emprunteur', 'datePret', 'dateRetour'],
      findBreach: (database, { livreId }) => {
        const lent = findLentEbook(database, Number(livreId));
        return lent && { raison: 'Le livre est devenu numérique depuis.', rows: lent.rows };
      },
      reasons: {
        changed,
        taken: (database, { livreId }) => {
          const open = openPretOfLivre(database, Number(livreId));
          return open === undefined ? null : lentTo(open.emprunteur);
        },
        added: (_, { emprunteur }) => lentTo(emprunteur),
      },
    },
  },
  renormaliser: renormaliserPrets,
};
