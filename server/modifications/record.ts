import type { RecordKind } from '#server/records/kind';
import { modificationSource } from './store/modifications.ts';

export const modificationKind: RecordKind<'modifications'> = {
  source: modificationSource,
  owner: 'proprietaire',
};
