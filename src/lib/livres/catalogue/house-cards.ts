import { now, spanSince } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import { lecturesView } from '$lib/records/lectures/view.svelte';
import { livresView, statutLabels } from '$lib/records/livres/view.svelte';
import { pretsView } from '$lib/records/prets/view.svelte';
import type { LivreDocument } from '#shared/livres';
import { STATUTS } from '#shared/statuts';

/** A book that one comes for, and why. */
interface HouseCard {
  readonly livre: LivreDocument;
  readonly kind: 'reading' | 'lent' | 'added';
  readonly label: string;
  /** For how long, where that is known to the day. */
  readonly since: string | null;
}

/** A smaller library has nothing that its list would not show at a glance. */
export const MIN_LIVRES = 24;

/** The lists have the others. */
const MAX_CARDS = 6;

/** What the reader reads, what has been lent longest, and what is new in the house, each book once; reactive. */
export function houseCards(): readonly HouseCard[] {
  const cards = [
    ...livresView.search({ statut: String(STATUTS.enCours) }).map(readingCard),
    ...pretsView.enCours.slice(0, MAX_CARDS).map(lentCard),
    ...livresView.newest(MAX_CARDS).map(addedCard),
  ];
  const seen = new Set<number>();
  return cards.filter(({ livre: { id } }) => !seen.has(id) && seen.add(id)).slice(0, MAX_CARDS);
}

function readingCard(livre: LivreDocument): HouseCard {
  const open = lecturesView.ofLivre(livre.id).find(({ statut }) => statut === 'EnCours');
  const since =
    open?.debut?.length === 10 ? spanSince(new Date(`${open.debut}T12:00`), now()) : null;
  return { livre, kind: 'reading', label: statutLabels[STATUTS.enCours](), since };
}

const lentCard = ({
  livre,
  emprunteur,
  datePret,
}: (typeof pretsView.enCours)[number]): HouseCard => ({
  livre,
  kind: 'lent',
  label: m.pret_at({ emprunteur }),
  since: spanSince(new Date(datePret), now()),
});

const addedCard = (livre: LivreDocument): HouseCard => ({
  livre,
  kind: 'added',
  label: m.livre_new(),
  since: spanSince(new Date(livre.dateAjout), now()),
});
