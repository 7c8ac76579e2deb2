import type { Row } from '#shared/change-reader';
import type { Transaction } from '#server/plumbing/database/connection';
import { isDerived } from '#server/plumbing/database/change-capture';
import { isAnyViolation } from '#server/plumbing/database/columns';
import { dormantById, noteGoneLivre, rewriteDormant, wake } from '#server/plumbing/records/dormant';
import type { Records } from '#server/plumbing/records/records';
import { listOf, orderOf, renumber, restoreOrder } from '#server/plumbing/writes/orders';
import * as rows from '#server/plumbing/writes/rows';
import {
  changedColumns,
  cleOf,
  changesOf,
  deletionsOf,
  isChanged,
  noteChange,
  ownerOf,
  rewriteDeleted,
  type Cause,
  type Change,
  type KeptOrdre,
} from '#server/plumbing/writes/traces';

/** What keeps a change from being taken back. */
export interface Hindrance {
  /**
   * `changed`: the row is not as the act left it; `violated`: a constraint does not allow it; `added`: another row
   * leads to it since; `gone`: what it leads to is not there; `breach`: a rule forbids it. Only where a later act is
   * the cause: `kept`: what it deleted leads to the row; `named`: it named something by a name that is to go; `touched`:
   * it wrote anything of a record that an import filled.
   */
  readonly why: 'changed' | 'violated' | 'added' | 'gone' | 'breach' | 'kept' | 'named' | 'touched';
  readonly table: string;
  readonly image: Row;
  /** What a rule says of it. */
  readonly raison?: string;
  /** The table and id of what is not there, and whether the row can be without it. */
  readonly lost?: { readonly table: string; readonly id: unknown; readonly isLoose: boolean };
  /** The changes of rows that may have brought it about. */
  readonly causes: readonly Cause[];
}

/** The changes to take back: of one act, or of several that are one. */
export interface Reversal {
  readonly changes: readonly Change[];
  readonly ordres: readonly KeptOrdre[];
  /** What was noted of books that had gone, for their readings. */
  readonly dormant: readonly Change[];
  /** The only one who may read the act; '' where all may. */
  readonly proprietaire: string;
  /** True for one record of an import: what is over, or one person's, goes with it and keeps nothing. */
  readonly isRecord: boolean;
}

/** Something that may have to wait until another row has given its name up. */
interface Step {
  readonly change: Change;
  readonly run: () => void;
  isParked?: boolean;
}

/**
 * The way back from changes: each row becomes what it was before them. `hindrances` tells what is in the way: each field
 * has to be as it was left, what was made unchanged and nobody's to lean on, what was deleted not there, and what a row
 * leads to there. Words (authors, themes) sleep and wake with what names them; where a row stands among others is never
 * in the way (docs/rules.md § 38).
 */
export class Inverse {
  readonly #records: Records<Transaction>;
  readonly #database: Transaction;
  readonly #reversal: Reversal;
  readonly #changes: readonly Change[];
  readonly #words: readonly Change[];
  readonly #byKey: ReadonlyMap<string, Change>;
  /** The rows that go, and those that come back. */
  readonly #going: ReadonlySet<string>;
  readonly #coming: ReadonlySet<string>;
  readonly #orders: readonly { readonly ordre: KeptOrdre; readonly was: readonly string[] }[];

