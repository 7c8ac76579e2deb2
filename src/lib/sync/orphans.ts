import { unsafeCast } from '../api/unsafe-cast.ts';
import { isOfHousehold } from './other-household.ts';
import type { Reader } from './status.ts';
import { attempt, entryPrefix, type EntryKind } from './this-device.ts';

/** An entry that a reader has stored on this device: a draft, a scan, or a waiting wish. */
export interface OrphanedEntry {
  readonly key: string;
  readonly text: string;
  /** The household of its records; empty if it is older than household ids. */
  readonly bibliotheque: string;
}

const KINDS = ['draft', 'scan', 'wish'] as const satisfies readonly EntryKind[];

/** The text of an entry, with its household written into it. */
export const named = (text: string, bibliotheque: string): string =>
  JSON.stringify({ ...unsafeCast<object>(JSON.parse(text)), bibliotheque });

/** Gives entries without a household to the first household that is known. */
export function nameOrphans(reader: Reader, bibliotheque: string): void {
  each(entriesOf(KINDS, reader).filter(isUnnamed), ({ key, text }) =>
    localStorage.setItem(key, named(text, bibliotheque)),
  );
}

/** A reader's entries of other households than the shown one. */
export const orphansOfOthers = (
  kind: EntryKind,
  reader: Reader,
  shown: string,
): readonly OrphanedEntry[] =>
  entriesOf([kind], reader).filter(({ bibliotheque }) => !isOfHousehold(bibliotheque, shown));

/** Deletes entries; `restoreOrphans` puts them back. */
export const forgetOrphans = (entries: readonly OrphanedEntry[]): void =>
  each(entries, ({ key }) => localStorage.removeItem(key));

export const restoreOrphans = (entries: readonly OrphanedEntry[]): void =>
  each(entries, ({ key, text }) => localStorage.setItem(key, text));

const each = (entries: readonly OrphanedEntry[], work: (entry: OrphanedEntry) => void): void =>
  void attempt('changing what was left', () => entries.forEach(work));

const isUnnamed = ({ bibliotheque }: OrphanedEntry): boolean => bibliotheque === '';

function entriesOf(kinds: readonly EntryKind[], reader: Reader): readonly OrphanedEntry[] {
  const begins = kinds.map((kind) => entryPrefix(kind, reader));
  const keys = attempt('reading what was left', () => Object.keys(localStorage)) ?? [];
  return keys
    .filter((key) => begins.some((begin) => key.startsWith(begin)))
    .flatMap((key) => attempt('reading what was left', () => read(key)) ?? []);
}

function read(key: string): OrphanedEntry | null {
  const text = localStorage.getItem(key);
  if (text === null) return null;
  const { bibliotheque = '' } = unsafeCast<{ bibliotheque?: string }>(JSON.parse(text));
  return { key, text, bibliotheque };
}
