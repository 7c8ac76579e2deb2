import { unsafeCast } from '$lib/api/unsafe-cast';
import { m } from '$lib/paraglide/messages';
import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { livresView } from '$lib/records/livres/view.svelte';
import { ScanList, type ScanItem } from '$lib/scanner/scan-list.svelte';
import { attempt, notes, OURS } from '$lib/sync/this-device';
import type { LivreDocument } from '#shared/livres';
import { copiesOf } from './path.svelte.ts';
import { comparePresent, copySeen } from './stocktaking.ts';

const NOTE = 'recolement';

/** The result of a stocktaking, as book ids; stored until the next one begins. */
export interface Result {
  /** In ISO 8601. */
  readonly date: string;
  readonly present: readonly number[];
  readonly missing: readonly number[];
  readonly lent: readonly number[];
  readonly strangers: readonly number[];
  /** All expected books, in shelf order. */
  readonly expected: readonly number[];
}

/** A book's location, as text. */
export function locationOf(livre: Pick<LivreDocument, 'emplacementId'> | undefined): string {
  const path = emplacementsView.pathText(livre?.emplacementId ?? null);
  return path === '' ? m.recolement_no_place() : m.recolement_its_place({ path });
}

/** A code seen in a location; `null` before a location was chosen. */
interface Sighting {
  readonly emplacementId: number | null;
  /** `null` for a code of no known book. */
  readonly livreId: number | null;
}

/** The stocktaking of one location; `null` for a pending result. */
interface Stocktaking {
  /** When it began or was taken up, in ISO 8601. */
  readonly date: string;
  readonly result: Result | null;
}

/** The stocktaking of each location, by reader; a tab shows one. */
type Note = Readonly<Record<string, Stocktaking>>;

/** The note of earlier versions, one a device; 1.0 stored the seen books, the last first, instead of a result. */
interface EarlierNote {
  readonly emplacementId: number | null;
  readonly result?: Result | null;
  readonly livreIds?: readonly number[];
  readonly codes?: readonly string[];
}

const isEarlierNote = (kept: unknown): kept is EarlierNote =>
  typeof kept === 'object' && kept !== null && 'emplacementId' in kept;

/**
 * The stocktaking of each location of a reader; a tab shows one. The seen books are stored on this device until the end, and
 * merged with those of the reader's other tabs in the same location.
 */
class Recolement {
  readonly scans = new ScanList<Sighting, Sighting>({
    name: NOTE,
    sentenceOf: (line) => this.#sentenceOf(line),
    advance: () => undefined,
    isDone: () => false,
    keep: (sighting) => sighting,
    revive: (sighting) => sighting,
  });
  /** `undefined` until the replica is loaded. */
  #reader = $state.raw<string | null>();
  /** The household of the locations; empty if unknown. */
  #household = '';
  #note = $state.raw<Note>({});
  /** The location of this tab. */
  #current = $state<number | null>(null);

