import { m } from '$lib/paraglide/messages';

/** « 12 auteurs », or « 3 auteurs sur 12 » where the list shows some of them; '' where there are none at all. */
export function countOf(
  name: (inputs: { readonly count: number }) => string,
  count: number,
  total: number,
  isFiltered = count !== total,
): string {
  if (total === 0) return '';
  return isFiltered ? m.of_total({ count: name({ count }), total }) : name({ count });
}
