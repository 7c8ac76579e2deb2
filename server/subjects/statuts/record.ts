import type { RecordKind } from '#server/plumbing/records/kind';
import { statutSource } from './store.ts';

export const statutKind: RecordKind<'statuts'> = {
  source: statutSource,
  key: 'livreId',
  owner: 'utilisateur',
  tables: {
    Statut: {
      partOf: ['livreId', 'Livre'],
      fields: ['statut'],
      goesAlong: true,
      reasons: { taken: () => 'Ce statut a été changé depuis.' },
    },
  },
};
