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
  /** The element's own text, CDATA included, trimmed. */
  readonly text: string;
}

export type XmlTag = Pick<XmlElement, 'name' | 'attributes'>;

/** The beginning of a text, and for XML its first tags, outermost first. */
export interface Head {
  readonly text: string;
  readonly tags: readonly XmlTag[];
}

type Parser = SaxesParser<{ xmlns: false }>;

const PIECE_LENGTH = 65_536;
/** Library records have hundreds. Eleven million would take a gigabyte. */
const MAX_ELEMENTS = 100_000;
const MAX_DEPTH = 200;
/** Limit for the text of an element or attribute, in characters; the rest is cut before parsing. */
const MAX_TEXT = 100_000;
const MAX_STRAYS = 1000;

/** HTML entities and invalid character numbers are kept as they are. */
const STRAY = /(?:undefined entity|malformed character entity)\.$/;

/** Other errors are thrown, so that invalid XML is reported with its line. */
function parserOf(): Parser {
  const parser: Parser = new SaxesParser({ xmlns: false });
  let strays = 0;
  parser.on('error', ({ message }) => {
    if (!STRAY.test(message) || ++strays > MAX_STRAYS)
      throw invalid(raison('xmlAbime', { ligne: parser.line }));
  });
  return parser;
}

/** Characters that XML forbids become blanks: programs write pasted text into notes. */
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
 * The beginning of a text for recognising its format. Throws `FICHIER_INVALIDE` for entities of the file's own, which
 * may expand to gigabytes.
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
    // A table's first cell may begin with « < », or the list is damaged, which its reader reports.
  }
  if (types.some((doctype) => /<!ENTITY/i.test(doctype))) throw invalid(raison('xmlNoms'));
  return { text, tags };
}

/** The first element of a name, without its contents. */
export const firstTag = ({ tags }: Head, name: string): XmlTag | undefined =>
  tags.find((tag) => tag.name === name);

interface OpenElement extends XmlTag {
  readonly children: XmlElement[];
  text: string;
}

/**
 * Yields the outermost elements of some names. Throws `FICHIER_INVALIDE` if the text is no XML, its last element is
 * truncated, or one has too many elements.
 *
 * @param warnings receives warnings about truncated texts
 * @param parent the enclosing element; any by default
 */
export function* elementsOf(
  text: string,
  names: readonly string[],
  warnings: Raison[] = [],
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
      warnings.push(raison('texteCoupe', { colonne: shortened(name, 100), count: MAX_TEXT }));
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
  if (around.length > 0) warnings.push(raison('fichierCoupe'));
}

/** The direct children of a name. */
export const childrenOf = ({ children }: XmlElement, name: string): readonly XmlElement[] =>
  children.filter((child) => child.name === name);

/** The outermost descendants of a name. */
export const descendantsOf = ({ children }: XmlElement, name: string): readonly XmlElement[] =>
  children.flatMap((child) => (child.name === name ? [child] : descendantsOf(child, name)));

export const textsOf = (element: XmlElement, name: string): string[] =>
  childrenOf(element, name).map(({ text }) => text);

export const attributeOf = ({ attributes }: XmlTag, name: string): string =>
  attributes.get(name)?.trim() ?? '';

/** An HTML text as plain text. */
export const plainText = (text: string): string =>
  text
    .replace(/<br\s*\/?>|<\/p>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .trim();

export const isTrue = (text: string): boolean => /^(?:1|true)$/i.test(text);
