import { unsafeCast } from '$lib/api/unsafe-cast';
import { newKey } from '$lib/api/write.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { orphansOfOthers, named, type OrphanedEntry } from '$lib/sync/orphans';
import { isOfHousehold } from '$lib/sync/other-household';
import { attempt, ENTRY_KEYS, entryPrefix } from '$lib/sync/this-device';
import { DAY_MS } from '#shared/days';
import type { ComparableEntry, Conflict } from '../conflict/conflict.svelte.ts';
import { NOTHING_PREFILLED, type Prefill } from './text-entry.svelte.ts';

/** The stored form of an entry. */
export type DraftTexts = Pick<ComparableEntry<never>, 'fields' | 'text' | 'setText'> & {
  prefilled?: Prefill;
};
/** The stored form of a conflict. */
export type SeenTexts = Pick<Conflict<object>, 'seen' | 'restoreSeen' | 'takeAll'>;

/**
 * Keeps what is typed into a form for a week: it survives leaving the form, a reload, a closed tab and a new sign-on.
 * Call while a component is set up. `name` is the form's, as `livres/12`.
 */
export function keepDraft(name: string, entry: () => DraftTexts, conflict?: SeenTexts): Draft {
  forgetOldDrafts();
  const draft = new Draft(name, entry, conflict);
  $effect(() => {
    if (connection.moi !== null) draft.resume(connection.moi.utilisateur);
  });
  $effect(() => draft.keep());
  return draft;
}

/** By the keys of the fields. */
type Texts = Readonly<Record<string, string>>;

interface StorageItem {
  readonly texts: Texts;
  readonly seen: Texts;
  /** See `TextEntry.prefilled`; older drafts lack it. */
  readonly prefilled?: Prefill;
}

interface DatedDraft extends StorageItem {
  /** In milliseconds. */
  readonly date: number;
  /** The household whose records it names. */
  readonly bibliotheque?: string;
}

/** A draft in the storage; `text` is `null` where there is none. */
interface StoredDraft {
  readonly key: string;
  readonly text: string | null;
  readonly date: number;
}

/** An unsaved entry, stored on the device for its author. */
export class Draft {
  /** True while the form shows what was typed earlier. */
  isResumed = $state(false);
  readonly #name: string;
  readonly #entry: () => DraftTexts;
  readonly #conflict: SeenTexts | undefined;
  /** The texts of the form before anything was typed. */
  #initial: Texts;
  /** The reader whose entry the form holds; `undefined` until the reader is known. */
  #reader = $state.raw<string | null>();
  /** The draft in the storage as this form has left it: another text under its key is another tab's. */
  #kept: StoredDraft = { key: '', text: null, date: 0 };
  /** The household that the draft was begun in. */
  #household = '';
  #hasEnded = false;

  constructor(name: string, entry: () => DraftTexts, conflict: SeenTexts | undefined) {
    this.#name = name;
    this.#entry = entry;
    this.#conflict = conflict;
    this.#initial = textsOf(entry());
  }

  /** When the draft was kept last, in milliseconds. */
  get date(): number {
    return this.#kept.date;
  }

