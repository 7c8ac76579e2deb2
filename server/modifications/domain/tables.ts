import type { CollectionName } from '#shared/collections';
import type { Row } from '#server/database/columns';
import type { Database } from '#server/database/database';
import { readName } from '../store/rows.ts';

/** The records that people know: their table, the column that names them, and how they are told of. */
interface Kind {
  readonly table: string;
  readonly name: string;
  readonly collection: CollectionName;
  /** « Ce livre », with the ending of a participle that agrees with it. */
  readonly subject: string;
  readonly ending: '' | 'e';
}

const KINDS: readonly Kind[] = [
  { table: 'Livre', name: 'titre', collection: 'livres', subject: 'Ce livre', ending: '' },
  { table: 'Auteur', name: 'nom', collection: 'auteurs', subject: 'Cet auteur', ending: '' },
  { table: 'Serie', name: 'titre', collection: 'series', subject: 'Cette série', ending: 'e' },
  { table: 'Revue', name: 'titre', collection: 'revues', subject: 'Cette revue', ending: 'e' },
  { table: 'Numero', name: 'numero', collection: 'numeros', subject: 'Ce numéro', ending: '' },
  { table: 'Souhait', name: 'titre', collection: 'souhaits', subject: 'Ce souhait', ending: '' },
  {
    table: 'RevueSouhaitee',
    name: 'titre',
    collection: 'souhaits-revues',
    subject: 'Ce souhait',
    ending: '',
  },
];

/** The tables whose rows are parts of a record: the column that refers to it, and its table. */
const OWNERS: Readonly<Record<string, readonly [column: string, table: string]>> = {
  LivreAuteur: ['livreId', 'Livre'],
  Pret: ['livreId', 'Livre'],
  Statut: ['livreId', 'Livre'],
  Place: ['serieId', 'Serie'],
  NumeroTheme: ['numeroId', 'Numero'],
  Article: ['numeroId', 'Numero'],
};

/** The record that a row is, or is a part of. */
export interface RecordOfRow {
  readonly kind: Kind;
  readonly id: number;
}

/** The record of a row; `undefined` for a row that is part of none. */
export function recordOf(table: string, row: Row): RecordOfRow | undefined {
  const [column, owner] = OWNERS[table] ?? ['id', table];
  const kind = KINDS.find((each) => each.table === owner);
  const id = row[column];
  return kind === undefined || typeof id !== 'number' ? undefined : { kind, id };
}

/** What a record is called now; `null` where it is gone. */
export const currentName = (database: Database, { kind, id }: RecordOfRow): string | null =>
  readName(database, kind.table, kind.name, id);

/** Where a record stands among those that an act touched: books first, their authors behind. */
export const orderOf = ({ kind }: RecordOfRow): number => KINDS.indexOf(kind);

/** A list of a record: its field, and where the name of an entry stands. */
interface Part {
  readonly champ: string;
  readonly column: string;
  /** The table that `column` refers to; absent where the entry's own row has the name. */
  readonly table?: string;
  readonly name: string;
}

/** The tables whose rows are entries of a list of a record. */
export const PARTS: Readonly<Record<string, Part>> = {
  LivreAuteur: { champ: 'auteurs', column: 'auteurId', table: 'Auteur', name: 'nom' },
  NumeroTheme: { champ: 'themes', column: 'themeId', table: 'Theme', name: 'nom' },
  Article: { champ: 'articles', column: 'titre', name: 'titre' },
  Place: { champ: 'places', column: 'titre', name: 'titre' },
};
