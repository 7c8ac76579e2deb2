import type { RecordKind } from '#server/plumbing/records/kind';
import { findLentEbook } from './domain/livres.ts';
import { bibtex, ris } from './domain/texts/references.ts';
import { goodreadsCsv, livresCsv } from './domain/texts/tables.ts';
import { exportLivreSource, livreSource, readLivre } from './store/document.ts';
import { renormaliserLivres } from './store/livres.ts';

const CHANGED = 'Le livre a été modifié depuis.';

export const livreKind: RecordKind<'livres'> = {
  source: livreSource,
  read: readLivre,
  findOeuvre(database, id, utilisateur) {
    const livre = readLivre(database, id, utilisateur);
    return livre && { ...livre, auteur: livre.auteurs[0]?.nom ?? null };
  },
  naming: { column: 'titre', subject: 'Le livre', ending: '' },
  tables: {
    Livre: {
      reasons: {
        added: () => 'Des livres y ont été rangés depuis.',
        gone: 'Le livre a été supprimé',
      },
      findBreach: (database, { id }) => {
        const lent = findLentEbook(database, Number(id));
        return lent && { raison: `Le livre est prêté à ${lent.emprunteur}.`, rows: lent.rows };
      },
    },
    LivreAuteur: {
      partOf: ['livreId', 'Livre'],
      list: { champ: 'auteurs', column: 'auteurId', table: 'Auteur', name: 'nom' },
      reasons: { taken: () => CHANGED, added: () => CHANGED },
    },
  },
  exports: {
    livres: {
      source: exportLivreSource,
      label: 'les livres, avec tous leurs prêts, rendus compris, et mon statut de lecture',
    },
  },
  texts: [livresCsv, goodreadsCsv, bibtex, ris],
  renormaliser: renormaliserLivres,
};
