import { onMount } from 'svelte';
import { createAttachmentKey } from 'svelte/attachments';
import { writable } from '$lib/api/writable.svelte';
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
export interface DisableProps {
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

/** Somebody has pressed what cannot write: what was but a sign beside it says why, in words, from then on. */
class AskedReasons {
  isAsked = $state(false);

  ask(): void {
    if (!writable.isPossible) this.isAsked = true;
  }
}

export const askedReasons = new AskedReasons();

/** A control that does nothing for now, and keeps the focus. */
export const ARIA_DISABLED = {
  'aria-disabled': true as const,
  onclick(event: Event): void {
    event.preventDefault();
    askedReasons.ask();
  },
};

/** Of a group, before its fields hear of a press or a key. */
const withhold = (event: Event): void => {
  event.preventDefault();
  event.stopPropagation();
  askedReasons.ask();
};

const ARIA_DISABLED_GROUP = {
  'aria-disabled': true as const,
  onclickcapture: withhold,
  onkeyupcapture: withhold,
};

/**
 * One that its own press holds, or the network, keeps the focus, and with it the keys of whoever goes on; one that has nothing
 * more to do passes it on.
 */
function disabledProps<A extends DisableProps>(
  {
    action,
    writes = action !== undefined,
    disabledReasonId,
    disabled,
    'aria-describedby': description,
    ...rest
  }: A,
  ariaDisabled: typeof ARIA_DISABLED | typeof ARIA_DISABLED_GROUP,
) {
  const cannotWrite = writes && !writable.isPossible;
  const isDisabled = cannotWrite || action?.pending === true;
  const isUseless = disabled === true || disabledReasonId !== undefined;
  const reasonId = cannotWrite ? (shown.at(-1) ?? STATUS_ID) : disabledReasonId;
  return {
    ...rest,
    [FOCUS]: isUseless && !isDisabled ? passFocus : undefined,
    disabled: isUseless || undefined,
    'aria-describedby': [description, reasonId].filter(Boolean).join(' ') || undefined,
    ...(isDisabled && !isUseless && ariaDisabled),
  };
}

/** The attributes of a group of fields. */
export const disableWithReason = <A extends DisableProps>(props: A) =>
  disabledProps(props, ARIA_DISABLED_GROUP);

/** The attributes of a button. */
export const disableButtonWithReason = <A extends DisableProps>(props: A) =>
  disabledProps(props, ARIA_DISABLED);

/** Counts the « Annuler » on the screen: beside one, the bar names what it undoes (docs/rules.md § 46). */
class CancelButtons {
  count = $state(0);

  show(): () => void {
    this.count++;
    return () => this.count--;
  }
}

export const cancelButtons = new CancelButtons();
