import { livresView } from '$lib/records/livres/view.svelte';
import { notes } from '$lib/sync/browser/notes';
import type { LivreDocument } from '#shared/livres';
import { readCode } from './scanned-code.ts';
import { compareStanding, copySeen, type Outcome } from './stocktaking.ts';

/** The name under which it is kept on this device. */
const NOTE = 'recolement';

interface Kept {
  readonly emplacementId: number | null;
  /** The books that were seen, the last first. */
  readonly livreIds: readonly number[];
  /** Codes of books that are not in the library, the last first. */
  readonly codes: readonly string[];
}

const NOTHING: Kept = { emplacementId: null, livreIds: [], codes: [] };

function parse(kept: unknown): Kept {
  if (typeof kept !== 'object' || kept === null) return NOTHING;
  const { emplacementId, livreIds, codes } = { ...NOTHING, ...kept };
  return {
    emplacementId: typeof emplacementId === 'number' ? emplacementId : null,
    livreIds: Array.isArray(livreIds) ? livreIds.filter((id) => typeof id === 'number') : [],
    codes: Array.isArray(codes) ? codes.filter((code) => typeof code === 'string') : [],
  };
}

/** What became of a scanned code. */
export type Seen = 'present' | 'stranger' | 'unknown' | 'again';

/**
 * The stocktaking of one location. What was seen stays on this device, without a network and over restarts,
 * until it is ended.
 */
class Recolement {
  #kept = $state.raw<Kept>(parse(notes.get(NOTE)));

  get emplacementId(): number | null {
    return this.#kept.emplacementId;
  }

  get codes(): readonly string[] {
    return this.#kept.codes.filter((code) => livresView.byIsbn(code).length === 0);
  }

  /** How many books and codes were seen. */
  get count(): number {
    return this.#kept.livreIds.length + this.codes.length;
  }

  /** The books that should stand in the location or below it. */
  get expected(): readonly LivreDocument[] {
    const { emplacementId } = this;
    return emplacementId === null
      ? []
      : livresView.search({ emplacement: String(emplacementId), tri: 'emplacement' });
  }

  get outcome(): Outcome<LivreDocument> {
    const seen = this.#kept.livreIds.flatMap((id) => livresView.get(id) ?? []);
    return compareStanding(this.expected, seen);
  }

  begin(emplacementId: number): void {
    this.#keep({ ...NOTHING, emplacementId });
  }

  end(): void {
    this.#keep(NOTHING);
  }

  scan(text: string): Seen {
    const { code, copies } = readCode(text);
    const { livreIds, codes } = this.#kept;
    if (copies.length === 0) {
      if (codes.includes(code)) return 'again';
      this.#keep({ ...this.#kept, codes: [code, ...codes] });
      return 'unknown';
    }
    const livre = copySeen(copies, this.expected, new Set(livreIds));
    if (livre === null) return 'again';
    this.see(livre.id);
    return this.expected.some(({ id }) => id === livre.id) ? 'present' : 'stranger';
  }

  /** Takes a book that has no code, or is picked by hand. */
  see(livreId: number): void {
    const others = this.#kept.livreIds.filter((id) => id !== livreId);
    this.#keep({ ...this.#kept, livreIds: [livreId, ...others] });
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    notes.set(NOTE, kept);
  }
}

export const recolement = new Recolement();
