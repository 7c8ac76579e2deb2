import { ApiError } from '../api/call.ts';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { lookUpCode } from '../recherche/lookup.svelte.ts';
import { LookupTurns } from '../recherche/lookup-turns.ts';
import { giveTitre } from '../records/livres/kind.svelte.ts';
import { codeTitled } from '../records/livres/view.svelte.ts';
import { notes } from '$lib/sync/this-device';
import { connection } from '$lib/sync/connection.svelte';
import { Batch } from '$lib/api/feedback.svelte';
import type { LivreDocument } from '#shared/livres';

const NOTE = 'complements.filled';

const SHOWN_MS = 24 * 60 * 60 * 1000;

interface FilledLivre {
  readonly livreId: number;
  readonly atMs: number;
}

/**
 * Fills books that bear their codes, once the catalogues answer for these (docs/rules.md § 44). While they
 * are silent a round asks two of them at most, and what they do not know is asked once a visit.
 */
class Filling {
  /** The last first. */
  filled = $state.raw<readonly FilledLivre[]>(recent(readNote()));
  /** The books into whose rows a person types. */
  readonly typed = new Set<number>();
  readonly #answered = new Set<number>();
  readonly #turns = new LookupTurns(lookUpCode);
  #round: Promise<void> | null = null;

  run(): Promise<void> {
    this.#round ??= this.#fillAll().finally(() => (this.#round = null));
    return this.#round;
  }

  async #fillAll(): Promise<void> {
    const waiting = codeTitled().filter(({ id }) => !this.#answered.has(id));
    await Promise.all(waiting.map((livre) => this.#fill(livre)));
  }

  async #fill(livre: LivreDocument): Promise<void> {
    if (livre.isbn === null || !connection.canWrite) return;
    const { household } = connection;
    const result = await this.#turns.ask(livre.isbn);
    // Another household may have come, where its id is another book's.
    if (connection.household !== household) return;
    if (result === null || result.outcome === 'silent' || result.outcome === 'failed') return;
    this.#answered.add(livre.id);
    const candidat = result.outcome === 'one' ? result.candidats[0] : undefined;
    if (candidat === undefined || this.typed.has(livre.id)) return;
    try {
      // No person has done it: it stands in the history, and the bar is silent.
      await giveTitre(livre, candidat, new Batch());
    } catch (error) {
      // Another device was first, or a person.
      if (error instanceof ApiError) return;
      throw error;
    }
    this.#note(livre.id);
  }

  #note(livreId: number): void {
    this.filled = [{ livreId, atMs: Date.now() }, ...recent(readNote())];
    notes.set(NOTE, this.filled);
  }
}

const readNote = (): readonly FilledLivre[] =>
  unsafeCast<readonly FilledLivre[] | null>(notes.get(NOTE)) ?? [];

const recent = (filled: readonly FilledLivre[]): readonly FilledLivre[] =>
  filled.filter(({ atMs }) => atMs > Date.now() - SHOWN_MS);

export const filling = new Filling();
