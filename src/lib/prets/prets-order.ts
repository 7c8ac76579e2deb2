import { m } from '$lib/paraglide/messages';
import { DeviceSetting } from '$lib/ui/device-setting.svelte';

type PretsOrder = 'date' | 'emprunteur';

/** How the loans are listed. */
export const pretsOrder = new DeviceSetting<PretsOrder>('prets.order', ['date', 'emprunteur']);

/** The orders of the list of loans, as radio buttons take them. */
export const pretsOrders = (): { value: PretsOrder; label: string }[] => [
  { value: 'date', label: m.prets_by_date() },
  { value: 'emprunteur', label: m.prets_by_emprunteur() },
];
