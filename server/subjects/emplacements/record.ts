import type { RecordKind } from '#server/plumbing/records/kind';
import { findBreach } from './domain/emplacements.ts';
import { emplacementRestoring } from './domain/restoring.ts';
import { emplacementSource, renormaliserEmplacements } from './store.ts';

export const emplacementKind: RecordKind<'emplacements'> = {
  source: emplacementSource,
  naming: { column: 'nom', subject: 'L’emplacement', ending: '' },
  tables: {
    Emplacement: {
      order: { list: 'Emplacement', parent: 'parentId', hasTop: true, columns: ['position'] },
      findBreach: (database, { id, parentId }) => findBreach(database, Number(id), parentId),
      reasons: {
        added: () => 'Un emplacement y a été rangé depuis.',
        taken: () => 'Un autre emplacement de ce nom a été ajouté depuis.',
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
