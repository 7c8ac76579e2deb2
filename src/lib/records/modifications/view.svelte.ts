import type { CollectionName } from '#shared/collections';
import type { ModificationDocument } from '#shared/modifications';
import { compareText } from '#shared/text';
import { derivedFromViews, views } from '$lib/sync/views.svelte';

const all = derivedFromViews((): readonly ModificationDocument[] =>
  [...views().modifications.values()].sort((a, b) => b.id - a.id),
);

const deletions = derivedFromViews(() => all().filter(isDeletion));

const people = derivedFromViews((): readonly (string | null)[] =>
  [...new Set(all().map(({ utilisateur }) => utilisateur))].sort(
    (a, b) => Number(a === null) - Number(b === null) || compareText(a ?? '', b ?? ''),
  ),
);

/** The household's acts and the reader's own, as this device holds it; reactive. */
export const modificationsView = {
  /** The newest first. */
  get all(): readonly ModificationDocument[] {
    return all();
  },
  /** The acts on records that are gone, newest first. */
  get deletions(): readonly ModificationDocument[] {
    return deletions();
  },
  /** Everyone who did something, by name; `null`, an unknown one, last. */
  get people(): readonly (string | null)[] {
    return people();
  },
  get(id: number): ModificationDocument | undefined {
    return views().modifications.get(id);
  },
  /** The newest act of an import: that it was made, or taken back. */
  ofImportation(id: number): ModificationDocument | undefined {
    return all().find(({ importationId }) => importationId === id);
  },
  /** The acts on a record, newest first. */
  ofRecord(collection: CollectionName, id: number): readonly ModificationDocument[] {
    return all().filter(({ fiches }) =>
      fiches.some((fiche) => fiche.collection === collection && fiche.id === id),
    );
  },
};

/**
 * Whether an act deleted a record that it would give back. An author who goes with the last book is
 * none, and what a redone deletion deleted is the first one's.
 */
function isDeletion({ fiches, annulee, annuleId }: ModificationDocument): boolean {
  if (annulee || isUndoing(annuleId)) return false;
  return fiches.some(({ collection, supprimee }) => supprimee && collection !== 'auteurs');
}

/** Whether an act is the undoing of another. */
const isUndoing = (id: number | null): boolean =>
  id !== null && (views().modifications.get(id)?.annuleId ?? null) !== null;
