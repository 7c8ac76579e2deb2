import { unsafeCast } from '$lib/api/unsafe-cast';
import { base } from '$lib/format/address';
import { attempt } from '$lib/sync/browser';
import type { Prefilled } from './text-entry.svelte.ts';

/** The texts of a form, by the keys of its fields. */
export type Texts = Readonly<Record<string, string>>;

interface KeptDraft {
  readonly texts: Texts;
  /** See `Conflict.seen`; empty for a new record. */
  readonly seen: Texts;
  /** See `TextEntry.prefilled`; absent from older drafts. */
  readonly prefilled?: Prefilled;
}

interface DatedDraft extends KeptDraft {
  /** When it was typed, in milliseconds. */
  readonly date: number;
}

const PREFIX = `rayonnage.draft${base}|`;
const MAX_AGE_MS = 7 * 86_400_000;

/** @param reader whose draft it is, `null` where nobody says who reads */
export function readDraft(reader: string | null, name: string): KeptDraft | null {
  return attempt('reading a draft', () => read(keyOf(reader, name))) ?? null;
}

export function writeDraft(reader: string | null, name: string, draft: KeptDraft): void {
  const dated: DatedDraft = { ...draft, date: Date.now() };
  attempt('keeping a draft', () =>
    localStorage.setItem(keyOf(reader, name), JSON.stringify(dated)),
  );
}

export function forgetDraft(reader: string | null, name: string): void {
  attempt('forgetting a draft', () => localStorage.removeItem(keyOf(reader, name)));
}

/** Forgets the drafts of every reader that are older than a week. */
export function forgetOldDrafts(): void {
  attempt('forgetting old drafts', () => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(PREFIX) && read(key) === null) localStorage.removeItem(key);
  });
}

const keyOf = (reader: string | null, name: string): string =>
  `${PREFIX}${encodeURIComponent(reader ?? '')}|${name}`;

/** The draft under a key; `null` without one, and for one that is too old. */
function read(key: string): DatedDraft | null {
  const text = localStorage.getItem(key);
  if (text === null) return null;
  const draft = unsafeCast<DatedDraft>(JSON.parse(text));
  return Date.now() - draft.date <= MAX_AGE_MS ? draft : null;
}
