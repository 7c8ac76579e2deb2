import { collectionNames, type CollectionName } from '#shared/collection-names';
import { collections } from '#shared/collections';
import type { Change, ChangePage, Checkpoint } from '#shared/replication';
import type { House } from '../../support/house.ts';
import { askPage } from '../../support/replication.ts';

/** Whatever answers as a house does. */
type Asked = Pick<House, 'ask'>;

/** What becomes of a page: kept, lost on its way, or kept without its checkpoint. */
export type Fate = 'kept' | 'lost' | 'withoutCheckpoint';

/** A device of one user: plain maps, driven by the protocol of replication and nothing else. */
export class Replica {
  /** Who reads. */
  utilisateur: string | null;
  /** Everything that came, tombstones included. */
  readonly received: Change[] = [];
  readonly #documents = new Map<CollectionName, Map<number, object>>();
  /** Whether it asks for acts. */
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

  /** The documents that the device has, by id. */
  documents(collection: CollectionName): object[] {
    const documents = this.#documents.get(collection) ?? new Map<number, object>();
    return [...documents].sort(([a], [b]) => a - b).map(([, document]) => document);
  }

  /** Another reads from here on, with the checkpoint that is there: what was personal is given up. */
  signIn(utilisateur: string | null): void {
    if (utilisateur === this.utilisateur) return;
    this.utilisateur = utilisateur;
    for (const name of collectionNames)
      if (collections[name].personal !== false) this.#documents.get(name)?.clear();
  }

  /** Pulls until nothing is left; a copy that is refused as too old begins again. */
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
    // What was kept without a checkpoint may be gone, and its deletion forgotten.
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
