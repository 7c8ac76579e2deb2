import type {
  ExportKind,
  ExportLivre,
  ExportNumero,
  ExportRecord,
  ExportSerie,
} from '#shared/export';
import type { Place } from '#shared/series';
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
import { readSerie } from '#server/series/store/document';
import {
  insertPlace,
  insertSerie,
  listSerieTitres,
  updateSerie,
  writeLivreOfPlace,
  writeOrder,
} from '#server/series/store/series';
import { revueSouhaiteeList } from '#server/souhaits/domain/revues';
import { writePlaceOfSouhait } from '#server/souhaits/store/places';
import { idsByRang, insertSouhait, writeRangs } from '#server/souhaits/store/ranked-table';
import { revueSouhaiteeTable, souhaitTable } from '#server/souhaits/store/tables';
import { revueSouhaiteeKey, revueSouhaiteeKeys } from '#shared/souhaits-revues';
import type { MadeRest } from '../store/importations.ts';
import { readReste } from '../store/reste.ts';
import { digestOf } from './undo-rest.ts';
import { giveCover } from './pictures.ts';

type ExportPlace = ExportSerie['places'][number];

/** A wish that was made, and what the export knew of it. */
interface MadeSouhait {
  readonly id: number;
  readonly rang: number;
  readonly placeId: number | null;
}

/**
 * What an export of a household holds besides its rows, made real: authors and refused merges before
 * the books, the rest behind them. What is there already stays (docs/rules.md § 41).
 */
