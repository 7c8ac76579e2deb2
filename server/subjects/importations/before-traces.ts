import type { Row } from '#shared/change-reader';
import type { ExportKind } from '#shared/export';
import { cleRegroupement, normaliser } from '#shared/text';
import { parseStored } from '#server/plumbing/common/stored-json';
import type { Transaction } from '#server/plumbing/database/connection';
import type { Records } from '#server/plumbing/records/records';
import { readRow, cleOf, forgetTrace, writeLine } from '#server/plumbing/writes/traces';

interface Auteur {
  readonly id: number;
  readonly nom: string;
  readonly fullForm: string | null;
}

/** The ids of an import's records, as stored before version 1.1. */
interface Products {
  readonly livres: readonly number[];
  readonly statuts: readonly (readonly [livreId: number, statut: number])[];
  readonly souhaits: readonly number[];
  readonly prets: readonly number[];
  readonly series?: readonly number[];
  readonly places?: readonly number[];
  readonly filled?: readonly number[];
  readonly pretDigests?: readonly (readonly [id: number, digest: string])[];
  readonly noms?: readonly { readonly former: Auteur; readonly given: Auteur }[];
  readonly rest?: {
    readonly refus?: readonly (readonly [number, number])[];
    readonly records?: readonly (readonly [ExportKind, id: number, digest: string])[];
    readonly given?: readonly (readonly [ExportKind, number, string, string, (string | null)?])[];
  };
}

interface Importation {
  readonly acte: number;
  readonly utilisateur: string;
  readonly made: string;
}

/**
 * Writes `Trace` entries for imports older than that table, so that they can be undone: the present row without the
 * effects of later modifications. A household of 1.0 may have imported on the day of its update to any version:
 * remove this with 2.0, the first version that opens no database of 1.0 (CHANGELOG.md).
 */
export function traceOlderImportations(records: Records<Transaction>): void {
  const { database } = records;
  const older = database.all<Importation & { id: number }>(
    `SELECT i.id, min(m.id) AS acte, i.utilisateur, json_group_array(json(x.made)) AS made
     FROM Importation i
     JOIN Modification m ON m.importationId = i.id AND m.operation = 'importer' AND m.annuleeParId IS NULL
     JOIN (SELECT id AS of, made FROM Importation WHERE made IS NOT NULL
           UNION ALL SELECT importationId, made FROM ImportationLigne WHERE made IS NOT NULL) x ON x.of = i.id
     WHERE i.etat = 'faite' GROUP BY i.id`,
  );
  for (const importation of older) new OlderImportation(records, importation).trace();
  database.run('UPDATE Importation SET made = NULL WHERE made IS NOT NULL');
  database.run('UPDATE ImportationLigne SET made = NULL WHERE made IS NOT NULL');
}

class OlderImportation {
  readonly #records: Records<Transaction>;
  readonly #database: Transaction;
  readonly #importation: Importation;
  readonly #entries = new Map<string, ReadonlyMap<number, readonly string[]>>();
  #seq: number;

  constructor(records: Records<Transaction>, importation: Importation) {
    this.#records = records;
    this.#database = records.database;
    this.#importation = importation;
    this.#seq = importation.acte * 1_000_000;
  }

