import type { Row } from '#shared/change-reader';
import type { Transaction } from '#server/plumbing/database/connection';
import { isClearedOnDelete, type ForeignKey } from '#server/plumbing/database/change-capture';
import { isAnyViolation, updateRows } from '#server/plumbing/database/columns';
import {
  archivedById,
  noteGoneLivre,
  rewriteArchived,
  restoreArchived,
} from '#server/plumbing/records/dormant';
import type { TableRules } from '#server/plumbing/records/kind';
import type { Records } from '#server/plumbing/records/records';
import { isOrderOfValues } from '#server/plumbing/writes/named-values';
import { orderOf, renumber, restoreOrder, type Ordre } from '#server/plumbing/writes/orders';
import {
  changedColumns,
  cleOf,
  cascadedRowsOfDeleted,
  isChanged,
  keysThere,
  ownerOf,
  pick,
  readRow,
  removeRow,
  restoreRow,
  rewriteRow,
  conflictingRows,
  rowKeyOf,
  rowsAwaiting,
  rowsLeadingTo,
  writeLine,
  type Change,
  type CascadedRow,
} from '#server/plumbing/writes/traces';

/** The changes of one row; with `columns`, only those that inserted it, deleted it or changed one of these. */
export interface Cause {
  readonly table: string;
  readonly cle: string;
  readonly columns?: readonly string[];
  /** True if an insertion or deletion of the row is no cause. */
  readonly isRewrite?: true;
}

/** The reason why a change cannot be undone. */
export interface Obstacle {
  /**
   * `changed`: the row was edited since. `violated`: the row breaks an SQL constraint. `added`: a newer row references it.
   * `gone`: the row references a deleted row. `ruleViolated`: the row breaks a rule. The others count only if a later act
   * caused them. `kept`: a row that the act deleted references the row. `named`: the act used a name that is to be deleted.
   * `touched`: the act changed a record that an import filled.
   */
  readonly why:
    | 'changed'
    | 'violated'
    | 'added'
    | 'gone'
    | 'ruleViolated'
    | 'kept'
    | 'named'
    | 'touched';
  readonly table: string;
  readonly image: Row;
  /** The sentence of the rule. */
  readonly raison?: string;
  /** The missing row, and whether the reference to it may be empty. */
  readonly lost?: { readonly table: string; readonly id: unknown; readonly isLoose: boolean };
  /** The changes of rows that may be the cause. */
  readonly causes: readonly Cause[];
}

/**
 * The changes to undo, of one or several modifications that count as one. For a lookup row, such as an author, both
 * images are there.
 */
export interface UndoScope {
  readonly changes: readonly Change[];
  readonly ordres: readonly Ordre[];
  /** How readings described deleted books (`Dormant`). */
  readonly dormant: readonly Change[];
  /** The only person who may read the modification; '' for everyone. */
  readonly proprietaire: string;
  /** True for one record of an import: its finished or personal rows are deleted with it, and are no obstacle. */
  readonly isOfImport: boolean;
}

/** A write that may have to wait until another row has released a unique value. */
interface Step {
  readonly change: Change;
  readonly run: () => void;
  /** The columns that the row gets, if the step does nothing else and none is a foreign key. */
  readonly given?: Row;
  isParked?: boolean;
}

/** A row that references another one by a column. */
interface LeadingRow extends Pick<ForeignKey, 'column' | 'onDelete'> {
  readonly from: string;
  readonly row: Row;
  readonly rules: TableRules;
}

/**
 * Undoes changes: each row gets its former values. `obstacles` finds what prevents this: each field has to have the
 * value of the changes; a row that they created has to be unchanged and unreferenced; a row that they deleted must
 * not exist; referenced rows must exist. Lookup rows (authors, themes) are archived, and restored with the rows that
 * reference them. The position of a row among others is never an obstacle (docs/rules.md § 38).
 */
export class Inverse {
  readonly #records: Records<Transaction>;
  readonly #database: Transaction;
  readonly #scope: UndoScope;
  readonly #changes: readonly Change[];
  readonly #lookups: readonly Change[];
  readonly #byKey: ReadonlyMap<string, Change>;
  readonly #orders: readonly { readonly ordre: Ordre; readonly was: readonly string[] }[];

