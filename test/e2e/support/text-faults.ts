import type { Page } from 'playwright';
import { OPEN, SHUT } from './pseudo.ts';

/** Texts of a screen that come from no message, and texts that are cut off. */
export interface TextFaults {
  readonly unsaid: readonly string[];
  readonly cut: readonly string[];
}

/** Texts that may be outside of brackets: names, data of the household, and the output of `Intl`. */
const OWN = [
  /Zq[\p{L}\d]*(?:\.\w+|, tome \d+)?/gu,
  /\b[0-9a-f]{8}\b/g,
  /\b(?:alice|bruno|Claire|Luc|Rayonnage|ISBN|ISSN|CSV|zip|English|français|Chrome|Safari|Linux)\b/g,
  /Mozilla\/5\.0.*/g,
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/g,
  /\b(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b/g,
  /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b(?:to|yester)day\b|\b(?:now|tomorrow)\b/g,
  /\b\d+ (?:second|minute|hour|day|week|month|year)s?(?: ago)?\b/g,
  /\b\d+(?:[.,]\d+)?\s?(?:am|pm|kB|MB|GB|bytes?)\b/g,
  /https?:\/\/\S*/g,
];

const WORD = /\p{L}{2,}/u;

/** Removes the bracketed parts, which may be nested, from a text. */
function outside(text: string): string {
  let depth = 0;
  let bare = '';
  for (const character of text) {
    if (character === OPEN) depth++;
    else if (character === SHUT) depth--;
    else if (depth <= 0) bare += character;
    if (character === OPEN || depth < 0) bare += ' ';
    depth = Math.max(0, depth);
  }
  // A bracket without its closing one: the code has truncated the message.
  return depth === 0 ? bare : `${text} (never closed)`;
}

const isUnsaid = (text: string, allowed: readonly RegExp[]): boolean =>
  WORD.test(allowed.reduce((left, word) => left.replaceAll(word, ' '), outside(text)));

/** @param allowed additional texts allowed outside of brackets */
export async function textFaultsOf(
  page: Page,
  allowed: readonly RegExp[] = [],
): Promise<TextFaults> {
  const { texts, cut } = await page.evaluate(look, OPEN);
  return {
    unsaid: [...new Set(texts)].filter((text) => isUnsaid(text, [...allowed, ...OWN])),
    cut: [...new Set(cut)],
  };
}

/** Runs in the page. */
function look(open: string): { texts: string[]; cut: string[] } {
  const SAID = [
    'alt',
    'aria-description',
    'aria-label',
    'aria-roledescription',
    'aria-valuetext',
    'placeholder',
    'title',
  ];
  // Text typed by a reader, and the manual, which has its own file per language.
  const MANUAL = 'script, style, textarea, .manual .text';
  const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true });
  const isInline = (element: Element) => getComputedStyle(element).display.startsWith('inline');
  const blockOf = (element: Element): Element => {
    let up = element;
    while (isInline(up) && up.parentElement !== null) up = up.parentElement;
    return up;
  };
  const texts: string[] = [document.title];
  const cut: string[] = [];
  const blocks = new Map<Element, string>();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    const { parentElement: parent, textContent: text } = node;
    if (parent === null || text === null || text.trim() === '') continue;
    if (parent.closest(MANUAL) !== null) continue;
    if (!isSeen(parent) && parent.closest('select') === null) continue;
    const block = blockOf(parent);
    blocks.set(block, (blocks.get(block) ?? '') + text);
    const mark = cutOf(node, parent);
    if (mark !== null && text.includes(open)) cut.push(`${mark}: ${text.trim()}`);
  }
  texts.push(...[...blocks.values()].map((text) => text.replaceAll(/\s+/g, ' ').trim()));
  for (const element of document.body.querySelectorAll('*'))
    for (const name of SAID) {
      const value = element.getAttribute(name);
      if (value !== null && value !== '' && isSeen(element)) texts.push(value);
    }
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth) cut.push(`the page is ${String(scrollWidth)} px wide`);
  return { texts, cut };

  /** How a text is cut off: by a clipping ancestor, by the window, or at a control's border. `null` if it is not. */
  function cutOf(node: Node, parent: Element): string | null {
    if (parent.closest('.sr-only, select, [inert]') !== null) return null;
    // A truncated confirmation is complete in its title.
    const title = parent.closest('[title]')?.getAttribute('title') ?? '';
    if (title !== '' && title.includes(node.textContent?.trim() ?? '')) return null;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, top, bottom, width, height } = range.getBoundingClientRect();
    if (width <= 1 || height <= 1) return null;
    for (
      let up: Element | null = parent;
      up !== null && up !== document.body;
      up = up.parentElement
    ) {
      const box = up.getBoundingClientRect();
      if (box.width <= 2 || box.height <= 2) return null;
      const { overflowX, overflowY } = getComputedStyle(up);
      const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
      if (hides(overflowX) && (right > box.right + 1.5 || left < box.left - 1.5))
        return 'hidden at its side';
      if (hides(overflowY) && (bottom > box.bottom + 4 || top < box.top - 4)) return 'hidden below';
      if (
        up.matches('button, a, label, [role="tab"]') &&
        (right > box.right + 1.5 || left < box.left - 1.5)
      )
        return 'beyond what is pressed';
      if (overflowX === 'auto' || overflowX === 'scroll') return null;
    }
    return right > innerWidth + 1 || left < -1 ? 'beyond the window' : null;
  }
}
