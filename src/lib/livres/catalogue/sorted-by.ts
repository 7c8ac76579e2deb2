import { formatShortDay } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { lecturesView, noteLabel, whenRead } from '$lib/records/lectures/view.svelte';
import { livresView } from '$lib/records/livres/view.svelte';
import type { LivreDocument } from '#shared/livres';
import { isPersonalTri, type PersonalTri, type Tri } from '#shared/sort';

/** The value that a row shows for the current order; `null` where title or author shows it. */
export function sortedBy({ id, annee, dateAjout }: LivreDocument, tri: Tri): string | null {
  if (tri === 'ajout')
    return m.livre_added_on({ date: formatShortDay(new Date(dateAjout), new Date()) });
  if (tri === 'annee') return annee === null ? null : String(annee);
  if (tri === 'fin') return lastRead(id);
  if (tri !== 'serie') return null;
  const serie = livresView.serieOf(id);
  const numero = serie?.places.find(({ livreId }) => livreId === id)?.numero ?? null;
  return numero === null ? null : m.tome({ numero });
}

function lastRead(livreId: number): string | null {
  const fin = lecturesView.lus.get(livreId)?.fin ?? null;
  return fin === null ? null : whenRead({ debut: null, fin, statut: 'Lue' });
}

/** The headings of a list in this order, by the index of the first book under each; none where the order has none. */
export function headingsOf(
  livres: readonly LivreDocument[],
  tri: Tri,
): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  let last: string | null = null;
  let place: number | null | undefined;
  for (const [index, livre] of livres.entries()) {
    if (tri === 'emplacement' && livre.emplacementId === place) continue;
    place = livre.emplacementId;
    const heading = headingOf(livre, tri);
    if (heading === null) return found;
    if (heading !== last) found.set(index, (last = heading));
  }
  return found;
}

function headingOf({ id, annee, emplacementId }: LivreDocument, tri: Tri): string | null {
  if (tri === 'emplacement') return emplacementHeading(emplacementId);
  if (tri === 'serie') return livresView.serieOf(id)?.titre ?? m.sans_serie();
  if (isPersonalTri(tri)) return readHeading(id, tri);
  if (tri !== 'annee') return null;
  if (annee === null) return m.no_annee();
  return annee < 0 ? m.before_our_era() : m.decade({ decade: Math.floor(annee / 10) * 10 });
}

/** The reader's stars, or the year of their last reading. */
function readHeading(livreId: number, tri: PersonalTri): string {
  const { note = null, fin = null } = lecturesView.lus.get(livreId) ?? {};
  if (tri === 'note') return note === null ? m.no_note() : noteLabel(note);
  return fin === null ? m.no_fin() : fin.slice(0, 4);
}

/** The name of a location first, which a narrow screen shows whole, then what it stands in. */
function emplacementHeading(id: number | null): string {
  const path = emplacementsView.tree.path(id).map(({ nom }) => nom);
  const nom = path.at(-1);
  if (nom === undefined) return m.emplacement_none();
  return path.length === 1 ? nom : `${nom} · ${path.slice(0, -1).join(' › ')}`;
}

/**
 * Where a row says that its book stands, where no heading does: in a box that is packed, and in a list of one
 * location, which `params` of the address name, what is between it and the book; `null` for nothing.
 */
export function emplacementMark(
  { emplacementId }: LivreDocument,
  tri: Tri,
  params: URLSearchParams,
): string | null {
  if (tri === 'emplacement') return null;
  const path = emplacementsView.tree.path(emplacementId);
  const box = path.findLast(({ fermeLe }) => fermeLe !== null);
  if (box !== undefined) return m.emplacement_in_box({ nom: box.nom });
  const listed = path.findIndex(({ id }) => String(id) === params.get('emplacement'));
  if (listed < 0 || listed === path.length - 1) return null;
  return path
    .slice(listed + 1)
    .map(({ nom }) => nom)
    .join(' › ');
}
