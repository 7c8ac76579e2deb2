import Newspaper from '@lucide/svelte/icons/newspaper';
import { m } from '$lib/paraglide/messages';

const toRevues = () => ({
  icon: Newspaper,
  back: { href: '/revues', label: m.back_to_revues() },
});

/** What `NotFound` says of a periodical that does not exist. */
export const revueNotFound = () => ({
  ...toRevues(),
  heading: m.revue_not_found(),
  text: m.revue_not_found_text(),
});

/** What `NotFound` says of an issue that does not exist. */
export const numeroNotFound = () => ({
  ...toRevues(),
  heading: m.numero_not_found(),
  text: m.numero_not_found_text(),
});
