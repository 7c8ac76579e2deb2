import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { shortened } from '#shared/text';
import { invalid, raison, type Raison } from '#server/plumbing/common/raisons';

// XML of other programs, a record at a time: a list of many megabytes is never a whole tree. The parser knows the five
// entities of XML and numbers of characters; names are without their prefixes.
// cspell:ignore opentag

export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** What stands in the element itself, sections of characters included, trimmed. */
  readonly text: string;
}

export type XmlTag = Pick<XmlElement, 'name' | 'attributes'>;

/** The beginning of a text, and of one of XML its first tags, the outermost element's first. */
export interface Head {
  readonly text: string;
  readonly tags: readonly XmlTag[];
}

type Parser = SaxesParser<{ xmlns: false }>;

const PIECE_LENGTH = 65_536;
/** A record of a library has hundreds. Eleven million take a gigabyte of memory. */
const MAX_ELEMENTS = 100_000;
const MAX_DEPTH = 200;
/** In characters, of an element and of an attribute: what is over is cut before anything is looked for in it. */
const MAX_TEXT = 100_000;
const MAX_STRAYS = 1000;

/** Entities of HTML, and numbers of no character: they stay as they stand. */
const STRAY = /(?:undefined entity|malformed character entity)\.$/;

/** Other errors are thrown: XML that is none is told by its line. */
function parserOf(): Parser {
  const parser: Parser = new SaxesParser({ xmlns: false });
  let strays = 0;
  parser.on('error', ({ message }) => {
    if (!STRAY.test(message) || ++strays > MAX_STRAYS)
      throw invalid(raison('xmlAbime', { ligne: parser.line }));
  });
  return parser;
}

/** Characters that XML forbids are blanks: programs write what was pasted into a note. */
function* piecesOf(text: string): Generator<string> {
  const whole = text.trimStart();
  for (let at = 0; at < whole.length; at += PIECE_LENGTH)
    yield whole.slice(at, at + PIECE_LENGTH).replace(/(?![\t\n\r])[\0-\x1f\ufffe\uffff]/g, ' ');
}

const bareName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

const tagOf = ({ name, attributes }: SaxesTagPlain): XmlTag => ({
  name: bareName(name),
  attributes: new Map(Object.entries(attributes).map(([key, value]) => [bareName(key), value])),
});

/**
 * The beginning of a text as its format is told by it. Throws `FICHIER_INVALIDE` for entities of the file's own, of which a
 * few lines may make gigabytes.
 */
export function headOfText(text: string): Head {
  const tags: XmlTag[] = [];
  if (!text.trimStart().startsWith('<')) return { text, tags };
  const parser = parserOf();
  const types: string[] = [];
  parser.on('opentag', (tag) => tags.push(tagOf(tag)));
  parser.on('doctype', (doctype) => types.push(doctype));
  try {
    for (const piece of piecesOf(text)) parser.write(piece);
  } catch {
    // A table's first cell may begin with « < », and a list be damaged, which its reader tells.
  }
  if (types.some((doctype) => /<!ENTITY/i.test(doctype))) throw invalid(raison('xmlNoms'));
  return { text, tags };
}

/** The first element of a name, without what stands in it. */
export const firstTag = ({ tags }: Head, name: string): XmlTag | undefined =>
  tags.find((tag) => tag.name === name);

interface OpenElement extends XmlTag {
  readonly children: XmlElement[];
  text: string;
}

/**
 * The elements of some names, outermost ones only, in their order. Throws `FICHIER_INVALIDE` where the text is no XML, the last
 * of them is cut, or one has too many elements.
 *
 * @param said gets that the text is cut behind the last of them, and whose texts are
 * @param parent in which they stand; none: anywhere
 */
export function* elementsOf(
  text: string,
  names: readonly string[],
  said: Raison[] = [],
  parent?: string,
): Generator<XmlElement> {
  const wanted = new Set(names);
  const parser = parserOf();
  const whole: XmlElement[] = [];
  const open: OpenElement[] = [];
  let count = 0;
  const around: string[] = [];
  const cut = new Set<string>();
  const bounded = (value: string, name: string): string => {
    if (value.length <= MAX_TEXT) return value;
    if (!cut.has(name))
      said.push(raison('texteCoupe', { colonne: shortened(name, 100), count: MAX_TEXT }));
    cut.add(name);
    return value.slice(0, MAX_TEXT);
  };
  parser.on('opentag', (opened) => {
    const tag = tagOf(opened);
    if (open.length === 0) {
      if (!wanted.has(tag.name) || (parent !== undefined && around.at(-1) !== parent)) {
        around.push(tag.name);
        return;
      }
      count = 0;
    }
    if (++count > MAX_ELEMENTS || open.length >= MAX_DEPTH) throw invalid(raison('xmlTropPlein'));
    const attributes = new Map(
      Array.from(tag.attributes, ([name, value]) => [name, bounded(value, name)]),
    );
    open.push({ name: tag.name, attributes, children: [], text: '' });
  });
  const takeText = (characters: string): void => {
    const inner = open.at(-1);
    if (inner !== undefined) inner.text = bounded(inner.text + characters, inner.name);
  };
  parser.on('text', takeText);
  parser.on('cdata', takeText);
  parser.on('closetag', () => {
    const closed = open.pop();
    if (closed === undefined) {
      around.pop();
      return;
    }
    closed.text = closed.text.trim();
    (open.at(-1)?.children ?? whole).push(closed);
  });
  for (const piece of piecesOf(text)) {
    parser.write(piece);
    yield* whole.splice(0);
  }
  if (open.length > 0 || !text.trimEnd().endsWith('>')) throw invalid(raison('xmlCoupe'));
  if (around.length > 0) said.push(raison('fichierCoupe'));
}

/** The elements of a name that stand directly in one. */
export const childrenOf = ({ children }: XmlElement, name: string): readonly XmlElement[] =>
  children.filter((child) => child.name === name);

/** The elements of a name that stand in one, however deep, outermost ones only. */
export const descendantsOf = ({ children }: XmlElement, name: string): readonly XmlElement[] =>
  children.flatMap((child) => (child.name === name ? [child] : descendantsOf(child, name)));

export const textsOf = (element: XmlElement, name: string): string[] =>
  childrenOf(element, name).map(({ text }) => text);

export const attributeOf = ({ attributes }: XmlTag, name: string): string =>
  attributes.get(name)?.trim() ?? '';

/** What a person wrote with marks of HTML, as a text. */
export const plainText = (text: string): string =>
  text
    .replace(/<br\s*\/?>|<\/p>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .trim();

export const isTrue = (text: string): boolean => /^(?:1|true)$/i.test(text);
