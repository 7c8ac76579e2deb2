import { Refusal } from '#shared/refusals';
import { LIVRE_ENTRY_FIELDS, type Livre, type LivreSaisi } from '#shared/livres';
import { cleRegroupement } from '#shared/text';
import { findAuteurs } from '#server/subjects/auteurs/auteurs';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { supprimerLivre } from '#server/subjects/livres/livres';
import { readLivre } from '#server/subjects/livres/source';
import { deletePret, readPret } from '#server/subjects/prets';
import type { Records } from '#server/plumbing/records/records';
import { placesOfLivre } from '#server/subjects/series/placement';
import {
  deletePlace,
  readPlace,
  readSerie,
  supprimerSerie,
  updatePlace,
} from '#server/subjects/series/series';
import { list as souhaitList } from '#server/subjects/souhaits/souhaits';
import { readStatut, writeStatut } from '#server/subjects/lectures';
import type { Done } from '#server/plumbing/writes/operation';
import { keepUndone, type Undone } from './act.ts';
import { joinMade } from './made.ts';
import {
  deleteImportation,
  forgetMade,
  listMade,
  readLignes,
  requireRecord,
  UNDO_MS,
  updateImportation,
  type Made,
} from './store.ts';
import { souhaitOf } from './plan.ts';
import { takeNamesBack } from './renamed-authors.ts';
import type { Row } from './rows.ts';
import { digestOf, removeRest } from './undo-rest.ts';

/**
 * Takes back what an import has made; what was changed since stays (docs/rules.md § 37). A dry run is
 * deleted. Throws `INTROUVABLE` for an import older than thirty days, too.
 */
export function annulerImportation(
  records: Records<Transaction>,
  id: number,
  utilisateur: string | null,
): Done<Undone> {
  const { database } = records;
  const { etat, date, made, ...record } = requireRecord(database, id, utilisateur);
  if (etat === 'essai') deleteImportation(database, id);
  if (etat !== 'faite' || made === null) return { answer: { retires: 0, gardes: 0 } };
  if (date < Date.now() - UNDO_MS) throw new Refusal('INTROUVABLE');
  const all = listMade(database, id).reduce(joinMade, made);
  const undone = new Undoing(records, id, record.utilisateur || null, all).run();
  forgetMade(database, id);
  updateImportation(database, id, { etat: 'annulee', made: null });
  const act = keepUndone(database, id, undone, utilisateur);
  return { answer: undone, act };
}

class Undoing {
  readonly #records: Records<Transaction>;
  readonly #database: Transaction;
  readonly #utilisateur: string | null;
  readonly #made: Made;
  /** The rows as they were entered: of books by their id, of wishes in order. */
  readonly #entered = new Map<number, Row>();
  readonly #souhaits: Row[] = [];
  /** The loans that are as the import made them. */
  readonly #prets: ReadonlySet<number>;
  readonly #places: ReadonlySet<number>;
  readonly #ranges: ReadonlyMap<number, number>;

