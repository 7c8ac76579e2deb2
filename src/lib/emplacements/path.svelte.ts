import type { Batch } from '$lib/api/feedback.svelte';
import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { livresView } from '$lib/records/livres/view.svelte';
import { HouseholdNote } from '$lib/sync/household-note.svelte';
import { namesOfPath } from '#shared/emplacement-tree';
import type { Emplacement } from '#shared/emplacements';
import { isbnAsWritten } from '#shared/isbn';
import type { LivreDocument } from '#shared/livres';
import { textKey } from '#shared/text';
import { ajouterEmplacement } from '../records/emplacements/kind.ts';

const MAX_KEPT = 5;

const lastIds = new HouseholdNote<number>('emplacements.last');

export const lastUsed = {
  /** The latest first, without deleted ones. */
  get all(): readonly Emplacement[] {
    return lastIds.value.flatMap((id) => emplacementsView.get(id) ?? []);
  },
  note(id: number): void {
    lastIds.change((ids) => [id, ...ids.filter((other) => other !== id)].slice(0, MAX_KEPT));
  },
};

const MAX_SUGGESTED = 6;

/** The paths that match a text, the likeliest first; for an empty text the latest ones. */
export function suggestPaths(text: string): readonly string[] {
  const tree = emplacementsView.tree();
  const found = text.trim() === '' ? [...lastUsed.all, ...tree.all] : tree.search(text);
  const paths = new Set(found.map(({ id }) => tree.pathText(id)));
  return [...paths].filter((path) => path !== text).slice(0, MAX_SUGGESTED);
}

/** A path read against the known locations: the innermost known one, and the names below it that are not known. */
interface Target {
  readonly id: number | null;
  readonly missing: readonly string[];
}

/** Reads « Salon › Étagère 3 ». A single name is found at any level, unless several locations have it. */
export function targetOf(text: string): Target {
  const tree = emplacementsView.tree();
  const names = namesOfPath(text);
  const [only] = names;
  if (names.length === 1 && only !== undefined && tree.named(null, only) === undefined) {
    const called = tree.all.filter(({ nom }) => textKey(nom) === textKey(only));
    if (called.length === 1 && called[0] !== undefined) return { id: called[0].id, missing: [] };
  }
  let id: number | null = null;
  for (const [index, name] of names.entries()) {
    const found = tree.named(id, name);
    if (found === undefined) return { id, missing: names.slice(index) };
    id = found.id;
  }
  return { id, missing: [] };
}

/**
 * The id of the location of a path, after its missing locations are added; `null` for an empty path.
 * @throws the refusals of an addition
 */
export async function emplacementOf(text: string, batch?: Batch): Promise<number | null> {
  const target = targetOf(text);
  let { id } = target;
  for (const nom of target.missing)
    ({ id } = await ajouterEmplacement({ nom, parentId: id }, { batch }));
  if (id !== null) lastUsed.note(id);
  return id;
}

interface Copies {
  /** The ISBN-13 without hyphens; any other code as scanned. */
  readonly code: string;
  readonly copies: readonly LivreDocument[];
}

export function copiesOf(text: string): Copies {
  const isbn = isbnAsWritten(text);
  return isbn === null
    ? { code: text, copies: [] }
    : { code: isbn, copies: livresView.byIsbn(isbn) };
}

/** The options of a select; paths distinguish shelves of the same name. */
export const emplacementOptions = (
  emplacements: readonly Emplacement[],
): readonly { readonly value: string; readonly label: string }[] =>
  emplacements.map(({ id }) => ({
    value: String(id),
    label: emplacementsView.tree().pathText(id),
  }));
