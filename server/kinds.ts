import { auteurKind } from './auteurs/record.ts';
import { emplacementKind } from './emplacements/record.ts';
import { lectureKind } from './lectures/record.ts';
import { livreKind } from './livres/record.ts';
import { modificationKind } from './modifications/record.ts';
import { pretKind } from './prets/record.ts';
import type { RecordKinds } from './records/kind.ts';
import { numeroKind, revueKind } from './revues/record.ts';
import { serieKind } from './series/record.ts';
import { revueSouhaiteeKind, souhaitKind } from './souhaits/record.ts';
import { statutKind } from './statuts/record.ts';

/** Every kind of record of a household. */
export const kinds: RecordKinds = {
  livres: livreKind,
  auteurs: auteurKind,
  prets: pretKind,
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
