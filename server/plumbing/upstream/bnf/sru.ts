import { SourceUnreachable } from '#server/plumbing/upstream/answers';
import { childOf, descendants, parseXml, type XmlElement } from './xml.ts';

const SRW = 'http://www.loc.gov/zing/srw/';
const DIAGNOSTIC = 'http://www.loc.gov/zing/srw/diagnostic/';

/** One page of an answer of SRU 1.2. */
interface SruPage {
  readonly records: readonly SruRecord[];
  /** Where the next page begins, from 1; `null` on the last one. */
  readonly next: number | null;
}

export interface SruRecord {
  readonly identifier: string | null;
  /** The record itself, in the schema that was asked for. */
  readonly content: XmlElement;
}

/**
 * Reads an answer. A refusal may come with the status 200: a diagnostic anywhere, a record's own
 * included, throws `SourceUnreachable`, whatever number stands before it; so does what is no answer
 * of SRU.
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
  const records = (childOf(response, SRW, 'records')?.children ?? []).flatMap(parseRecord);
  if (count > 0 && records.length === 0) throw new SourceUnreachable('Records without records');
  return { records, next: integerIn(response, 'nextRecordPosition') };
}

function parseRecord(record: XmlElement): SruRecord[] {
  const content = childOf(record, SRW, 'recordData')?.children[0];
  if (!isSrw(record, 'record') || content === undefined) return [];
  const identifier = childOf(record, SRW, 'recordIdentifier')?.text.trim() ?? '';
  return [{ identifier: identifier === '' ? null : identifier, content }];
}

const isSrw = (element: XmlElement, name: string): boolean =>
  element.namespace === SRW && element.name === name;

function integerIn(response: XmlElement, name: string): number | null {
  const text = childOf(response, SRW, name)?.text.trim() ?? '';
  return /^\d{1,9}$/u.test(text) ? Number(text) : null;
}
