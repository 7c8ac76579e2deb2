import { fusion } from '#server/subjects/auteurs/auteurs';
import { acceptation } from '#server/subjects/complements';
import { suppression } from '#server/subjects/emplacements';
import {
  annulation as annulationImportation,
  execution,
  lecture,
} from '#server/subjects/importations/importations';
import { lot } from '#server/subjects/lots';
import { annulation } from '#server/subjects/modifications/domain/operation';
import { restauration } from '#server/subjects/sauvegardes';
import { addition, rewriting } from '#server/subjects/series/series';
import type { AnyLongOperation } from '#server/plumbing/writes/operation';

/** The operations that a thread of their own may run. */
export const longOperations: readonly AnyLongOperation[] = [
  lecture,
  execution,
  annulationImportation,
  annulation,
  restauration,
  lot,
  addition,
  rewriting,
  acceptation,
  suppression,
  fusion,
];