  /**
   * Shows a reader's stocktaking: this tab's, else the one in the wanted location. Without a wanted one, the last one
   * continued, or the last result.
   */
  resume(reader: string | null, household: string, wanted: number | null): void {
    this.scans.resume(reader, household);
    if (reader === this.#reader && household === this.#household) return;
    this.#reader = reader;
    this.#household = household;
    this.#note = this.#read();
    this.#takeOver();
    const id = Number(this.#takeTab() ?? NaN);
    if (this.#note[id] !== undefined) this.#show(id);
    else if (wanted === null) this.#show(this.underWay[0] ?? this.#latest[0] ?? null);
    else this.#show(this.underWay.includes(wanted) ? wanted : null);
  }

  /** Merges the changes of the reader's other tabs. */
  join(): void {
    if (this.#reader === undefined) return;
    this.scans.join();
    this.#note = this.#read();
  }

  /** False until it is known who reads: no stocktaking can be begun before. */
  get isResumed(): boolean {
    return this.#reader !== undefined;
  }

  get emplacementId(): number | null {
    return this.#current !== null && this.#note[this.#current] !== undefined ? this.#current : null;
  }

  get result(): Result | null {
    return this.#note[this.emplacementId ?? NaN]?.result ?? null;
  }

  /** The locations with an unfinished stocktaking, the last one first. */
  get underWay(): readonly number[] {
    return this.#latest.filter((id) => this.#note[id]?.result === null);
  }

  /** All locations of the note, the last taken up or finished first. */
  get #latest(): readonly number[] {
    return Object.entries(this.#note)
      .toSorted(([, a], [, b]) => b.date.localeCompare(a.date))
      .map(([id]) => Number(id));
  }

  /** How many books and codes were seen in a location. */
  countIn(emplacementId: number): number {
    return this.scans.items.filter(({ state }) => state.emplacementId === emplacementId).length;
  }

  /** Codes of books that are not in the library, the last first. */
  get codes(): readonly string[] {
    return this.#seen
      .filter(({ code, state }) => state.livreId === null && livresView.byIsbn(code).length === 0)
      .map(({ code }) => code);
  }

  /** The books whose codes were read, in that order: manually ticked books have no known position. */
  get scanned(): readonly number[] {
    return this.#seen
      .flatMap(({ code, state }) => (code === '' ? [] : (state.livreId ?? [])))
      .toReversed();
  }

  get count(): number {
    return this.#livreIds.size + this.codes.length;
  }

  /** The books that should be in the location or below it. */
  get expected(): readonly LivreDocument[] {
    const { emplacementId } = this;
    return emplacementId === null
      ? []
      : livresView.search({ emplacement: String(emplacementId), tri: 'emplacement' });
  }

  get outcome() {
    const seen = [...this.#livreIds].flatMap((id) => livresView.get(id) ?? []);
    const { missing, ...rest } = comparePresent(this.expected, seen);
    const isLent = ({ id }: LivreDocument) => livresView.openPret(id) !== null;
    return {
      ...rest,
      missing: missing.filter((livre) => !isLent(livre)),
      lent: missing.filter(isLent),
    };
  }

  /** Continues in a location, or begins. Codes scanned before belong to it. */
  begin(emplacementId: number): void {
    this.join();
    const early = this.#early;
    if (this.result !== null || this.count === 0) this.end();
    if (this.#note[emplacementId]?.result !== null) this.#forget(emplacementId);
    this.#keep(emplacementId, { date: new Date().toISOString(), result: null });
    this.#show(emplacementId);
    this.scans.drop(...early);
    for (const { code } of early.toReversed()) this.#noteCode(code);
  }

  /** Keeps a code until a location is chosen. */
  holdBack(code: string): void {
    const line =
      this.#early.find((early) => early.code === code) ??
      this.scans.take(code, { emplacementId: null, livreId: null });
    this.scans.announce(line);
  }

  finish(): void {
    this.join();
    const { emplacementId } = this;
    if (emplacementId === null) return;
    const { present, missing, lent, strangers } = this.outcome;
    const idsOf = (livres: readonly LivreDocument[]) => livres.map(({ id }) => id);
    const date = new Date().toISOString();
    this.#keep(emplacementId, {
      date,
      result: {
        date,
        present: idsOf(present),
        missing: idsOf(missing),
        lent: idsOf(lent),
        strangers: idsOf(strangers),
        expected: idsOf(this.expected),
      },
    });
  }

  /** Continues a finished one. */
  goOn(): void {
    const { emplacementId } = this;
    if (emplacementId !== null)
      this.#keep(emplacementId, { date: new Date().toISOString(), result: null });
  }

  /** Leaves the stocktaking that is shown as it is, to be taken up again. */
  setAside(): void {
    this.#show(null);
  }

  /** Deletes the shown stocktaking; the reader's others stay. */
  end(): void {
    this.join();
    if (this.emplacementId !== null) this.#forget(this.emplacementId);
    this.#show(null);
  }

  scan(text: string): void {
    this.join();
    const line = this.#noteCode(text);
    if (line === null) this.scans.say(m.recolement_seen_again());
    else this.scans.announce(line);
  }

  /** `null` for a repeated code. */
  #noteCode(text: string): ScanItem<Sighting> | null {
    const { code, copies } = copiesOf(text);
    if (copies.length === 0) return this.codes.includes(code) ? null : this.#see(code, null);
    const livre = copySeen(copies, this.expected, this.#livreIds);
    return livre && this.#see(code, livre.id);
  }

  /** Notes a book without a readable code. */
  see(livre: LivreDocument): void {
    const { id, titre } = livre;
    this.#forgetSeen(({ state }) => state.livreId === id);
    this.#see('', id);
    this.scans.say(
      this.#isExpected(id)
        ? m.recolement_ticked({ titre })
        : m.recolement_ticked_stranger({ titre, place: locationOf(livre) }),
    );
  }

  /** Takes back that a book was seen. */
  takeBack({ id, titre }: LivreDocument): void {
    this.#forgetSeen(({ state }) => state.livreId === id);
    this.scans.say(m.recolement_unticked({ titre }));
  }

  /** Removes a code without a known book. */
  takeCodeBack(code: string): void {
    this.#forgetSeen((line) => line.code === code && line.state.livreId === null);
    this.scans.say(m.recolement_unticked({ titre: code }));
  }

  #forgetSeen(isMeant: (line: ScanItem<Sighting>) => boolean): void {
    this.scans.drop(...this.#seen.filter(isMeant));
  }

  #sentenceOf({ state: { emplacementId, livreId } }: ScanItem<Sighting>): string {
    if (emplacementId === null) return m.recolement_early({ count: this.#early.length });
    if (livreId === null) return m.recolement_seen_unknown();
    return this.#isExpected(livreId)
      ? m.recolement_seen_present()
      : m.recolement_seen_stranger({ place: locationOf(livresView.get(livreId)) });
  }

  #isExpected(livreId: number): boolean {
    return this.expected.some(({ id }) => id === livreId);
  }

  get #early(): readonly ScanItem<Sighting>[] {
    return this.scans.items.filter(({ state }) => state.emplacementId === null);
  }

  get #seen(): readonly ScanItem<Sighting>[] {
    const { emplacementId } = this;
    return this.scans.items.filter(
      ({ state }) => state.emplacementId !== null && state.emplacementId === emplacementId,
    );
  }

  /** The last seen first. */
  get #livreIds(): ReadonlySet<number> {
    return new Set(this.#seen.flatMap(({ state }) => state.livreId ?? []));
  }

  #see(code: string, livreId: number | null): ScanItem<Sighting> {
    return this.scans.take(code, { emplacementId: this.emplacementId, livreId });
  }

  get #key(): string {
    return this.#keyIn(this.#household);
  }