  constructor(records: Records<Transaction>, scope: UndoScope) {
    this.#records = records;
    this.#database = records.database;
    this.#scope = scope;
    const { changes, ordres } = scope;
    this.#lookups = changes.filter(({ table }) => records.isLookupTable(table));
    const others = changes.filter(({ table }) => !records.isLookupTable(table));
    // A row inserted and deleted by these changes is not created.
    const made = new Set(
      others.filter(({ avant, apres }) => avant === null && apres !== null).map(rowKeyOf),
    );
    const madeWith = ({ table, apres }: Change) => {
      const record = this.#recordOf(table, apres);
      if (record === undefined) return undefined;
      const key = `${record.table} ${String(record.id)}`;
      return made.has(key) ? { ...record, key } : undefined;
    };
    const there = keysThere(
      this.#database,
      others.flatMap((change) => madeWith(change) ?? []),
    );
    this.#changes = others.filter((change) => {
      const record = madeWith(change);
      // A book in the bin is restored as it was, even if its import was undone.
      if (record !== undefined && !there.has(record.key)) return false;
      // A cascaded row has to be as it came, except for a status, and is deleted with its record.
      return isChanged(change) || (record !== undefined && ownerOf(change.apres) === '');
    });
    this.#byKey = new Map(this.#changes.map((change) => [rowKeyOf(change), change]));
    this.#orders = ordres.map((ordre) => ({ ordre, was: orderOf(records, ordre) }));
  }

  obstacles(): Obstacle[] {
    return [
      ...this.#changes.toReversed().flatMap((change) => this.#obstaclesOf(change)),
      ...this.#lookups.toReversed().flatMap((word) => this.#obstaclesOfWord(word)),
    ];
  }

  /** Undoes everything despite obstacles; returns the rules that the resulting state breaks. */
  run(): Obstacle[] {
    const forbidden = this.write();
    this.finish();
    return [...forbidden, ...this.ruleViolations()];
  }

  /** Writes the rows in whatever order their unique values allow; returns the changes that cannot be written. */
  write(): Obstacle[] {
    this.#database.deferForeignKeys();
    const latestFirst = this.#changes.toSorted((a, b) => b.seq - a.seq);
    const named = this.#named();
    let left = this.#restorations(named);
    left.push(...this.#rewriteTogether(latestFirst.flatMap((change) => this.#begin(change))));
    let isArchived = false;
    for (;;) {
      const before = left.length;
      left = left.filter(({ run }) => !succeeds(run));
      if (left.length === 0) return [];
      if (left.length < before || left.some((step) => this.#park(step))) continue;
      if (isArchived) return left.map(({ change }) => this.#violated(change));
      // An archived lookup row of these changes may release a name for a restored one.
      this.#archiveUnused(this.#lookups.filter((word) => !named.has(rowKeyOf(word))));
      isArchived = true;
    }
  }

  /** Restores derived rows: orders, unused lookup rows, and the titles that readings keep of deleted books. */
  finish(): void {
    for (const { avant } of this.#scope.dormant)
      if (avant !== null) noteGoneLivre(this.#database, avant);
    for (const { ordre, was } of this.#orders) restoreOrder(this.#records, ordre, was);
    renumber(this.#records, this.#changes);
    this.#archiveUnused(this.#lookups, this.#changes);
  }

  ruleViolations(): Obstacle[] {
    return this.#changes.flatMap((change): Obstacle[] => {
      const { table, avant } = change;
      const { findRuleViolation } = this.#records.rulesOf(table);
      if (avant === null || findRuleViolation === undefined || this.#isOfOrder(change)) return [];
      const row = readRow(this.#database, table, avant);
      const violation = row && findRuleViolation(this.#database, row);
      if (!violation) return [];
      const causes = violation.rows.map(([of, id]) => ({ table: of, cle: String(id) }));
      return [{ why: 'ruleViolated', table, image: row, raison: violation.raison, causes }];
    });
  }

  // Obstacles

  #obstaclesOf(change: Change): Obstacle[] {
    const { table, avant, apres } = change;
    const image = apres ?? avant ?? {};
    const present = this.#present(change);
    if (apres === null) {
      if (present !== undefined) return [this.#obstacle('changed', table, image)];
      return [...this.#lost(table, image, Object.keys(image)), ...this.#rivals(change)];
    }
    const isWhole = avant === null || !isChanged(change);
    const changed = isWhole ? Object.keys(apres) : changedColumns(avant, apres);
    // The order of details reveals one added or deleted since.
    const isMeant = (name: string) =>
      this.#isField(table, name) || (isWhole && isOrderOfValues(name));
    const fields = changed.filter(isMeant);
    if (present === undefined) {
      const isOfNoAccount =
        avant === null
          ? // A row deleted since does not belong to the deleted record.
            this.#scope.isOfImport || this.#isSomeoneElses(image)
          : fields.every((name) => this.#isOwnLink(table, image, name));
      return isOfNoAccount ? [] : [this.#obstacle('changed', table, image, [])];
    }
    const others = fields.filter(
      (name) =>
        (present[name] ?? null) !== (image[name] ?? null) &&
        !(present[name] === null && this.#isEmptied(table, image, name)),
    );
    const isOfNoAccount = others.length === 0 || this.#goesWithRecord(table, present);
    const obstacles = isOfNoAccount ? [] : [this.#obstacle('changed', table, image, others)];
    if (avant === null) return [...obstacles, ...this.#leaning(change)];
    const lost = this.#lost(table, { ...present, ...avant }, fields);
    if (!this.#scope.isOfImport) return [...obstacles, ...lost];
    // A field that an import filled stays if anything of the record was changed since.
    const all = Object.keys(present).filter(
      (name) => this.#isField(table, name) || isOrderOfValues(name),
    );
    return [...obstacles, this.#obstacle('touched', table, image, all), ...lost];
  }

  /** The rows outside these changes that reference a row that is to be deleted. */
  #leaning({ table, cle, apres }: Change): Obstacle[] {
    const id = apres?.['id'];
    if (typeof id !== 'number') return [];
    const leaning = this.#leadingTo(table, id).filter(
      ({ rules, row }) =>
        ownerOf(row) === '' && !(this.#scope.isOfImport && rules.isOver?.(row) === true),
    );
    return [
      ...leaning
        .slice(0, MAX_OBSTACLES)
        .map(({ from, column, row }) => this.#obstacle('added', from, row, [column])),
      // A deleted row can be restored.
      { why: 'kept', table, image: apres ?? {}, causes: [{ table, cle }] },
    ];
  }

  /** Rows cascaded with the same deleted record that have a unique value to be restored. */
  #rivals({ table, avant }: Change): Obstacle[] {
    const uniques = this.#database.capture.uniquesOf(table);
    const causes = this.#archivedWith(table, avant ?? {})
      .filter((one) => one.table === table && !this.#byKey.has(rowKeyOf(one)))
      .filter(({ row }) =>
        uniques.some(({ columns }) => columns.every((name) => row[name] === avant?.[name])),
      )
      .map((one) => ({ table, cle: one.cle }));
    return causes.length === 0 ? [] : [{ why: 'violated', table, image: avant ?? {}, causes }];
  }

  /** The missing rows that a row would reference, except by a nullable reference of a personal row. */
  #lost(table: string, image: Row, columns: readonly string[]): Obstacle[] {
    return this.#lostLinks(table, image)
      .filter(({ column }) => columns.includes(column) && !this.#isOwnLink(table, image, column))
      .map((link) => ({
        why: 'gone',
        table,
        image,
        lost: { table: link.target, id: link.id, isLoose: isClearedOnDelete(link) },
        causes: [{ table: link.target, cle: String(link.id), columns: [] }],
      }));
  }

  #obstaclesOfWord({ table, avant, apres }: Change): Obstacle[] {
    if (avant === null || apres === null) return [];
    const changed = changedColumns(avant, apres);
    const id = Number(apres['id']);
    const present =
      readRow(this.#database, table, apres) ?? archivedById(this.#database, table, id) ?? apres;
    const others = changed.filter(
      (name) => this.#isField(table, name) && present[name] !== apres[name],
    );
    if (others.length > 0) return [this.#obstacle('changed', table, apres, others)];
    const { lookupTable } = this.#records.rulesOf(table);
    if (lookupTable === undefined || !changed.includes(lookupTable.unique)) return [];
    // Later modifications may have used the name.
    return this.#leadingTo(table, id).map(({ from, column, row }) => ({
      ...this.#obstacle('named', from, row, [column]),
      raison: lookupTable.named(),
    }));
  }

  /**
   * The causes are the rows with its unique values; for a lookup row also the rows that reference those, and for an
   * archived row the modification that renamed it.
   */
  #violated({ table, cle, avant, apres }: Change): Obstacle {
    const image = { ...apres, ...avant };
    const dormant =
      this.#records.isLookupTable(table) &&
      archivedById(this.#database, table, Number(image['id']));
    const causes: Cause[] = conflictingRows(this.#database, table, {
      ...dormant,
      ...image,
    }).flatMap(({ row, columns }) => [
      { table, cle: cleOf(this.#database, table, row), columns },
      ...this.#namings(table, row),
    ]);
    if (dormant) causes.push({ table, cle, isRewrite: true });
    return { why: 'violated', table, image, causes };
  }

  /** The rows that reference a lookup row, which stays as long, and the records that they are parts of. */
  #namings(table: string, { id }: Row): Cause[] {
    if (!this.#records.isLookupTable(table)) return [];
    return this.#leadingTo(table, Number(id)).flatMap(({ from, column, row, rules }) => {
      const [link = '', whole = ''] = rules.partOf ?? [];
      return [
        { table: from, cle: cleOf(this.#database, from, row), columns: [column] },
        ...(whole === '' ? [] : [{ table: whole, cle: String(row[link]), columns: [] }]),
      ];
    });
  }

  #obstacle(
    why: Obstacle['why'],
    table: string,
    image: Row,
    columns?: readonly string[],
  ): Obstacle {
    const cle = cleOf(this.#database, table, image);
    return { why, table, image, causes: [columns ? { table, cle, columns } : { table, cle }] };
  }

  /**
   * Whether a row is deleted with the record of an import: a personal row, or a finished one, such as a returned
   * loan.
   */
  #goesWithRecord(table: string, row: Row): boolean {
    const { isOver, partOf = [] } = this.#records.rulesOf(table);
    const [column = '', record = ''] = partOf;
    const isLeft = ownerOf(row) !== '' || isOver?.(row) === true;
    return this.#scope.isOfImport && isLeft && this.#goes(`${record} ${String(row[column])}`);
  }

  /** Whether a row belongs to another person than the reader of the modification: its absence is no obstacle. */
  #isSomeoneElses(image: Row): boolean {
    const owner = ownerOf(image);
    return owner !== '' && owner !== this.#scope.proprietaire;
  }

  /** Whether a column may be empty because the row that it referenced was deleted. */
  #isEmptied(table: string, image: Row, name: string): boolean {
    return this.#scope.isOfImport
      ? this.#isNullable(table, name)
      : this.#isOwnLink(table, image, name);
  }

  /** Whether a column is a nullable reference of a personal row, which is cleared and restored with its target. */
  #isOwnLink(table: string, image: Row, name: string): boolean {
    return ownerOf(image) !== '' && this.#isNullable(table, name);
  }

  #isNullable(table: string, name: string): boolean {
    const links = this.#database.capture.foreignKeysOf(table);
    return links.some(({ column, onDelete }) => column === name && onDelete === 'SET NULL');
  }

  // Restoring rows

  #begin(change: Change): Step[] {
    if (!isChanged(change)) return [];
    const { table, cle, avant, apres } = change;
    const step = (write: () => void): Step => ({
      change,
      run: () => {
        // The row is deleted with its record: only its entry in `Trace` changes.
        if (this.#goneRecordOf(table, apres ?? avant))
          writeLine(this.#database, { table, cle, avant: apres, apres: avant });
        else write();
      },
    });
    if (avant === null) {
      step(() => this.#remove(table, apres ?? {})).run();
      return [];
    }
    if (apres === null) return [step(() => this.#restore(table, avant))];
    const present = this.#present(change);
    if (present === undefined) return [];
    // A row gets its former position only if it still is where the change put it.
    const given = pick(
      avant,
      changedColumns(avant, apres).filter(
        (name) => !this.#isOrder(table, name) || present[name] === apres[name],
      ),
    );
    const rewriting = step(() => this.#rewrite(table, apres, given));
    // Details are columns of an image only.
    const columns = new Set(this.#database.capture.columnsOf(table));
    const isPlain =
      typeof apres['id'] === 'number' &&
      Object.keys(given).length > 0 &&
      Object.keys(given).every((name) => columns.has(name)) &&
      !this.#database.capture.foreignKeysOf(table).some(({ column }) => column in given);
    return [isPlain ? { ...rewriting, given } : rewriting];
  }

  /**
   * Updates rows with the same changed columns by one statement; returns all other steps, and those that a constraint
   * refuses.
   */
  #rewriteTogether(steps: readonly Step[]): Step[] {
    const alike = Map.groupBy(steps, ({ change: { table }, given }) =>
      given === undefined ? '' : JSON.stringify([table, ...Object.keys(given)]),
    );
    const done = new Set([...alike.values()].filter((some) => this.#rewroteAll(some)).flat());
    return steps.filter((step) => !done.has(step));
  }

  #rewroteAll(steps: readonly Step[]): boolean {
    const [first] = steps;
    if (first?.given === undefined) return false;
    const { table } = first.change;
    const columns = Object.keys(first.given);
    const rows = steps.map(
      ({ change: { apres }, given }) =>
        [Number(apres?.['id']), ...columns.map((name) => given?.[name])] as const,
    );
    return succeeds(() => updateRows(this.#database, table, columns, rows));
  }

  #remove(table: string, image: Row): void {
    const id = image['id'];
    if (typeof id === 'number')
      for (const { from, column, row, onDelete } of this.#leadingTo(table, id))
        if (onDelete === 'NO ACTION') rewriteRow(this.#database, from, row, { [column]: null });
    removeRow(this.#database, table, image);
  }

  #restore(table: string, image: Row): void {
    const whole = this.#withoutLost(table, image);
    if (readRow(this.#database, table, image) !== undefined) {
      rewriteRow(this.#database, table, image, whole);
      return;
    }
    // Before the record: `Trace` names the rows that cascade with it.
    for (const { table: from, row } of cascadedRowsOfDeleted(this.#database, table, image)) {
      // A book gets its position in a list that was deleted since when that list is restored.
      const isOfGone = this.#lostLinks(from, row).some((link) => !isClearedOnDelete(link));
      if (!isOfGone && readRow(this.#database, from, row) === undefined)
        restoreRow(this.#database, from, row);
    }
    restoreRow(this.#database, table, whole);
    for (const { table: from, row } of rowsAwaiting(this.#database, table, image))
      restoreRow(this.#database, from, row);
  }

  #rewrite(table: string, key: Row, given: Row): void {
    if (Object.keys(given).length > 0)
      rewriteRow(this.#database, table, key, this.#withoutLost(table, given));
  }

  #withoutLost(table: string, image: Row): Row {
    const lost = this.#lostLinks(table, image).filter(isClearedOnDelete);
    return { ...image, ...Object.fromEntries(lost.map(({ column }) => [column, null])) };
  }

  /** Gives a row a temporary name or position, where two rows exchange theirs. */
  #park(step: Step): boolean {
    const { table, cle, avant, apres } = step.change;
    if (step.isParked === true || avant === null || apres === null) return false;
    step.isParked = true;
    const names = this.#database.capture
      .uniquesOf(table)
      .flatMap(({ columns }) => columns)
      .filter((name) => avant[name] !== apres[name]);
    const park = (name: string, value: string | null) => {
      rewriteRow(this.#database, table, apres, { [name]: value });
      const was = pick(apres, [...this.#database.capture.keyColumnsOf(table), name]);
      // Derived columns are not captured.
      if (this.#records.isDerived(table, name))
        writeLine(this.#database, { table, cle, avant: was, apres: { ...was, [name]: value } });
    };
    return names.some((name) =>
      [`~${cle}`, null].some((value) => succeeds(() => park(name, value))),
    );
  }

  // Lookup rows

  /** The lookup rows that restored rows and their cascaded rows reference. */
  #named(): ReadonlyMap<string, Change> {
    const restored = this.#changes
      .map(({ table, avant }) => ({ table, row: avant }))
      .filter(({ table, row }) => {
        const record = this.#recordOf(table, row);
        return record === undefined || this.#willBeThere(record.table, record.id);
      });
    const coming = this.#changes
      .filter(({ apres }) => apres === null)
      .flatMap(({ table, avant }) => cascadedRowsOfDeleted(this.#database, table, avant ?? {}))
      .filter((one) => !this.#byKey.has(rowKeyOf(one)));
    return new Map(
      [...restored, ...coming]
        .flatMap(({ table, row }) => this.#links(table, row))
        .filter(({ target }) => this.#records.isLookupTable(target))
        .map(({ target: table, id }) => {
          const word = { table, cle: String(id), avant: { id }, apres: { id }, seq: 0 };
          return [rowKeyOf(word), word];
        }),
    );
  }

  /** The steps that restore former names of lookup rows, and archived rows that restored rows reference. */
  #restorations(named: ReadonlyMap<string, Change>): Step[] {
    const known = new Set(this.#lookups.map(rowKeyOf));
    const others = [...named.values()].filter(
      (word) => !known.has(rowKeyOf(word)) && !this.#isThere(word.table, Number(word.cle)),
    );
    return [...this.#lookups.toReversed(), ...others].map((change) => {
      const run = () => this.#restoreLookup(change, named.has(rowKeyOf(change)));
      return { change, run: () => this.#database.attempt(run) };
    });
  }

  #restoreLookup({ table, cle, avant, apres }: Change, isNamed: boolean): void {
    if (avant === null || apres === null) return;
    const id = Number(apres['id']);
    const given = pick(avant, changedColumns(avant, apres));
    if (readRow(this.#database, table, apres) !== undefined) {
      this.#rewrite(table, apres, given);
      return;
    }
    const archived = archivedById(this.#database, table, id);
    if (archived !== undefined && Object.keys(given).length > 0) {
      // If renamed while archived, its present name might be taken by another row.
      const image = { ...archived, ...given };
      const unique = String(image[this.#records.rulesOf(table).lookupTable?.unique ?? 'id']);
      rewriteArchived(this.#database, { table, id, cle: unique }, image);
      // Recorded as inserted and deleted, so that the undo can be undone.
      writeLine(this.#database, { table, cle, avant: null, apres: archived });
      writeLine(this.#database, { table, cle, avant: image, apres: null });
    }
    if (isNamed && !restoreArchived(this.#database, table, id))
      restoreRow(this.#database, table, { ...apres, ...given });
  }

  /** Archives unreferenced lookup rows: these, and those that the changed rows referenced. */
  #archiveUnused(words: readonly Change[], changes: readonly Change[] = []): void {
    const links = changes.flatMap(({ table, avant, apres }) => [
      ...this.#links(table, avant),
      ...this.#links(table, apres),
    ]);
    const all = [
      ...words.map(({ table, apres }) => ({ target: table, id: Number(apres?.['id']) })),
      ...links,
    ];
    for (const [table, some] of Map.groupBy(all, ({ target }) => target))
      this.#records
        .rulesOf(table)
        .lookupTable?.deleteUnused(this.#database, [...new Set(some.map(({ id }) => id))]);
  }

  // Cascaded rows

  #archivedWith(table: string, image: Row): CascadedRow[] {
    const record = this.#goneRecordOf(table, image);
    return record ? cascadedRowsOfDeleted(this.#database, record.table, record) : [];
  }

  #goneRecordOf(table: string, image: Row | null) {
    const record = this.#recordOf(table, image);
    return record && !this.#isThere(record.table, record.id) ? record : undefined;
  }

  #recordOf(table: string, image: Row | null) {
    const along = this.#database.capture.cascadeOf(table);
    return along && { table: along.target, id: image?.[along.column] };
  }

  // Rows

  #present({ table, cle, avant, apres }: Change): Row | undefined {
    const image = apres ?? avant ?? {};
    return (
      readRow(this.#database, table, image) ??
      this.#archivedWith(table, image).find((one) => one.table === table && one.cle === cle)?.row
    );
  }

  /** The rows that reference a row, without those that these changes delete or redirect. */
  #leadingTo(table: string, id: number): LeadingRow[] {
    return this.#database.capture
      .foreignKeysTo(table)
      .flatMap(({ table: from, column, onDelete }) =>
        rowsLeadingTo(this.#database, from, column, id)
          .filter((row) => {
            const own = this.#byKey.get(`${from} ${cleOf(this.#database, from, row)}`);
            if (own === undefined) return true;
            // Rows that cascade with the row have obstacles of their own.
            if (this.#database.capture.cascadeOf(from)?.column === column) return false;
            return own.avant && own.avant[column] === own.apres?.[column];
          })
          .map((row) => ({ from, column, row, rules: this.#records.rulesOf(from), onDelete })),
      );
  }

  #links(table: string, image: Row | null) {
    return this.#database.capture.foreignKeysOf(table).flatMap((link) => {
      const id = image?.[link.column];
      return typeof id === 'number' ? [{ ...link, id }] : [];
    });
  }

  /** The references to rows that will be missing after the undo; a lookup row is always restored. */
  #lostLinks(table: string, image: Row) {
    const record = this.#database.capture.cascadeOf(table)?.target;
    return this.#links(table, image).filter(
      ({ target, id }) =>
        target !== record && !this.#records.isLookupTable(target) && !this.#willBeThere(target, id),
    );
  }

  /** Whether these changes delete a row when undone, and whether they bring it back. */
  readonly #goes = (key: string): boolean => this.#byKey.get(key)?.avant === null;
  readonly #comes = (key: string): boolean => this.#byKey.get(key)?.apres === null;

  #willBeThere(table: string, id: unknown): boolean {
    const key = `${table} ${String(id)}`;
    return this.#comes(key) || (!this.#goes(key) && this.#isThere(table, id));
  }

  #isThere(table: string, id: unknown): boolean {
    return readRow(this.#database, table, { id }) !== undefined;
  }

  /** Whether a row got another position, and nothing else. */
  #isOfOrder({ table, avant, apres }: Change): boolean {
    const changed = avant === null || apres === null ? [] : changedColumns(avant, apres);
    return changed.length > 0 && changed.every((name) => this.#isOrder(table, name));
  }

  #isOrder(table: string, name: string): boolean {
    return isOrder(this.#records, table, name);
  }

  #isField(table: string, name: string): boolean {
    return isField(this.#records, { table, name }, this.#scope.isOfImport);
  }
}

const isOrder = (records: Records, table: string, name: string): boolean =>
  records.rulesOf(table).order?.columns.includes(name) === true;

/**
 * Whether a column is entered or chosen by a person: another value in it is an obstacle.
 *
 * @param isOfImport as `UndoScope.isOfImport`
 */
export function isField(
  records: Records,
  { table, name }: { readonly table: string; readonly name: string },
  isOfImport: boolean,
): boolean {
  if (records.isDerived(table, name) || isOrder(records, table, name) || isOrderOfValues(name))
    return false;
  const { entered } = records.rulesOf(table);
  return !isOfImport || entered === undefined || entered.includes(name);
}

/** How many obstacles of one kind are named. */
const MAX_OBSTACLES = 20;

function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (isAnyViolation(error)) return false;
    throw error;
  }
}
