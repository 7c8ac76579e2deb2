import { formatShortDay } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import { livresView } from '$lib/records/livres/view.svelte';
import type { LivreDocument } from '#shared/livres';
import type { Tri } from '#shared/sort';

/** What a row says of the order that it stands in; `null` where its title or author says it. */
export function sortedBy({ id, annee, dateAjout }: LivreDocument, tri: Tri): string | null {
  if (tri === 'ajout')
    return m.livre_added_on({ date: formatShortDay(new Date(dateAjout), new Date()) });
  if (tri === 'annee') return annee === null ? null : String(annee);
  if (tri !== 'serie') return null;
  const serie = livresView.serieOf(id);
  const numero = serie?.places.find(({ livreId }) => livreId === id)?.numero ?? null;
  return numero === null ? null : m.tome({ numero });
}

/** The heading that a row stands under in this order; `null` where the order has none. */
export function headingOf({ id, annee }: LivreDocument, tri: Tri): string | null {
  if (tri === 'serie') return livresView.serieOf(id)?.titre ?? m.no_serie();
  if (tri !== 'annee') return null;
  if (annee === null) return m.no_annee();
  return annee < 0 ? m.before_our_era() : m.decade({ decade: Math.floor(annee / 10) * 10 });
}
