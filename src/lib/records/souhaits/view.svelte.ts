import { revueSouhaiteeKey, type RevueSouhaitee } from '#shared/souhaits-revues';
import { souhaitKey, type Souhait } from '#shared/souhaits';
import { derivedFromViews, views } from '$lib/sync/views.svelte';

/** A record of a list that its reader puts in order. */
export interface Ranked {
  readonly id: number;
  readonly titre: string;
  /** From 1 and without holes. */
  readonly rang: number;
}

/** A personal list as this device holds it, reactive. */
interface RankedView<T extends Ranked, Identity> {
  /** By rank. */
  readonly all: readonly T[];
  readonly count: number;
  get(id: number): T | undefined;
  /** The wish that the server takes for the same one (docs/rules.md § 17). */
  find(identity: Identity): T | undefined;
}

/**
 * @param read the records, in any order
 * @param key what two wishes have in common that are the same one
 */
function rankedView<T extends Ranked & Identity, Identity>(
  read: () => ReadonlyMap<number, T>,
  key: (identity: Identity) => string,
): RankedView<T, Identity> {
  const all = derivedFromViews((): readonly T[] =>
    [...read().values()].sort((a, b) => a.rang - b.rang || a.id - b.id),
  );
  const byKey = derivedFromViews(() => new Map(all().map((wish) => [key(wish), wish])));
  return {
    get all() {
      return all();
    },
    get count() {
      return read().size;
    },
    get: (id) => read().get(id),
    find: (identity) => byKey().get(key(identity)),
  };
}

export const souhaitsView = rankedView<Souhait, Pick<Souhait, 'titre' | 'auteur'>>(
  () => views().souhaits,
  souhaitKey,
);

export const revuesSouhaiteesView = rankedView<
  RevueSouhaitee,
  Pick<RevueSouhaitee, 'titre' | 'numero'>
>(() => views()['souhaits-revues'], revueSouhaiteeKey);

/** The wish for an edition, by its ISBN-13 without hyphens. */
export const souhaitByIsbn = (isbn13: string): Souhait | undefined =>
  souhaitsView.all.find(({ isbn }) => isbn === isbn13);
