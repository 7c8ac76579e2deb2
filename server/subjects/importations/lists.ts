import type { ImportFormat } from '#shared/importations';
import { LIVRE_TEXTS } from '#shared/livres';
import { mapObject } from '#shared/object-keys';
import type { Refusal } from '#shared/refusals';
import { mapped, PackedList } from '#server/plumbing/common/packed-list';
import { invalid, raison, toRaison, type Raison } from '#server/plumbing/common/raisons';
import { headerKey, type TableFormat } from './table-format.ts';
import {
  RECORD_HEADERS,
  recordCells,
  type FileContent,
  type FileRecord,
  type RawRow,
} from './rows.ts';
import { TableReader } from './tables.ts';
import { isMonthFirst } from './values.ts';
import { WholeColumns } from './whole-columns.ts';

// Lists that are no table: each reader gives records of named values, which are read as the rows of a table are
// (docs/rules.md § 35).

export const MAX_ROWS = 100_000;

export const tooMany = (): Refusal => invalid(raison('lignesDeTrop', { count: MAX_ROWS }));

/** What stands between the values of a column that has several. */
const APART = '\n';

/** The columns that become something of a book; any other is told by its name, in household words where there is one. */
const COLUMNS = {
  titre: 'Titre',
  auteurs: 'Auteurs',
  isbn: 'ISBN',
  ...mapObject(LIVRE_TEXTS, (_, { nom }) => nom),
  annee: 'Année',
  nombrePages: 'Pages',
  format: 'Format',
  statut: 'Statut',
  serie: 'Série',
  numero: 'Numéro',
  emplacement: 'Emplacement',
  emprunteur: 'Prêté à',
  datePret: 'Date de prêt',
  dateRetourPrevue: 'À rendre le',
  souhait: 'Souhait',
  themes: 'Thèmes',
} as const;

const LECTURES = {
  note: 'Étoiles',
  debut: 'Début de lecture',
  dates: 'Lectures',
  avis: 'Mon mot',
} as const;

/** Begins the names of what is no value of the file, and stands in no name of the file. */
const OWN_SIGN = '\0';

/** What is no value of the book: why its record is none, and what is to be said of it. */
const REFUS = `${OWN_SIGN}refus`;
const SAID = `${OWN_SIGN}said`;
/** `BandeDessinee` for a comic. */
const TYPE = `${OWN_SIGN}type`;
/** Why it is no book of the house, though it was read. */
const GONE = `${OWN_SIGN}gone`;
/** The key of its cover among the pictures of the file. */
const COVER = `${OWN_SIGN}cover`;

const SEVERAL: ReadonlySet<string> = new Set([
  COLUMNS.auteurs,
  COLUMNS.isbn,
  COLUMNS.themes,
  COLUMNS.serie,
  COLUMNS.numero,
  SAID,
]);

type Value = string | number | readonly (string | undefined)[] | null | undefined;

/** The values of one record by the names of their columns, in the file's order. */
export class NamedValues {
  readonly #values = new Map<string, string>();

  /** Adds to what stands under a name; nothing where there is no value. */
  add(name: string, value: Value): this {
    return this.#put(name.replaceAll(OWN_SIGN, ''), value);
  }

  #put(name: string, value: Value): this {
    const separator = SEVERAL.has(name)
      ? APART
      : name === 'Note' || name === 'Résumé'
        ? '\n\n'
        : ', ';
    const said = this.#values.get(name);
    const texts = (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
      const text = typeof one === 'number' || typeof one === 'string' ? String(one).trim() : '';
      return text === '' ? [] : [SEVERAL.has(name) ? text.replace(/\s*\n\s*/g, ' ') : text];
    });
    const all = [...(said === undefined ? [] : [said]), ...new Set(texts)];
    if (all.length > 0) this.#values.set(name, all.join(separator));
    return this;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  get(name: string): string {
    return this.#values.get(name) ?? '';
  }

  refuse(why: Raison): this {
    return this.#put(REFUS, why);
  }

  say(said: Raison): this {
    return this.#put(SAID, said);
  }

  leave(why: Raison): this {
    return this.#put(GONE, why);
  }

  /** @param key of a picture in the file, `undefined` where it holds none */
  addCover(key: string | undefined): this {
    return this.#put(COVER, key);
  }

  makeComic(): this {
    return this.#put(TYPE, 'BandeDessinee');
  }

  get entries(): [string, string][] {
    return [...this.#values];
  }
}

/** A list as its reader gives it. */
export interface ReadList {
  readonly format: ImportFormat;
  readonly records: Iterable<NamedValues>;
  /** Of the file as a whole. */
  readonly avertissements?: readonly Raison[];
  /** Columns that nobody misses: numbers of the program, what another column says again. */
  readonly silent?: readonly string[];
}

/** What is said of covers that a list names and its file does not hold. */
export const coversLeft = (count: number): Raison[] =>
  count === 0 ? [] : [raison('couverturesNonReprises', { count })];

const formatOf = ({ format, silent = [] }: ReadList): TableFormat => ({
  name: format,
  known: [],
  columns: mapObject(COLUMNS, (_, name) => headerKey(name)),
  lectures: mapObject(LECTURES, (_, name) => headerKey(name)),
  lists: Object.fromEntries([...SEVERAL].map((name) => [headerKey(name), APART])),
  silent: silent.map(headerKey),
  quirk(row, cell) {
    const [refus, gone] = [cell(headerKey(REFUS)), cell(headerKey(GONE))];
    return {
      ...row,
      ...(refus !== '' && { refus: toRaison(refus) }),
      ...(gone !== '' && { partiPour: toRaison(gone) }),
      ...(cell(headerKey(COVER)) !== '' && { couverture: cell(headerKey(COVER)) }),
      ...(cell(headerKey(TYPE)) !== '' && { typeDocument: 'BandeDessinee' as const }),
      avertissements: cell(headerKey(SAID)).split(APART).filter(Boolean).map(toRaison),
    };
  },
});

/** Throws `FICHIER_INVALIDE` for a list of too many records. */
export function contentOfList(list: ReadList): FileContent {
  const kept = new PackedList<[string, string][]>();
  const headers = new Set<string>();
  for (const record of list.records) {
    if (kept.length >= MAX_ROWS) throw tooMany();
    const { entries } = record;
    for (const [name] of entries) headers.add(name);
    kept.push(entries);
  }
  const names = [...headers];
  const rows = mapped(kept, (entries) => {
    const values = new Map(entries);
    return names.map((name) => values.get(name) ?? '');
  });
  const { avertissements = [] } = list;
  return { ...contentOf(formatOf(list), names, rows), avertissements };
}

const NO_LIVRE: RawRow = { titre: '', auteurs: [], refus: raison('pasFiche') };

/** Records that are read by columns; `null` for one that is no book's. */
export function contentOf(
  format: TableFormat,
  headers: readonly string[],
  rows: Iterable<readonly string[] | null>,
): FileContent {
  const reader = new TableReader(format, headers);
  const records = new PackedList<FileRecord>();
  const columns = new WholeColumns();
  for (const cells of rows) {
    const raw = cells === null ? NO_LIVRE : reader.read(cells);
    columns.add(raw);
    records.push({ ligne: records.length + 1, raw, cells: recordCells(raw) });
  }
  return {
    format: format.name,
    colonnes: null,
    headers: RECORD_HEADERS,
    records: mapped(records, ({ raw, ...record }) => ({ ...record, raw: columns.read(raw) })),
    monthFirst: isMonthFirst(reader.dates),
    perdus: reader.perdus,
    avertissements: [],
  };
}
