/** In how many pictures running a code must stand before it is believed: check digits miss one misreading in ten. */
const CONFIRMATIONS = 2;

/** How many pictures without it make a code that comes back a new sight of it; some two seconds. */
const OUBLI = 12;

/** Tells what the camera newly sees from what it goes on seeing, and from what it misread. */
export class Constance {
  readonly #vus = new Map<string, { fois: number; absences: number }>();

  /** Takes the codes of one picture and gives those that count as seen with it, each once. */
  voir(codes: readonly string[]): string[] {
    for (const [code, vu] of this.#vus) {
      if (codes.includes(code)) continue;
      vu.absences++;
      // What was seen once only was a misreading, unless the next picture has it too.
      if (vu.absences >= OUBLI || vu.fois < CONFIRMATIONS) this.#vus.delete(code);
    }
    return [...new Set(codes)].filter((code) => {
      const vu = this.#vus.get(code) ?? { fois: 0, absences: 0 };
      this.#vus.set(code, { fois: vu.fois + 1, absences: 0 });
      return vu.fois + 1 === CONFIRMATIONS;
    });
  }
}
