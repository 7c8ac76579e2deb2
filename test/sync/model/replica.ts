import { collectionNames, type CollectionName } from '#shared/collection-names';
import { collections } from '#shared/collections';
import type { Change, ChangePage, Checkpoint } from '#shared/replication';
import type { House } from '../../support/house.ts';
import { askPage } from '../../support/replication.ts';

/** Anything that answers like a household. */
type Asked = Pick<House, 'ask'>;

/** The fate of a page: stored, lost on its way, or stored without its checkpoint. */
export type Fate = 'kept' | 'lost' | 'withoutCheckpoint';

/** A device of one user: maps, and the replication protocol. */
export class Replica {
  /** The reader. */
  utilisateur: string | null;
  /** Every change that has arrived, including tombstones. */
  readonly received: Change[] = [];
  readonly #documents = new Map<CollectionName, Map<number, object>>();
  /** Whether the device replicates the history. */
  readonly hasModifications: boolean;
  #checkpoint: Checkpoint | undefined;

  constructor(utilisateur: string | null, hasModifications: boolean) {
    this.utilisateur = utilisateur;
    this.hasModifications = hasModifications;
    for (const name of collectionNames) this.#documents.set(name, new Map());
  }

  get revision(): number | undefined {
    return this.#checkpoint?.revision;
  }

  /** The documents on the device, by id. */
  documents(collection: CollectionName): object[] {
    const documents = this.#documents.get(collection) ?? new Map<number, object>();
    return [...documents].sort(([a], [b]) => a - b).map(([, document]) => document);
  }

  /** Changes the reader, keeping the checkpoint: personal documents are dropped. */
  signIn(utilisateur: string | null): void {
    if (utilisateur === this.utilisateur) return;
    this.utilisateur = utilisateur;
    for (const name of collectionNames)
      if (collections[name].personal !== false) this.#documents.get(name)?.clear();
  }

  /** Pulls until nothing is left; starts over if the checkpoint is too old. */
  async catchUp(house: Asked, limite: number): Promise<void> {
    for (;;) {
      const page = await this.pull(house, limite, 'kept');
      if (page === 409) continue;
      if (typeof page === 'number') throw new Error(`refused with ${String(page)}`);
      if (page.complet) return;
    }
  }

  /** Pulls one page; returns it, or the status of a refusal. */
  async pull(house: Asked, limite: number, fate: Fate): Promise<ChangePage | number> {
    const { status, body } = await askPage(
      house,
      this.utilisateur,
      this.#checkpoint,
      limite,
      this.hasModifications,
    );
    if (status === 409) this.#checkpoint = undefined;
    if (status !== 200) return status;
    // Documents stored without a checkpoint may be deleted on the server, without a tombstone any more.
    if (this.#checkpoint === undefined) this.#clear();
    const page = body as ChangePage;
    this.received.push(...page.changements);
    if (fate !== 'lost') this.#apply(page.changements);
    if (fate === 'kept') this.#checkpoint = { epoque: page.epoque, revision: page.revision };
    return page;
  }

  #clear(): void {
    for (const documents of this.#documents.values()) documents.clear();
  }

  #apply(changes: readonly Change[]): void {
    for (const { collection, id, document } of changes) {
      const documents = this.#documents.get(collection);
      if (document === null) documents?.delete(id);
      else documents?.set(id, document);
    }
  }
}
