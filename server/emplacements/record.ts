import type { RecordKind } from '#server/records/kind';
import { findBreach } from './domain/emplacements.ts';
import { emplacementRestoring } from './domain/restoring.ts';
import { emplacementSource, holdsLivres, renormaliserEmplacements } from './store.ts';

export const emplacementKind: RecordKind<'emplacements'> = {
  source: emplacementSource,
  naming: { column: 'nom', subject: 'L’emplacement', ending: '' },
  tables: {
    Emplacement: {
      findBreach: (database, { id, parentId }) => findBreach(database, Number(id), parentId),
      reasons: {
        taken: (database, { id }) =>
          holdsLivres(database, Number(id))
            ? 'Des livres y ont été rangés depuis.'
            : 'Un autre emplacement de ce nom, ou un emplacement dedans, a été ajouté depuis.',
        gone: 'L’emplacement a été supprimé',
      },
    },
  },
  exports: {
    emplacements: {
      source: emplacementSource,
      label: 'les emplacements : où sont rangés les livres',
      restoring: emplacementRestoring,
    },
  },
  renormaliser: renormaliserEmplacements,
};
