import { tick, untrack } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import { ApiError, messageOf, type Refusal, refusalOf } from '../api/call.ts';
import { newKey } from '../api/write.svelte.ts';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { locationOfLabel } from '../format/label-address.ts';
import { openEmplacement } from '$lib/recherche/open-code';
import { attempt, entryPrefix } from '$lib/sync/this-device';
import { connection } from '$lib/sync/connection.svelte';
import { identity } from '$lib/sync/identity.svelte';
import { isOfHousehold } from '$lib/sync/other-household';
import { report } from '$lib/sync/report';
import { views } from '$lib/sync/views.svelte';
import { takeScans } from '$lib/ui/scans';
import { forgetDraft, readDraft } from '../ui/form/draft.svelte.ts';
import { DAY_MS } from '#shared/days';

/** What one screen makes of its codes, and what of it outlives the page. `State` is what has become of a code. */
interface Rules<State, Note> {
  readonly name: string;
  /** What has become of a line, in a sentence to be read aloud. */
  readonly sentenceOf: (line: ScanLine<State>) => string;
  /** Days after which a line that nobody has touched is forgotten. */
  readonly days?: number;
  /** Carries a line on as far as it goes by itself: when it is taken, and after a reload. */
  readonly settle: (line: ScanLine<State>) => void;
  /** Whether nothing is left to do: such a line goes when the pile is put away. */
  readonly isDone: (state: State) => boolean;
  readonly keep: (state: State) => Note | null;
  /** What a kept line is now; `null` where it is of no use any more. */
  readonly revive: (kept: Note, code: string) => State | null;
}

interface StoredLine<Note> {
  readonly code: string;
  /** When it was taken, in milliseconds. */
  readonly date: number;
  readonly kept: Note;
  /** The household whose books and places it names. */
  readonly bibliotheque?: string;
}

/** Why a line could not be carried on. */
interface Failure {
  /** In a sentence, fit for the screen. */
  readonly message: string;
  readonly refusal: Refusal | null;
  /** True where the service has not decided: what was asked is to be asked again. */
  readonly isUndecided: boolean;
}

const UNDECIDED: readonly ApiError['kind'][] = ['offline', 'sessionExpired', 'otherHousehold'];

/** How long after a failure it is kept, in milliseconds: a page that is left has its requests broken off. */
const LEAVING_MS = 200;

/** Rises from line to line, so that dates order lines of one millisecond, too. */
let lastDate = 0;
const nextDate = (): number => (lastDate = Math.max(Date.now(), lastDate + 1));

/** A code that was scanned, or a book that was picked, and what has become of it. */
export class ScanLine<State> {
  readonly id: string;
  /** When it was taken, in milliseconds; no two lines of a page have the same. */
  readonly date: number;
  /** The code as it was read; '' for a book that was picked by its title. */
  readonly code: string;
  /** Set by `ScanList.change`. */
  state: State;

  constructor(code: string, state: State, date = nextDate(), id = newKey()) {
    this.code = code;
    this.date = date;
    this.id = id;
    this.state = $state.raw(state);
  }
}

/** What is said last. Another one of the same words is another saying, and is read aloud again. */
interface Saying<State> {
  readonly text: string;
  /** The line that shows it, too. */
  readonly line?: ScanLine<State> | undefined;
}

/**
 * What is scanned one after another, on one screen. Each line is an entry of the device's storage, under whoever
 * scanned it, so that no tab overwrites what another has taken; after a reload what was under way goes on.
 */
export class ScanList<State, Note extends object> {
  /** The last first. */
  lines = $state.raw<readonly ScanLine<State>[]>([]);
  said = $state.raw<Saying<State>>({ text: '' });
  /** A sentence that is replaced before it is drawn is read out to nobody. */
  #saying: Promise<void> = Promise.resolve();
  /** Lines for which the storage of the device had no room. */
  readonly #unkept = new SvelteSet<ScanLine<State>>();
  readonly #rules: Rules<State, Note>;
  /** What the storage of the device holds; it may be full. */
  readonly #stored = new WeakSet<ScanLine<State>>();
  /** Whose lines are shown; `undefined` until the copy is there, without which none can be. */
  #reader: string | null | undefined;
  /** Of which household the lines are; empty before that is known. */
  #household = '';
  /** Whose they were when they were shown: a household that was not known may have given way to another. */
  #identity = identity.current;

