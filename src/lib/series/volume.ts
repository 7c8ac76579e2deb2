import { m } from '$lib/paraglide/messages';
import type { VolumeSlot } from '$lib/records/series/view.svelte';
import type { Place, Serie } from '#shared/series';

/** A volume as a screen tells it, with a place or without; `livreId` is `null` where it is missing. */
export const volumeOf = (
  serie: Serie,
  slot: VolumeSlot,
): Pick<Place, 'titre' | 'numero' | 'livreId'> =>
  'place' in slot
    ? slot.place
    : {
        titre: m.tome_titre({ serie: serie.titre, numero: slot.gap }),
        numero: slot.gap,
        livreId: null,
      };
