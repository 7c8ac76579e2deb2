import { unsafeCast } from '$lib/api/unsafe-cast';
import { base } from '$lib/format/address';
import { attempt } from '$lib/sync/this-device';
import { connection } from '$lib/sync/connection.svelte';
import type { ComparableEntry, Conflict } from '../conflict/conflict.svelte.ts';
import { NOTHING_PREFILLED, type Prefilled } from './text-entry.svelte.ts';

type AnyEntry = Pick<ComparableEntry<never>, 'fields' | 'text' | 'setText'> & {
  prefilled?: Prefilled;
};
type AnyConflict = Pick<Conflict<object>, 'seen' | 'restoreSeen' | 'takeAll'>;

/** What is typed into a form and not saved, kept on the device for whoever typed it. */
export class Draft {
  /** True while the form shows what was typed earlier. */
  isResumed = $state(false);
  readonly #name: string;
  readonly #entry: () => AnyEntry;
  readonly #conflict: AnyConflict | undefined;
  /** The texts of the form before anything was typed. */
  #initial: Texts;
  /** The reader whose entry the form holds; `undefined` until the reader is known. */
  #reader = $state.raw<string | null>();
  #isOver = false;

  constructor(name: string, entry: () => AnyEntry, conflict: AnyConflict | undefined) {
    this.#name = name;
    this.#entry = entry;
    this.#conflict = conflict;
    this.#initial = textsOf(entry());
  }

  /** Shows the reader's own draft, never another reader's. */
  resume(reader: string | null): void {
    if (reader === this.#reader) return;
    if (this.#reader !== undefined) this.#reset();
    this.#reader = reader;
    const kept = readDraft(reader, this.#name);
    // A draft does not replace what has been typed meanwhile.
    if (kept === null || !isSame(textsOf(this.#entry()), this.#initial)) return;
    for (const [key, text] of Object.entries(kept.texts)) this.#entry().setText(key, text);
    this.#entry().prefilled = kept.prefilled ?? NOTHING_PREFILLED;
    this.#conflict?.restoreSeen(kept.seen);
    this.isResumed = true;
  }

  keep(): void {
    const texts = textsOf(this.#entry());
    const { prefilled = NOTHING_PREFILLED } = this.#entry();
    const seen = this.#conflict?.seen ?? {};
    if (this.#reader === undefined || this.#isOver) return;
    if (isSame(texts, this.#initial)) {
      forgetDraft(this.#reader, this.#name);
      this.isResumed = false;
    } else writeDraft(this.#reader, this.#name, { texts, seen, prefilled });
  }

  /** Empties the form; the form of an existing record shows the record. */
  clear(): void {
    this.#reset();
    this.keep();
  }

  /** The record is saved, and the form holds the entry of another one. */
  restart(): void {
    this.#initial = textsOf(this.#entry());
    this.keep();
  }

  /** What was typed is saved, or given up. */
  end(): void {
    this.#isOver = true;
    this.isResumed = false;
    if (this.#reader !== undefined) forgetDraft(this.#reader, this.#name);
  }

  #reset(): void {
    this.isResumed = false;
    this.#entry().prefilled = NOTHING_PREFILLED;
    for (const [key, text] of Object.entries(this.#initial)) this.#entry().setText(key, text);
    this.#conflict?.takeAll();
    this.#initial = textsOf(this.#entry());
  }
}

/**
 * Keeps what is typed into a form for a week: it survives leaving the form, a reload, a closed tab and a new sign-on.
 * Call while a component is set up.
 *
 * @param name tells the form from others, `livres/12`
 * @param entry the entry of the form, which may be replaced by another
 * @param conflict of a form that edits a record
 */
export function keepDraft(name: string, entry: () => AnyEntry, conflict?: AnyConflict): Draft {
  forgetOldDrafts();
  const draft = new Draft(name, entry, conflict);
  $effect(() => {
    if (connection.moi !== null) draft.resume(connection.moi.utilisateur);
  });
  $effect(() => draft.keep());
  return draft;
}

const textsOf = (entry: AnyEntry): Texts =>
  Object.fromEntries(entry.fields.map(({ key }) => [key, entry.text(key)]));

const isSame = (a: Texts, b: Texts): boolean => JSON.stringify(a) === JSON.stringify(b);

/** By the keys of the fields. */
type Texts = Readonly<Record<string, string>>;

interface KeptDraft {
  readonly texts: Texts;
  /** See `Conflict.seen`; empty for a new record. */
  readonly seen: Texts;
  /** See `TextEntry.prefilled`; older drafts lack it. */
  readonly prefilled?: Prefilled;
}

interface DatedDraft extends KeptDraft {
  /** In milliseconds. */
  readonly date: number;
}

const PREFIX = `rayonnage.draft${base}|`;
const MAX_AGE_MS = 7 * 86_400_000;

/** @param reader whose draft it is, `null` where nobody says who reads */
export function readDraft(reader: string | null, name: string): KeptDraft | null {
  return attempt('reading a draft', () => read(keyOf(reader, name))) ?? null;
}

function writeDraft(reader: string | null, name: string, draft: KeptDraft): void {
  const dated: DatedDraft = { ...draft, date: Date.now() };
  attempt('keeping a draft', () =>
    localStorage.setItem(keyOf(reader, name), JSON.stringify(dated)),
  );
}

export function forgetDraft(reader: string | null, name: string): void {
  attempt('forgetting a draft', () => localStorage.removeItem(keyOf(reader, name)));
}

/** Forgets drafts older than a week, of every reader. */
function forgetOldDrafts(): void {
  attempt('forgetting old drafts', () => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(PREFIX) && read(key) === null) localStorage.removeItem(key);
  });
}

const keyOf = (reader: string | null, name: string): string =>
  `${PREFIX}${encodeURIComponent(reader ?? '')}|${name}`;

/** `null` where there is no draft, or one that is too old. */
function read(key: string): DatedDraft | null {
  const text = localStorage.getItem(key);
  if (text === null) return null;
  const draft = unsafeCast<DatedDraft>(JSON.parse(text));
  return Date.now() - draft.date <= MAX_AGE_MS ? draft : null;
}
