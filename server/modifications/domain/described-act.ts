import { formatNumero } from '#shared/numeros';
import type { Row } from '#server/database/columns';
import type { Database } from '#server/database/database';
import type { Step } from '#server/database/trace';
import { readName } from '../store/rows.ts';
import { ownerOf, type Changes } from './changes.ts';
import { currentName, recordOf } from './tables.ts';

const STATUTS = ['à lire', 'en cours', 'lu'];

/**
 * An act with the rows that it changed and the answer to its request: what its sentence is made of. Of
 * a shared act only shared rows are seen.
 */
export class DescribedAct {
  readonly #database: Database;
  readonly #net: readonly Step[];
  readonly #answer: unknown;

  constructor(database: Database, { net, proprietaire }: Changes, answer: unknown) {
    this.#database = database;
    this.#net = net.filter(({ avant, apres }) => ownerOf(apres ?? avant) === proprietaire);
    this.#answer = answer;
  }

  /** The title of the book that the act is about. */
  livre(): string {
    return this.#titreOf('Livre');
  }

  serie(): string {
    return this.#titreOf('Serie');
  }

  /** An issue with its periodical: « Rivages n° 12 ». */
  numero(): string {
    const answer: unknown = this.#answer;
    const row = this.#row('Numero') ?? (isRow(answer) ? answer : {});
    const revue = readName(this.#database, 'Revue', 'titre', row['revueId']) ?? '';
    return `${revue} ${formatNumero(textOf(row['numero']))}`.trim();
  }

  /** A column of the first changed row of a table: after the act, or before it where the row is deleted. */
  name(table: string, column: string): string {
    const given = this.#row(table)?.[column];
    return textOf(given) || this.answer(column);
  }

  /** A column of the first changed row of a table after the act; `null` where the row is deleted. */
  field(table: string, column: string): unknown {
    return this.#of(table)[0]?.apres?.[column] ?? null;
  }

  /** A column of the deleted rows, separated by commas. */
  deleted(table: string, column: string): string {
    return this.#of(table)
      .filter(({ apres }) => apres === null)
      .map(({ avant }) => String(avant?.[column]))
      .join(', ');
  }

  /** A column of the rewritten row, before and after. */
  renamed(table: string, column: string): [string, string] {
    const kept = this.#of(table).find(({ avant, apres }) => avant !== null && apres !== null);
    const before = textOf(kept?.avant?.[column]) || this.deleted(table, column);
    return [before, textOf(kept?.apres?.[column]) || this.answer(column)];
  }

  /** A text field of the answer to the request; '' where it has none. */
  answer(name: string): string {
    const given: unknown = Reflect.get(Object(this.#answer), name);
    return typeof given === 'string' ? given : '';
  }

  /** The two authors of a refused merge. */
  refused(): string[] {
    const row = this.#row('FusionRefusee') ?? {};
    return [row['premierId'], row['secondId']].map(
      (id) => readName(this.#database, 'Auteur', 'nom', id) ?? '',
    );
  }

  /** Whether the first row of a table is new. */
  isNew(table: string): boolean {
    return this.#of(table)[0]?.avant === null;
  }

  /** The reading status that was set. */
  statut(): string {
    const given = this.field('Statut', 'statut');
    return (typeof given === 'number' && STATUTS[given]) || 'pas commencé';
  }

  /** What was done to several books at once. */
  lot(): string {
    const lent = this.#of('Pret');
    const emprunteur = this.#row('Pret')?.['emprunteur'];
    const statut = this.#of('Statut');
    const livres = this.#of('Livre');
    const places = this.#of('Place');
    if (livres.some(({ apres }) => apres === null)) return count(livres.length, 'supprimé');
    if (lent.some(({ avant }) => avant === null))
      return `${count(lent.length, 'prêté')} à ${String(emprunteur)}`;
    if (lent.length > 0) return count(lent.length, 'rendu');
    if (places.length > 0)
      return `${count(places.filter(({ apres }) => apres?.['livreId']).length, 'placé')} dans la série ${this.serie()}`;
    if (statut.length > 0) return `${count(statut.length, '')} : ${this.statut()}`;
    return count(livres.length, 'modifié');
  }

  /** The books that took what the outside catalogues know of them. */
  completed(): string {
    const livres = this.#of('Livre');
    return livres.length === 1
      ? `Livre complété : ${this.livre()}`
      : count(livres.length, 'complété');
  }

  /** The sentence of an operation without one of its own: what happened to the first record. */
  anything(): string {
    for (const { table, avant, apres } of this.#net) {
      const row = apres ?? avant ?? {};
      const record = recordOf(table, row);
      if (record === undefined) continue;
      const name = currentName(this.#database, record) ?? textOf(row[record.kind.name]);
      return `${record.kind.table} modifié${record.kind.ending} : ${name}`;
    }
    return 'Modification de la bibliothèque';
  }

  #titreOf(table: 'Livre' | 'Serie'): string {
    const column = table === 'Livre' ? 'livreId' : 'serieId';
    const row = this.#row(table);
    if (row !== null) return String(row['titre']);
    const part = this.#net
      .map(({ avant, apres }) => apres?.[column] ?? avant?.[column])
      .find((id) => typeof id === 'number');
    return readName(this.#database, table, 'titre', part ?? 0) ?? this.answer('titre');
  }

  #of(table: string): Step[] {
    return this.#net.filter((step) => step.table === table);
  }

  #row(table: string): Row | null {
    const [first] = this.#of(table);
    return first?.apres ?? first?.avant ?? null;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;

function count(number: number, participle: string): string {
  const many = number > 1;
  const livres = many ? 'livres' : 'livre';
  return `${String(number)} ${livres} ${participle === '' || !many ? participle : `${participle}s`}`.trim();
}
