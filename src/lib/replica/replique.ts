import type { RxCollection, RxDocumentData } from 'rxdb';
import type { ObservedValueOf } from 'rxjs';
import type { Changement } from '#shared/catalogue';
import {
  collectionNames,
  collections,
  type CollectionDocument,
  type CollectionName,
} from '#shared/collections';
import { selon } from '../selon.ts';
import { lireLocal, lireTout, type Base } from './database.ts';
import { Locaux, type LigneLocale } from './locaux.ts';
import { seul } from './locks.ts';
import { tirerCollection } from './pull.ts';
import type { Lecteur } from './lecteur.ts';
import type { Changements, Vues } from './vues.ts';

/** What the catalogue shows: it is painted before the rest is read. */
const DU_CATALOGUE: readonly CollectionName[] = ['livres', 'prets', 'statuts'];

/** RxDB types what a collection emits as anything at all, and so what is made of it. */
type Evenement = ObservedValueOf<RxCollection['eventBulks$']>['events'][number];

/** The copy contradicts itself: its checkpoint tells of documents that are gone. */
export class RepliqueBrisee extends Error {}

/**
 * One reader's copy of the household's records, open: it tells the views what it holds and what
 * changes, in this tab or another, and pulls from the server what is missing.
 */
export class Replique {
  readonly locaux: Locaux;
  readonly #base: Base;
  readonly #noms: readonly CollectionName[];
  readonly #vues: Vues;
  readonly #verifierLecteur: () => Promise<void>;
  readonly #arret = new AbortController();
  readonly #attentes = new Set<() => void>();
  /** Changes that arrive while the tables are read wait for their turn. */
  #retenus: (() => void)[] | null = [];