export class HouseholdRest {
  readonly #database: Database;
  readonly #importationId: number;
  readonly #utilisateur: string | null;
  readonly #auteurs = new Map<number, number>();
  /** Ids of the file → ids of this household. */
  readonly #livres = new Map<number, number>();
  readonly #places = new Map<number, number>();
  readonly #souhaits: MadeSouhait[] = [];
  readonly seriesMade: number[] = [];
  readonly placesMade: number[] = [];
  readonly placesFilled: number[] = [];
  readonly made: { -readonly [K in keyof MadeRest]: MadeRest[K][number][] } = {
    ...{ auteurs: [], refus: [], revues: [], issns: [], numeros: [], revuesSouhaitees: [] },
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

  /** Remembers what a book of the file has become, and gives it the loans that were returned. */
  addLivre({ id, prets }: ExportLivre, livreId: number): void {
    this.#livres.set(id, livreId);
    const known = new Set(pretsOfLivre(this.#database, livreId).map(pretKey));
    for (const { emprunteur, datePret, dateRetour } of prets)
      if (dateRetour !== null && !known.has(pretKey({ emprunteur, datePret })))
        insertPret(this.#database, { livreId, emprunteur, datePret, dateRetour });
  }

  addSouhait(souhait: MadeSouhait): void {
    this.#souhaits.push(souhait);
  }

  finish(): void {
    deleteUnused(this.#database, [...this.#auteurs.values()]);
    this.#addSeries();
    this.#addNumeros();
    this.#finishSouhaits();
    this.#addRevuesSouhaitees();
  }

  #addSeries(): void {
    const known = Map.groupBy(listSerieTitres(this.#database), ({ titre }) => textKey(titre));
    const series = this.#read('series');
    const ids = new Map<number, number>();
    const made: ExportSerie[] = [];
    for (const serie of series) {
      // One series of the household answers to one of the file; several may have one title.
      const id = known.get(textKey(serie.titre))?.shift()?.id;
      if (id === undefined) made.push(serie);
      ids.set(serie.id, id ?? insertSerie(this.#database, { titre: serie.titre, parentId: null }));
      if (id !== undefined) this.#extendSerie(id, serie);
    }
    for (const serie of made) this.#fillSerie(serie, ids, made);
  }

  #fillSerie(
    serie: ExportSerie,
    ids: ReadonlyMap<number, number>,
    made: readonly ExportSerie[],
  ): void {
    const id = ids.get(serie.id) ?? 0;
    this.seriesMade.push(id);
    const elements = [
      ...serie.places.map((place) => ({ at: place.position, place: this.#addPlace(id, place) })),
      ...made
        .filter(({ parentId }) => parentId === serie.id)
        .map((child) => ({ at: child.position, serie: ids.get(child.id) ?? 0 })),
    ].sort((a, b) => a.at - b.at);
    for (const element of elements) if ('serie' in element) this.#moveUnder(element.serie, id);
    writeOrder(
      this.#database,
      id,
      elements.map((element) =>
        'place' in element ? { place: element.place } : { serie: element.serie },
      ),
    );
  }

  #moveUnder(id: number, parentId: number): void {
    const serie = readSerie(this.#database, id);
    if (serie !== undefined) updateSerie(this.#database, id, { titre: serie.titre, parentId });
  }

  /** Volumes that a known series lacks go to its end, books into its missing volumes. */
  #extendSerie(id: number, serie: ExportSerie): void {
    const pairs = pairPlaces(serie.places, readSerie(this.#database, id)?.places ?? []);
    for (const place of serie.places) {
      const same = pairs.get(place);
      if (same === undefined) this.#addPlace(id, place);
      else this.#fillPlace(same, place);
    }
  }

  #fillPlace({ id, livreId }: Place, place: ExportPlace): void {
    this.#places.set(place.id, id);
    const livre = this.#livreOf(place.livreId);
    if (livreId !== null || livre === null) return;
    writeLivreOfPlace(this.#database, id, livre);
    this.placesFilled.push(id);
  }

  #addPlace(serieId: number, place: ExportPlace): number {
    const { titre, numero, auteur, isbn } = place;
    const livreId = this.#livreOf(place.livreId);
    const id = insertPlace(this.#database, serieId, { titre, numero, auteur, isbn, livreId });
    this.#places.set(place.id, id);
    this.placesMade.push(id);
    return id;
  }

  #livreOf(livreId: number | null): number | null {
    return livreId === null ? null : (this.#livres.get(livreId) ?? null);
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
    giveCover(this.#database, 'Numero', numero.id, { coverUrl: saisie.coverUrl, couverture });
  }

  /** Wishes in the order that they had, behind those that are there. */
  #finishSouhaits(): void {
    if (this.#utilisateur === null || this.#souhaits.length === 0) return;
    const made = this.#souhaits.toSorted((a, b) => a.rang - b.rang);
    const ids = new Set(made.map(({ id }) => id));
    const before = idsByRang(this.#database, souhaitTable, this.#utilisateur);
    writeRangs(this.#database, souhaitTable, this.#utilisateur, [
      ...before.filter((id) => !ids.has(id)),
      ...ids,
    ]);
    for (const { id, placeId } of made) {
      const place = placeId === null ? undefined : this.#places.get(placeId);
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
        const id = insertSouhait(this.#database, revueSouhaiteeTable, this.#utilisateur, {
          ...{ titre, numero, issn, dateAjout },
          ...revueSouhaiteeKeys({ titre, numero }),
        });
        this.made.revuesSouhaitees.push([id, digestOf({ titre, numero, issn })]);
      }
  }

  #read<K extends ExportKind>(kind: K): ExportRecord<K>[] {
    return readReste(this.#database, this.#importationId, kind).map(
      // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- checked against its schema when the file was read
      (content) => JSON.parse(content) as ExportRecord<K>,
    );
  }
}

/**
 * Which place of a known series each of a file is: one answers to one, of its number and title if there
 * is one, else of its number.
 */
function pairPlaces(
  added: readonly ExportPlace[],
  known: readonly Place[],
): ReadonlyMap<ExportPlace, Place> {
  const free = [...known];
  const pairs = new Map<ExportPlace, Place>();
  const pair = (isSame: (place: Place, one: ExportPlace) => boolean) => {
    for (const one of added) {
      const at = pairs.has(one) ? -1 : free.findIndex((place) => isSame(place, one));
      const [place] = at < 0 ? [] : free.splice(at, 1);
      if (place !== undefined) pairs.set(one, place);
    }
  };
  pair((a, b) => a.numero === b.numero && textKey(a.titre) === textKey(b.titre));
  pair((a, b) => a.numero === b.numero && a.numero !== null);
  return pairs;
}

const pretKey = ({ emprunteur, datePret }: { emprunteur: string; datePret: string }): string =>
  `${textKey(emprunteur)}\n${datePret}`;
