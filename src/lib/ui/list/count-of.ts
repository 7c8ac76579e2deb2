import { m } from '$lib/paraglide/messages';

/** « 12 auteurs », or « 3 auteurs sur 12 » for a filtered list; '' for an empty one. */
export function countOf(
  name: (inputs: { readonly count: number }) => string,
  count: number,
  total: number,
  isFiltered = count !== total,
): string {
  if (total === 0) return '';
  return isFiltered ? m.of_total({ count: name({ count }), total }) : name({ count });
}
