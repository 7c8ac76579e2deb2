import type { ExportKind, ExportLivre, ExportNumero, ExportRecord } from '#shared/export';
import { cleRegroupement, textKey } from '#shared/text';
import type { Database } from '#server/database/database';
import {
  auteurRecordByKey,
  deleteUnused,
  insertAuteur,
  updateNoms,
} from '#server/auteurs/store/auteurs';
import { idPair, insertRefus, listRefus } from '#server/auteurs/store/fusions';
import { insertPret, pretsOfLivre } from '#server/prets/store';
import { ajouterNumero } from '#server/revues/domain/numeros';
import { findOrCreateRevue } from '#server/revues/domain/revues';
import { numeroByKey } from '#server/revues/store/numeros';
import { revueByIssn } from '#server/revues/store/revues';
import { revueSouhaiteeList } from '#server/souhaits/domain/revues';
import { writePlaceOfSouhait } from '#server/souhaits/store/places';
import { revueSouhaiteeTable, souhaitTable } from '#server/souhaits/store/tables';
import { revueSouhaiteeKey, revueSouhaiteeKeys } from '#shared/souhaits-revues';
import type { MadeRest } from '../store/importations.ts';
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
  readonly #database: Database;
  readonly #importationId: number;
  readonly #utilisateur: string | null;
  /** Ids of the file → ids of this household. */
  readonly #auteurs = new Map<number, number>();
  readonly #souhaits: MadeSouhait[] = [];
  readonly made: { -readonly [K in keyof MadeRest]: MadeRest[K][number][] } = {
    auteurs: [],
    refus: [],
    revues: [],
    issns: [],
    numeros: [],
    revuesSouhaitees: [],
  };

  constructor(database: Database, importationId: number, utilisateur: string | null) {
    this.#database = database;
    this.#importationId = importationId;
    this.#utilisateur = utilisateur;
  }

  /** Authors under their exact names: what the file kept apart stays apart. */
  begin(): void {
    for (const { id, nom, formePleine } of this.#read('auteurs')) {
      const key = cleRegroupement(nom);
      let known = auteurRecordByKey(this.#database, key)?.id;
      if (known === undefined) {
        known = insertAuteur(this.#database, nom);
        this.made.auteurs.push(known);
        if (formePleine !== null)
          updateNoms(this.#database, { id: known, nom, fullForm: formePleine });
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

  /** Adds the returned loans of a book. */
  addPrets({ prets }: ExportLivre, livreId: number): void {
    const known = new Set(pretsOfLivre(this.#database, livreId).map(pretKey));
    for (const { emprunteur, datePret, dateRetour } of prets)
      if (dateRetour !== null && !known.has(pretKey({ emprunteur, datePret })))
        insertPret(this.#database, { livreId, emprunteur, datePret, dateRetour });
  }

  addSouhait(souhait: MadeSouhait): void {
    this.#souhaits.push(souhait);
  }

  /** @param placeIds ids of places of series: in the export → in this household */
  finish(placeIds: ReadonlyMap<number, number>): void {
    deleteUnused(this.#database, [...this.#auteurs.values()]);
    this.#addNumeros();
    this.#finishSouhaits(placeIds);
    this.#addRevuesSouhaitees();
  }

  #addNumeros(): void {
    const revues = new Map<number, number>();
    for (const { id, titre, issn } of this.#read('revues'))
      revues.set(id, this.#addRevue(titre, issn));
    for (const numero of this.#read('numeros')) {
      const revueId = revues.get(numero.revueId);
      if (revueId !== undefined) this.#addNumero(revueId, numero);
    }
  }

  #addRevue(titre: string, issn: string | null): number {
    const known = issn === null ? undefined : revueByIssn(this.#database, issn);
    const { revue, created } = findOrCreateRevue(this.#database, { titre, issn });
    if (created) this.made.revues.push([revue.id, digestOf(revue)]);
    else if (known === undefined && issn !== null && revue.issn === issn)
      this.made.issns.push([revue.id, issn]);
    return revue.id;
  }

  #addNumero(
    revueId: number,
    { id: _, revueId: _r, couverture = null, ...saisie }: ExportNumero,
  ): void {
    if (numeroByKey(this.#database, revueId, textKey(saisie.numero)) !== undefined) return;
    const numero = ajouterNumero(this.#database, revueId, saisie);
    this.made.numeros.push([numero.id, digestOf(numero)]);
    giveCover(this.#database, 'Numero', numero.id, couverture);
  }

  /** Ranks the wishes in their former order, behind those of the list, and ties them to their places. */
  #finishSouhaits(placeIds: ReadonlyMap<number, number>): void {
    if (this.#utilisateur === null || this.#souhaits.length === 0) return;
    const made = this.#souhaits.toSorted((a, b) => a.rang - b.rang);
    const ids = new Set(made.map(({ id }) => id));
    const before = souhaitTable.ids(this.#database, this.#utilisateur);
    souhaitTable.rank(this.#database, this.#utilisateur, [
      ...before.filter((id) => !ids.has(id)),
      ...ids,
    ]);
    for (const { id, placeId } of made) {
      const place = placeId === null ? undefined : placeIds.get(placeId);
      if (place !== undefined) writePlaceOfSouhait(this.#database, id, place);
    }
  }

  #addRevuesSouhaitees(): void {
    if (this.#utilisateur === null) return;
    const list = revueSouhaiteeList.all(this.#database, this.#utilisateur);
    const known = new Set(list.map(revueSouhaiteeKey));
    const wanted = this.#read('souhaits-revues').sort((a, b) => a.rang - b.rang);
    for (const { titre, numero, issn, dateAjout } of wanted)
      if (!known.has(revueSouhaiteeKey({ titre, numero }))) {
        const id = revueSouhaiteeTable.insert(this.#database, this.#utilisateur, {
          titre,
          numero,
          issn,
          dateAjout,
          ...revueSouhaiteeKeys({ titre, numero }),
        });
        this.made.revuesSouhaitees.push([id, digestOf({ titre, numero, issn })]);
      }
  }

  #read<K extends ExportKind>(kind: K): ExportRecord<K>[] {
    return readReste(this.#database, this.#importationId, kind);
  }
}

const pretKey = ({ emprunteur, datePret }: { emprunteur: string; datePret: string }): string =>
  `${textKey(emprunteur)}\n${datePret}`;
