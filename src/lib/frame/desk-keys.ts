import { tick } from 'svelte';
import { goto } from '$app/navigation';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { keysSetting } from '$lib/ui/device-settings.svelte';
import { openBeside } from '$lib/ui/take-focus';
import { isField } from './heard-keys.ts';
import { rowBeside } from './row-keys.ts';
import { ALONE_MS, scannedKey } from './scanner-detector.ts';
import { unawaited } from '$lib/sync/report';

/** The link to the record of each row. */
const ROW = 'main [data-shortcut="row"]';

/** The links of the rows; in selection mode only checkboxes. */
export function rowLinks(): readonly HTMLElement[] {
  const all = [...document.querySelectorAll<HTMLElement>(ROW)];
  const boxes = all.filter((one) => one.role === 'checkbox');
  return boxes.length > 0 ? boxes : all;
}

const find = (selector: string) => document.querySelector<HTMLElement>(selector);

interface Desk {
  /** Shows the list of the keys. */
  readonly openList: () => void;
  /** Whether nothing has followed the last key for as long as a scanner's would. */
  readonly isAlone: () => boolean;
}

type Shortcut = (target: EventTarget | null, desk: Desk) => boolean;

const shortcuts: Readonly<Record<string, Shortcut>> = {
  '/': () => {
    unawaited(search(), 'going to the search');
    return true;
  },
  '?': (_, { openList }) => {
    openList();
    return true;
  },
  n: () => press('[data-shortcut="add"]'),
  e: () => press('main [data-shortcut="edit"]'),
  [m.key_lend()]: () => focusOn('main [name="emprunteur"]'),
  Escape: (target) => closeAround(target) || clearSearch(),
};

/** Presses the element of a digit, once the digit cannot be a scanner's. */
function pressByDigit(digit: string, { isAlone }: Desk) {
  setTimeout(() => {
    if (isAlone()) press(`main [data-shortcut="${digit}"]`);
  }, ALONE_MS);
}

function focusOn(selector: string): boolean {
  const element = find(selector);
  element?.focus();
  return element !== null;
}

function clearSearch(): boolean {
  const field = find('main [type="search"]');
  if (!(field instanceof HTMLInputElement) || field.value === '') return false;
  field.value = '';
  return field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

async function search() {
  if (find('main [type="search"]') === null) await goto(href('/'));
  await tick();
  const field = find('main [type="search"]');
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
}

/** Closes the innermost closable part around the focus; without focus the first on the screen. */
function closeAround(target: EventTarget | null): boolean {
  const main = find('main');
  const start = target instanceof Element && main?.contains(target) ? target : main;
  for (let box: Element | null = start; box?.closest('main'); box = box.parentElement) {
    const close = box.querySelector<HTMLElement>('[data-shortcut="close"]');
    close?.click();
    if (close !== null) return true;
  }
  return false;
}

function press(selector: string): boolean {
  const element = find(selector);
  element?.click();
  return element !== null;
}

const rowOf = (link: Element) => link.closest('li, [role="listitem"]') ?? link;

/** From the page or the search to the first visible row; elsewhere arrow keys belong to the focused element. */
function move({ key, target }: KeyboardEvent): boolean {
  const links = rowLinks();
  const rows = links.map(rowOf);
  const boxes = rows.map((row) => row.getBoundingClientRect());
  const current = rows.findLast((row) => target instanceof Node && row.contains(target));
  if (current !== undefined) {
    if (!canLeave(target)) return false;
    const index = rowBeside(boxes, current.getBoundingClientRect(), key);
    return focusRow(index === undefined ? undefined : links[index], 'nearest');
  }
  const box = boxes[links.findIndex((link) => link.ariaCurrent === 'true')];
  if (box !== undefined && (isNowhere(target) || isHeading(target))) {
    const index = rowBeside(boxes, box, key);
    return focusRow(index === undefined ? undefined : links[index], 'nearest');
  }
  const isEntered =
    (key === 'ArrowDown' && (isSearch(target) || isNowhere(target))) ||
    (key === 'ArrowUp' && isNowhere(target));
  return isEntered && focusRow(links[firstInSight(links, boxes)]);
}

const isNowhere = (target: EventTarget | null) => target === document.body;

const isHeading = (target: EventTarget | null) => target instanceof Element && target.matches('h1');

const isSearch = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && target.type === 'search';

/** A form or a choice that is open in a row uses the arrow keys itself. */
const canLeave = (target: EventTarget | null) =>
  target instanceof Element && target.closest('a, button') !== null;

function focusRow(link: HTMLElement | undefined, block?: ScrollLogicalPosition): boolean {
  link?.focus({ preventScroll: true });
  if (block !== undefined) link?.scrollIntoView({ block });
  if (block !== undefined && link !== undefined) openBeside(link);
  return link !== undefined;
}

/** The open row, else the first one below the screen's head. */
function firstInSight(links: readonly HTMLElement[], boxes: readonly DOMRect[]): number {
  const open = links.findIndex((link) => link.ariaCurrent === 'true');
  if (open !== -1) return open;
  const covered = find('main header')?.getBoundingClientRect().bottom ?? 0;
  return boxes.findIndex(({ top }) => top >= covered - 1);
}

const isTyping = (target: EventTarget | null) =>
  isField(target) || (target instanceof HTMLElement && target.isContentEditable);

function act(event: KeyboardEvent, desk: Desk): boolean {
  if (event.key.length === 1 && keysSetting.value === 'non') return false;
  const shortcut = shortcuts[event.key];
  if (shortcut !== undefined) return shortcut(event.target, desk);
  // A French keyboard has the digits on Shift.
  const key = scannedKey(event);
  if (/^[1-4]$/.test(key)) pressByDigit(key, desk);
  return false;
}

/** Handles keyboard shortcuts: not while a text is being typed, nor behind a dialog. */
export function handleDeskKey(event: KeyboardEvent, desk: Desk): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.isComposing || find('dialog:modal') !== null) return;
  if (event.key.startsWith('Arrow') ? move(event) : !isTyping(event.target) && act(event, desk))
    event.preventDefault();
}
