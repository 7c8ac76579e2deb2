import { decodeXML } from 'entities';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { SourceUnreachable } from '#server/plumbing/upstream/answers';

/** An element of an answer, known by its namespace and local name: prefixes vary. */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  /** By their name as written (`xml:lang`). */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The text directly in it, its entities decoded. */
  readonly text: string;
}

const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTES = ':@';

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  textNodeName: TEXT,
  cdataPropName: CDATA,
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: 50,
  // Paths as texts would double the time, and are not used.
  jPath: false,
});

/**
 * Reads a document without a document type, which could declare entities whose expansion has no
 * bound. Throws `SourceUnreachable` on one, and on what is not well formed.
 */
export function parseXml(source: string): XmlElement {
  if (/<!(?:DOCTYPE|ENTITY)/iu.test(source))
    throw new SourceUnreachable('XML with a document type');
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the pinned version has it, and the parser alone accepts a truncated document
  if (XMLValidator.validate(source) !== true) throw new SourceUnreachable('Not XML');
  const [root] = elements(parse(source), new Map([['xml', 'xml']]));
  if (root === undefined) throw new SourceUnreachable('XML without an element');
  return root;
}

/** An element and all those below it, in document order. */
export function* descendants(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) yield* descendants(child);
}

/** The first child of that namespace and name. */
export const childOf = (
  element: XmlElement,
  namespace: string,
  name: string,
): XmlElement | undefined =>
  element.children.find((child) => child.namespace === namespace && child.name === name);

function parse(source: string): unknown {
  try {
    return parser.parse(source);
  } catch (error) {
    throw new SourceUnreachable('XML that cannot be read', error);
  }
}

/** The prefixes in force, the default namespace under the empty one. */
type Scope = ReadonlyMap<string, string>;

function elements(nodes: unknown, scope: Scope): XmlElement[] {
  return list(nodes).flatMap((node) => {
    const tag = Object.keys(node).find((key) => key !== ATTRIBUTES);
    return tag === undefined || tag === TEXT || tag === CDATA ? [] : [element(node, tag, scope)];
  });
}

function element(node: Node, tag: string, outer: Scope): XmlElement {
  const attributes = attributesOf(node[ATTRIBUTES]);
  const scope = declared(attributes, outer);
  const [prefix, name] = tag.includes(':') ? splitAtColon(tag) : ['', tag];
  return {
    namespace: scope.get(prefix) ?? '',
    name,
    attributes,
    children: elements(node[tag], scope),
    text: list(node[tag]).map(ownText).join(''),
  };
}

function declared(attributes: Readonly<Record<string, string>>, outer: Scope): Scope {
  const own = Object.entries(attributes).filter(([name]) => /^xmlns(?::|$)/u.test(name));
  if (own.length === 0) return outer;
  return new Map([...outer, ...own.map(([name, uri]) => [name.slice(6), uri] as const)]);
}

function splitAtColon(tag: string): [string, string] {
  const colon = tag.indexOf(':');
  return [tag.slice(0, colon), tag.slice(colon + 1)];
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const list = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** In a CDATA section an ampersand is one. */
function ownText(node: Node): string {
  const text = node[TEXT];
  if (typeof text === 'string') return decodeXML(text);
  return list(node[CDATA])
    .map((part) => part[TEXT])
    .filter((part) => typeof part === 'string')
    .join('');
}

function attributesOf(value: unknown): Record<string, string> {
  const entries = isNode(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.map(([name, raw]) => [name, decodeXML(String(raw))]));
}
