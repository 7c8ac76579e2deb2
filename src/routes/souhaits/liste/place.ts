/** Where a wish stands in its list, from 0, and its way to the next place. */
export interface Place {
  readonly rang: number;
  readonly nombre: number;
  readonly monter: () => void;
  readonly descendre: () => void;
}