  constructor(records: Records<Transaction>, id: number, utilisateur: string | null, made: Made) {
    this.#records = records;
    this.#database = records.database;
    this.#utilisateur = utilisateur;
    this.#made = made;
    this.#prets = new Set(this.#unchangedPrets());
    this.#ranges = new Map(made.ranges);
    this.#places = new Set([...made.places, ...made.filled]);
    for (const rows of readLignes(this.#database, id))
      for (const { sort, livreId, read } of rows) {
        if (sort === 'nouveau' && livreId !== null) this.#entered.set(livreId, read.row);
        if (sort === 'souhait') this.#souhaits.push(read.row);
      }
  }

  run(): Undone {
    const present = this.#made.livres.flatMap(
      (id) => readLivre(this.#database, id, this.#utilisateur) ?? [],
    );
    const kept = new Set(present.filter((livre) => this.#isChanged(livre)).map(({ id }) => id));
    this.#removePrets(kept);
    for (const { id } of present) if (!kept.has(id)) supprimerLivre(this.#database, id);
    this.#removeStatuts(kept);
    this.#removePlaces(kept);
    this.#removeSouhaits();
    takeNamesBack(this.#database, this.#made.noms ?? []);
    if (this.#made.rest) removeRest(this.#records, this.#made.rest, this.#utilisateur);
    return { retires: present.length - kept.size, gardes: kept.size };
  }

  /** Whether a book has more to it than the import gave: a change, a loan, a place, anything of another's. */
  #isChanged(livre: Livre): boolean {
    const row = this.#entered.get(livre.id);
    if (row === undefined || !isAsEntered(this.#database, livre, row)) return true;
    if (livre.emplacementId !== (this.#ranges.get(livre.id) ?? null)) return true;
    if (livre.pret !== null && !this.#prets.has(livre.pret.id)) return true;
    if (this.#isUsedByOthers('Livre', livre.id)) return true;
    return placesOfLivre(this.#database, livre.id).some(({ id }) => !this.#places.has(id));
  }

  #unchangedPrets(): number[] {
    const { prets, pretDigests } = this.#made;
    if (pretDigests === undefined)
      return prets.filter((id) => readPret(this.#database, id)?.dateRetour === null);
    return pretDigests
      .filter(([id, digest]) => digestOf(readPret(this.#database, id) ?? {}) === digest)
      .map(([id]) => id);
  }

  #removePrets(kept: ReadonlySet<number>): void {
    for (const id of this.#prets) {
      const pret = readPret(this.#database, id);
      if (pret !== undefined && !kept.has(pret.livreId)) deletePret(this.#database, id);
    }
  }

  #removeStatuts(kept: ReadonlySet<number>): void {
    if (this.#utilisateur === null) return;
    for (const [livreId, statut] of this.#made.statuts)
      if (!kept.has(livreId) && readStatut(this.#database, this.#utilisateur, livreId) === statut)
        writeStatut(this.#database, this.#utilisateur, livreId, null);
  }

  #removePlaces(kept: ReadonlySet<number>): void {
    const [made, filled] = [this.#made.places, this.#made.filled].map((ids) =>
      ids
        .flatMap((id) => readPlace(this.#database, id) ?? [])
        .filter(({ livreId }) => livreId === null || !kept.has(livreId)),
    );
    for (const { id } of made ?? [])
      if (!this.#isUsedByOthers('Place', id)) deletePlace(this.#database, id);
    for (const { id } of filled ?? []) updatePlace(this.#database, id, { livreId: null });
    this.#removeSeries();
  }

  /** The series that are empty: one that held others is so once these have gone. */
  #removeSeries(): void {
    let left = [...this.#made.series];
    for (let before = -1; before !== left.length;) {
      before = left.length;
      left = left.filter((id) => {
        if (readSerie(this.#database, id)?.elements.length !== 0) return true;
        if (this.#isUsedByOthers('Serie', id)) return true;
        supprimerSerie(this.#database, id);
        return false;
      });
    }
  }

  #isUsedByOthers(table: string, id: number): boolean {
    return this.#records.isUsedByOthers(table, id, this.#utilisateur);
  }

  #removeSouhaits(): void {
    const { souhaits } = this.#made;
    if (this.#utilisateur === null || souhaits.length === 0) return;
    const present = new Map(
      souhaitList.all(this.#database, this.#utilisateur).map((souhait) => [souhait.id, souhait]),
    );
    const same = souhaits.filter((id, index) => {
      const row = this.#souhaits[index];
      const souhait = present.get(id);
      if (row === undefined || souhait === undefined) return false;
      const { titre, auteur, isbn } = souhaitOf(row);
      return souhait.titre === titre && souhait.auteur === auteur && souhait.isbn === isbn;
    });
    souhaitList.remove(this.#database, this.#utilisateur, same);
  }
}

/** Whether a book still has the fields that the import gave it; an author may have been renamed. */
function isAsEntered(database: Reader, livre: Livre, row: Row): boolean {
  const given: Partial<Record<keyof LivreSaisi, unknown>> = {
    typeDocument: 'NonPrecise',
    ...row.kept?.livre,
    ...row,
    auteurs: livre.auteurs,
  };
  if (LIVRE_ENTRY_FIELDS.some((name) => livre[name] !== (given[name] ?? null))) return false;
  const isNamed = ({ nom }: { nom: string }, index: number) =>
    cleRegroupement(nom) === cleRegroupement(row.auteurs[index] ?? '');
  if (livre.auteurs.length === row.auteurs.length && livre.auteurs.every(isNamed)) return true;
  const ids = [...new Set(findAuteurs(database, row.auteurs))];
  return ids.join() === livre.auteurs.map(({ id }) => id).join();
}
