import type { RecordKind } from '#server/plumbing/records/kind';
import { modificationSource } from '#server/plumbing/writes/store/modifications';

export const modificationKind: RecordKind<'modifications'> = {
  source: modificationSource,
  owner: 'proprietaire',
};
