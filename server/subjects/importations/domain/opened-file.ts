import type { Colonnes, Encodage, ImportFormat } from '#shared/importations';
import type { ExportKind } from '#shared/export';
import type { RawRow } from './row.ts';

/** A record of a file under its number, and its cells as they stand there. */
export interface FileRecord {
  readonly ligne: number;
  readonly raw: RawRow;
  readonly cells: readonly string[];
}

/** Takes in a picture, and returns how many pixels were decoded for it. */
export type TakePicture = (content: Buffer) => Promise<number>;

/** A file whose format is known; its records come in batches, with turns for others between. */
export interface OpenedFile {
  readonly format: ImportFormat;
  readonly encodage: Encodage;
  /** The names of the cells of its records. */
  readonly headers: readonly string[];
  /** How a table that is no known program's is read. */
  readonly colonnes: Colonnes | null;
  /** Three values of each column of such a table. */
  readonly exemples?: readonly string[][];
  readonly records: () => AsyncGenerator<FileRecord[]>;
  /** What a household's export holds besides rows. */
  readonly rest?: () => AsyncGenerator<{ kind: ExportKind; values: unknown[] }>;
  /** Hands over the pictures of its covers one by one, until they are more than a file of its size may have. */
  readonly takePictures?: (take: TakePicture) => Promise<void>;
  /** What is to be said of the file as a whole, once it has been read. */
  readonly avertissements: () => string[];
  /** Lets go of what it is read from. */
  readonly close?: () => void;
}

/** The columns in which a refused record of a file that is no table is given back. */
export const RECORD_HEADERS = ['titre', 'auteurs', 'isbn'];

/** A record of such a file in these columns. */
export const recordCells = ({ titre, auteurs, isbns = [] }: RawRow): string[] => [
  titre,
  auteurs.join(' ; '),
  isbns[0] ?? '',
];
