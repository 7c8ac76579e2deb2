import { collectionNames } from '#shared/collections';
import type { ChampModifie, Fiche } from '#shared/modifications';
import type { Row, RowChange } from '#shared/change-reader';
import type { ListRules } from '#server/plumbing/records/kind';
import type { RecordOfRow, Records } from '#server/plumbing/records/records';
import { changedColumns, ownerOf } from './traces.ts';

/** Records that are described field by field; the others only by name. */
const MAX_DETAILED = 20;
const MAX_FICHES = 1000;
const MAX_TEXT = 300;

/** Columns that are derived by rules, or that no person edits: they are not shown. */
const DERIVED =
  /Normalise$|ParStatut$|^cle[A-Z]|^(?:id|livreId|utilisateur|formePleine|nomChoisi|position|rang|ordre|dateAjout|ajoutePar|couvertureCle)$/;

/** The rows of one record that an act changed. */
interface Touched {
  readonly record: RecordOfRow;
  readonly rows: RowChange[];
}

/** The records that an act touched, and their fields; of a shared act nothing that is personal. */
export function describeFiches(
  records: Records,
  net: readonly RowChange[],
  proprietaire: string,
): Fiche[] {
  const touched = new Map<string, Touched>();
  for (const step of net) {
    const row = step.apres ?? step.avant ?? {};
    const record = records.recordOf(step.table, row);
    if (record === undefined || (proprietaire === '' && ownerOf(row) !== '')) continue;
    const key = `${record.collection} ${String(record.id)}`;
    const known = touched.get(key) ?? { record, rows: [] };
    known.rows.push(step);
    touched.set(key, known);
  }
  // Of a record that has gone only what it names may change.
  const isKnown = (one: Touched) => titreOf(records, one) !== null;
  const all = [...touched.values()]
    .filter(isKnown)
    .sort((a, b) => orderOf(a) - orderOf(b))
    .slice(0, MAX_FICHES);
  const names = new Names(records, net);
  return all.map((one, index) => toFiche(records, names, one, index < MAX_DETAILED));
}

/** Books first, their authors behind. */
const orderOf = ({ record }: Touched): number => collectionNames.indexOf(record.collection);

/** The names of list entries, those deleted by the act included. */
class Names {
  readonly #records: Records;
  readonly #gone: ReadonlyMap<string, Row>;

  constructor(records: Records, net: readonly RowChange[]) {
    this.#records = records;
    this.#gone = new Map(
      net.flatMap(({ table, avant }) =>
        avant === null ? [] : [[`${table} ${String(avant['id'])}`, avant] as const],
      ),
    );
  }

  /** One entry of a list, by the row that stands in it. */
  of({ column, table, name }: ListRules, row: Row): unknown {
    if (table === undefined) return row[column];
    const gone = this.#gone.get(`${table} ${String(row[column])}`);
    return this.#records.nameIn(table, name, row[column]) ?? gone?.[name];
  }
}

function toFiche(records: Records, names: Names, touched: Touched, isDetailed: boolean): Fiche {
  const { record, rows } = touched;
  const own = ownChange(touched);
  return {
    collection: record.collection,
    id: record.id,
    titre: cut(titreOf(records, touched)) ?? '',
    ajoutee: own !== undefined && own.avant === null,
    supprimee: own !== undefined && own.apres === null,
    champs: isDetailed ? [...ownChamps(own), ...partChamps(records, names, rows)] : [],
  };
}

const ownChange = ({ record, rows }: Touched): RowChange | undefined =>
  rows.find(({ table }) => table === record.kind.source.table);

function titreOf(records: Records, touched: Touched): string | null {
  const { collection, id, kind } = touched.record;
  const own = ownChange(touched);
  const name = (own?.apres ?? own?.avant)?.[kind.naming.column];
  return typeof name === 'string' ? name : records.nameOf(collection, id);
}

/** The changed fields of the record itself; none of a new one, which is read on its own page. */
function ownChamps(own: RowChange | undefined): ChampModifie[] {
  if (own === undefined || own.avant === null) return [];
  const { avant, apres } = own;
  const names = apres === null ? Object.keys(avant) : changedColumns(avant, apres);
  return names
    .filter((name) => !DERIVED.test(name))
    .map((champ) => ({ champ, avant: value(avant, champ), apres: value(apres, champ) }))
    .filter(({ avant: before, apres: after }) => before !== after);
}

/** The lists of the record that changed (authors, themes, articles, places), its loans and statuses. */
function partChamps(records: Records, names: Names, rows: readonly RowChange[]): ChampModifie[] {
  const lists = records.lists.flatMap(([table, list]): ChampModifie[] => {
    const { champ } = list;
    const some = rows.filter((step) => step.table === table);
    const textOf = (images: readonly (Row | null)[]) =>
      images
        .filter((image) => image !== null)
        .sort((a, b) => Number(a['position']) - Number(b['position']))
        .map((image) => names.of(list, image))
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

function value(row: Row | null, name: string): string | number | null {
  const given = row?.[name];
  return typeof given === 'number' ? given : cut(typeof given === 'string' ? given : null);
}

const cut = (text: string | null): string | null =>
  text !== null && text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
