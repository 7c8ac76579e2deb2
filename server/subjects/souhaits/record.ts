import type { RecordKind } from '#server/plumbing/records/kind';
import { revueSouhaiteeRestoring } from './domain/restoring.ts';
import {
  exportSouhaitSource,
  renormaliserRevuesSouhaitees,
  renormaliserSouhaits,
  revueSouhaiteeSource,
  souhaitSource,
  souhaitTable,
} from './store/tables.ts';

const naming = { column: 'titre', subject: 'Le souhait', ending: '' } as const;
const order = (list: string) => ({ list, parent: 'utilisateur', columns: ['ordre', 'rang'] });
const reasons = { taken: () => 'Le souhait est de nouveau sur la liste.' };

export const souhaitKind: RecordKind<'souhaits'> = {
  source: souhaitSource,
  owner: 'utilisateur',
  findOeuvre: (database, id, utilisateur) => souhaitTable.find(database, utilisateur ?? '', id),
  naming,
  tables: { Souhait: { order: order('Souhait'), reasons } },
  exports: { souhaits: { source: exportSouhaitSource, label: 'ma liste de souhaits' } },
  renormaliser: renormaliserSouhaits,
};

export const revueSouhaiteeKind: RecordKind<'souhaits-revues'> = {
  source: revueSouhaiteeSource,
  owner: 'utilisateur',
  naming,
  tables: { RevueSouhaitee: { order: order('RevueSouhaitee'), reasons } },
  exports: {
    'souhaits-revues': {
      source: revueSouhaiteeSource,
      label: 'mes revues souhaitées',
      restoring: revueSouhaiteeRestoring,
    },
  },
  renormaliser: renormaliserRevuesSouhaitees,
};
