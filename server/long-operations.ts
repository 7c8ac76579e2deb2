import { fusion } from '#server/auteurs/domain/operations';
import { acceptation } from '#server/complements/domain/operations';
import { suppression } from '#server/emplacements/domain/operations';
import {
  annulation as annulationImportation,
  execution,
} from '#server/importations/domain/operations';
import { lot } from '#server/lots/domain';
import { annulation } from '#server/modifications/domain/operation';
import { restauration } from '#server/sauvegardes/domain/export';
import { addition, rewriting } from '#server/series/domain/operations';
import type { AnyLongOperation } from '#server/writes/operation';

/** The operations that a thread of their own may run. */
export const longOperations: readonly AnyLongOperation[] = [
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
