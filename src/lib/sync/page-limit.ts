/** The limit of a first page: enough for a first screen, and quick on any line. */
export const FIRST_LIMIT = 200;

/** The highest limit: more would block a slow phone while it parses the page. */
const MAX_LIMIT = 4_000;

/** How long a page should take, in milliseconds. */
const AIM_MS = 1_500;

/** How much larger a page may be than the one before. */
const MAX_GROWTH = 4;

/** The limit of the page behind it. */
export const SECOND_LIMIT = FIRST_LIMIT * MAX_GROWTH;

/** How many changes a page is asked for: as many as the line brings in time. */
export class PageLimit {
  value: number;

  constructor(value = FIRST_LIMIT) {
    this.value = value;
  }

  /** Adapts to a page of so many changes that took so long; a small one says nothing. */
  fit(changes: number, ms: number): void {
    if (changes < this.value / 2) return;
    const factor = Math.min(MAX_GROWTH, Math.max(0.5, AIM_MS / Math.max(ms, 1)));
    this.value = Math.round(Math.min(MAX_LIMIT, Math.max(FIRST_LIMIT, this.value * factor)));
  }
}
