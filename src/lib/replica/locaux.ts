import type { RxCollection } from 'rxdb';
import type { SuggestionFusion } from '#shared/auteurs';
import type { Bibliographie } from '#shared/bibliographie';
import type { CollectionName } from '#shared/collections';
import type { Jalon } from '#shared/replication';
import type { Version } from '#shared/version';

/** How far a collection has come, and whether documents ever came with it. */
export interface JalonGarde extends Jalon {
  readonly plein: boolean;
}

/** The last answers that are kept for reading offline, by their key; a bibliography by its author. */
export type Instantanes = {
  readonly version: Version;
  readonly suggestions: readonly SuggestionFusion[];
} & Readonly<Record<`bibliographie:${number}`, Bibliographie>>;

/** An answer with the moment at which the server gave it. */
export interface Instantane<T> {
  readonly valeur: T;
  readonly date: Date;
}

/** All that the collection `local` holds, by key. */
export type Valeurs = Instantanes & Record<`jalon:${CollectionName}`, JalonGarde>;

interface Ligne<T> {
  readonly cle: string;
  /** When it was kept, in milliseconds since 1970. */
  readonly date: number;
  readonly valeur: T;
}

/** A document of the collection `local`. */
export type LigneLocale = Ligne<Valeurs[keyof Valeurs]>;

/** The collection `local` of a replica, held in memory and written through. */
export class Locaux {
  readonly #collection: RxCollection;
  readonly #lignes: { [K in keyof Valeurs]?: Ligne<Valeurs[K]> } = {};

  constructor(collection: RxCollection) {
    this.#collection = collection;
  }

  /** Takes what was read from the storage, or what this or another tab has written. */
  recevoir(lignes: readonly LigneLocale[]): void {
    Object.assign(this.#lignes, Object.fromEntries(lignes.map((ligne) => [ligne.cle, ligne])));
  }

  lire<K extends keyof Valeurs>(cle: K): Instantane<Valeurs[K]> | null {
    const ligne = this.#lignes[cle];
    return ligne === undefined ? null : { valeur: ligne.valeur, date: new Date(ligne.date) };
  }

  async garder<K extends keyof Valeurs>(cle: K, valeur: Valeurs[K]): Promise<void> {
    const ligne: Ligne<Valeurs[K]> = { cle, date: Date.now(), valeur };
    await this.#collection.bulkUpsert([ligne]);
  }
}
