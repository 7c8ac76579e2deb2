import { formatShortDay, now } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import { lentSince } from '$lib/prets/since';
import { auteursLine, livresView, statutLabels } from '$lib/records/livres/view.svelte';
import { pretsView } from '$lib/records/prets/view.svelte';
import type { LivreDocument } from '#shared/livres';
import { STATUTS } from '#shared/statuts';

/** A book that one comes for, and why. */
interface HouseCard {
  readonly livre: LivreDocument;
  readonly kind: 'reading' | 'lent' | 'added';
  readonly label: string;
  readonly detail: string;
}

/** A smaller library has nothing that its list would not show at a glance. */
export const MIN_LIVRES = 24;

/** Of each kind; the lists have the others. */
const MAX_OF_KIND = 5;

/** What the reader reads, what the house has lent, and what is new in it, each book once; reactive. */
export function houseCards(): readonly HouseCard[] {
  const reading = livresView.search({ statut: String(STATUTS.enCours) });
  const cards = [
    ...reading.slice(0, MAX_OF_KIND).map(readingCard),
    ...pretsView.enCours.slice(-MAX_OF_KIND).map(lentCard),
    ...livresView.newest(3 * MAX_OF_KIND).map(addedCard),
  ];
  const seen = new Set<number>();
  const each = cards.filter(({ livre: { id } }) => !seen.has(id) && seen.add(id));
  return each.slice(0, 3 * MAX_OF_KIND);
}

const readingCard = (livre: LivreDocument): HouseCard => ({
  livre,
  kind: 'reading',
  label: statutLabels[STATUTS.enCours](),
  detail: auteursLine(livre.auteurs),
});

const lentCard = ({
  livre,
  emprunteur,
  datePret,
}: (typeof pretsView.enCours)[number]): HouseCard => ({
  livre,
  kind: 'lent',
  label: m.pret_at({ emprunteur }),
  detail: lentSince(new Date(datePret), now()),
});

const addedCard = (livre: LivreDocument): HouseCard => ({
  livre,
  kind: 'added',
  label: m.livre_new(),
  detail: m.livre_added_on({ date: formatShortDay(new Date(livre.dateAjout), now()) }),
});
