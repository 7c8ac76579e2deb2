import { LivreEntry } from '$lib/records/livres/entry.svelte';
import { onReader } from '$lib/records/livres/reader.svelte';
import { livresView } from '$lib/records/livres/view.svelte';
import { KeptLines } from '$lib/ui/form/draft-store';
import { addedState, Shelf, type ShelfLine, type ShelfState } from './shelf.svelte.ts';

/** A line as it is kept: what a reload cannot ask the copy again. */
interface KeptLine {
  readonly code: string;
  readonly kind: ShelfState['kind'];
  readonly livreId?: number;
  /** What was filled in by hand. */
  readonly texts?: Readonly<Record<string, string>>;
}

const store = new KeptLines<KeptLine>('scans');

/**
 * The codes of a pile of books, scanned by hand or by the camera, and what has become of each. They are
 * kept on the device for whoever scanned them, for a week or until the list is put away.
 */
class ScannedList {
  /** The codes that wait for the form, the oldest first. */
  waiting = $state.raw<readonly string[]>([]);
  announcement = $state('');
  readonly shelf = new Shelf((line) => this.onsettled(line));
  /** Told of each line that is done, or that needs a decision. */
  onsettled: (line: ShelfLine) => void = () => undefined;

  get isEmpty(): boolean {
    return this.waiting.length === 0 && this.shelf.lines.length === 0;
  }

  /** Whether closing the page would leave codes behind that have not had their turn. */
  get isUnfinished(): boolean {
    return this.waiting.length > 0;
  }

  /** The books of the list, added and owned ones, the last first. */
  get livreIds(): readonly number[] {
    const ids = this.shelf.lines.flatMap(({ state }) => livreIdOf(state) ?? []);
    return [...new Set(ids)].filter((id) => livresView.get(id) !== undefined);
  }

  /** The books that the list has added. */
  get addedIds(): readonly number[] {
    return this.shelf.lines.flatMap(({ state }) => (state.kind === 'added' ? state.livre.id : []));
  }

  clear(): void {
    for (const line of this.shelf.lines) this.shelf.drop(line);
  }

  /** Shows what a reader has scanned before the page was loaded, and keeps what comes. */
  resume(reader: string | null): void {
    const kept = store.resume(reader, () => this.clear());
    if (kept === null) return;
    const { shelf } = this;
    const scannedSince = shelf.lines;
    for (const line of kept.toReversed())
      if (shelf.lineOf(line.code) === undefined) shelf.put(line.code, stateOf(line), true);
    const earlier = shelf.lines.filter((line) => !scannedSince.includes(line));
    shelf.lines = [...scannedSince, ...earlier];
  }

  keep(): void {
    // After a reload a code that waited has a line, from which it is asked again.
    const waiting = this.waiting
      .filter((code) => this.shelf.lineOf(code) === undefined)
      .map((code): KeptLine => ({ code, kind: 'pending' }));
    const shown = this.shelf.lines.map(({ code, state }) => toKept(code, state));
    store.keep([...waiting.toReversed(), ...shown]);
  }
}

export const scanned = new ScannedList();

/** Keeps the list on this device. Call while a component is set up. */
export function keepScanned(): void {
  onReader((reader) => {
    scanned.shelf.recogniseOwned();
    scanned.resume(reader);
  });
  $effect(() => scanned.keep());
}

const livreIdOf = (state: ShelfState): number | undefined =>
  state.kind === 'added' || state.kind === 'owned' ? state.livre.id : undefined;

function toKept(code: string, state: ShelfState): KeptLine {
  const livreId = livreIdOf(state);
  if (livreId !== undefined) return { code, kind: state.kind, livreId };
  return { code, kind: state.kind, ...(state.kind === 'begun' && { texts: state.entry.texts }) };
}

/** What a kept line is now: what catalogues answered is not kept, and can be asked again. */
function stateOf({ kind, livreId, texts }: KeptLine): ShelfState {
  const livre = livreId === undefined ? undefined : livresView.get(livreId);
  if (kind === 'added') return livre ? addedState(livre) : { kind: 'removed' };
  if (kind === 'owned' && livre) return { kind, livre };
  if (kind === 'unknown' || kind === 'removed') return { kind };
  if (texts === undefined) return { kind: 'failed', message: null };
  const entry = new LivreEntry();
  for (const [key, text] of Object.entries(texts)) entry.setText(key, text);
  return { kind: 'begun', entry, message: null };
}
