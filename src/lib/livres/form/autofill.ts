import { joinTokens } from '$lib/ui/form/text-entry.svelte';
import type { Candidat } from '#shared/recherche';
import type { LivreEntry } from '$lib/records/livres/entry.svelte';

/** The fields that a catalogue record fills. */
const FIELDS = ['titre', 'auteurs', 'editeur', 'annee', 'nombrePages', 'coverUrl'] as const;

/** What a kind of document is where nobody has chosen one. */
const NO_TYPE = 'NonPrecise';

/**
 * Fills a form from catalogue records without overwriting what a person typed: a field is filled
 * when it is empty or still holds the value of the record before.
 */
export class Autofill {
  #proposed: ReadonlyMap<string, string> = new Map();

  /** Fills the form; returns the keys of the fields that keep another text than the proposed one. */
  fill(entry: LivreEntry, candidat: Candidat): string[] {
    const proposals = new Map<string, string>(FIELDS.map((key) => [key, textOf(candidat[key])]));
    proposals.set('typeDocument', candidat.typeDocument ?? NO_TYPE);
    const kept: string[] = [];
    for (const [key, proposed] of proposals) {
      if (this.#isFree(entry, key)) entry.setText(key, proposed);
      else if (!isBlank(proposed) && entry.text(key).trim() !== proposed.trim()) kept.push(key);
    }
    // The code of an edition that was found by its title.
    if (candidat.isbn !== null && this.#isFree(entry, 'isbn')) {
      entry.setText('isbn', candidat.isbn);
      proposals.set('isbn', candidat.isbn);
    }
    this.#proposed = proposals;
    return kept;
  }

  /** Empties what a record has filled and nobody has changed, but for the code. */
  clear(entry: LivreEntry): void {
    for (const key of this.#proposed.keys())
      if (key !== 'isbn' && this.#isFree(entry, key))
        entry.setText(key, key === 'typeDocument' ? NO_TYPE : '');
    this.#proposed = new Map();
  }

  #isFree(entry: LivreEntry, key: string): boolean {
    const present = entry.text(key).trim();
    return isBlank(present) || present === this.#proposed.get(key)?.trim();
  }
}

const isBlank = (text: string): boolean => text === '' || text === NO_TYPE;

const textOf = (value: Candidat[(typeof FIELDS)[number]]): string =>
  Array.isArray(value) ? joinTokens(value) : String(value ?? '');
