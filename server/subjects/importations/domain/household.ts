import {
  exportKindNames,
  type ExportKind,
  type ExportLivre,
  type ExportRecord,
} from '#shared/export';
import { cleRegroupement, textKey } from '#shared/text';
import type { Transaction } from '#server/plumbing/database/transaction';
import {
  auteurRecordByKey,
  deleteUnused,
  insertAuteur,
  updateNoms,
  wakeAuteur,
} from '#server/subjects/auteurs/store/auteurs';
import { idPair, insertRefus, listRefus } from '#server/subjects/auteurs/store/fusions';
import { LocationFinder } from '#server/subjects/emplacements';
import { oeuvreOf } from '#server/subjects/lectures/domain/lectures';
import { KnownLectures } from '#server/subjects/lectures/domain/restoring';

import { updateLivre } from '#server/subjects/livres/store/livres';
import { insertPret, pretsOfLivre } from '#server/subjects/prets';
import type { Restored } from '#server/plumbing/records/kind';
import type { Records } from '#server/plumbing/records/records';
import { list as souhaits, writePlaceOfSouhait } from '#server/subjects/souhaits/souhaits';
import type { MadeRest } from '../store/importations.ts';
import type { Row } from './row.ts';
import { readReste } from '../store/reste.ts';
import { digestOf } from './undo-rest.ts';
import { giveCover } from './pictures.ts';

/** A wish that was made, with its rank and place in the export. */
interface MadeSouhait {
  readonly id: number;
  readonly rang: number;
  readonly placeId: number | null;
}

/**
 * Makes real what an export of a household holds besides its rows: authors and refused merges before
 * the books, the rest after them. Records that the household has already stay (docs/rules.md § 41).
 */
export class HouseholdRest {
  readonly #records: Records<Transaction>;
  readonly #database: Transaction;
  readonly #importationId: number;
  readonly #utilisateur: string | null;
  /** Ids of the file → ids of this household. */
  readonly #auteurs = new Map<number, number>();
  readonly #ids = new Map<ExportKind, Map<number, number>>();
  readonly #souhaits: MadeSouhait[] = [];
  #lectures: KnownLectures | null = null;
  /** Where new books stand in the file, by its id or by names. */
  readonly #standing: (readonly [livreId: number, where: number | readonly string[]])[] = [];
  readonly made: { -readonly [K in keyof MadeRest]: MadeRest[K][number][] } = {
    auteurs: [],
    refus: [],
    records: [],
    given: [],
  };

  constructor(records: Records<Transaction>, importationId: number, utilisateur: string | null) {
    this.#records = records;
    this.#database = records.database;
    this.#importationId = importationId;
    this.#utilisateur = utilisateur;
  }

  /** The names of the authors whom `begin` finds, wakes or makes. */
  get noms(): string[] {
    return this.#read('auteurs').map(({ nom }) => nom);
  }

