/** Work on imports that nobody waits for: at a time once for each, until the service closes. */
export class BackgroundRuns {
  readonly #underWay = new Set<number>();
  readonly #closing = new AbortController();

  /** Aborted when the service closes. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Works on an import, unless that is under way; what fails because the service closes is no failure. */
  async run(id: number, work: () => Promise<void>): Promise<void> {
    if (this.#underWay.has(id)) return;
    this.#underWay.add(id);
    try {
      await work();
    } catch (error) {
      if (!this.signal.aborted) throw error;
    } finally {
      this.#underWay.delete(id);
    }
  }

  close(): void {
    this.#closing.abort();
  }
}