  #keyIn(household: string): string {
    const of = encodeURIComponent(this.#reader ?? '');
    return [NOTE, of, household].slice(0, household === '' ? 2 : 3).join('|');
  }

  get #tabKey(): string {
    return `${OURS}${this.#key}`;
  }

  /** The location that this tab has shown, also where it noted that before the household was known. */
  #takeTab(): string | null | undefined {
    return attempt('reading the stocktaking', () => {
      const unnamed = `${OURS}${this.#keyIn('')}`;
      const kept = sessionStorage.getItem(this.#tabKey) ?? sessionStorage.getItem(unnamed);
      sessionStorage.removeItem(unnamed);
      return kept;
    });
  }

  #read(): Note {
    return unsafeCast<Note | null>(notes.get(this.#key)) ?? {};
  }

  /** Writes into the stored value, which another tab may have updated. */
  #keep(emplacementId: number, stocktaking: Stocktaking): void {
    this.#write({ ...this.#read(), [emplacementId]: stocktaking });
  }

  #forget(emplacementId: number): void {
    this.scans.drop(
      ...this.scans.items.filter(({ state }) => state.emplacementId === emplacementId),
    );
    const others = Object.entries(this.#read()).filter(([id]) => id !== String(emplacementId));
    this.#write(Object.fromEntries(others));
  }

  #write(note: Note): void {
    this.#note = note;
    notes.set(this.#key, note);
  }

  #show(emplacementId: number | null): void {
    this.#current = emplacementId;
    attempt('noting the stocktaking of this tab', () => {
      if (emplacementId === null) sessionStorage.removeItem(this.#tabKey);
      else sessionStorage.setItem(this.#tabKey, String(emplacementId));
    });
  }

  /** A note of an earlier version goes to the first reader. */
  #takeOver(): void {
    // Noted before the household was known.
    const unnamed = this.#household === '' ? null : notes.get(this.#keyIn(''));
    if (unnamed !== null) {
      notes.set(this.#keyIn(''), null);
      this.#write({ ...unsafeCast<Note>(unnamed), ...this.#note });
    }
    const kept = notes.get(NOTE);
    if (!isEarlierNote(kept)) return;
    notes.set(NOTE, null);
    const { emplacementId, result = null, livreIds = [], codes = [] } = kept;
    if (emplacementId !== null)
      this.#keep(emplacementId, { date: new Date().toISOString(), result });
    for (const code of codes.toReversed()) this.scans.take(code, { emplacementId, livreId: null });
    for (const livreId of livreIds.toReversed()) this.scans.take('', { emplacementId, livreId });
  }
}

export const recolement = new Recolement();
