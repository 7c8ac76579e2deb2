import { locale } from '../format/locale.ts';

/** A text with its translation. */
interface Translated {
  readonly text: Text;
  readonly words: string;
}

/** A position of added or removed nodes. */
interface Place {
  readonly parent: Node;
  readonly previous: Node | null;
  readonly next: Node | null;
}

/** The former position of a text removed from the page. */
interface Gap extends Place {
  readonly text: Text;
}

const fonts = new WeakMap<Text, Element>();
const translations = new WeakMap<Node, Translated>();
/** Whether a translation has inserted an element into the page. */
let hasSeenFont = false;

const keys = new WeakMap<object, string>();
let keyCount = 0;

/**
 * The key of a row that is written anew for another record, which is the fastest; where a browser's translation may
 * have changed the nodes of the page, a row is drawn anew for another record.
 */
export function rowKey(record: object, index: number): string | number {
  // A translating browser sets its language there.
  if (!hasSeenFont && document.documentElement.lang === locale) return index;
  if ('id' in record) return `record ${String(record.id)}`;
  let key = keys.get(record);
  if (key === undefined) keys.set(record, (key = `row ${String(keyCount++)}`));
  return key;
}

/**
 * Keeps a page that the browser translates working. Chromium replaces a text node by a `font` element; later updates
 * by the application would go to the detached node. So the empty text is put back after that element, which is
 * removed when the text gets new words or leaves the page.
 */
export function keepAliveTranslated(): void {
  const ofPage = new MutationObserver((records) => follow(records));
  const ofWords = new MutationObserver((records) => showWords(records));
  ofPage.observe(document.documentElement, { childList: true, subtree: true });

  function follow(records: readonly MutationRecord[]): void {
    if (!hasSeenFont && !records.some(({ addedNodes }) => hasFont(addedNodes))) return;
    hasSeenFont = true;
    showWords(ofWords.takeRecords());
    const gaps: Gap[] = [];
    for (const {
      target: parent,
      addedNodes,
      removedNodes,
      previousSibling,
      nextSibling,
    } of records) {
      const position = { parent, previous: previousSibling, next: nextSibling };
      for (const node of removedNodes) {
        forget(node);
        if (isWords(node)) gaps.push({ text: node, ...position });
      }
      const font = [...addedNodes, previousSibling, nextSibling].find(isNewFont);
      const gap = font && gaps.findLast((each) => isSame(each, position, font));
      if (font && gap) putBack(gap.text, font);
    }
    // The changes made here are no translation.
    ofWords.takeRecords();
  }

  /** Puts a text back after the translation that replaced it. */
  function putBack(text: Text, font: Element): void {
    if (!font.isConnected) return;
    const words = text.data;
    if (font.contains(text)) text.replaceWith(words);
    text.data = '';
    font.after(text);
    fonts.set(text, font);
    translations.set(font, { text, words });
    ofWords.observe(text, { characterData: true });
  }

  /** The application has updated a text: its translation is outdated. */
  function showWords(records: readonly MutationRecord[]): void {
    for (const { target } of records) if (target instanceof Text) takeAway(target);
  }

  function takeAway(text: Text): void {
    const font = fonts.get(text);
    if (font === undefined) return;
    fonts.delete(text);
    translations.delete(font);
    font.remove();
  }

  /** A removed translation restores the text's words; a removed text removes its translation. */
  function forget(node: Node): void {
    const translated = translations.get(node);
    if (translated !== undefined && !node.isConnected) {
      const { text, words } = translated;
      fonts.delete(text);
      translations.delete(node);
      if (text.isConnected && text.data === '') text.data = words;
    } else if (node instanceof Text && !node.isConnected) takeAway(node);
  }

  const isNewFont = (node: Node | null): node is Element =>
    isFont(node) && !isFont(node.parentNode) && !translations.has(node);
}

const isFont = (node: Node | null): node is Element => node?.nodeName === 'FONT';

const hasFont = (nodes: NodeList): boolean => [...nodes].some(isFont);

const isWords = (node: Node): node is Text => node instanceof Text && node.data.trim() !== '';

/** Whether a translation is at a text's former position, or beside it. */
const isSame = (gap: Gap, { parent, previous, next }: Place, font: Element): boolean =>
  gap.parent === parent &&
  (gap.previous === font || gap.next === font || (gap.previous === previous && gap.next === next));
