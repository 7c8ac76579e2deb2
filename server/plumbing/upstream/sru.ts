import { decodeXML } from 'entities';
import { SourceUnreachable } from './sources.ts';

/** Known by namespace and local name: prefixes vary. */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  /** By their names as written (`xml:lang`). */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Only the text directly in it, its entities decoded. */
  readonly text: string;
}

/** Deeper than any answer. */
const MAX_DEPTH = 50;

/**
 * One piece of markup: a comment, a CDATA section, an instruction, or a tag with its name. The name is matched whole:
 * for an endless tag of megabytes each shorter name would be tried.
 */
const MARKUP =
  /<(?:!--[^]*?-->|!\[CDATA\[([^]*?)\]\]>|\?[^]*?\?>|(\/?)([^\s/<>"'=]+)(?=[\s/>])((?:[^"'<>]|"[^"<]*"|'[^'<]*')*?)(\/?)>)/y;

const ATTRIBUTE = /(?<=\s)([^\s"'=]+)\s*=\s*("[^"]*"|'[^']*')/g;

/** An element whose end has not been read, with the prefixes that are declared in it and around it. */
interface OpenElement {
  readonly tag: string;
  readonly namespaces: Readonly<Record<string, string>>;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** Throws `SourceUnreachable` for a document type, whose entities may expand without bound, and for malformed XML. */
export function parseXml(source: string): XmlElement {
  if (/<!(?:DOCTYPE|ENTITY)/iu.test(source))
    throw new SourceUnreachable('XML with a document type');
  const document: OpenElement = { tag: '', namespaces: {}, attributes: {}, children: [], text: '' };
  const open = [document];
  let end = 0;
  for (let at = source.indexOf('<'); at >= 0; at = source.indexOf('<', end)) {
    MARKUP.lastIndex = at;
    const parent = open.at(-1);
    const found = MARKUP.exec(source);
    if (found === null || parent === undefined || open.length > MAX_DEPTH)
      throw new SourceUnreachable('Not XML');
    parent.text += decodeXML(source.slice(end, at));
    end = MARKUP.lastIndex;
    const [, literal = '', closes = '', tag, attributes = '', isEmpty = ''] = found;
    // In a CDATA section an ampersand stands for itself.
    parent.text += literal;
    if (tag === undefined) continue;
    if (closes === '') open.push(begun(tag, attributes, parent));
    if (closes === '' && isEmpty === '') continue;
    const ended = open.pop();
    if (ended?.tag !== tag) throw new SourceUnreachable('Not XML');
    open.at(-1)?.children.push(toElement(ended));
  }
  const [root] = document.children;
  if (root === undefined || open.length !== 1) throw new SourceUnreachable('Not XML');
  return root;
}

function begun(tag: string, text: string, { namespaces }: OpenElement): OpenElement {
  const attributes = Object.fromEntries(
    Array.from(text.matchAll(ATTRIBUTE), ([, name = '', value = '']) => [
      name,
      decodeXML(value.slice(1, -1)),
    ]),
  );
  const declared = Object.entries(attributes).filter(([name]) => /^xmlns(?::|$)/u.test(name));
  const own = Object.fromEntries(declared.map(([name, uri]) => [name.slice(6), uri]));
  const known = declared.length === 0 ? namespaces : { ...namespaces, ...own };
  return { tag, namespaces: known, attributes, children: [], text: '' };
}

function toElement({ tag, namespaces, ...element }: OpenElement): XmlElement {
  const colon = tag.indexOf(':');
  const namespace = namespaces[tag.slice(0, Math.max(colon, 0))] ?? '';
  return { namespace, name: tag.slice(colon + 1), ...element };
}

function* descendants(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) yield* descendants(child);
}

const childOf = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((child) => isSrw(child, name));

const SRW = 'http://www.loc.gov/zing/srw/';
const DIAGNOSTIC = 'http://www.loc.gov/zing/srw/diagnostic/';

interface SruPage {
  readonly records: readonly SruRecord[];
  /** The position of the next page, from 1; `null` on the last one. */
  readonly next: number | null;
}

export interface SruRecord {
  readonly identifier: string | null;
  /** The record itself, in the schema that was asked for. */
  readonly content: XmlElement;
}

/**
 * Reads an answer. Throws `SourceUnreachable` for a diagnostic anywhere, even in a record: a refusal may come with
 * status 200, and with any number of records; also for what is no answer of SRU.
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
