import Feather from '@lucide/svelte/icons/feather';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import type { ScreenKind } from '$lib/ui/kind';
import type { Auteur } from '#shared/auteurs';
import { AUTEUR_FIELDS } from './entry.ts';
import { auteursView } from './view.svelte.ts';

/** The authors of the household's books, who come and go with them. */
export const auteurs: ScreenKind<Auteur> = {
  collection: 'auteurs',
  label: m.field_auteur,
  fields: AUTEUR_FIELDS,
  get: (id) => auteursView.get(id),
  titreOf: ({ nom }) => nom,
  hrefOf: ({ id }) => href(`/auteurs/${id}`),
  listOf: () => ({ href: href('/auteurs'), label: m.destination_auteurs() }),
  notFound: () => ({
    icon: Feather,
    heading: m.auteur_not_found(),
    text: m.auteur_not_found_text(),
    back: { href: href('/auteurs'), label: m.back_to_auteurs() },
  }),
};
