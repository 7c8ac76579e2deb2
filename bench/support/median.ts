/** The number below which such a part of the numbers lies; NaN of none. */
export const quantile = (numbers: readonly number[], part: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * part)] ?? NaN;

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);