  /** Shows the reader's own draft, never another reader's. */
  resume(reader: string | null): void {
    if (reader === this.#reader) return;
    if (this.#reader !== undefined) this.#reset();
    this.#reader = reader;
    this.#kept = { key: keyOf(reader, this.#name), text: null, date: 0 };
    const found = lastDraft(this.#kept.key);
    this.#household = connection.household;
    // A draft does not replace what has been typed meanwhile.
    if (found === undefined || !isSame(textsOf(this.#entry()), this.#initial)) return;
    this.#kept = found.stored;
    this.#household = found.draft.bibliotheque ?? '';
    const { texts, prefilled = NOTHING_PREFILLED, seen } = found.draft;
    for (const [key, text] of Object.entries(texts)) this.#entry().setText(key, text);
    this.#entry().prefilled = prefilled;
    this.#conflict?.restoreSeen(seen);
    this.isResumed = true;
  }

  keep(): void {
    const texts = textsOf(this.#entry());
    const { prefilled = NOTHING_PREFILLED } = this.#entry();
    const seen = this.#conflict?.seen ?? {};
    const { household } = connection;
    if (this.#reader === undefined || this.#hasEnded) return;
    if (this.#household === '' && household !== '') this.#learn(household);
    if (isSame(texts, this.#initial)) {
      this.#forget();
      this.isResumed = false;
    } else this.#write({ texts, seen, prefilled });
  }

  /** Empties the form; the form of an existing record shows the record. */
  clear(): void {
    this.#reset();
    this.keep();
  }

  restart(): void {
    this.#initial = textsOf(this.#entry());
    this.keep();
  }

  end(): void {
    this.#hasEnded = true;
    this.isResumed = false;
    if (this.#reader !== undefined) this.#forget();
  }

  /** A draft that was begun before the household was known is of that one, as its entry is by now (`nameLeft`). */
  #learn(household: string): void {
    const { text } = this.#kept;
    this.#household = household;
    this.#kept = { ...this.#kept, text: text && named(text, household) };
  }

  /** If another tab has written meanwhile, the draft continues under a key of its own. */
  #write(draft: StorageItem): void {
    // A form that only shows a draft leaves it to the tab that goes on with it.
    if (this.#textOf(draft, this.#kept.date) === this.#kept.text) return;
    attempt('keeping a draft', () => {
      const key = this.#isOwn
        ? this.#kept.key
        : `${keyOf(this.#reader ?? null, this.#name)}|${newKey()}`;
      const date = Date.now();
      const text = this.#textOf(draft, date);
      localStorage.setItem(key, text);
      this.#kept = { key, text, date };
    });
  }

  #textOf(draft: StorageItem, date: number): string {
    const bibliotheque = this.#household === '' ? undefined : this.#household;
    return JSON.stringify({ ...draft, date, bibliotheque });
  }

  #forget(): void {
    attempt('forgetting a draft', () => {
      if (this.#isOwn) localStorage.removeItem(this.#kept.key);
      this.#kept = { ...this.#kept, text: null };
    });
  }

  get #isOwn(): boolean {
    return localStorage.getItem(this.#kept.key) === this.#kept.text;
  }

  #reset(): void {
    this.isResumed = false;
    this.#entry().prefilled = NOTHING_PREFILLED;
    for (const [key, text] of Object.entries(this.#initial)) this.#entry().setText(key, text);
    this.#conflict?.takeAll();
    this.#initial = textsOf(this.#entry());
  }
}

const textsOf = (entry: DraftTexts): Texts =>
  Object.fromEntries(entry.fields.map(({ key }) => [key, entry.text(key)]));

const isSame = (a: Texts, b: Texts): boolean => JSON.stringify(a) === JSON.stringify(b);

const MAX_AGE_MS = 7 * DAY_MS;

/** @param reader whose draft it is, `null` where nobody says who reads */
export function readDraft(reader: string | null, name: string): StorageItem | null {
  return attempt('reading a draft', () => readHere(keyOf(reader, name))) ?? null;
}

export function forgetDraft(reader: string | null, name: string): void {
  attempt('forgetting a draft', () => localStorage.removeItem(keyOf(reader, name)));
}

function forgetOldDrafts(): void {
  attempt('forgetting old drafts', () => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(ENTRY_KEYS.draft) && read(key) === null) localStorage.removeItem(key);
  });
}

/** The newest draft of a form, under the form's key or under one that a tab has added to the key. */
function lastDraft(first: string): { stored: StoredDraft; draft: DatedDraft } | undefined {
  const isOfForm = (key: string) =>
    key.startsWith(first) && /^(\|[\da-f]{32})?$/.test(key.slice(first.length));
  const find = (key: string) => {
    const draft = readHere(key);
    const text = localStorage.getItem(key);
    return draft === null ? [] : [{ stored: { key, text, date: draft.date }, draft }];
  };
  return attempt('reading drafts', () =>
    Object.keys(localStorage)
      .filter(isOfForm)
      .flatMap(find)
      .toSorted((a, b) => a.draft.date - b.draft.date)
      .at(-1),
  );
}

/** The drafts of forms that a reader has left in other households. */
export function draftsElsewhere(reader: string | null, shown: string): readonly OrphanedEntry[] {
  forgetOldDrafts();
  return orphansOfOthers('draft', reader, shown);
}

const keyOf = (reader: string | null, name: string): string => entryPrefix('draft', reader) + name;

/** `null` where there is no draft, or one that is too old. */
function read(key: string): DatedDraft | null {
  const text = localStorage.getItem(key);
  if (text === null) return null;
  const draft = unsafeCast<DatedDraft>(JSON.parse(text));
  return Date.now() - draft.date <= MAX_AGE_MS ? draft : null;
}

/** The same, of the household on the screen: another one's waits for it. */
function readHere(key: string): DatedDraft | null {
  const draft = read(key);
  return draft !== null && isOfHousehold(draft.bibliotheque, connection.household) ? draft : null;
}
