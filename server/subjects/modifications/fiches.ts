import type { Row, RowChange } from '#shared/change-reader';
import { collectionNames } from '#shared/collection-names';
import type { ChampModifie, Fiche } from '#shared/modifications';
import { shortened } from '#shared/text';
import type { ListRules } from '#server/plumbing/records/kind';
import type { RecordOfRow, Records } from '#server/plumbing/records/records';
import { isOrderOfValues, namedValueOf } from '#server/plumbing/writes/named-values';
import { changedColumns, ownerOf } from '#server/plumbing/writes/traces';

/** How many records are described field by field; others only by name. */
const MAX_DETAILED = 20;
const MAX_FICHES = 1000;
const MAX_TEXT = 300;

interface RecordChanges {
  readonly record: RecordOfRow;
  readonly rows: RowChange[];
}

/** Describes the records that a modification changed, except those of another person's lists. */
export function describeFiches(
  records: Records,
  net: readonly RowChange[],
  proprietaire: string,
): Fiche[] {
  const touched = new Map<string, RecordChanges>();
  for (const step of net) {
    const row = step.apres ?? step.avant ?? {};
    const record = records.recordOf(step.table, row);
    if (record === undefined || (proprietaire === '' && ownerOf(row) !== '')) continue;
    const key = `${record.collection} ${String(record.id)}`;
    const known = touched.get(key) ?? { record, rows: [] };
    known.rows.push(step);
    touched.set(key, known);
  }
  // A deleted record may be touched only by changes of rows that it references.
  const isKnown = (one: RecordChanges) => titreOf(records, one) !== null;
  const all = [...touched.values()]
    .filter(isKnown)
    .sort((a, b) => orderOf(a) - orderOf(b))
    .slice(0, MAX_FICHES);
  const entryName = entryNamer(records, net);
  return all.map((one, index) => toFiche(records, entryName, one, index < MAX_DETAILED));
}

const orderOf = ({ record }: RecordChanges): number => collectionNames.indexOf(record.collection);

/** The name of a list's entry, by its row in the list, even if the modification deleted it. */
type EntryName = (list: ListRules, row: Row) => unknown;

function entryNamer(records: Records, net: readonly RowChange[]): EntryName {
  const gone = new Map(
    net.flatMap(({ table, avant }) =>
      avant === null ? [] : [[`${table} ${String(avant['id'])}`, avant] as const],
    ),
  );
  return ({ column, table, name }, row) =>
    table === undefined
      ? row[column]
      : (records.nameIn(table, name, row[column]) ??
        gone.get(`${table} ${String(row[column])}`)?.[name]);
}

function toFiche(
  records: Records,
  entryName: EntryName,
  touched: RecordChanges,
  isDetailed: boolean,
): Fiche {
  const { record, rows } = touched;
  const own = ownChange(touched);
  return {
    collection: record.collection,
    id: record.id,
    titre: cut(titreOf(records, touched)) ?? '',
    ajoutee: own !== undefined && own.avant === null,
    supprimee: own !== undefined && own.apres === null,
    champs:
      isDetailed && !isGiven(touched)
        ? [...ownChamps(records, touched), ...partChamps(records, entryName, rows)]
        : [],
  };
}

const ownChange = ({ record, rows }: RecordChanges): RowChange | undefined =>
  rows.find(({ table }) => table === record.kind.projection.table);

function titreOf(records: Records, touched: RecordChanges): string | null {
  const { collection, id, kind } = touched.record;
  const own = ownChange(touched);
  const name = (own?.apres ?? own?.avant)?.[kind.naming.column];
  return typeof name === 'string' ? name : records.nameOf(collection, id);
}

/** Whether the record changed its owner: its former values belong to the former owner only. */
function isGiven(touched: RecordChanges): boolean {
  const { avant = null, apres = null } = ownChange(touched) ?? {};
  const { owner } = touched.record.kind;
  return owner !== undefined && avant !== null && apres !== null && avant[owner] !== apres[owner];
}

/** The changed fields of the record itself; none of a new one, which has a page of its own. */
function ownChamps(records: Records, touched: RecordChanges): ChampModifie[] {
  const own = ownChange(touched);
  if (own === undefined || own.avant === null) return [];
  const { table, avant, apres } = own;
  const { derived = [], notInHistory = [], order } = records.rulesOf(table);
  const { owner } = touched.record.kind;
  const others = new Set(['id', owner, ...derived, ...notInHistory, ...(order?.columns ?? [])]);
  const names = apres === null ? Object.keys(avant) : changedColumns(avant, apres);
  return names
    .filter((name) => !others.has(name) && !isOrderOfValues(name))
    .map((name) => champOf(name, avant, apres))
    .filter(({ avant: before, apres: after }) => before !== after);
}

/** The changed lists of the record (authors, themes, articles, places), and its loans and statuses. */
function partChamps(
  records: Records,
  entryName: EntryName,
  rows: readonly RowChange[],
): ChampModifie[] {
  const lists = records.lists.flatMap(([table, list]): ChampModifie[] => {
    const { champ } = list;
    const some = rows.filter((step) => step.table === table);
    const textOf = (images: readonly (Row | null)[]) =>
      images
        .filter((image) => image !== null)
        .sort((a, b) => Number(a['position']) - Number(b['position']))
        .map((image) => entryName(list, image))
        .filter((text) => typeof text === 'string')
        .join('\n');
    const avant = cut(textOf(some.map((step) => step.avant)) || null);
    const apres = cut(textOf(some.map((step) => step.apres)) || null);
    return avant === apres ? [] : [{ champ, avant, apres }];
  });
  const values = rows.flatMap(({ table, avant, apres }) =>
    (records.rulesOf(table).fields ?? [])
      .map((champ) => ({ champ, avant: value(avant, champ), apres: value(apres, champ) }))
      .filter((each) => each.avant !== each.apres),
  );
  return [...lists, ...values];
}

/** A detail is shown under its name: `details:Traduction`. */
function champOf(name: string, avant: Row, apres: Row | null): ChampModifie {
  const [before, after] = [namedValueOf(name, avant[name]), namedValueOf(name, apres?.[name])];
  const named = after ?? before;
  if (named === null) return { champ: name, avant: value(avant, name), apres: value(apres, name) };
  return {
    champ: `details:${named.nom}`,
    avant: cut(before?.valeur ?? null),
    apres: cut(after?.valeur ?? null),
  };
}

function value(row: Row | null, name: string): string | number | null {
  const given = row?.[name];
  return typeof given === 'number' ? given : cut(typeof given === 'string' ? given : null);
}

const cut = (text: string | null): string | null => text && shortened(text, MAX_TEXT);
