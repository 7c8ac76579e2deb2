import type { RecordKind } from '#server/records/kind';
import { modificationSource } from '#server/writes/store/modifications';

export const modificationKind: RecordKind<'modifications'> = {
  source: modificationSource,
  owner: 'proprietaire',
};
