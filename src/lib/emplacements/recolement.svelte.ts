import { livresView } from '$lib/records/livres/view.svelte';
import { ScanPile, type ScanLine } from '$lib/scanner/pile.svelte';
import { notes } from '$lib/sync/this-device';
import type { LivreDocument } from '#shared/livres';
import { copiesOf } from './path.svelte.ts';
import { compareStanding, copySeen } from './stocktaking.ts';

const NOTE = 'recolement';

/** The result of a stocktaking, as ids of books; it stays until the next one begins. */
export interface Result {
  /** In ISO 8601. */
  readonly date: string;
  readonly present: readonly number[];
  readonly missing: readonly number[];
  readonly lent: readonly number[];
  readonly strangers: readonly number[];
  /** All expected books, as they stand. */
  readonly standing: readonly number[];
}

/** A code seen in a location; `null` before a location was chosen. */
interface Sighting {
  readonly emplacementId: number | null;
  /** `null` for a code of no known book. */
  readonly livreId: number | null;
}

interface Note {
  readonly emplacementId: number | null;
  readonly result: Result | null;
}

/** Version 1.0 kept what was seen, the last first, in the place of a result. */
interface KeptNote extends Omit<Note, 'result'> {
  readonly result?: Result | null;
  readonly livreIds?: readonly number[];
  readonly codes?: readonly string[];
}

const isNote = (kept: unknown): kept is KeptNote =>
  typeof kept === 'object' && kept !== null && 'emplacementId' in kept;

export type ScanOutcome = 'present' | 'stranger' | 'unknown' | 'again';

/** The stocktaking of one location. Until it ends, what was seen stays on this device, over restarts too. */
class Recolement {
  readonly pile = new ScanPile<Sighting, Sighting>({
    name: NOTE,
    settle: () => undefined,
    isDone: () => false,
    keep: (sighting) => sighting,
    revive: (sighting) => sighting,
  });
  #note = $state.raw<Note>({ emplacementId: null, result: null });

  constructor() {
    const kept = notes.get(NOTE);
    if (!isNote(kept)) return;
    const { emplacementId, result = null, livreIds = [], codes = [] } = kept;
    this.#keep({ emplacementId, result });
    for (const code of codes.toReversed()) this.pile.take(code, { emplacementId, livreId: null });
    for (const livreId of livreIds.toReversed()) this.pile.take('', { emplacementId, livreId });
  }

  get emplacementId(): number | null {
    return this.#note.emplacementId;
  }

  get result(): Result | null {
    return this.#note.result;
  }

  /** Codes of books that are not in the library, the last first. */
  get codes(): readonly string[] {
    return this.#seen
      .filter(({ code, state }) => state.livreId === null && livresView.byIsbn(code).length === 0)
      .map(({ code }) => code);
  }

  /** The books whose codes were read, in that order: a book ticked by hand may stand anywhere on the shelf. */
  get scanned(): readonly number[] {
    return this.#seen
      .flatMap(({ code, state }) => (code === '' ? [] : (state.livreId ?? [])))
      .toReversed();
  }

  get count(): number {
    return this.#livreIds.size + this.codes.length;
  }

  get earlyCount(): number {
    return this.#early.length;
  }

  /** The books that should stand in the location or below it. */
  get expected(): readonly LivreDocument[] {
    const { emplacementId } = this;
    return emplacementId === null
      ? []
      : livresView.search({ emplacement: String(emplacementId), tri: 'emplacement' });
  }

  get outcome() {
    const seen = [...this.#livreIds].flatMap((id) => livresView.get(id) ?? []);
    const { missing, ...rest } = compareStanding(this.expected, seen);
    const isLent = ({ id }: LivreDocument) => livresView.openPret(id) !== null;
    return {
      ...rest,
      missing: missing.filter((livre) => !isLent(livre)),
      lent: missing.filter(isLent),
    };
  }

  /** Codes that were scanned before belong to this location. */
  begin(emplacementId: number): void {
    const early = this.#early;
    this.end();
    this.#keep({ emplacementId, result: null });
    for (const { code } of early.toReversed()) this.scan(code);
  }

  /** Keeps a code until a location is chosen. */
  holdBack(code: string): void {
    if (!this.#early.some((line) => line.code === code))
      this.pile.take(code, { emplacementId: null, livreId: null });
  }

  finish(): void {
    const { present, missing, lent, strangers } = this.outcome;
    const idsOf = (livres: readonly LivreDocument[]) => livres.map(({ id }) => id);
    this.#keep({
      ...this.#note,
      result: {
        date: new Date().toISOString(),
        present: idsOf(present),
        missing: idsOf(missing),
        lent: idsOf(lent),
        strangers: idsOf(strangers),
        standing: idsOf(this.expected),
      },
    });
  }

  resume(): void {
    this.#keep({ ...this.#note, result: null });
  }

  end(): void {
    this.#keep({ emplacementId: null, result: null });
    this.pile.drop(...this.pile.lines);
  }

  scan(text: string): ScanOutcome {
    const { code, copies } = copiesOf(text);
    if (copies.length === 0) {
      if (this.codes.includes(code)) return 'again';
      this.#see(code, null);
      return 'unknown';
    }
    const livre = copySeen(copies, this.expected, this.#livreIds);
    if (livre === null) return 'again';
    this.#see(code, livre.id);
    return this.expected.some(({ id }) => id === livre.id) ? 'present' : 'stranger';
  }

  /** Notes a book without a readable code. */
  see(livreId: number): void {
    const again = this.#seen.filter(({ state }) => state.livreId === livreId);
    this.pile.drop(...again);
    this.#see('', livreId);
  }

  get #early(): readonly ScanLine<Sighting>[] {
    return this.pile.lines.filter(({ state }) => state.emplacementId === null);
  }

  get #seen(): readonly ScanLine<Sighting>[] {
    const { emplacementId } = this;
    return this.pile.lines.filter(
      ({ state }) => state.emplacementId !== null && state.emplacementId === emplacementId,
    );
  }

  /** The last seen first. */
  get #livreIds(): ReadonlySet<number> {
    return new Set(this.#seen.flatMap(({ state }) => state.livreId ?? []));
  }

  #see(code: string, livreId: number | null): void {
    this.pile.take(code, { emplacementId: this.emplacementId, livreId });
  }

  #keep(note: Note): void {
    this.#note = note;
    notes.set(NOTE, note);
  }
}

export const recolement = new Recolement();