  /** Authors under their exact names: what the file kept apart stays apart. */
  begin(): void {
    for (const { id, nom, formePleine, nomChoisi } of this.#read('auteurs')) {
      const key = cleRegroupement(nom);
      let known = auteurRecordByKey(this.#database, key)?.id;
      if (known === undefined) {
        known = wakeAuteur(this.#database, nom) ?? insertAuteur(this.#database, nom);
        this.made.auteurs.push(known);
        updateNoms(this.#database, {
          id: known,
          nom,
          fullForm: formePleine,
          nomChoisi: nomChoisi === true ? 1 : 0,
        });
      }
      this.#auteurs.set(id, known);
    }
    const known = new Set(listRefus(this.#database).map(String));
    for (const { premierId, secondId } of this.#read('refus')) {
      const [a, b] = [this.#auteurs.get(premierId), this.#auteurs.get(secondId)];
      if (a === undefined || b === undefined || a === b) continue;
      const pair = idPair(a, b);
      if (known.has(String(pair))) continue;
      insertRefus(this.#database, pair);
      this.made.refus.push(pair);
    }
  }

  /** Notes which book of this household one of the file is. */
  noteLivre(exported: number, livreId: number): void {
    this.#idsOf('livres').set(exported, livreId);
  }

  /**
   * Notes the readings of a book, of the house or of none (`null`), that its reader has not, or what a reading lacks
   * (docs/rules.md § 55).
   */
  addLectures(livreId: number | null, { titre, auteurs, isbn, lectures = [] }: Row): void {
    if (this.#utilisateur === null || lectures.length === 0) return;
    this.#lectures ??= new KnownLectures(this.#database, this.#utilisateur);
    const oeuvre =
      livreId === null ? { livreId, titre, auteurs, isbn } : oeuvreOf(this.#database, livreId);
    const read = lectures.map((lecture) => ({ ...oeuvre, ...lecture }));
    for (const restored of this.#lectures.addAll(read)) this.#noteRestored('lectures', restored);
  }

  /** Adds the returned loans that a book lacks, and returns their ids. */
  addPrets({ prets }: ExportLivre, livreId: number): number[] {
    const known = new Set(pretsOfLivre(this.#database, livreId).map(pretKey));
    return prets
      .filter((pret) => pret.dateRetour !== null && !known.has(pretKey(pret)))
      .map(({ emprunteur, datePret, dateRetour }) =>
        insertPret(this.#database, { livreId, emprunteur, datePret, dateRetour }),
      );
  }

  /** Notes where a new book stands. */
  addStanding(livreId: number, where: number | readonly string[]): void {
    this.#standing.push([livreId, where]);
  }

  /** Puts the new books where they stand, in locations made where they are unknown; returns where. */
  finishStanding(): (readonly [livreId: number, emplacementId: number])[] {
    if (this.#standing.length === 0) return [];
    const finder = new LocationFinder(this.#database);
    return this.#standing.flatMap(([livreId, where]) => {
      const emplacementId =
        typeof where === 'number'
          ? (this.#idsOf('emplacements').get(where) ?? null)
          : this.#pathId(finder, where);
      if (emplacementId === null) return [];
      updateLivre(this.#database, livreId, { emplacementId });
      return [[livreId, emplacementId] as const];
    });
  }

  #pathId(finder: LocationFinder, noms: readonly string[]): number | null {
    const { id, made } = finder.findOrCreatePath(noms);
    for (const each of made) this.#noteMade('emplacements', each);
    return id;
  }

  addSouhait(souhait: MadeSouhait): void {
    this.#souhaits.push(souhait);
  }

  /** @param placeIds ids of places of series: in the export → in this household */
  finish(placeIds: ReadonlyMap<number, number>): void {
    deleteUnused(this.#database, [...this.#auteurs.values()]);
    this.#finishSouhaits(placeIds);
    for (const kind of exportKindNames) this.#restore(kind);
  }

  #restore(kind: ExportKind): void {
    const { collection, restoring } = this.#records.restoringOf(kind) ?? {};
    if (collection === undefined || restoring === undefined) return;
    const into = { utilisateur: this.#utilisateur, idsOf: (of: ExportKind) => this.#idsOf(of) };
    const { table } = this.#records.kind(collection).source;
    for (const restored of restoring.add(this.#database, this.#read(kind), into)) {
      if (!('given' in restored))
        giveCover(this.#database, table, restored.id, restored.couverture);
      this.#noteRestored(kind, restored);
    }
  }

  #noteRestored(kind: ExportKind, restored: Restored): void {
    if (!('given' in restored)) this.#noteMade(kind, restored.id);
    else
      for (const { field, value, former } of restored.given)
        this.made.given.push([kind, restored.id, field, value, former ?? null]);
  }

  #noteMade(kind: ExportKind, id: number): void {
    const { collection, restoring } = this.#records.restoringOf(kind) ?? {};
    if (collection === undefined) return;
    const record = this.#records.read(collection, id, this.#utilisateur) ?? {};
    this.made.records.push([kind, id, digestOf(record, restoring?.fields)]);
  }

  #idsOf(kind: ExportKind): Map<number, number> {
    const ids = this.#ids.get(kind) ?? new Map<number, number>();
    this.#ids.set(kind, ids);
    return ids;
  }

  /** Ranks the wishes in their former order, behind those of the list, and ties them to their places. */
  #finishSouhaits(placeIds: ReadonlyMap<number, number>): void {
    if (this.#utilisateur === null || this.#souhaits.length === 0) return;
    const made = this.#souhaits.toSorted((a, b) => a.rang - b.rang);
    const ids = new Set(made.map(({ id }) => id));
    const before = souhaits.ids(this.#database, this.#utilisateur);
    souhaits.rank(this.#database, this.#utilisateur, [
      ...before.filter((id) => !ids.has(id)),
      ...ids,
    ]);
    for (const { id, placeId } of made) {
      const place = placeId === null ? undefined : placeIds.get(placeId);
      if (place !== undefined) writePlaceOfSouhait(this.#database, id, place);
    }
  }

  #read<K extends ExportKind>(kind: K): ExportRecord<K>[] {
    return readReste(this.#database, this.#importationId, kind);
  }
}

const pretKey = ({ emprunteur, datePret }: { emprunteur: string; datePret: string }): string =>
  `${textKey(emprunteur)}\n${datePret}`;
