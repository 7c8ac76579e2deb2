import { tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { on } from 'svelte/events';
import { thisScreen } from './this-screen.ts';
import { unawaited } from '$lib/sync/report';

/** The focused control, possibly disabled or removed by now, with its surroundings. */
interface FocusTarget {
  readonly control: HTMLElement;
  /** The element's ancestors from the inside out, up to the sheet or screen. */
  readonly around: readonly HTMLElement[];
  readonly screen: AbortSignal;
  /** After the removal: the nodes after and before it, in the order of the page. */
  beside: readonly [behind: Node | null, before: Node | null];
}

/** The target of a control that was disabled while it had the focus, until something has it again. */
let disabledTarget: FocusTarget | null = null;

/** The target with the focus, or the last one before it was removed. */
let focusedTarget: FocusTarget | null = null;

/** The controls that opened the open sheets. */
const openers = new Set<FocusTarget>();

function targetOf(control: HTMLElement): FocusTarget {
  const around: HTMLElement[] = [];
  for (let box = control.parentElement; box?.closest('main > *, dialog'); box = box.parentElement) {
    around.push(box);
    if (box instanceof HTMLDialogElement) break;
  }
  return { control, around, screen: thisScreen(), beside: [null, null] };
}

/** The focused control before a sheet opens, for restoring the focus even if it is disabled by its own press. */
export function focusTarget(): FocusTarget | null {
  const { activeElement: control } = document;
  const hasNone = control === null || control === document.body;
  const target = hasNone
    ? disabledTarget
    : control instanceof HTMLElement
      ? targetOf(control)
      : null;
  if (target !== null) openers.add(target);
  return target;
}

/** For a control without anything left to do, such as « Monter » on the first item: its neighbour gets the focus. */
export const passFocus: Attachment<HTMLElement> = (control) => {
  if (control !== document.activeElement && control !== disabledTarget?.control) return;
  disabledTarget = targetOf(control);
  control.blur();
  unawaited(
    tick().then(() => {
      takeLostFocus(besideOf(control));
      if (document.activeElement !== document.body) disabledTarget = null;
    }),
    'leading the focus',
  );
};

/**
 * Restores lost focus. A focused control that is disabled is blurred, since the browser would swallow keys until the
 * next frame, and focused again once enabled, unless the focus has moved. If the focused element is removed, its
 * neighbour gets the focus. Links are left to the router.
 */
export function keepFocus(): () => void {
  const off = [
    on(document, 'focusin', ({ target }) => {
      const isLink = target instanceof HTMLAnchorElement;
      focusedTarget = target instanceof HTMLElement && !isLink ? targetOf(target) : null;
    }),
    on(document, 'focusout', ({ target }) => {
      // The focus moved while its control still exists: by a person or the page.
      queueMicrotask(() => {
        if (target instanceof Node && target.isConnected && focusedTarget?.control === target)
          focusedTarget = null;
      });
    }),
  ];
  const observer = new MutationObserver((changes) => {
    for (const target of [focusedTarget, disabledTarget, ...openers])
      if (target !== null && !target.control.isConnected) noteBeside(target, changes);
    if (disabledTarget !== null && !isDisabled(disabledTarget))
      unawaited(giveFocusBack(disabledTarget), 'leading the focus');
    const target = focusedTarget;
    if (target === null) return;
    if (isDisabled(target)) {
      focusedTarget = null;
      disabledTarget = target;
      if (target.control === document.activeElement) target.control.blur();
    } else if (!target.control.isConnected) {
      focusedTarget = null;
      unawaited(giveFocusBack(target), 'leading the focus');
    }
  });
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
  return () => {
    observer.disconnect();
    for (const end of off) end();
  };
}

/** Whether a control exists and is disabled, by itself or by an ancestor. */
const isDisabled = ({ control }: FocusTarget): boolean =>
  control.isConnected && control.matches(':disabled');

/** When a sheet closes, its opener gets the focus instead of a neighbour. */
function noteBeside(target: FocusTarget, changes: readonly MutationRecord[]): void {
  const { control } = target;
  const sheet = control.closest('dialog');
  const change = changes.find(({ removedNodes }) =>
    [...removedNodes].some(
      (node) => node.contains(control) && (sheet === null || !node.contains(sheet)),
    ),
  );
  if (change !== undefined) target.beside = [change.nextSibling, change.previousSibling];
}

/** Gives the focus back to a target, unless something else has it by now, or the person has left. */
export async function giveFocusBack(target: FocusTarget | null): Promise<void> {
  await tick();
  if (target === null) return;
  openers.delete(target);
  if (document.activeElement !== document.body) {
    if (disabledTarget === target) disabledTarget = null;
    return;
  }
  const { control, screen } = target;
  if (control.isConnected) {
    takeLostFocus(control);
    // A disabled control gets the focus at the end of its work.
    disabledTarget = control.matches(':disabled') ? target : null;
    return;
  }
  if (disabledTarget === target) disabledTarget = null;
  // A focus set by the screen itself takes precedence over the neighbour.
  await new Promise(requestAnimationFrame);
  if (document.activeElement === document.body && !screen.aborted) takeLostFocus(insteadOf(target));
}

/**
 * The replacement for a removed control: the button with the same words in the next row, as when returning book after
 * book.
 */
function insteadOf({ control, beside: [behind, before], around }: FocusTarget) {
  const words = wordsOf(control);
  const isSame = (one: HTMLElement) => wordsOf(one) === words;
  const next = controlsIn(behind, 'nextSibling');
  const last = controlsIn(before, 'previousSibling');
  const beside = next.find(isSame) ?? next[0] ?? last.findLast(isSame) ?? last[0];
  if (beside !== undefined) return beside;
  // If a screen is removed with its record, only the position of the next screen is left; a sheet has its opener.
  const isOfSheet = around.at(-1) instanceof HTMLDialogElement;
  const box =
    around.find(({ isConnected }) => isConnected) ??
    (isOfSheet ? null : document.querySelector('main'));
  if (box !== null && !box.hasAttribute('tabindex')) {
    box.tabIndex = -1;
    box.addEventListener('blur', () => box.removeAttribute('tabindex'), { once: true });
  }
  return box;
}

/** The controls of an existing node, or of the first in a direction that has any. */
function controlsIn(
  start: Node | null,
  direction: 'nextSibling' | 'previousSibling',
): readonly HTMLElement[] {
  for (let node = start?.isConnected ? start : null; node !== null; node = node[direction]) {
    if (!(node instanceof HTMLElement)) continue;
    const controls = [node, ...node.querySelectorAll<HTMLElement>(UNTYPED)].filter(
      (one) => one.matches(UNTYPED) && one.checkVisibility(),
    );
    if (controls.length > 0) return controls;
  }
  return [];
}

/** The visible words of a control: its accessible name may differ by row. */
const wordsOf = (control: HTMLElement): string =>
  control.textContent.trim() || (control.ariaLabel ?? '');

/** The nearest control in the order of the page: the next one, else the last before it. */
function besideOf(control: HTMLElement): HTMLElement | undefined {
  const isBehind = (other: HTMLElement) =>
    (control.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  for (let around = control.parentElement; around !== null; around = around.parentElement) {
    const others = [...around.querySelectorAll<HTMLElement>(CONTROLS)].filter((other) =>
      other.checkVisibility(),
    );
    const beside = others.find(isBehind) ?? others.at(-1);
    if (beside !== undefined) return beside;
  }
  return undefined;
}

/** Without text fields, which would open a phone's keyboard. */
const UNTYPED = 'a[href], button:enabled, input:is([type=checkbox], [type=radio]):enabled';

const CONTROLS = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled';

/** Focuses an element if the focused one was removed. */
export function takeLostFocus(element: HTMLElement | null | undefined): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}
