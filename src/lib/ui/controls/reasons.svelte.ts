import { onMount } from 'svelte';
import { createAttachmentKey } from 'svelte/attachments';
import { writable } from '$lib/api/writable.svelte';
import type { Action } from '../action.svelte.ts';
import { passFocus } from '../focus.ts';

/** The id of the status line, which has the reason if the screen has no sentence of its own. */
export const STATUS_ID = 'status';

/** The ids of the shown sentences that say why nothing can be written. */
let shown = $state.raw<readonly string[]>([]);

export function registerReason(id: string): void {
  onMount(() => {
    shown = [...shown, id];
    return () => (shown = shown.filter((other) => other !== id));
  });
}

/** The props of a control that writes or can be disabled, besides its element's attributes. */
export interface DisableProps {
  /** True for a control that is disabled while nothing can be written, and described by the reason. */
  writes?: boolean | undefined;
  action?: Pick<Action, 'pending'> | undefined;
  /** The id of the sentence with another reason why the control is disabled. */
  disabledReasonId?: string | undefined;
  disabled?: boolean | null | undefined;
  'aria-describedby'?: string | null | undefined;
}

/** Shared: a key per change would recreate the attachment. */
const FOCUS = createAttachmentKey();

/** A press on a disabled control: the reason beside it is shown in words from then on. */
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

/** For a group, before its fields receive a press or a key. */
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
 * A control disabled by its own action or the network keeps the focus and its keys; one without anything left to do
 * passes it on.
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
