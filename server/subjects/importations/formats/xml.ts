import { decodeXML } from 'entities';
import { XMLParser } from 'fast-xml-parser';
import { invalid, raison } from '#server/plumbing/common/raisons';

// XML of other programs, a record at a time: a list of many megabytes is never there as a whole tree.

/** The outermost element of a text of XML: its name without a prefix, and its first tag. */
export interface XmlRoot {
  readonly name: string;
  readonly tag: string;
}

/** The beginning of a text, and of one of XML its outermost element. */
export interface Head {
  readonly text: string;
  readonly root: XmlRoot | null;
}

/** `null` for what is no XML. What stands before it, the declaration, comments and the type of document, is passed over. */
function rootOf(head: string): XmlRoot | null {
  let at = head.startsWith('\ufeff') ? 1 : 0;
  for (;;) {
    while (/\s/.test(head.charAt(at))) at++;
    if (head[at] !== '<') return null;
    const end = head.startsWith('<!--', at) ? '-->' : head.startsWith('<?', at) ? '?>' : null;
    if (end !== null || /^<!doctype\b/i.test(head.slice(at, at + 10))) {
      const closed = head.indexOf(end ?? '>', at);
      if (closed === -1) return null;
      at = closed + (end ?? '>').length;
      continue;
    }
    const close = head.indexOf('>', at);
    const tag = head.slice(at, close === -1 ? head.length : close + 1);
    const [, name] = /^<(?:[\w.-]+:)?([\w.-]+)/.exec(tag) ?? [];
    return name === undefined ? null : { name, tag };
  }
}

/**
 * The beginning of a text as its format is told by it. Throws `FICHIER_INVALIDE` for entities of the file's own, of which a
 * few lines may make gigabytes.
 */
export function headOfText(text: string): Head {
  const root = rootOf(text);
  if (root !== null && /<!ENTITY/i.test(text)) throw invalid(raison('xmlNoms'));
  return { text, root };
}

/** A value of an element: a text, or what stands in it by name; always a list under a name. */
export interface XmlNode {
  readonly [name: string]: readonly (XmlNode | string)[] | string;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  removeNSPrefix: true,
  // They are decoded where they are read; those of the file's own are refused before.
  processEntities: false,
  alwaysCreateTextNode: true,
  textNodeName: '#text',
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/** A record of a library has hundreds. Eleven million take a gigabyte of memory. */
const MAX_TAGS = 100_000;

/**
 * The elements of some names, outermost ones only, each as it stands in the text. Throws `FICHIER_INVALIDE` where the last is
 * cut, or one has too many elements.
 */
export function* elementsOf(text: string, ...names: readonly string[]): Generator<string> {
  const wanted = new Set(names);
  let [depth, start] = [0, 0];
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const passed = endOfPassedOver(text, at);
    if (passed !== null) {
      at = passed;
      continue;
    }
    NAME.lastIndex = at;
    const [, closing, name = ''] = NAME.exec(text) ?? [];
    const end = endOfTag(text, at);
    if (wanted.has(name)) {
      const isAlone = closing === '' && text[end - 2] === '/';
      if (closing === '' && depth === 0) start = at;
      if (closing !== '') depth = Math.max(0, depth - 1);
      else if (!isAlone) depth++;
      if (depth === 0) yield withFewTags(text.slice(start, end));
    }
    at = end;
  }
  if (depth > 0) throw invalid(raison('xmlCoupe'));
}

/** A tag without its prefix. */
const NAME = /<(\/?)(?:[\w.-]+:)?([\w.-]*)/y;

/** Where a comment or a section of characters ends, which hold no tags; `null` where there is none. */
function endOfPassedOver(text: string, at: number): number | null {
  const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<![CDATA[', at) ? ']]>' : null;
  if (end === null) return null;
  const closed = text.indexOf(end, at);
  return closed === -1 ? text.length : closed + end.length;
}

/** Behind its « > », which may stand in a quoted value. */
function endOfTag(text: string, at: number): number {
  for (let to = at + 1; to < text.length; to++) {
    const sign = text[to];
    if (sign === '>') return to + 1;
    if (sign === '<') return to;
    if (sign !== '"' && sign !== "'") continue;
    const close = text.indexOf(sign, to + 1);
    if (close === -1) return text.length;
    to = close;
  }
  return text.length;
}

function withFewTags(text: string): string {
  let count = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1))
    if (++count > MAX_TAGS) throw invalid(raison('xmlTropPlein'));
  return text;
}

/** One of the elements by its names without prefixes. Throws `FICHIER_INVALIDE` for what is no XML. */
export function parseElement(text: string): XmlNode {
  try {
    const parsed: unknown = parser.parse(text);
    const [root] = Object.values(isNode(parsed) ? parsed : {});
    const first = Array.isArray(root) ? (root[0] as unknown) : undefined;
    if (isNode(first)) return first;
  } catch {
    // Told below.
  }
  throw invalid(raison('xmlAbime'));
}

export const isNode = (value: unknown): value is XmlNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const nodesOf = (node: XmlNode, name: string): readonly XmlNode[] => {
  const found = node[name];
  return Array.isArray(found) ? found.filter(isNode) : [];
};

/** What stands in an element itself, or in an attribute (`@name`). */
export function xmlText(node: XmlNode | string | undefined): string {
  const text = typeof node === 'string' ? node : node?.['#text'];
  return typeof text === 'string' ? decodeXML(text).trim() : '';
}

export const attributeOf = (node: XmlNode, name: string): string => {
  const value = node[`@${name}`];
  return typeof value === 'string' ? xmlText(value) : '';
};

/** What a person wrote with marks of HTML, as a text. */
export const plainText = (text: string): string =>
  text
    .replace(/<br\s*\/?>|<\/p>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .trim();

export const isTrue = (text: string): boolean => /^(?:1|true)$/i.test(text);
