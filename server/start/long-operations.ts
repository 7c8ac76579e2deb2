import { annulation, execution, lecture } from '#server/subjects/importations/importations';
import { restauration } from '#server/subjects/sauvegardes';
import type { AnyLongOperation } from '#server/plumbing/writes/operation';

/** The operations that a thread of their own may run. */
export const longOperations: readonly AnyLongOperation[] = [
  lecture,
  execution,
  annulation,
  restauration,
];
