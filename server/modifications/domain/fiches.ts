import type { ChampModifie, Fiche } from '#shared/modifications';
import type { Row } from '#server/database/columns';
import type { Database } from '#server/database/database';
import type { Step } from '#server/database/trace';
import { readName } from '../store/rows.ts';
import { changedColumns, ownerOf, type Changes } from './changes.ts';
import { currentName, orderOf, PARTS, recordOf, type RecordOfRow } from './tables.ts';

/** Records that are described field by field; of the others only the id is kept, since devices hold them. */
const MAX_DETAILED = 20;
const MAX_FICHES = 1000;
const MAX_TEXT = 300;

/** Columns that are derived by rules, or that no person edits: they are not shown. */
const DERIVED =
  /Normalise$|^cle[A-Z]|^(?:id|livreId|utilisateur|formePleine|position|rang|dateAjout|ajoutePar|couvertureCle)$/;

/** The rows of one record that an act changed. */
interface Touched {
  readonly record: RecordOfRow;
  readonly rows: Step[];
}

/** The records that an act touched, and their fields; of a shared act nothing that is personal. */
export function describeFiches(database: Database, { net, proprietaire }: Changes): Fiche[] {
  const touched = new Map<string, Touched>();
  for (const step of net) {
    const row = step.apres ?? step.avant ?? {};
    const record = recordOf(step.table, row);
    if (record === undefined || (proprietaire === '' && ownerOf(row) !== '')) continue;
    const key = `${record.kind.table} ${String(record.id)}`;
    const known = touched.get(key) ?? { record, rows: [] };
    known.rows.push(step);
    touched.set(key, known);
  }
  const all = [...touched.values()]
    .sort((a, b) => orderOf(a.record) - orderOf(b.record))
    .slice(0, MAX_FICHES);
  const names = new Names(database, net);
  return all.map((one, index) => toFiche(database, names, one, index < MAX_DETAILED));
}

/** The names of list entries, those deleted by the act included. */
class Names {
  readonly #database: Database;
  readonly #gone: ReadonlyMap<string, Row>;

  constructor(database: Database, net: readonly Step[]) {
    this.#database = database;
    this.#gone = new Map(
      net.flatMap(({ table, avant }) =>
        avant === null ? [] : [[`${table} ${String(avant['id'])}`, avant] as const],
      ),
    );
  }

  /** One entry of a list, by the row that stands in it. */
  of(part: string, row: Row): unknown {
    const { column, table, name } = PARTS[part] ?? {};
    if (column === undefined || name === undefined) return undefined;
    if (table === undefined) return row[column];
    const gone = this.#gone.get(`${table} ${String(row[column])}`);
    return readName(this.#database, table, name, row[column]) ?? gone?.[name];
  }
}

function toFiche(
  database: Database,
  names: Names,
  { record, rows }: Touched,
  isDetailed: boolean,
): Fiche {
  const own = rows.find(({ table }) => table === record.kind.table);
  const row = own?.apres ?? own?.avant;
  const name = row === undefined || row === null ? null : row[record.kind.name];
  const titre = typeof name === 'string' ? name : currentName(database, record);
  return {
    collection: record.kind.collection,
    id: record.id,
    titre: isDetailed ? (titre ?? '') : '',
    ajoutee: own !== undefined && own.avant === null,
    supprimee: own !== undefined && own.apres === null,
    champs: isDetailed ? [...ownChamps(own), ...partChamps(names, rows)] : [],
  };
}

/** The changed fields of the record itself; none of a new one, which is read on its own page. */
function ownChamps(own: Step | undefined): ChampModifie[] {
  if (own === undefined || own.avant === null) return [];
  const { avant, apres } = own;
  const names = apres === null ? Object.keys(avant) : changedColumns(avant, apres);
  return names
    .filter((name) => !DERIVED.test(name))
    .map((champ) => ({ champ, avant: value(avant, champ), apres: value(apres, champ) }))
    .filter(({ avant: before, apres: after }) => before !== after);
}

/** The lists of the record that changed (authors, themes, articles, places), its loans and statuses. */
function partChamps(names: Names, rows: readonly Step[]): ChampModifie[] {
  const lists = Object.entries(PARTS).flatMap(([table, { champ }]): ChampModifie[] => {
    const some = rows.filter((step) => step.table === table);
    const textOf = (images: readonly (Row | null)[]) =>
      images
        .filter((image) => image !== null)
        .sort((a, b) => Number(a['position']) - Number(b['position']))
        .map((image) => names.of(table, image))
        .filter((text) => typeof text === 'string')
        .join('\n');
    const avant = cut(textOf(some.map((step) => step.avant)) || null);
    const apres = cut(textOf(some.map((step) => step.apres)) || null);
    return avant === apres ? [] : [{ champ, avant, apres }];
  });
  const values = rows
    .filter(({ table }) => table === 'Pret' || table === 'Statut')
    .flatMap(({ avant, apres }) =>
      ['emprunteur', 'datePret', 'dateRetour', 'statut']
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
