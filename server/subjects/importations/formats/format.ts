import type { PictureRef } from '../record.ts';
import type { ReadList } from './record-builder.ts';
import type { Head } from './xml.ts';

/** By their names in the zip. */
export type Covers = ReadonlyMap<string, PictureRef>;

/** A program's list that is no table; each format has a file, and is registered in `LISTS` (`sniff.ts`). */
export interface ListFormat {
  /** Must be linear, since the beginning may be anything. */
  readonly sniff: (head: Head) => boolean;
  /** Throws `FICHIER_INVALIDE`. */
  readonly read: (text: string, covers: Covers, head: Head) => ReadList | Promise<ReadList>;
}
