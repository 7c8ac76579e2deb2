import { auteurKind } from '#server/subjects/auteurs/record';
import { kind as emplacements } from '#server/subjects/emplacements';
import { lectureKind } from '#server/subjects/lectures/record';
import { livreKind } from '#server/subjects/livres/record';
import { modificationKind } from '#server/subjects/modifications/record';
import { kind as prets } from '#server/subjects/prets';
import type { RecordKinds } from '#server/plumbing/records/kind';
import { numeroKind, revueKind } from '#server/subjects/revues/record';
import { kind as series } from '#server/subjects/series/series';
import { kind as souhaitsRevues } from '#server/subjects/souhaits/revues';
import { kind as souhaits } from '#server/subjects/souhaits/souhaits';
import { statutKind } from '#server/subjects/statuts/record';

/** Every kind of record of a household. */
export const kinds: RecordKinds = {
  livres: livreKind,
  auteurs: auteurKind,
  prets,
  series,
  emplacements,
  revues: revueKind,
  numeros: numeroKind,
  statuts: statutKind,
  lectures: lectureKind,
  souhaits,
  'souhaits-revues': souhaitsRevues,
  modifications: modificationKind,
};
