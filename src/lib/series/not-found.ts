import Layers from '@lucide/svelte/icons/layers';
import { m } from '$lib/paraglide/messages';

/** What `NotFound` says of a series that does not exist. */
export const serieNotFound = () => ({
  icon: Layers,
  heading: m.serie_not_found(),
  text: m.serie_not_found_text(),
  back: { href: '/series', label: m.back_to_series() },
});
