import { onMount } from 'svelte';
import { connection } from '$lib/sync/connection.svelte';
import type { Action } from '../action.svelte.ts';

/** The id of the line of state, which says why where the screen has no sentence of its own. */
export const STATUS_ID = 'status';

/** The ids of the sentences on the screen that say why nothing can be written. */
let shown = $state.raw<readonly string[]>([]);

/** Keeps the id of a component's sentence as long as the component is mounted. */
export function registerReason(id: string): void {
  onMount(() => {
    shown = [...shown, id];
    return () => (shown = shown.filter((other) => other !== id));
  });
}

/** The props of a control that writes or can be disabled, besides its element's attributes. */
export interface Gated {
  /** It writes: it is disabled while nothing can be written, and the sentence that says why describes it. */
  writes?: boolean | undefined;
  /** The write that it does: one at a time. */
  action?: Pick<Action, 'pending'> | undefined;
  /** The id of the sentence that gives another reason for its being disabled. */
  disabledReasonId?: string | undefined;
  disabled?: boolean | null | undefined;
  'aria-describedby'?: string | null | undefined;
}

/** The attributes of the element of such a control. */
export function gate({
  action,
  writes = action !== undefined,
  disabledReasonId,
  disabled,
  'aria-describedby': description,
}: Gated): { disabled: boolean | undefined; 'aria-describedby': string | undefined } {
  const cannotWrite = writes && !connection.canWrite;
  const reasonId = cannotWrite ? (shown.at(-1) ?? STATUS_ID) : disabledReasonId;
  return {
    disabled:
      disabled === true ||
      action?.pending === true ||
      cannotWrite ||
      disabledReasonId !== undefined ||
      undefined,
    'aria-describedby': [description, reasonId].filter(Boolean).join(' ') || undefined,
  };
}

/**
 * Counts the « Annuler » of forms and questions that are on the screen. Beside one of them the bar that
 * takes back what was done names what it takes back (docs/rules.md § 46).
 */
class Cancels {
  count = $state(0);

  /** Counts one « Annuler » more; the returned function takes it off. */
  show(): () => void {
    this.count++;
    return () => this.count--;
  }
}

export const cancels = new Cancels();
