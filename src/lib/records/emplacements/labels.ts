import { formatShortDay } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import type { Emplacement } from '#shared/emplacements';

/** « fermé le 3 mars »; `null` for what is open. */
export const fermeLabel = ({ fermeLe }: Pick<Emplacement, 'fermeLe'>): string | null =>
  fermeLe === null
    ? null
    : m.emplacement_ferme_le({ date: formatShortDay(new Date(fermeLe), new Date()) });
