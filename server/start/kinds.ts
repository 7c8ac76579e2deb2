import { auteurKind } from '#server/subjects/auteurs/record';
import { emplacementKind } from '#server/subjects/emplacements/record';
import { lectureKind } from '#server/subjects/lectures/record';
import { livreKind } from '#server/subjects/livres/record';
import { modificationKind } from '#server/subjects/modifications/record';
import { kind as prets } from '#server/subjects/prets';
import type { RecordKinds } from '#server/plumbing/records/kind';
import { numeroKind, revueKind } from '#server/subjects/revues/record';
import { serieKind } from '#server/subjects/series/record';
import { revueSouhaiteeKind, souhaitKind } from '#server/subjects/souhaits/record';
import { statutKind } from '#server/subjects/statuts/record';

/** Every kind of record of a household. */
export const kinds: RecordKinds = {
  livres: livreKind,
  auteurs: auteurKind,
  prets,
  series: serieKind,
  emplacements: emplacementKind,
  revues: revueKind,
  numeros: numeroKind,
  statuts: statutKind,
  lectures: lectureKind,
  souhaits: souhaitKind,
  'souhaits-revues': revueSouhaiteeKind,
  modifications: modificationKind,
};
