import { onMount } from 'svelte';
import { createAttachmentKey } from 'svelte/attachments';
import { connection } from '$lib/sync/connection.svelte';
import type { Action } from '../action.svelte.ts';
import { passFocus } from '../focus.ts';

/** The id of the status line, which gives the reason where the screen has no sentence of its own. */
export const STATUS_ID = 'status';

/** The ids of the sentences on the screen that say why nothing can be written. */
let shown = $state.raw<readonly string[]>([]);

export function registerReason(id: string): void {
  onMount(() => {
    shown = [...shown, id];
    return () => (shown = shown.filter((other) => other !== id));
  });
}

/** The props of a control that writes or can be disabled, besides its element's attributes. */
export interface GateProps {
  /** True for a control that is disabled while nothing can be written, and described by the sentence that says why. */
  writes?: boolean | undefined;
  action?: Pick<Action, 'pending'> | undefined;
  /** The id of the sentence with another reason why the control is disabled. */
  disabledReasonId?: string | undefined;
  disabled?: boolean | null | undefined;
  'aria-describedby'?: string | null | undefined;
}

/** One for all: with a key of its own for each change the attachment would be made anew. */
const FOCUS = createAttachmentKey();

/** The attributes of such a control. */
export function gate<A extends GateProps>({
  action,
  writes = action !== undefined,
  disabledReasonId,
  disabled,
  'aria-describedby': description,
  ...rest
}: A) {
  const cannotWrite = writes && !connection.canWrite;
  const reasonId = cannotWrite ? (shown.at(-1) ?? STATUS_ID) : disabledReasonId;
  const isHeld = cannotWrite || action?.pending === true;
  const isDisabled = isHeld || disabled === true || disabledReasonId !== undefined;
  return {
    ...rest,
    [FOCUS]: isDisabled && !isHeld ? passFocus : undefined,
    disabled: isDisabled || undefined,
    'aria-describedby': [description, reasonId].filter(Boolean).join(' ') || undefined,
  };
}

const hearNothing = (event: Event): void => event.preventDefault();

/** The attributes of a button: one that its own press disables keeps the focus, and with it the keys of whoever goes on. */
export function gateButton<A extends GateProps>({ action, ...rest }: A) {
  const attributes = gate({ ...rest, writes: rest.writes ?? action !== undefined });
  return action?.pending !== true || attributes.disabled
    ? attributes
    : { ...attributes, 'aria-disabled': true as const, onclick: hearNothing };
}

/** Counts the « Annuler » on the screen: beside one, the bar names what it undoes (docs/rules.md § 46). */
class CancelButtons {
  count = $state(0);

  show(): () => void {
    this.count++;
    return () => this.count--;
  }
}

export const cancelButtons = new CancelButtons();