  constructor(records: Records<Transaction>, reversal: Reversal) {
    this.#records = records;
    this.#database = records.database;
    this.#reversal = reversal;
    this.#changes = reversal.changes.filter(
      (change) => !this.#isWord(change.table) && isChanged(change),
    );
    this.#words = reversal.changes.filter(({ table }) => this.#isWord(table));
    this.#byKey = new Map(this.#changes.map((change) => [keyOf(change), change]));
    const keys = (some: readonly Change[]) => new Set(some.map(keyOf));
    this.#going = keys(this.#changes.filter(({ avant }) => avant === null));
    this.#orders = reversal.ordres.map((ordre) => ({ ordre, was: orderOf(records, ordre) }));
    this.#coming = keys(this.#changes.filter(({ apres }) => apres === null));
  }

  /** What is in the way as the household is. */
  hindrances(): Hindrance[] {
    return [
      ...this.#changes.toReversed().flatMap((change) => this.#hindering(change)),
      ...this.#words.toReversed().flatMap((word) => this.#hinderingWord(word)),
    ];
  }

  /** Does all of it, whatever is in the way; gives what forbids the state that comes of it. */
  run(): Hindrance[] {
    const forbidden = this.write();
    this.settle();
    return [...forbidden, ...this.breaches()];
  }

  /** Writes the rows; gives what cannot be written. */
  write(): Hindrance[] {
    this.#database.deferForeignKeys();
    return this.#perform(this.#begin()).map(({ change }) => this.#violated(change));
  }

  /** Puts in order what follows from the rows: lists, words that nothing names, what readings of gone books say. */
  settle(): void {
    for (const { avant } of this.#reversal.dormant)
      if (avant !== null) noteGoneLivre(this.#database, avant);
    for (const { ordre, was } of this.#orders) restoreOrder(this.#records, ordre, was);
    this.#renumber();
    this.#letSleep();
  }

  // What is in the way

  #hindering(change: Change): Hindrance[] {
    const { table, avant, apres } = change;
    if (this.#isOfGone(change)) return this.#hinderingGone(change);
    const image = apres ?? avant ?? {};
    const present = rows.readRow(this.#database, table, image);
    if (apres === null) {
      if (present === undefined)
        return this.#lost(table, image, this.#database.capture.columnsOf(table));
      return this.#isAlong(table, image) ? [] : [this.#changed(table, image)];
    }
    const changed = avant === null ? Object.keys(apres) : changedColumns(avant, apres);
    const fields = changed.filter((name) => this.#isField(table, name));
    if (present === undefined) {
      const isNobody = avant === null && this.#isSomeoneElses(image);
      const isOwn = avant !== null && fields.every((name) => this.#isOwnLink(table, image, name));
      // What has gone since is no part of a record that goes.
      if (avant === null && this.#reversal.isRecord) return [];
      return isNobody || isOwn || this.#isGoneAlong(table, image)
        ? []
        : [this.#changed(table, image, [])];
    }
    const others = fields.filter(
      (name) =>
        present[name] !== image[name] &&
        !(present[name] === null && this.#isEmptied(table, image, name)),
    );
    const isOfNoAccount = this.#isAlong(table, image) || this.#isOver(change, present);
    const hindered =
      others.length > 0 && !isOfNoAccount ? [this.#changed(table, image, others)] : [];
    return avant === null
      ? [...hindered, ...this.#leaning(change)]
      : [
          ...hindered,
          ...this.#touched(table, image),
          ...this.#lost(table, { ...present, ...avant }, fields),
        ];
  }

  /** What is in the way of such a link: the words that the record named when it went. */
  #hinderingGone(change: Change): Hindrance[] {
    const { table, cle, avant, apres } = change;
    const not = this.#deletions(change);
    const named = this.#namedByGone(change, not[0]);
    const kept = named?.find((entry) => entry.cle === cle)?.avant;
    if (named === undefined) return [];
    if (apres !== null) {
      const columns = Object.keys(apres).filter((name) => kept?.[name] !== apres[name]);
      const causes = [kept ? { table, cle, columns, not } : { table, cle, not }];
      return columns.length === 0 ? [] : [{ why: 'changed', table, image: apres, causes }];
    }
    const causes = named
      .filter((one) => !this.#byKey.has(keyOf(one)) && this.#areRivals(table, one.avant, avant))
      .map((rival) => ({ table, cle: rival.cle, not }));
    return causes.length === 0 ? [] : [{ why: 'violated', table, image: avant ?? {}, causes }];
  }

  /** What an import filled stays where anything of the record was changed since. */
  #touched(table: string, image: Row): Hindrance[] {
    if (!this.#reversal.isRecord) return [];
    const { capture } = this.#database;
    const fields = capture.columnsOf(table).filter((name) => this.#isField(table, name));
    return [this.#hinder('touched', table, image, fields)];
  }

  /** What leads to a row that is to go, and is not of the same changes. */
  #leaning({ table, cle, apres }: Change): Hindrance[] {
    const id = apres?.['id'];
    if (typeof id !== 'number') return [];
    const leaning = this.#leadingTo(table, id).filter(
      ({ rules, row, isLoose }) =>
        rules.goesAlong !== true &&
        (isLoose === 0 || ownerOf(row) === '') &&
        !(this.#reversal.isRecord && rules.isOver?.(row) === true),
    );
    return [
      ...leaning
        .slice(0, MAX_HINDRANCES)
        .map(({ from, column, row }) => this.#hinder('added', from, row, [column])),
      // What is deleted can be brought back.
      { why: 'kept', table, image: apres ?? {}, causes: [{ table, cle }] },
    ];
  }

  /** What a row would lead to that is not there, but for a loose link of one person's. */
  #lost(table: string, image: Row, columns: readonly string[]): Hindrance[] {
    return this.#database.capture
      .linksOf(table)
      .filter(({ column, target }) => {
        const id = image[column];
        return (
          columns.includes(column) &&
          typeof id === 'number' &&
          !this.#isOwnLink(table, image, column) &&
          !this.#willBe(target, id)
        );
      })
      .map(({ column, target, isLoose, isLeft }) => ({
        why: 'gone',
        table,
        image,
        lost: { table: target, id: image[column], isLoose: isLoose + isLeft > 0 },
        causes: [{ table: target, cle: String(image[column]), columns: [] }],
      }));
  }

  #hinderingWord({ table, first, last }: Change): Hindrance[] {
    const changed = changedColumns(first, last);
    const fields = changed.filter((name) => this.#isField(table, name));
    const id = Number(last['id']);
    const present =
      rows.readRow(this.#database, table, last) ?? dormantById(this.#database, table, id);
    const others =
      present === undefined ? [] : fields.filter((name) => present[name] !== last[name]);
    const { unique } = this.#records.rulesOf(table).vocabulary ?? {};
    // A name by which later acts have named it is in the way.
    const named =
      unique !== undefined && changed.includes(unique) && others.length === 0
        ? this.#leadingTo(table, id).map(({ from, column, row }) =>
            this.#hinder('named', from, row, [column]),
          )
        : [];
    return [...(others.length > 0 ? [this.#changed(table, last, others)] : []), ...named];
  }

  /** Whether a row is one person's and goes and comes with its record: changes of it hinder no undoing. */
  #isAlong(table: string, image: Row): boolean {
    const { goesAlong } = this.#records.rulesOf(table);
    if (goesAlong !== true || !this.#isSomeoneElses(image)) return false;
    return !this.#reversal.isRecord || this.#goesWithRecord(table, image);
  }

  /** Whether a row that an import made is over, as a returned loan is, and goes with its record. */
  #isOver({ table, avant }: Change, present: Row): boolean {
    if (!this.#reversal.isRecord || avant !== null) return false;
    const { isOver } = this.#records.rulesOf(table);
    return isOver?.(present) === true && this.#goesWithRecord(table, present);
  }

  #goesWithRecord(table: string, row: Row): boolean {
    const [column, record] = this.#records.rulesOf(table).partOf ?? [];
    return column !== undefined && this.#going.has(`${String(record)} ${String(row[column])}`);
  }

  /** Whether a row is one person's, and not of whom alone the act is shown to: that it has gone hinders no undoing. */
  #isSomeoneElses(image: Row): boolean {
    const owner = ownerOf(image);
    return owner !== '' && owner !== this.#reversal.proprietaire;
  }

  /** Whether a row that goes with its record is gone because that is. */
  #isGoneAlong(table: string, image: Row): boolean {
    const { goesAlong } = this.#records.rulesOf(table);
    const row = rows.wholeImage(this.#database, table, image);
    return (
      goesAlong === true &&
      this.#links(table, row).some(({ target, id }) => !this.#isThere(target, id))
    );
  }

  /** Whether a column that is empty by now may be so because what it led to has gone. */
  #isEmptied(table: string, image: Row, name: string): boolean {
    const links = this.#database.capture.linksOf(table);
    const isLoose = links.some((link) => link.column === name && link.isLoose === 1);
    return this.#reversal.isRecord ? isLoose : this.#isOwnLink(table, image, name);
  }

  /** Whether a column is a loose link of one person's row: it comes and goes with what it leads to. */
  #isOwnLink(table: string, image: Row, name: string): boolean {
    const links = this.#database.capture.linksOf(table);
    return (
      ownerOf(image) !== '' && links.some((link) => link.column === name && link.isLoose === 1)
    );
  }

  // The way back

  /** Deletes the rows that go, and returns the steps that are left. */
  #begin(): Step[] {
    const latestFirst = this.#changes.toSorted((a, b) => b.seq - a.seq);
    const steps: Step[] = this.#wakings();
    for (const change of latestFirst) this.#turnLinks(change);
    for (const change of latestFirst) {
      const { table, avant, apres } = change;
      if (this.#isOfGone(change)) this.#rewriteGone(change);
      else if (avant === null) this.#remove(table, apres ?? {});
      else if (apres === null) {
        const isBack = rows.readRow(this.#database, table, avant) !== undefined;
        if (!isBack || !this.#isAlong(table, avant))
          steps.push({ change, run: () => this.#restore(table, avant) });
      } else {
        const given = this.#given(change);
        if (this.#isReplaced(table)) {
          const whole = rows.wholeImage(this.#database, table, { ...apres, ...given });
          if (rows.readRow(this.#database, table, apres) === undefined) continue;
          rows.removeRow(this.#database, table, apres);
          steps.push({ change, run: () => this.#restore(table, whole) });
        } else steps.push({ change, run: () => this.#rewrite(table, apres, given) });
      }
    }
    return steps;
  }

  /** Rewrites the acts that deleted a record: undoing them brings it back with the words that it named before. */
  #rewriteGone(change: Change): void {
    const { table, cle, avant, apres } = change;
    const deletions = this.#deletions(change);
    const kept = this.#namedByGone(change, deletions[0])?.find((entry) => entry.cle === cle)?.avant;
    for (const act of deletions)
      rewriteDeleted(this.#database, act, change, avant && { ...kept, ...avant });
    noteChange(this.#database, { table, cle, avant: apres, apres: avant });
  }

  /** Does what is to be done, in whatever order names and numbers allow; gives what cannot be. */
  #perform(steps: Step[]): Step[] {
    let isAsleep = false;
    for (let left = steps; ;) {
      const before = left.length;
      left = left.filter(({ run }) => !succeeds(run));
      if (left.length === 0) return left;
      if (left.length < before || left.some((step) => this.#park(step))) continue;
      if (isAsleep) return left;
      // A word that these changes made, and that goes with them, may have a name that comes back.
      this.#letSleep(this.#words.filter(({ avant }) => avant === null));
      isAsleep = true;
    }
  }

  /** Gives a row a name for the time being, where two rows exchange theirs. */
  #park(step: Step): boolean {
    const { table, avant, apres } = step.change;
    if (step.isParked === true || avant === null || apres === null) return false;
    step.isParked = true;
    const names = this.#database.capture
      .uniquesOf(table)
      .flatMap(({ columns }) => columns)
      .filter((name) => typeof avant[name] === 'string' && avant[name] !== apres[name]);
    return names.some((name) =>
      [`~${String(apres['id'])}`, null].some((value) =>
        succeeds(() => rows.rewriteRow(this.#database, table, apres, { [name]: value })),
      ),
    );
  }

  /** The steps that wake the words which rows name again. */
  #wakings(): Step[] {
    const named = new Set(
      this.#changes.flatMap(({ table, avant }) =>
        avant === null
          ? []
          : this.#links(table, avant).map(({ target, id }) => `${target} ${String(id)}`),
      ),
    );
    const known = new Set(this.#words.map(keyOf));
    const others = [...named].flatMap((key): Step[] => {
      const [table = '', id] = key.split(' ');
      if (!this.#isWord(table) || known.has(key) || this.#isThere(table, Number(id))) return [];
      const image = { id: Number(id) };
      const change = {
        table,
        cle: String(id),
        avant: null,
        apres: null,
        first: image,
        last: image,
        seq: 0,
      };
      return [{ change, run: () => void wake(this.#database, table, Number(id)) }];
    });
    return [...this.#words.toReversed().map((change) => this.#waking(change, named)), ...others];
  }

  #waking(change: Change, named: ReadonlySet<string>): Step {
    const { table, first, last } = change;
    const given = rows.pick(first, changedColumns(first, last));
    const isRenamed = Object.keys(given).length > 0;
    const run = () => {
      if (rows.readRow(this.#database, table, last) !== undefined) {
        if (isRenamed) rows.rewriteRow(this.#database, table, last, given);
        return;
      }
      if (isRenamed) this.#renameDormant(change, given);
      if (named.has(keyOf(change)) && !wake(this.#database, table, Number(last['id'])))
        rows.restoreRow(this.#database, table, { ...last, ...given });
    };
    return { change, run: () => this.#database.attempt(run) };
  }

  /** Renames a word in its sleep: awake it might meet another one of the name that it had. */
  #renameDormant({ table, cle, last }: Change, given: Row): void {
    const id = Number(last['id']);
    const avant = dormantById(this.#database, table, id);
    if (avant === undefined) return;
    const apres = { ...avant, ...given };
    const unique = String(apres[this.#records.rulesOf(table).vocabulary?.unique ?? 'id']);
    rewriteDormant(this.#database, { table, id, cle: unique }, apres);
    // As if it had come and gone: the household is as it was, and the undoing can be taken back.
    noteChange(this.#database, { table, cle, avant: null, apres: avant });
    noteChange(this.#database, { table, cle, avant: apres, apres: null });
  }

  /** Turns a row that led to one that is to go, before it would go with it. */
  #turnLinks({ table, avant, apres }: Change): void {
    if (avant === null || apres === null) return;
    const columns = this.#database.capture
      .linksOf(table)
      .filter(
        ({ column, target }) =>
          avant[column] !== apres[column] && this.#going.has(`${target} ${String(apres[column])}`),
      )
      .map(({ column }) => column);
    if (columns.length > 0)
      succeeds(() => rows.rewriteRow(this.#database, table, apres, rows.pick(avant, columns)));
  }

  #remove(table: string, image: Row): void {
    const id = image['id'];
    if (typeof id === 'number')
      for (const { from, column, row, isLeft } of this.#leadingTo(table, id))
        if (isLeft === 1) rows.rewriteRow(this.#database, from, row, { [column]: null });
    rows.removeRow(this.#database, table, image);
  }

  #restore(table: string, image: Row): void {
    const whole = this.#withoutLost(table, image);
    if (rows.readRow(this.#database, table, image) === undefined)
      rows.restoreRow(this.#database, table, whole);
    else rows.rewriteRow(this.#database, table, image, whole);
  }

  #rewrite(table: string, key: Row, given: Row): void {
    if (Object.keys(given).length > 0)
      rows.rewriteRow(this.#database, table, key, this.#withoutLost(table, given));
  }

  /** What a rewritten row gets back: where it stands only if it stands in its list as it was left. */
  #given({ table, avant, apres }: Change): Row {
    const present = rows.readRow(this.#database, table, apres ?? {});
    if (avant === null || apres === null || present === undefined) return {};
    const isInList =
      JSON.stringify(listOf(this.#records, table, present)) ===
      JSON.stringify(listOf(this.#records, table, { ...present, ...apres }));
    const names = changedColumns(avant, apres).filter(
      (name) => !this.#isOrder(table, name) || (isInList && present[name] === apres[name]),
    );
    return rows.pick(avant, names);
  }

  /** A row without the loose links whose rows are not there. */
  #withoutLost(table: string, image: Row): Row {
    const lost = this.#database.capture
      .linksOf(table)
      .filter(({ column, target, isLoose, isLeft }) => {
        const id = image[column];
        return isLoose + isLeft > 0 && typeof id === 'number' && !this.#willBe(target, id);
      });
    return { ...image, ...Object.fromEntries(lost.map(({ column }) => [column, null])) };
  }

  /** Puts words to sleep that nothing names any more: those that were changed, and those that rows named. */
  #letSleep(some = this.#words): void {
    const ids = new Map<string, Set<number>>();
    const note = (table: string, id: number) =>
      ids.set(table, (ids.get(table) ?? new Set()).add(id));
    for (const { table, last } of some) note(table, Number(last['id']));
    if (some === this.#words)
      for (const { table, first, last } of this.#changes)
        for (const { target, id } of [...this.#links(table, first), ...this.#links(table, last)])
          if (this.#isWord(target)) note(target, id);
    for (const [table, of] of ids)
      this.#records.rulesOf(table).vocabulary?.deleteUnused(this.#database, [...of]);
  }

  #renumber(): void {
    const lists = new Map(
      this.#changes.flatMap(({ table, last }) => {
        const list = listOf(this.#records, table, last);
        return list === null ? [] : [[JSON.stringify(list), list] as const];
      }),
    );
    for (const list of lists.values()) renumber(this.#records, list);
  }

  // What forbids it

  /** What the rules forbid of the state. */
  breaches(): Hindrance[] {
    return this.#changes.flatMap(({ table, avant, first }): Hindrance[] => {
      const row = avant === null ? undefined : rows.readRow(this.#database, table, first);
      const breach = row && this.#records.rulesOf(table).findBreach?.(this.#database, row);
      if (!breach) return [];
      const causes = breach.rows.map(([of, id]) => ({ table: of, cle: String(id) }));
      return [{ why: 'breach', table, image: first, raison: breach.raison, causes }];
    });
  }

  /** The rows that have what one would need, and for a word what names them. */
  #violated({ table, avant, first, last }: Change): Hindrance {
    const image = avant ?? { ...last, ...first };
    const dormant = this.#isWord(table) && dormantById(this.#database, table, Number(last['id']));
    const causes = rows
      .rivalsOf(this.#database, table, { ...dormant, ...image })
      .flatMap(({ row, columns }) => [
        { table, cle: cleOf(this.#database, table, row), columns },
        ...this.#namings(table, row),
      ]);
    return { why: 'violated', table, image, causes };
  }

  /** What names a word, which stays while any of these does: the rows, and the records that they are of. */
  #namings(table: string, { id }: Row): Cause[] {
    if (!this.#isWord(table)) return [];
    return this.#leadingTo(table, Number(id)).flatMap(({ from, column, row, rules }) => {
      const [link = '', whole = ''] = rules.partOf ?? [];
      return [
        { table: from, cle: cleOf(this.#database, from, row), columns: [column] },
        ...(whole === '' ? [] : [{ table: whole, cle: String(row[link]), columns: [] }]),
      ];
    });
  }

  #changed(table: string, image: Row, columns?: readonly string[]): Hindrance {
    return this.#hinder('changed', table, image, columns);
  }

  #hinder(
    why: Hindrance['why'],
    table: string,
    image: Row,
    columns?: readonly string[],
  ): Hindrance {
    const cle = cleOf(this.#database, table, image);
    return { why, table, image, causes: [columns ? { table, cle, columns } : { table, cle }] };
  }

  // What has gone

  /** Whether a row links a record to a word, and the record has gone since: undoing its deletion brings the link back. */
  #isOfGone({ table, first }: Change): boolean {
    const { list, partOf: [column = '', record = ''] = [] } = this.#records.rulesOf(table);
    if (list?.table === undefined || !this.#isWord(list.table)) return false;
    const key = `${record} ${String(first[column])}`;
    const isOfThese = this.#coming.has(key) || this.#going.has(key);
    return !isOfThese && !this.#isThere(record, Number(first[column]));
  }

  /** The acts in force that deleted the record of such a row, the newest first. */
  #deletions({ table, first }: Change): number[] {
    const [column = '', record = ''] = this.#records.rulesOf(table).partOf ?? [];
    return deletionsOf(this.#database, { table: record, cle: String(first[column]) });
  }

  /** What such a record names when an act brings it back. */
  #namedByGone({ table, first }: Change, deletion: number | undefined): Change[] | undefined {
    if (deletion === undefined) return undefined;
    const [column = ''] = this.#records.rulesOf(table).partOf ?? [];
    const some = `nom = '${table}' AND avant ->> '${column}' = ${String(first[column])}`;
    return changesOf(this.#database, [deletion], some).filter(({ apres }) => apres === null);
  }

  #areRivals(table: string, one: Row | null, other: Row | null): boolean {
    return this.#database.capture
      .uniquesOf(table)
      .some(({ columns }) => columns.every((name) => one?.[name] === other?.[name]));
  }

  // Rows

  /** The rows that lead to one, but for those of the same changes that go or turn away. */
  #leadingTo(table: string, id: number) {
    const turns = (key: string, column: string) => {
      const change = this.#byKey.get(key);
      if (change === undefined || change.avant === null) return false;
      return change.avant[column] !== change.apres?.[column];
    };
    return this.#database.capture
      .linksTo(table)
      .flatMap(({ table: from, column, isLoose, isLeft }) => {
        const rules = this.#records.rulesOf(from);
        return rows
          .rowsLeadingTo(this.#database, from, column, id)
          .filter((row) => {
            const key = `${from} ${cleOf(this.#database, from, row)}`;
            return !this.#going.has(key) && !turns(key, column);
          })
          .map((row) => ({ from, column, row, rules, isLoose, isLeft }));
      });
  }

  #links(table: string, image: Row): { readonly target: string; readonly id: number }[] {
    return this.#database.capture.linksOf(table).flatMap(({ column, target }) => {
      const id = image[column];
      return typeof id === 'number' ? [{ target, id }] : [];
    });
  }

  #isThere(table: string, id: number): boolean {
    return rows.readRow(this.#database, table, { id }) !== undefined;
  }

  /** Whether a row is there once all is as it was; a word always wakes. */
  #willBe(table: string, id: number): boolean {
    const key = `${table} ${String(id)}`;
    if (this.#isWord(table) || this.#coming.has(key)) return true;
    return !this.#going.has(key) && this.#isThere(table, id);
  }

  #isWord(table: string): boolean {
    return this.#records.rulesOf(table).vocabulary !== undefined;
  }

  /** Whether rows are entries of a list that nothing leads to: they are written anew, not rewritten. */
  #isReplaced(table: string): boolean {
    return (
      this.#records.rulesOf(table).list !== undefined &&
      this.#database.capture.linksTo(table).length === 0
    );
  }

  #isOrder(table: string, name: string): boolean {
    return this.#records.rulesOf(table).order?.columns.includes(name) === true;
  }

  /** Whether a column is what somebody entered or chose: in another state it is in the way. */
  #isField(table: string, name: string): boolean {
    if (isDerived(name) || this.#isOrder(table, name)) return false;
    const { entered } = this.#records.rulesOf(table);
    return !this.#reversal.isRecord || entered === undefined || entered.includes(name);
  }
}

/** More of one kind say nothing new. */
const MAX_HINDRANCES = 20;

const keyOf = ({ table, cle }: Pick<Change, 'table' | 'cle'>): string => `${table} ${cle}`;

function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (isAnyViolation(error)) return false;
    throw error;
  }
}