  trace(): void {
    const { acte, utilisateur, made } = this.#importation;
    forgetTrace(this.#database, acte);
    for (const part of parseStored<Products[]>(made)) {
      for (const { former, given } of part.noms ?? [])
        this.#write('Auteur', { id: given.id }, columnsOf(former), columnsOf(given));
      for (const id of part.series ?? []) this.#writeMade('Serie', { id });
      for (const [premierId, secondId] of part.rest?.refus ?? [])
        this.#writeMade('FusionRefusee', { premierId, secondId });
      for (const [kind, id] of part.rest?.records ?? []) this.#writeRecord(kind, id);
      for (const id of part.livres) this.#writeRecord('livres', id);
      for (const id of part.souhaits) this.#writeMade('Souhait', { id });
      for (const [livreId] of part.statuts) this.#writeMade('Statut', { livreId, utilisateur });
      for (const id of part.pretDigests?.map(([pret]) => pret) ?? part.prets)
        this.#writeMade('Pret', { id });
      for (const id of part.places ?? []) this.#writeMade('Place', { id });
      for (const id of part.filled ?? []) {
        const livreId = this.#imageOf('Place', { id })?.['livreId'];
        if (typeof livreId === 'number')
          this.#write('Place', { id }, { livreId: null }, { livreId });
      }
      for (const [kind, id, field, value, former = null] of part.rest?.given ?? [])
        this.#write(this.#tableOf(kind), { id }, { [field]: former }, { [field]: value });
    }
  }

  /** A record with its entries: the authors of a book, the themes and articles of an issue. */
  #writeRecord(kind: ExportKind, id: number): void {
    const table = this.#tableOf(kind);
    this.#writeMade(table, { id });
    for (const [part] of this.#records.lists) {
      const [column, of] = this.#records.rulesOf(part).partOf ?? ['', ''];
      if (of !== table || part === 'Place') continue;
      const keys = this.#database.values<string>(
        `SELECT ${this.#asJson(part)} FROM "${part}" WHERE "${column}" = ?`,
        id,
      );
      keys.push(...(this.#formerEntries(part, column).get(id) ?? []));
      const rows = new Map(
        keys.map((text) => {
          const row = parseStored<Row>(text);
          return [cleOf(this.#database, part, row), row] as const;
        }),
      );
      for (const row of rows.values()) this.#writeMade(part, row);
    }
  }

  #asJson(part: string): string {
    const columns = this.#database.capture.columnsOf(part);
    return `json_object(${columns.map((name) => `'${name}', "${name}"`).join(', ')})`;
  }

  /** The entries of a list that later acts touched, by their record: read once, since an import may have made thousands. */
  #formerEntries(part: string, column: string): ReadonlyMap<number, readonly string[]> {
    const known = this.#entries.get(part);
    if (known !== undefined) return known;
    const touched = this.#database.all<{ owner: number; entry: string }>(
      `SELECT coalesce(avant, apres) ->> ? AS owner, coalesce(avant, apres) AS entry FROM Trace
       WHERE nom = ? AND acte > ?`,
      column,
      part,
      this.#importation.acte,
    );
    const entries = new Map<number, string[]>();
    for (const { owner, entry } of touched)
      entries.set(owner, [...(entries.get(owner) ?? []), entry]);
    this.#entries.set(part, entries);
    return entries;
  }

  #tableOf(kind: ExportKind): string {
    return this.#records.kind(this.#records.collectionOf(kind)).projection.table;
  }

  #writeMade(table: string, key: Row): void {
    const image = this.#imageOf(table, key);
    if (image !== null) this.#insert(table, key, null, image);
  }

  #write(table: string, key: Row, avant: Row, apres: Row): void {
    this.#insert(table, key, { ...key, ...avant }, { ...key, ...apres });
  }

  #insert(table: string, key: Row, avant: Row | null, apres: Row): void {
    this.#seq++;
    const cle = cleOf(this.#database, table, key);
    const { acte: modificationId } = this.#importation;
    writeLine(this.#database, { modificationId, seq: this.#seq, table, cle, avant, apres });
  }

  /** A row as the import left it: the present one without later changes. */
  #imageOf(table: string, key: Row): Row | null {
    const { acte } = this.#importation;
    const since = this.#database.all<{ avant: string | null; apres: string | null }>(
      `SELECT avant, apres FROM Trace
       WHERE nom = ? AND cle = ? AND acte <> ? AND seq > ? ORDER BY seq DESC`,
      table,
      cleOf(this.#database, table, key),
      acte,
      acte * 1_000_000,
    );
    return since.reduce<Row | null>(
      (image, { avant, apres }) =>
        avant === null ? null : { ...(apres === null ? {} : image), ...parseStored<Row>(avant) },
      readRow(this.#database, table, key) ?? null,
    );
  }
}

const columnsOf = ({ nom, fullForm }: Auteur): Row => ({
  nom,
  formePleine: fullForm,
  nomNormalise: normaliser(nom),
  cleRegroupement: cleRegroupement(nom),
});
