import type { Page } from 'playwright';

/**
 * How a translation changes a page: Chromium's puts two `font` elements in the place of a text, in one step or in
 * two, others keep the text inside them; Firefox's writes over the text where it stands.
 */
export const TRANSLATIONS = ['replace', 'insert', 'wrap', 'overwrite'] as const;

interface TranslationOptions {
  /** False for a translation that does not heed `translate="no"`. */
  readonly heeds?: boolean;
}

/** Has the page translated, and what comes to it later: each text is set in « EN … ». */
export async function translate(
  page: Page,
  way: (typeof TRANSLATIONS)[number],
  { heeds = true }: TranslationOptions = {},
): Promise<void> {
  await page.evaluate(
    ([how, isHeeding]) => {
      const isKept = (text: Text) =>
        text.data.trim() === '' ||
        text.data.startsWith('EN ') ||
        text.parentElement === null ||
        text.parentElement.closest('font, script, style, title, option, textarea') !== null ||
        (isHeeding && text.parentElement.closest('[translate="no"]') !== null);
      const newFont = () => document.createElementNS('http://www.w3.org/1999/xhtml', 'font');
      const put = (text: Text) => {
        if (isKept(text)) return;
        const words = `EN ${text.data}`;
        if (how === 'overwrite') {
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
      const putAll = (root: Node) => {
        const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const texts: Text[] = [];
        for (let node = walk.nextNode(); node !== null; node = walk.nextNode())
          if (node instanceof Text) texts.push(node);
        if (root instanceof Text) texts.push(root);
        for (const text of texts) put(text);
      };
      const observer = new MutationObserver((records) => {
        for (const { type, target, addedNodes } of records) {
          if (type === 'characterData' && target instanceof Text) put(target);
          for (const node of addedNodes) if (node.isConnected) putAll(node);
        }
      });
      observer.observe(document.body, { childList: true, characterData: true, subtree: true });
      document.documentElement.lang = 'en';
      putAll(document.body);
    },
    [way, heeds] as const,
  );
}
