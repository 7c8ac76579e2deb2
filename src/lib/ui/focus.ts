import { tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { on } from 'svelte/events';
import { thisScreen } from './this-screen.ts';
import { unawaited } from '$lib/sync/report';

/** Where the focus was: on a control that may be disabled or gone by now, and in what. */
interface FocusTarget {
  readonly control: HTMLElement;
  /** What the control stood in, from the inside out, as far as its sheet or the screen. */
  readonly around: readonly HTMLElement[];
  readonly screen: AbortSignal;
  /** Once the control is gone: what stood behind and before what went, in the order of the page. */
  beside: readonly [behind: Node | null, before: Node | null];
}

/** The target of a control that was disabled while it had the focus, until something has it again. */
let disabledTarget: FocusTarget | null = null;

/** The target of what has the focus, or had it when it went. */
let focusedTarget: FocusTarget | null = null;

/** The targets of what has opened the sheets that stand open. */
const openers = new Set<FocusTarget>();

function targetOf(control: HTMLElement): FocusTarget {
  const around: HTMLElement[] = [];
  for (let box = control.parentElement; box?.closest('main > *, dialog'); box = box.parentElement) {
    around.push(box);
    if (box instanceof HTMLDialogElement) break;
  }
  return { control, around, screen: thisScreen(), beside: [null, null] };
}

/** Where the focus is before a sheet opens, kept until it is given back: also on a control that its own press has disabled. */
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

/** For a control that has nothing more to do, such as « Monter » on the first: the one beside it takes the focus. */
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
 * Keeps the focus near what has it. A control that is disabled for a while, as where the network goes, gives it up, since
 * a browser would give it keys until the next frame, which would be lost, a scan's too; it has it again once it is enabled,
 * unless it is elsewhere by then. Of what goes while it has the focus, or has given it up, what stood beside takes it. A link
 * leads elsewhere, and what it leads to has the focus.
 */
export function keepFocus(): () => void {
  const off = [
    on(document, 'focusin', ({ target }) => {
      const isLink = target instanceof HTMLAnchorElement;
      focusedTarget = target instanceof HTMLElement && !isLink ? targetOf(target) : null;
    }),
    on(document, 'focusout', ({ target }) => {
      // A person, or the page, takes the focus from what is still there.
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

/** A control that is there and disabled, by itself or with what it stands in. */
const isDisabled = ({ control }: FocusTarget): boolean =>
  control.isConnected && control.matches(':disabled');

/** With a sheet goes all that stood in it, and what has opened the sheet takes the focus. */
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
    // A disabled one gets it at the end of its work.
    disabledTarget = control.matches(':disabled') ? target : null;
    return;
  }
  if (disabledTarget === target) disabledTarget = null;
  // What its own screen leads to goes before what stood beside it.
  await new Promise(requestAnimationFrame);
  if (document.activeElement === document.body && !screen.aborted) takeLostFocus(insteadOf(target));
}

/** What takes the focus of what is gone: in the next row the button of the same words, as one gives book after book back. */
function insteadOf({ control, beside: [behind, before], around }: FocusTarget) {
  const words = wordsOf(control);
  const isSame = (one: HTMLElement) => wordsOf(one) === words;
  const next = controlsIn(behind, 'nextSibling');
  const last = controlsIn(before, 'previousSibling');
  const beside = next.find(isSame) ?? next[0] ?? last.findLast(isSame) ?? last[0];
  if (beside !== undefined) return beside;
  // Of a screen that went with its record nothing is left but where the next one stands; a sheet has its opener.
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

/** The controls of a node that is still there, or of the first in a direction that has any. */
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

/** What a control shows, as a spoken name may tell each row's apart. */
const wordsOf = (control: HTMLElement): string =>
  control.textContent.trim() || (control.ariaLabel ?? '');

/** The nearest control around one, in the order of the page: the next one, or else the last before it. */
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

/** Without fields for text, for which a phone opens its keyboard. */
const UNTYPED = 'a[href], button:enabled, input:is([type=checkbox], [type=radio]):enabled';

const CONTROLS = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled';

/** Where what had the focus has gone, this element takes it. */
export function takeLostFocus(element: HTMLElement | null | undefined): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}
