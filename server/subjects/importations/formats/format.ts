import type { PictureRef } from '../record.ts';
import type { ReadList } from './record-builder.ts';
import type { Head } from './xml.ts';

/** By their names in the zip in which a list may lie. */
export type Covers = ReadonlyMap<string, PictureRef>;

/** A list of a program that is no table; each stands in a file of its own and in `LISTS` (`sniff.ts`). */
export interface ListFormat {
  /** In linear time: the beginning may be anything. */
  readonly sniff: (head: Head) => boolean;
  /** Throws `FICHIER_INVALIDE`. */
  readonly read: (text: string, covers: Covers, head: Head) => ReadList | Promise<ReadList>;
}
