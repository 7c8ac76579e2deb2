import { setAriaStrings } from 'svelte-dnd-action';
import { m } from '$lib/paraglide/messages';

/** What a screen reader hears of a wish that is moved by the keyboard. */
export const direLeDeplacement = (): void =>
  setAriaStrings({
    dragStarted: ({ itemLabel, position, count }) =>
      m.deplacer_saisi({ titre: itemLabel, rang: position, nombre: count }),
    movedToPosition: ({ itemLabel, position, count }) =>
      m.deplacer_rang({ titre: itemLabel, rang: position, nombre: count }),
    dropped: ({ itemLabel, position, count }) =>
      m.deplacer_pose({ titre: itemLabel, rang: position, nombre: count }),
    zoneActiveInstruction: m.deplacer_aide(),
    zoneDragDisabledInstruction: m.deplacer_aide(),
  });
