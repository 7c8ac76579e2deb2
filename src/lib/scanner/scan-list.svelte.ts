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

/** A screen's rules for its codes. `State` is the state of an item, `Note` its stored form. */
interface Rules<State, Note> {
  readonly name: string;
  /** The state of an item as a sentence to be read aloud. */
  readonly sentenceOf: (item: ScanItem<State>) => string;
  /** Days after which an unchanged item is deleted. */
  readonly days?: number;
  /** Processes an item as far as possible without a person; called when it is added, and after a reload. */
  readonly advance: (item: ScanItem<State>) => void;
  /** Whether nothing is left to do: such items are removed when the list is closed. */
  readonly isDone: (state: State) => boolean;
  readonly keep: (state: State) => Note | null;
  /** Restores a stored item; `null` if it is useless by now. */
  readonly revive: (kept: Note, code: string) => State | null;
}

interface StoredScan<Note> {
  readonly code: string;
  /** When it was taken, in milliseconds. */
  readonly date: number;
  readonly kept: Note;
  /** The household of its books and locations. */
  readonly bibliotheque?: string;
}

/** Why the request about an item has failed. */
interface Failure {
  /** A sentence for the screen. */
  readonly message: string;
  readonly refusal: Refusal | null;
  /** True without a decision of the service: the request may be repeated. */
  readonly isUndecided: boolean;
}

const UNDECIDED: readonly ApiError['kind'][] = ['offline', 'sessionExpired', 'otherHousehold'];

/** How long after a failure an item is stored, in milliseconds, since leaving a page aborts its requests. */
const LEAVING_MS = 200;

/** Increases with each item, so that dates are unique. */
let lastDate = 0;
const nextDate = (): number => (lastDate = Math.max(Date.now(), lastDate + 1));

/** A scanned code or chosen book, with its state. */
export class ScanItem<State> {
  readonly id: string;
  /** When it was taken, in milliseconds; no two items of a page have the same. */
  readonly date: number;
  /** The code as read; '' for a book chosen by its title. */
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

/** The last message. A new object with the same text is announced again. */
interface Saying<State> {
  readonly text: string;
  /** The item that shows it, too. */
  readonly item?: ScanItem<State> | undefined;
}

/**
 * The scans of one screen. Each item is an entry of the device's storage, by reader, so that tabs do not overwrite
 * each other's; after a reload unfinished items continue.
 */
export class ScanList<State, Note extends object> {
  /** The items, the latest first. */
  items = $state.raw<readonly ScanItem<State>[]>([]);
  said = $state.raw<Saying<State>>({ text: '' });
  /** Resolves once the last message was rendered: a message replaced earlier would not be announced. */
  #saying: Promise<void> = Promise.resolve();
  /** Items that did not fit into the device's storage. */
  readonly #unkept = new SvelteSet<ScanItem<State>>();
  readonly #rules: Rules<State, Note>;
  /** The items in the device's storage, which may be full. */
  readonly #stored = new WeakSet<ScanItem<State>>();
  /** The reader of the shown items; `undefined` until the replica is loaded. */
  #reader: string | null | undefined;
  /** The household of the items; empty while unknown. */
  #household = '';
  /** The identity when they were shown: an unknown household may turn out to be another one. */
  #identity = identity.current;

  constructor(rules: Rules<State, Note>) {
    this.#rules = rules;
  }

  /** False if the browser has not stored an item, which is lost with the page. */
  get isKept(): boolean {
    return this.#unkept.size === 0;
  }

