import { m } from '$lib/paraglide/messages';
import { notes } from '$lib/sync/browser/notes';

type PretsOrder = 'date' | 'emprunteur';

const NOTE = 'prets.order';

/** The orders of the list of loans, as radio buttons take them. */
export const pretsOrders = (): { value: PretsOrder; label: string }[] => [
  { value: 'date', label: m.prets_by_date() },
  { value: 'emprunteur', label: m.prets_by_emprunteur() },
];

let current = $state.raw<PretsOrder>(notes.get(NOTE) === 'emprunteur' ? 'emprunteur' : 'date');

/** How the loans are listed; kept on this device. */
export const pretsOrder = {
  get current(): PretsOrder {
    return current;
  },
  set current(order: PretsOrder) {
    current = order;
    notes.set(NOTE, order);
  },
};
