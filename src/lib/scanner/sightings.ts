/** How many pictures in a row must show a code: one misreading in ten has a valid check digit. */
const MIN_PICTURES = 2;

/** After this many pictures without it (some two seconds) a code counts as newly seen. */
const MAX_ABSENCES = 12;

/** Filters the codes of a video: each counts once while it is in sight, and misreadings never. */
export class Sightings {
  readonly #seen = new Map<string, { count: number; absences: number }>();

  /** Takes the codes of one picture; returns those that are newly seen. */
  add(codes: readonly string[]): string[] {
    for (const [code, sighting] of this.#seen) {
      if (codes.includes(code)) continue;
      sighting.absences++;
      if (sighting.absences >= MAX_ABSENCES || sighting.count < MIN_PICTURES)
        this.#seen.delete(code);
    }
    return [...new Set(codes)].filter((code) => {
      const count = (this.#seen.get(code)?.count ?? 0) + 1;
      this.#seen.set(code, { count, absences: 0 });
      return count === MIN_PICTURES;
    });
  }
}