  /** Shows messages one after another, each long enough to be read aloud. */
  say(text: string, item?: ScanItem<State>): void {
    this.#saying = this.#saying.then(() => {
      this.said = { text, item };
      return tick();
    });
  }

  /** Announces the state of an item. */
  announce(item: ScanItem<State>): void {
    this.say(this.#rules.sentenceOf(item), item);
  }

  itemOf(code: string): ScanItem<State> | undefined {
    return this.items.find((item) => item.code === code);
  }

  /** Whether a response about an item still applies: not after its removal, or a change of reader or household. */
  isHere(item: ScanItem<State>): boolean {
    return this.items.includes(item) && this.#isOf(connection.household);
  }

  take(code: string, state: State): ScanItem<State> {
    const item = new ScanItem(code, state);
    this.items = [item, ...this.items];
    this.#store(item);
    this.#rules.advance(item);
    return item;
  }

  change(item: ScanItem<State>, state: State): void {
    item.state = state;
    if (this.items.includes(item)) this.#store(item);
  }

  fail(item: ScanItem<State>, state: State): void {
    item.state = state;
    setTimeout(() => {
      if (this.items.includes(item)) this.#store(item);
    }, LEAVING_MS);
  }

  /**
   * Sends a request about an item, and stores the resulting state.
   *
   * @returns the failure, or `null`
   */
  async carry(
    item: ScanItem<State>,
    send: () => Promise<State>,
    afterFailure: (failure: Failure) => State,
  ): Promise<Failure | null> {
    try {
      this.change(item, await send());
      return null;
    } catch (error) {
      const isUndecided = error instanceof ApiError && UNDECIDED.includes(error.kind);
      if (!(error instanceof ApiError)) report(error, 'carrying a scanned code on');
      const failure = { message: messageOf(error), refusal: refusalOf(error), isUndecided };
      this.fail(item, afterFailure(failure));
      return failure;
    }
  }

  drop(...dropped: readonly ScanItem<State>[]): void {
    const isDropped = new Set(dropped);
    this.items = this.items.filter((item) => !isDropped.has(item));
    for (const item of dropped) this.#forget(item);
  }

  /** Removes the finished items. */
  end(): void {
    this.drop(...this.items.filter(({ state }) => this.#rules.isDone(state)));
  }

  /** Shows a reader's stored items and continues them; hides those of other readers and households. */
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
      this.items = [];
      this.#unkept.clear();
    }
    this.#reader = reader;
    for (const item of this.items) this.#store(item);
    const earlier = [...this.#read(), ...this.#readEarlier(reader)];
    const known = new Set(this.items.map(({ id }) => id));
    const revived = earlier.flatMap(([id, { code, date, kept }]) => {
      if (known.has(id)) return [];
      const state = this.#rules.revive(kept, code);
      if (state !== null) return [new ScanItem(code, state, date, id)];
      this.#forgetEntry(id);
      return [];
    });
    this.items = [...this.items, ...revived].toSorted((a, b) => b.date - a.date);
    for (const item of revived.toReversed()) {
      this.#store(item);
      this.#rules.advance(item);
    }
  }

  /** Applies the additions and removals of the reader's other tabs. */
  join(): void {
    if (this.#reader === undefined) return;
    const entries = new Map(this.#read());
    const kept = this.items.filter((item) => !this.#stored.has(item) || entries.has(item.id));
    const ids = new Set(kept.map(({ id }) => id));
    const joined = [...entries].flatMap(([id, { code, date, kept: note }]) => {
      const state = ids.has(id) ? null : this.#rules.revive(note, code);
      return state === null ? [] : [new ScanItem(code, state, date, id)];
    });
    for (const item of joined) this.#stored.add(item);
    if (joined.length > 0 || kept.length < this.items.length)
      this.items = [...kept, ...joined].toSorted((a, b) => b.date - a.date);
  }

  #isOf(household: string): boolean {
    return isOfHousehold(this.#household, household) && this.#identity === identity.current;
  }

  /** Assigns items stored before the household was known to it. */
  #name(): void {
    this.join();
    for (const item of this.items) this.#store(item);
  }

  /** The owner of new items, possibly before the replica is loaded; `undefined` if unknown. */
  get #owner(): string | null | undefined {
    return this.#reader === undefined ? connection.moi?.utilisateur : this.#reader;
  }

  get #prefix(): string {
    return `${entryPrefix('scan', this.#owner ?? null)}${this.#rules.name}|`;
  }

  #store(item: ScanItem<State>): void {
    if (this.#owner === undefined) return;
    const { code, date, state } = item;
    const kept = this.#rules.keep(state);
    if (kept === null) {
      this.#forget(item);
      return;
    }
    const stored: StoredScan<Note> = { code, date, kept, bibliotheque: this.#household };
    const isKept = attempt('keeping a scan', () => {
      localStorage.setItem(this.#prefix + item.id, JSON.stringify(stored));
      return this.#stored.add(item);
    });
    if (isKept === undefined) this.#unkept.add(item);
    else this.#unkept.delete(item);
  }

  #forget(item: ScanItem<State>): void {
    this.#unkept.delete(item);
    this.#forgetEntry(item.id);
  }

  #forgetEntry(id: string): void {
    if (this.#owner === undefined) return;
    attempt('forgetting a scan', () => localStorage.removeItem(this.#prefix + id));
  }

  /** The reader's stored items; expired ones are deleted, other readers' as well. */
  #read(): (readonly [id: string, StoredScan<Note>])[] {
    const { days = Infinity } = this.#rules;
    const oldest = Date.now() - days * DAY_MS;
    const [root = '', mine, ofList] = this.#prefix.split('|');
    const read = (key: string) => {
      const [, reader, , id = ''] = key.split('|');
      const entry = unsafeCast<StoredScan<Note>>(JSON.parse(localStorage.getItem(key) ?? '{}'));
      if (!(entry.date >= oldest)) localStorage.removeItem(key);
      else if (reader === mine && isOfHousehold(entry.bibliotheque, this.#household))
        return [[id, entry] as const];
      return [];
    };
    const keys = attempt('reading scans', () => Object.keys(localStorage)) ?? [];
    return keys
      .filter((key) => key.startsWith(`${root}|`) && key.split('|')[2] === ofList)
      .flatMap((key) => attempt('reading a scan', () => read(key)) ?? []);
  }

  /** The items of version 1.0, a single list under one key. */
  #readEarlier(reader: string | null): (readonly [id: string, StoredScan<Note>])[] {
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
 * Stores a list on this device for the reader, once they are known and the replica is loaded: before, no book can be
 * found. Call during a component's setup.
 *
 * @param resume replaces the list's own
 */
export function keepScans<State, Note extends object>(
  list: ScanList<State, Note>,
  resume = (reader: string | null, household: string) => list.resume(reader, household),
): void {
  // Messages of an earlier visit are outdated.
  list.said = { text: '' };
  $effect(() => {
    const reader = views().isReady ? connection.moi?.utilisateur : undefined;
    const { household } = connection;
    if (reader !== undefined) untrack(() => resume(reader, household));
  });
}

/**
 * Makes the screen handle each scan, and location labels, whose page is opened by default. Call during a component's
 * setup.
 *
 * @returns the same for the camera and typed codes
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