  constructor(base: Base, { utilisateur, verifier }: Lecteur, vues: Vues) {
    this.#base = base;
    this.#noms = collectionNames.filter(
      (nom) => utilisateur !== null || !collections[nom].personal,
    );
    this.#vues = vues;
    this.#verifierLecteur = verifier;
    this.locaux = new Locaux(base.local);
  }

  /** Fills the views with what the device holds, and follows every change from then on. */
  async lire(): Promise<void> {
    this.#suivre(this.#base.local, (evenements) => {
      this.locaux.recevoir(evenements.map(({ documentData }) => selon<LigneLocale>(documentData)));
      this.#vues.signaler();
      this.#constater();
    });
    this.locaux.recevoir(await lireLocal(this.#base));
    await this.#remplir(this.#noms.filter((nom) => DU_CATALOGUE.includes(nom)));
    await this.#remplir(this.#noms.filter((nom) => !DU_CATALOGUE.includes(nom)));
    if (this.#arret.signal.aborted) return;
    this.#retenus?.forEach((appliquer) => appliquer());
    this.#retenus = null;
    this.#constater();
  }

  /** Asks every collection of the server once, alone among the tabs; throws where one fails. */
  async tirer(): Promise<void> {
    if (!this.#vues.pret) this.#progresser(0);
    const { signal } = this.#arret;
    try {
      await seul(`tirer ${this.#base.name}`, () => this.#tirerTout(signal), signal);
    } catch (erreur) {
      this.#vues.progression = null;
      this.#vues.signaler();
      throw erreur;
    }
  }

  /** True once every collection has come to this revision. */
  aAtteint(revision: number): boolean {
    return this.#noms.every((nom) => (this.#jalon(nom)?.revision ?? -1) >= revision);
  }

  /** Waits until the copy has come to this revision, or until `signal` ends the waiting. */
  atteindre(revision: number, signal: AbortSignal): Promise<void> {
    return new Promise((fini) => {
      const regarder = () => {
        if (!this.aAtteint(revision) && !signal.aborted && !this.#arret.signal.aborted) return;
        this.#attentes.delete(regarder);
        fini();
      };
      this.#attentes.add(regarder);
      signal.addEventListener('abort', regarder);
      regarder();
    });
  }

  /** Lets go of the database; whatever is under way is given up. */
  async fermer(): Promise<void> {
    this.#arret.abort(new Error('the replica is closed'));
    for (const attente of [...this.#attentes]) attente();
    await this.#base.close();
  }

  async #tirerTout(signal: AbortSignal): Promise<void> {
    const tirages = await Promise.allSettled(this.#noms.map((nom) => this.#tirerUne(nom, signal)));
    for (const tirage of tirages) if (tirage.status === 'rejected') throw tirage.reason;
  }

  #tirerUne(nom: CollectionName, signal: AbortSignal): Promise<void> {
    return tirerCollection(nom, {
      collection: this.#base[nom],
      signal,
      jalon: () => this.#jalon(nom),
      connait: (id) => this.#vues.connait(nom, id),
      verifier: async () => {
        // The session is the browser's: another tab may have changed who the server answers.
        if (collections[nom].personal) await this.#verifierLecteur();
      },
      garder: async ({ epoque, revision }, documents) => {
        const plein = documents > 0 || (this.locaux.lire(`jalon:${nom}`)?.valeur.plein ?? false);
        await this.locaux.garder(`jalon:${nom}`, { epoque, revision, plein });
      },
    });
  }

  /** Fills the views with some collections at one go, so that no screen shows one without another. */
  async #remplir(noms: readonly CollectionName[]): Promise<void> {
    const remplissages = await Promise.all(
      noms.map((nom) =>
        this.#lireCollection(nom, (changements) => this.#vues.recevoir(nom, changements)),
      ),
    );
    if (this.#arret.signal.aborted) return;
    for (const remplir of remplissages) remplir();
  }

  async #lireCollection<N extends CollectionName>(
    nom: N,
    recevoir: (changements: Changements<N>) => void,
  ): Promise<() => void> {
    this.#suivre(this.#base[nom], (evenements) => {
      const changements = evenements.map((evenement) =>
        changementDe<CollectionDocument<N>>(evenement),
      );
      recevoir(changements);
      if (!this.#vues.pret) this.#progresser(changements.length);
    });
    const { documents, vide } = await lireTout(this.#base, nom);
    return () => {
      if (vide && this.locaux.lire(`jalon:${nom}`)?.valeur.plein)
        throw new RepliqueBrisee(`the documents of ${nom} are gone`);
      recevoir(documents);
    };
  }

  #suivre(collection: RxCollection, recevoir: (evenements: Evenement[]) => void): void {
    collection.eventBulks$.subscribe(({ events, isLocal }) => {
      if (isLocal || this.#arret.signal.aborted) return;
      const appliquer = () => recevoir(events);
      if (this.#retenus) this.#retenus.push(appliquer);
      else appliquer();
    });
  }

  #jalon(nom: CollectionName) {
    const garde = this.locaux.lire(`jalon:${nom}`)?.valeur;
    return garde ? { epoque: garde.epoque, revision: garde.revision } : null;
  }

  #progresser(recus: number): void {
    this.#vues.progression = { recus: (this.#vues.progression?.recus ?? 0) + recus };
    this.#vues.signaler();
  }

  /** A copy is whole once every collection has a checkpoint, whichever tab has pulled it. */
  #constater(): void {
    if (!this.#vues.pret && this.#noms.every((nom) => this.#jalon(nom) !== null)) {
      this.#vues.pret = true;
      this.#vues.progression = null;
      this.#vues.signaler();
    }
    for (const attente of [...this.#attentes]) attente();
  }
}

function changementDe<T extends { id: number }>({ documentData }: Evenement): Changement<T> {
  const rangee = selon<RxDocumentData<T & { cle: string }>>(documentData);
  const { cle, _deleted, _meta, _rev, _attachments, ...document } = rangee;
  return _deleted ? { id: rangee.id, _deleted } : selon<T>(document);
}
