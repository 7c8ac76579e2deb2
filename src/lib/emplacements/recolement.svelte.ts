import { livresView } from '$lib/records/livres/view.svelte';
import { notes } from '$lib/sync/browser/notes';
import type { LivreDocument } from '#shared/livres';
import { readCode } from './scanned-code.ts';
import { compareStanding, copySeen, type Outcome } from './stocktaking.ts';

/** The name under which it is kept on this device. */
const NOTE = 'recolement';

/** The result of a stocktaking, by the ids of books. It stays until the next one begins. */
interface Result {
  /** When it was finished, in ISO 8601. */
  readonly date: string;
  readonly present: readonly number[];
  readonly missing: readonly number[];
  readonly lent: readonly number[];
  readonly strangers: readonly number[];
}

interface Kept {
  readonly emplacementId: number | null;
  /** What was scanned before a location was chosen, the first one first. */
  readonly early: readonly string[];
  readonly result: Result | null;
  /** The books that were seen, the last first. */
  readonly livreIds: readonly number[];
  /** Codes of books that are not in the library, the last first. */
  readonly codes: readonly string[];
}

const NOTHING: Kept = { emplacementId: null, early: [], result: null, livreIds: [], codes: [] };

const isId = (id: unknown): id is number => typeof id === 'number';
const isText = (text: unknown): text is string => typeof text === 'string';
const listOf = <T>(kept: unknown, isOne: (one: unknown) => one is T): T[] =>
  Array.isArray(kept) ? kept.filter(isOne) : [];

function parseResult(kept: unknown): Result | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const all: Readonly<Record<string, unknown>> = { ...kept };
  return {
    date: isText(all['date']) ? all['date'] : '',
    present: listOf(all['present'], isId),
    missing: listOf(all['missing'], isId),
    lent: listOf(all['lent'], isId),
    strangers: listOf(all['strangers'], isId),
  };
}

function parse(kept: unknown): Kept {
  if (typeof kept !== 'object' || kept === null) return NOTHING;
  const { emplacementId, early, result, livreIds, codes } = { ...NOTHING, ...kept };
  return {
    emplacementId: isId(emplacementId) ? emplacementId : null,
    early: listOf(early, isText),
    result: parseResult(result),
    livreIds: listOf(livreIds, isId),
    codes: listOf(codes, isText),
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

  get early(): readonly string[] {
    return this.#kept.early;
  }

  /** What it has found, once it is finished. */
  get result(): Result | null {
    return this.#kept.result;
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

  /** Begins with what was scanned before. */
  begin(emplacementId: number): void {
    const { early } = this.#kept;
    this.#keep({ ...NOTHING, emplacementId });
    for (const code of early) this.scan(code);
  }

  /** Keeps a code until a location is chosen. */
  holdBack(code: string): void {
    const { early } = this.#kept;
    if (!early.includes(code)) this.#keep({ ...this.#kept, early: [...early, code] });
  }

  /** Ends the stocktaking; its result stays until the next one begins. */
  finish(): void {
    const { present, missing, strangers } = this.outcome;
    const isLent = ({ id }: LivreDocument) => livresView.openPret(id) !== null;
    const idsOf = (livres: readonly LivreDocument[]) => livres.map(({ id }) => id);
    this.#keep({
      ...this.#kept,
      result: {
        date: new Date().toISOString(),
        present: idsOf(present),
        missing: idsOf(missing.filter((livre) => !isLent(livre))),
        lent: idsOf(missing.filter(isLent)),
        strangers: idsOf(strangers),
      },
    });
  }

  /** Goes on with what was finished. */
  resume(): void {
    this.#keep({ ...this.#kept, result: null });
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
