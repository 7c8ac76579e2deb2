import type { Row } from '#shared/change-reader';
import type { Transaction } from '#server/plumbing/database/connection';
import type { Records } from '#server/plumbing/records/records';
import { readRow } from '#server/plumbing/writes/rows';
import {
  changesOf,
  deletionsOf,
  forgetTrace,
  rowKeyOf,
  writeLine,
  type Cause,
  type Change,
} from '#server/plumbing/writes/traces';

// Some changes may have linked a record to words (a book to its authors and themes), and the record was deleted since.
// Its links went with it, and undoing the deletion brings them back. So taking such a change back rewrites the act that
// deleted the record: that then brings the record back with the words that it named before the change.

interface RecordKey {
  readonly table: string;
  readonly id: number;
}

/** What hinders a change of a link: the deletion did not find it as the change left it, or another link is in its place. */
interface LinkHindrance {
  readonly why: 'changed' | 'violated';
  readonly table: string;
  readonly image: Row;
  readonly causes: readonly Cause[];
}

/** The acts to rewrite, with the links that each deleted, and the hindrances by the keys of links. */
interface GoneRecord {
  readonly deletions: readonly {
    readonly act: number;
    readonly links: ReadonlyMap<string, Change>;
  }[];
  readonly hindrances: ReadonlyMap<string, LinkHindrance>;
}

/** The links of deleted records to words, among changes that are to be taken back. */
export class GoneRecords {
  readonly #records: Records<Transaction>;
  readonly #database: Transaction;
  readonly #changes: ReadonlyMap<string, Change>;
  readonly #known = new Map<string, GoneRecord>();

  /** @param changes by the keys of their rows */
  constructor(records: Records<Transaction>, changes: ReadonlyMap<string, Change>) {
    this.#records = records;
    this.#database = records.database;
    this.#changes = changes;
  }

  /** Whether a change is of a link to a word whose record was deleted since, by another act than these changes. */
  has(change: Change): boolean {
    const { list } = this.#records.rulesOf(change.table);
    if (list?.table === undefined || !this.#records.isWord(list.table)) return false;
    const { table, id } = this.#recordOf(change);
    const own = this.#changes.get(`${table} ${String(id)}`);
    const goesOrComes = own !== undefined && (own.avant === null || own.apres === null);
    return !goesOrComes && readRow(this.#database, table, { id }) === undefined;
  }

  hindranceOf(change: Change): LinkHindrance | undefined {
    return this.#find(change).hindrances.get(rowKeyOf(change));
  }

  /** Rewrites the acts that deleted the record of a link. */
  rewrite(change: Change): void {
    const { table, cle, avant, apres } = change;
    for (const { act, links } of this.#find(change).deletions)
      this.#note(act, change, avant && { ...links.get(rowKeyOf(change))?.avant, ...avant });
    writeLine(this.#database, { table, cle, avant: apres, apres: avant });
  }

  #recordOf({ table, avant, apres }: Change): RecordKey {
    const [column = '', record = ''] = this.#records.rulesOf(table).partOf ?? [];
    return { table: record, id: Number((apres ?? avant)?.[column]) };
  }

  /**
   * Several acts in force may have deleted a record, where one took back an undoing that had brought the record back
   * otherwise: those that found its links as these changes left them are to be rewritten.
   */
  #find(change: Change): GoneRecord {
    const record = this.#recordOf(change);
    const key = `${record.table} ${String(record.id)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const own = [...this.#changes.values()].filter((each) => {
      const { table, id } = this.#recordOf(each);
      return table === record.table && id === record.id && this.has(each);
    });
    const acts = deletionsOf(this.#database, record.table, String(record.id));
    const deletions = acts.map((act) => {
      const links = this.#deletedLinks(act, record);
      return { act, links, hindrances: own.flatMap((each) => this.#hindering(each, links, acts)) };
    });
    const free = deletions.filter(({ hindrances }) => hindrances.length === 0);
    const hindrances = free.length > 0 ? [] : (deletions[0]?.hindrances ?? []);
    const found = {
      deletions: free.length > 0 ? free : deletions,
      hindrances: new Map(hindrances),
    };
    this.#known.set(key, found);
    return found;
  }

  /** The hindrance of a change, by the links that the record had when it was deleted. */
  #hindering(
    change: Change,
    links: ReadonlyMap<string, Change>,
    deletions: readonly number[],
  ): [string, LinkHindrance][] {
    const { table, cle, avant, apres } = change;
    const key = rowKeyOf(change);
    const kept = links.get(key)?.avant;
    if (apres === null && kept) {
      const causes = [{ table, cle, not: deletions }];
      return [[key, { why: 'changed', table, image: kept, causes }]];
    }
    if (apres !== null) {
      const columns = Object.keys(apres).filter((name) => kept?.[name] !== apres[name]);
      const causes = [{ table, cle, ...(kept && { columns }), not: deletions }];
      return columns.length === 0 ? [] : [[key, { why: 'changed', table, image: apres, causes }]];
    }
    const uniques = this.#database.capture.uniquesOf(table);
    const causes = [...links.values()]
      .filter((one) => one.table === table && !this.#changes.has(rowKeyOf(one)))
      .filter((one) =>
        uniques.some(({ columns }) => columns.every((name) => one.avant?.[name] === avant?.[name])),
      )
      .map((rival) => ({ table, cle: rival.cle, not: deletions }));
    const image = avant ?? {};
    return causes.length === 0 ? [] : [[key, { why: 'violated', table, image, causes }]];
  }

  /** Rewrites an act that deleted a record: of one row of it, to have deleted `avant`, or nothing. */
  #note(act: number, { table, cle }: Change, avant: Row | null): void {
    forgetTrace(this.#database, act, { table, cle });
    if (avant !== null) writeLine(this.#database, { act, table, cle, avant, apres: null });
  }

  #deletedLinks(act: number, record: RecordKey): ReadonlyMap<string, Change> {
    const deleted = this.#linksIn(act, record).filter(({ apres }) => apres === null);
    return new Map(deleted.map((each) => [rowKeyOf(each), each]));
  }

  /** What an act did to the links of a record to words. */
  #linksIn(act: number, record: RecordKey): Change[] {
    return this.#records.lists.flatMap(([table, { table: word = '' }]) => {
      const [column = '', whole = ''] = this.#records.rulesOf(table).partOf ?? [];
      if (whole !== record.table || !this.#records.isWord(word)) return [];
      const which = `nom = '${table}' AND coalesce(avant, apres) ->> '${column}' = ${String(record.id)}`;
      return changesOf(this.#database, [act], { which });
    });
  }
}