  constructor(rules: Rules<State, Note>) {
    this.#rules = rules;
  }

  /** False where the browser has not kept a line, which ends with the page then. */
  get isKept(): boolean {
    return this.#unkept.size === 0;
  }

  /** Says one sentence after the other, each long enough to be read aloud. */
  say(text: string, line?: ScanLine<State>): void {
    this.#saying = this.#saying.then(() => {
      this.said = { text, line };
      return tick();
    });
  }

  /** Says what has become of a line. */
  tell(line: ScanLine<State>): void {
    this.say(this.#rules.sentenceOf(line), line);
  }

  lineOf(code: string): ScanLine<State> | undefined {
    return this.lines.find((line) => line.code === code);
  }

  /** Whether what is answered of a line is still done: not where it was taken away, or another reader or household came. */
  isHere(line: ScanLine<State>): boolean {
    return this.lines.includes(line) && this.#isOf(connection.household);
  }

  take(code: string, state: State): ScanLine<State> {
    const line = new ScanLine(code, state);
    this.lines = [line, ...this.lines];
    this.#store(line);
    this.#rules.settle(line);
    return line;
  }

  change(line: ScanLine<State>, state: State): void {
    line.state = state;
    if (this.lines.includes(line)) this.#store(line);
  }

  fail(line: ScanLine<State>, state: State): void {
    line.state = state;
    setTimeout(() => {
      if (this.lines.includes(line)) this.#store(line);
    }, LEAVING_MS);
  }

  /**
   * Carries a line on by a request.
   *
   * @returns why it was not done; `null` where it was
   */
  async carry(
    line: ScanLine<State>,
    send: () => Promise<State>,
    afterFailure: (failure: Failure) => State,
  ): Promise<Failure | null> {
    try {
      this.change(line, await send());
      return null;
    } catch (error) {
      const isUndecided = error instanceof ApiError && UNDECIDED.includes(error.kind);
      if (!(error instanceof ApiError)) report(error, 'carrying a scanned code on');
      const failure = { message: messageOf(error), refusal: refusalOf(error), isUndecided };
      this.fail(line, afterFailure(failure));
      return failure;
    }
  }

  drop(...dropped: readonly ScanLine<State>[]): void {
    const isDropped = new Set(dropped);
    this.lines = this.lines.filter((line) => !isDropped.has(line));
    for (const line of dropped) this.#forget(line);
  }

  /** Drops the lines with which nothing is left to do. */
  end(): void {
    this.drop(...this.lines.filter(({ state }) => this.#rules.isDone(state)));
  }

  /** Shows the lines that a reader has left, and carries them on; another reader's or household's go out of sight. */
  resume(reader: string | null, household: string): void {
    const isHere = this.#isOf(household);
    const isNamed = household !== '' && household !== this.#household;
    if (household !== '') this.#household = household;
    this.#identity = identity.current;
    if (reader === this.#reader && isHere) {
      if (isNamed) this.#name();
      return;
    }
    if (this.#reader !== undefined) {
      this.lines = [];
      this.#unkept.clear();
    }
    this.#reader = reader;
    for (const line of this.lines) this.#store(line);
    const earlier = [...this.#read(), ...this.#readEarlier(reader)];
    const known = new Set(this.lines.map(({ id }) => id));
    const revived = earlier.flatMap(([id, { code, date, kept }]) => {
      if (known.has(id)) return [];
      const state = this.#rules.revive(kept, code);
      if (state !== null) return [new ScanLine(code, state, date, id)];
      this.#forgetEntry(id);
      return [];
    });
    this.lines = [...this.lines, ...revived].toSorted((a, b) => b.date - a.date);
    for (const line of revived.toReversed()) {
      this.#store(line);
      this.#rules.settle(line);
    }
  }

  /** Shows what the reader's other tabs have taken since, and no more what they have dropped. */
  join(): void {
    if (this.#reader === undefined) return;
    const entries = new Map(this.#read());
    const kept = this.lines.filter((line) => !this.#stored.has(line) || entries.has(line.id));
    const ids = new Set(kept.map(({ id }) => id));
    const joined = [...entries].flatMap(([id, { code, date, kept: note }]) => {
      const state = ids.has(id) ? null : this.#rules.revive(note, code);
      return state === null ? [] : [new ScanLine(code, state, date, id)];
    });
    for (const line of joined) this.#stored.add(line);
    if (joined.length > 0 || kept.length < this.lines.length)
      this.lines = [...kept, ...joined].toSorted((a, b) => b.date - a.date);
  }

  #isOf(household: string): boolean {
    return isOfHousehold(this.#household, household) && this.#identity === identity.current;
  }

  /** The lines that were kept before the household was known are of that one from here on. */
  #name(): void {
    this.join();
    for (const line of this.lines) this.#store(line);
  }

  /** The reader who owns new lines, also before the copy is there; `undefined` until that is known. */
  get #owner(): string | null | undefined {
    return this.#reader === undefined ? connection.moi?.utilisateur : this.#reader;
  }

  get #prefix(): string {
    return `${entryPrefix('scan', this.#owner ?? null)}${this.#rules.name}|`;
  }

  #store(line: ScanLine<State>): void {
    if (this.#owner === undefined) return;
    const { code, date, state } = line;
    const kept = this.#rules.keep(state);
    if (kept === null) {
      this.#forget(line);
      return;
    }
    const stored: StoredLine<Note> = { code, date, kept, bibliotheque: this.#household };
    const isKept = attempt('keeping a scan', () => {
      localStorage.setItem(this.#prefix + line.id, JSON.stringify(stored));
      return this.#stored.add(line);
    });
    if (isKept === undefined) this.#unkept.add(line);
    else this.#unkept.delete(line);
  }

  #forget(line: ScanLine<State>): void {
    this.#unkept.delete(line);
    this.#forgetEntry(line.id);
  }

  #forgetEntry(id: string): void {
    if (this.#owner === undefined) return;
    attempt('forgetting a scan', () => localStorage.removeItem(this.#prefix + id));
  }

  /** What is kept for the reader; what is too old is forgotten, other readers' too. */
  #read(): (readonly [id: string, StoredLine<Note>])[] {
    const { days = Infinity } = this.#rules;
    const oldest = Date.now() - days * DAY_MS;
    const [root = '', mine, ofPile] = this.#prefix.split('|');
    const read = (key: string) => {
      const [, reader, , id = ''] = key.split('|');
      const entry = unsafeCast<StoredLine<Note>>(JSON.parse(localStorage.getItem(key) ?? '{}'));
      if (!(entry.date >= oldest)) localStorage.removeItem(key);
      else if (reader === mine && isOfHousehold(entry.bibliotheque, this.#household))
        return [[id, entry] as const];
      return [];
    };
    const keys = attempt('reading scans', () => Object.keys(localStorage)) ?? [];
    return keys
      .filter((key) => key.startsWith(`${root}|`) && key.split('|')[2] === ofPile)
      .flatMap((key) => attempt('reading a scan', () => read(key)) ?? []);
  }

  /** What version 1.0 has kept, as one list under one name. */
  #readEarlier(reader: string | null): (readonly [id: string, StoredLine<Note>])[] {
    const { name } = this.#rules;
    const text = readDraft(reader, name)?.texts['lines'];
    if (text === undefined) return [];
    forgetDraft(reader, name);
    const list = unsafeCast<readonly (Note & { code: string })[]>(JSON.parse(text));
    return list
      .toReversed()
      .map((kept) => [newKey(), { code: kept.code, date: nextDate(), kept } as const]);
  }
}

/**
 * Keeps a list on this device for whoever reads, once that is known and the copy is read: before, no book can be found,
 * and what is kept is nobody's. Call while a component is set up.
 *
 * @param resume in place of the list's own
 */
export function keepScans<State, Note extends object>(
  list: ScanList<State, Note>,
  resume = (reader: string | null, household: string) => list.resume(reader, household),
): void {
  // What was said on an earlier visit is read by now.
  list.said = { text: '' };
  $effect(() => {
    const reader = views().isReady ? connection.moi?.utilisateur : undefined;
    const { household } = connection;
    if (reader !== undefined) untrack(() => resume(reader, household));
  });
}

/**
 * Has the screen take each scan, and tells a location's label, whose page is opened by default. Call while a component is
 * set up.
 *
 * @returns the same for what the camera sees, or a person types
 */
export function takeCodes(
  oncode: (code: string) => void,
  onlabel: (emplacementId: number) => void = openEmplacement,
): (text: string) => void {
  const take = (text: string) => {
    const emplacementId = locationOfLabel(text);
    if (emplacementId === null) oncode(text);
    else onlabel(emplacementId);
  };
  takeScans(take, 'labels');
  return take;
}
