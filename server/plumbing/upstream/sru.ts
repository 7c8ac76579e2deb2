import { ownValue } from '#shared/object-keys';
import { decodeXML } from 'entities';
import { XMLParser } from 'fast-xml-parser';
import { SourceUnreachable } from './sources.ts';

/** Known by namespace and local name: prefixes vary. */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  /** By their names as written (`xml:lang`). */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The text directly in the element, with entities decoded. */
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
  // Unused, and paths as texts would double the time.
  jPath: false,
});

/** Throws `SourceUnreachable` for a document type, whose entities may expand without bound, and for malformed XML. */
export function parseXml(source: string): XmlElement {
  if (/<!(?:DOCTYPE|ENTITY)/iu.test(source))
    throw new SourceUnreachable('XML with a document type');
  if (!isBalanced(source)) throw new SourceUnreachable('Not XML');
  const [root] = elements(parse(source), new Map([['xml', 'xml']]));
  if (root === undefined) throw new SourceUnreachable('XML without an element');
  return root;
}

/**
 * One piece of markup: a comment, a CDATA section, an instruction, or a tag with its name. The name is matched
 * completely, since an endless tag of megabytes would be tried at each shorter name.
 */
const MARKUP =
  /<(?:!--[^]*?-->|!\[CDATA\[[^]*?\]\]>|\?[^]*?\?>|(\/?)([^\s/<>"'=]+)(?=[\s/>])(?:[^"'<>]|"[^"<]*"|'[^'<]*')*?(\/?)>)/y;

/** Whether every tag is closed in its turn: the parser itself accepts a truncated document. */
function isBalanced(source: string): boolean {
  const open: string[] = [];
  for (let at = source.indexOf('<'); at >= 0; at = source.indexOf('<', MARKUP.lastIndex)) {
    MARKUP.lastIndex = at;
    const found = MARKUP.exec(source);
    if (found === null) return false;
    const [, closes = '', name, isEmpty = ''] = found;
    if (name === undefined || isEmpty !== '') continue;
    if (closes === '') open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0;
}

function* descendants(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) yield* descendants(child);
}

const childOf = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((child) => isSrw(child, name));

function parse(source: string): unknown {
  try {
    return parser.parse(source);
  } catch (error) {
    throw new SourceUnreachable('XML that cannot be read', error);
  }
}

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
  const colon = tag.indexOf(':');
  const [prefix, name] = [tag.slice(0, Math.max(colon, 0)), tag.slice(colon + 1)];
  return {
    namespace: scope.get(prefix) ?? '',
    name,
    attributes,
    children: elements(ownValue(node, tag), scope),
    text: list(ownValue(node, tag)).map(ownText).join(''),
  };
}

function declared(attributes: Readonly<Record<string, string>>, outer: Scope): Scope {
  const own = Object.entries(attributes).filter(([name]) => /^xmlns(?::|$)/u.test(name));
  if (own.length === 0) return outer;
  return new Map([...outer, ...own.map(([name, uri]) => [name.slice(6), uri] as const)]);
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const list = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** In a CDATA section an ampersand is literal. */
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

const SRW = 'http://www.loc.gov/zing/srw/';
const DIAGNOSTIC = 'http://www.loc.gov/zing/srw/diagnostic/';

interface SruPage {
  readonly records: readonly SruRecord[];
  /** The position of the next page, from 1; `null` on the last page. */
  readonly next: number | null;
}

export interface SruRecord {
  readonly identifier: string | null;
  /** The record in the requested schema. */
  readonly content: XmlElement;
}

/**
 * Parses a response. Throws `SourceUnreachable` for any diagnostic, even within a record, since a refusal may have
 * status 200 and any number of records, and for anything but SRU.
 */
export function parseSru(source: string): SruPage {
  const response = parseXml(source);
  for (const { namespace, name } of descendants(response)) {
    if (namespace === DIAGNOSTIC || (namespace === SRW && name === 'diagnostics')) {
      throw new SourceUnreachable('A diagnostic in place of an answer');
    }
  }
  const count = integerIn(response, 'numberOfRecords');
  if (!isSrw(response, 'searchRetrieveResponse') || count === null) {
    throw new SourceUnreachable('No answer of SRU');
  }
  const records = (childOf(response, 'records')?.children ?? []).flatMap(parseRecord);
  if (count > 0 && records.length === 0) throw new SourceUnreachable('Records without records');
  return { records, next: integerIn(response, 'nextRecordPosition') };
}

function parseRecord(record: XmlElement): SruRecord[] {
  const content = childOf(record, 'recordData')?.children[0];
  if (!isSrw(record, 'record') || content === undefined) return [];
  const identifier = childOf(record, 'recordIdentifier')?.text.trim() ?? '';
  return [{ identifier: identifier === '' ? null : identifier, content }];
}

const isSrw = (element: XmlElement, name: string): boolean =>
  element.namespace === SRW && element.name === name;

function integerIn(response: XmlElement, name: string): number | null {
  const text = childOf(response, name)?.text.trim() ?? '';
  return /^\d{1,9}$/u.test(text) ? Number(text) : null;
}
