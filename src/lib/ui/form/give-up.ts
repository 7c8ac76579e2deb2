import { m } from '$lib/paraglide/messages';
import type { Action } from '../action.svelte.ts';
import { announcer } from '../announcer.svelte.ts';

/**
 * Says what becomes of a save that is under way when its form is left: what has not been sent is given up,
 * what was sent can be taken back once it is told.
 *
 * @param ondropped told where nothing was sent: what was typed may go
 */
export function giveUp(action: Action, ondropped: () => void = () => undefined): void {
  if (!action.pending) {
    ondropped();
    return;
  }
  void action.giveUp().then((isUnsent) => {
    announcer.say(isUnsent ? m.cancel_unsent() : m.cancel_too_late());
    if (isUnsent) ondropped();
  });
}
