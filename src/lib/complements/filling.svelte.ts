import { ApiError } from '../api/call.ts';
import { lookUpCode } from '../recherche/lookup.svelte.ts';
import { LookupTurns } from '../recherche/lookup-turns.ts';
import { giveCandidat } from '../records/livres/kind.svelte.ts';
import { codeTitled } from '../records/livres/view.svelte.ts';
import { HouseholdNote } from '$lib/sync/household-note.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { perIdentity } from '$lib/sync/identity.svelte';
import { Batch } from '$lib/api/feedback.svelte';
import { DAY_MS } from '#shared/days';
import type { LivreDocument } from '#shared/livres';

interface FilledLivre {
  readonly livreId: number;
  readonly atMs: number;
}

/**
 * Completes books titled by their code once the catalogues respond (docs/rules.md § 44). While they are silent each
 * round asks about two; unknown codes are asked once a visit.
 */
class Filling {
  readonly #note = new HouseholdNote<FilledLivre>('complements.filled');
  /** The books whose rows a person is editing. */
  readonly typed = new Set<number>();
  readonly #answered = new Set<number>();
  readonly #turns = new LookupTurns(lookUpCode);
  #round: Promise<void> | null = null;

  /** The last first. */
  get filled(): readonly FilledLivre[] {
    return recent(this.#note.value);
  }

  run(): Promise<void> {
    this.#round ??= this.#fillAll().finally(() => (this.#round = null));
    return this.#round;
  }

  async #fillAll(): Promise<void> {
    const waiting = codeTitled().filter(({ id }) => !this.#answered.has(id));
    await Promise.all(waiting.map((livre) => this.#fill(livre)));
  }

  async #fill(livre: LivreDocument): Promise<void> {
    if (livre.isbn === null || !mayFill()) return;
    const result = await this.#turns.ask(livre.isbn);
    // Another household may be shown by now, in which the id is another book's.
    if (filling() !== this || !mayFill()) return;
    if (result === null || result.outcome === 'silent' || result.outcome === 'failed') return;
    this.#answered.add(livre.id);
    const candidat = result.outcome === 'one' ? result.candidats[0] : undefined;
    if (candidat === undefined || this.typed.has(livre.id)) return;
    try {
      // An automatic change: in the history, but not in the bar.
      if ((await giveCandidat(livre, candidat, new Batch())) === null) return;
    } catch (error) {
      // Another device or a person was faster.
      if (error instanceof ApiError) return;
      throw error;
    }
    this.#note.change((filled) => [{ livreId: livre.id, atMs: Date.now() }, ...recent(filled)]);
  }
}

/** Among a device's tabs only the leader does this. */
const mayFill = (): boolean => connection.canWrite && connection.isLeader;

const recent = (filled: readonly FilledLivre[]): readonly FilledLivre[] =>
  filled.filter(({ atMs }) => atMs > Date.now() - DAY_MS);

export const filling = perIdentity(() => new Filling());
