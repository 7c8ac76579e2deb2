import type { AuteurDocument } from '#shared/auteurs';
import { Catalogue, type Changement } from '#shared/catalogue';
import type { CollectionDocument, CollectionName } from '#shared/collections';
import type { Numero } from '#shared/numeros';
import type { Pret } from '#shared/prets';
import type { Revue } from '#shared/revues';
import type { Serie } from '#shared/series';
import type { RevueSouhaitee } from '#shared/souhaits-revues';
import type { Souhait } from '#shared/souhaits';
import type { Statut, StatutDocument } from '#shared/statuts';

/** Changes of one collection, as a replica tells them. */
export type Changements<N extends CollectionName> = readonly Changement<CollectionDocument<N>>[];

type Receveurs = { [N in CollectionName]: (changements: Changements<N>) => void };

/**
 * What the screens read: the open replica's records in memory. One instance lives as long as the
 * page; it is emptied before another user's replica is opened, so nothing of the one is ever
 * painted for the other.
 */
export class Vues {
  catalogue = new Catalogue();
  readonly auteurs = new Map<number, AuteurDocument>();
  readonly prets = new Map<number, Pret>();
  readonly statuts = new Map<number, Statut>();
  readonly series = new Map<number, Serie>();
  readonly revues = new Map<number, Revue>();
  readonly numeros = new Map<number, Numero>();
  readonly souhaits = new Map<number, Souhait>();
  readonly 'souhaits-revues' = new Map<number, RevueSouhaitee>();
  /** Counts the changes, so that what is derived from the records can be kept until the next. */
  version = 0;
  /** True once the replica holds a whole copy, from this visit or an earlier one. */
  pret = false;
  /** How many documents the first pull has received, `null` when none is under way. */
  progression: { readonly recus: number } | null = null;

  readonly #abonnes = new Set<() => void>();
  readonly #receveurs: Receveurs = {
    livres: (changements) => this.catalogue.recevoirLivres(changements),
    auteurs: (changements) => ranger(this.auteurs, changements),
    prets: (changements) => {
      this.catalogue.recevoirPrets(changements);
      ranger(this.prets, changements);
    },
    statuts: (changements) => this.#rangerStatuts(changements),
    series: (changements) => ranger(this.series, changements),
    revues: (changements) => ranger(this.revues, changements),
    numeros: (changements) => ranger(this.numeros, changements),
    souhaits: (changements) => ranger(this.souhaits, changements),
    'souhaits-revues': (changements) => ranger(this['souhaits-revues'], changements),
  };

  recevoir<N extends CollectionName>(collection: N, changements: Changements<N>): void {
    if (changements.length === 0) return;
    this.#receveurs[collection](changements);
    this.signaler();
  }

  /** True where a record of this collection is known: tells a new document from a changed one. */
  connait(collection: CollectionName, id: number): boolean {
    if (collection === 'livres') return this.catalogue.livre(id) !== undefined;
    return this[collection].has(id);
  }

  vider(): void {
    this.catalogue = new Catalogue();
    this.auteurs.clear();
    this.prets.clear();
    this.statuts.clear();
    this.series.clear();
    this.revues.clear();
    this.numeros.clear();
    this.souhaits.clear();
    this['souhaits-revues'].clear();
    this.pret = false;
    this.progression = null;
    this.signaler();
  }

  /** Tells those who read that something has changed. */
  signaler(): void {
    this.version++;
    for (const abonne of this.#abonnes) abonne();
  }

  /** Calls `abonne` after every change until the returned function is called. */
  abonner(abonne: () => void): () => void {
    this.#abonnes.add(abonne);
    return () => this.#abonnes.delete(abonne);
  }

  #rangerStatuts(changements: readonly Changement<StatutDocument>[]): void {
    for (const changement of changements) {
      if (changement._deleted) this.statuts.delete(changement.id);
      else this.statuts.set(changement.id, changement.statut);
    }
  }
}

function ranger<T extends { id: number }>(
  table: Map<number, T>,
  changements: readonly Changement<T>[],
): void {
  for (const changement of changements) {
    if (changement._deleted) table.delete(changement.id);
    else table.set(changement.id, changement);
  }
}

export const vues = new Vues();
