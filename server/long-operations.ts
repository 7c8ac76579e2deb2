import {
  annulation as annulationImportation,
  execution,
} from '#server/importations/domain/operations';
import { lot } from '#server/lots/domain';
import { annulation } from '#server/modifications/domain/operation';
import { addition, rewriting } from '#server/series/domain/operations';
import type { AnyLongOperation } from '#server/writes/operation';

/** The operations that a thread of their own may run. */
export const longOperations: readonly AnyLongOperation[] = [
  execution,
  annulationImportation,
  annulation,
  lot,
  addition,
  rewriting,
];
