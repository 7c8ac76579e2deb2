import type { NomSource, Source } from '#shared/recherche';
import type { Fiche } from '#server/upstream/fiche';
import { SourceInjoignable } from '#server/upstream/silence';

/** The records that the steps of a search bring, and what became of the sources asked. */
export class Recolte {
  readonly #maximum: number;
  readonly #signal: AbortSignal;
  readonly #fiches = new Map<string, { readonly source: NomSource; readonly fiche: Fiche }>();
  readonly #etats = new Map<NomSource, Source['etat']>();

  /** @param signal aborted when nobody waits any more: no further step is asked then */
  constructor(maximum: number, signal: AbortSignal) {
    this.#maximum = maximum;
    this.#signal = signal;
  }

  get fiches() {
    return [...this.#fiches.values()].slice(0, this.#maximum);
  }

  /** The sources asked, in order. */
  get sources(): Source[] {
    return [...this.#etats].map(([nom, etat]) => ({ nom, etat }));
  }

  /**
   * Asks a source one question, unless there is enough. A source is `injoignable` when any of its
   * questions failed, or was answered in part: then the question itself calls `silence`.
   */
  async poser(
    source: NomSource,
    question: (silence: () => void) => Promise<readonly Fiche[]>,
  ): Promise<void> {
    if (this.#fiches.size >= this.#maximum || this.#signal.aborted) return;
    const silence = (): void => void this.#etats.set(source, 'injoignable');
    if (!this.#etats.has(source)) this.#etats.set(source, 'ok');
    try {
      for (const fiche of await question(silence)) this.#garder(source, fiche);
    } catch (error) {
      if (!(error instanceof SourceInjoignable)) throw error;
      silence();
    }
  }

  /** The same record of one source counts once; one without a name of its own, by what it says. */
  #garder(source: NomSource, fiche: Fiche): void {
    const cle = `${source} ${fiche.id ?? JSON.stringify(fiche)}`;
    if (!this.#fiches.has(cle)) this.#fiches.set(cle, { source, fiche });
  }
}
