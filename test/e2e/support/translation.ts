import type { Page } from 'playwright';

/**
 * How browsers translate a page. Chromium puts two `font` elements in a text's place (`replace`), in one step or in
 * two (`insert`); others keep the text inside (`wrap`) or change it (`overwrite`). Firefox also rebuilds elements
 * with inline content only, in the target language's order: elements stay or are duplicated, and texts are reused as
 * needed (`rebuild`).
 */
export const TRANSLATIONS = ['replace', 'insert', 'wrap', 'overwrite', 'rebuild'] as const;

/**
 * Marks rebuilt elements with text outside their inline children: the application may update that text without
 * effect.
 */
export const REBUILT = 'data-rebuilt';

const KEPT = 'script, style, title, option, textarea';

interface TranslationOptions {
  /** False for a translator that ignores `translate="no"`. */
  readonly heeds?: boolean;
}

/** Simulates a translation of the page and of later changes: each text becomes « EN … ». */
export async function translate(
  page: Page,
  way: (typeof TRANSLATIONS)[number],
  { heeds = true }: TranslationOptions = {},
): Promise<void> {
  await page.evaluate(
    ([how, kept, rebuiltMark]) => {
      const isKept = (text: Text) =>
        text.data.trim() === '' ||
        text.data.startsWith('EN ') ||
        text.parentElement === null ||
        text.parentElement.closest(`font, ${kept}`) !== null;
      const newFont = () => document.createElementNS('http://www.w3.org/1999/xhtml', 'font');
      const put = (text: Text) => {
        if (isKept(text)) return;
        const words = `EN ${text.data}`;
        if (how === 'overwrite' || how === 'rebuild') {
          text.data = words;
          return;
        }
        const [font, inner] = [newFont(), newFont()];
        font.append(inner);
        if (how === 'insert') {
          text.before(font);
          text.remove();
        } else text.replaceWith(font);
        if (how === 'wrap') {
          text.data = words;
          inner.append(text);
        } else inner.textContent = words;
      };
      const isBlock = (element: Element) =>
        element instanceof SVGElement ||
        !['inline', 'none'].includes(getComputedStyle(element).display);
      const isSubdivided = (element: Element): boolean =>
        [...element.childNodes].some(
          (node) =>
            !(node instanceof Text) &&
            (!(node instanceof Element) || isBlock(node) || isSubdivided(node)),
        );
      const isRebuilt = (element: Element) =>
        element.textContent.trim() !== '' &&
        element.closest(kept) === null &&
        element.querySelector(kept) === null &&
        !isSubdivided(element);
      const clones = new WeakSet<Node>();
      const rebuild = (element: Element) => {
        const texts = [...element.childNodes].filter((node) => node instanceof Text);
        const elements = [...element.children].reverse();
        element.replaceChildren();
        for (const each of elements) {
          rebuild(each);
          element.append(each);
        }
        const [last] = elements;
        if (last !== undefined && !elements.some((each) => clones.has(each))) {
          const clone = last.cloneNode(true);
          clones.add(clone);
          element.append(clone);
        }
        const words = texts.flatMap(({ data }) => data.replaceAll('EN ', '').trim() || []);
        if (words.length > 0 && elements.length > 0) element.setAttribute(rebuiltMark, '');
        const [first] = texts;
        if (first === undefined || words.length === 0) return;
        first.data = `EN ${words.join(' ')}`;
        element.append(first);
      };
      const rebuildAll = (root: Node) => {
        const top = root instanceof Element ? root : root.parentElement;
        if (top === null) return;
        const around = [...top.querySelectorAll('*'), top];
        for (let up = top.parentElement; up !== null; up = up.parentElement) around.push(up);
        const taken = around.filter(isRebuilt);
        // Translate the outermost element as a whole.
        for (const element of taken)
          if (!taken.some((other) => other !== element && other.contains(element)))
            rebuild(element);
      };
      const putAll = (root: Node) => {
        if (how === 'rebuild') rebuildAll(root);
        const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const texts: Text[] = [];
        for (let node = walk.nextNode(); node !== null; node = walk.nextNode())
          if (node instanceof Text) texts.push(node);
        if (root instanceof Text) texts.push(root);
        for (const text of texts) put(text);
      };
      const observer = new MutationObserver((records) => {
        for (const { type, target, addedNodes } of records) {
          if (type === 'characterData' && target instanceof Text) putAll(target);
          for (const node of addedNodes) if (node.isConnected) putAll(node);
        }
        // Discard the records of the translator's own changes.
        observer.takeRecords();
      });
      observer.observe(document.body, { childList: true, characterData: true, subtree: true });
      document.documentElement.lang = 'en';
      putAll(document.body);
      observer.takeRecords();
    },
    [way, heeds ? `[translate="no"], ${KEPT}` : KEPT, REBUILT] as const,
  );
}
