import { collectionNames, type CollectionName } from '#shared/collections';
import type { Jalon } from '#shared/replication';
import type { House } from '../../support/house.ts';
import type { Pull } from './pas.ts';

interface Document {
  id: number;
  _deleted: boolean;
}

type Page = { documents: Document[]; jalon: Jalon };

/** A device of one user: plain maps, driven by the protocol of replication and nothing else. */
export class Replica {
  readonly utilisateur: string | null;
  /** Everything that came of a collection, tombstones included. */
  readonly received = new Map<CollectionName, Document[]>();
  readonly #documents = new Map<CollectionName, Map<number, object>>();
  readonly #jalons = new Map<CollectionName, Jalon>();

  constructor(utilisateur: string | null) {
    this.utilisateur = utilisateur;
    for (const name of collectionNames) {
      this.received.set(name, []);
      this.#documents.set(name, new Map());
    }
  }

  jalon(collection: CollectionName): Jalon | undefined {
    return this.#jalons.get(collection);
  }

  /** The documents that the device has, by id. */
  documents(collection: CollectionName): object[] {
    const documents = this.#documents.get(collection) ?? new Map<number, object>();
    return [...documents].sort(([a], [b]) => a - b).map(([, document]) => document);
  }

  /** Pulls one page; returns how many documents it had, or the status of a refusal. */
  async pull(
    house: House,
    collection: CollectionName,
    limite: number,
    sort: Pull['sort'],
  ): Promise<{ nombre: number } | { refus: number }> {
    const jalon = this.#jalons.get(collection);
    const depuis = jalon ? `&epoque=${jalon.epoque}&revision=${String(jalon.revision)}` : '';
    const path = `/api/replication/${collection}?limite=${String(limite)}${depuis}`;
    const { status, body } = await house.ask(this.utilisateur, 'GET', path);
    if (status !== 200) return { refus: status };
    const page = body as Page;
    this.received.get(collection)?.push(...page.documents);
    if (sort !== 'perdu') this.#keep(collection, page.documents);
    if (sort === 'garde') this.#jalons.set(collection, page.jalon);
    return { nombre: page.documents.length };
  }

  #keep(collection: CollectionName, received: Document[]): void {
    const documents = this.#documents.get(collection);
    for (const { _deleted, ...document } of received) {
      if (_deleted) documents?.delete(document.id);
      else documents?.set(document.id, document);
    }
  }
}
