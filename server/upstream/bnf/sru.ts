import { SourceInjoignable } from '#server/upstream/silence';
import { childOf, descendants, parseXml, type XmlElement } from './xml.ts';

const SRW = 'http://www.loc.gov/zing/srw/';
const DIAGNOSTIC = 'http://www.loc.gov/zing/srw/diagnostic/';

/** One page of an answer of SRU 1.2. */
export interface PageSru {
  readonly notices: readonly NoticeSru[];
  /** Where the next page begins, from 1; `null` on the last one. */
  readonly suivante: number | null;
}

export interface NoticeSru {
  readonly identifiant: string | null;
  /** The record itself, in the schema that was asked for. */
  readonly contenu: XmlElement;
}

/**
 * Reads an answer. A refusal can come with the status 200, so a diagnostic anywhere, a record's
 * own included, makes the source a silent one, whatever number stands before it; and so does what
 * is no answer of SRU (`SourceInjoignable`).
 */
export function lireSru(source: string): PageSru {
  const reponse = parseXml(source);
  for (const { namespace, name } of descendants(reponse)) {
    if (namespace === DIAGNOSTIC || (namespace === SRW && name === 'diagnostics')) {
      throw new SourceInjoignable('A diagnostic in place of an answer');
    }
  }
  const nombre = entier(reponse, 'numberOfRecords');
  if (!estSrw(reponse, 'searchRetrieveResponse') || nombre === null) {
    throw new SourceInjoignable('No answer of SRU');
  }
  const notices = (childOf(reponse, SRW, 'records')?.children ?? []).flatMap(lireNotice);
  if (nombre > 0 && notices.length === 0) throw new SourceInjoignable('Records without records');
  return { notices, suivante: entier(reponse, 'nextRecordPosition') };
}

function lireNotice(record: XmlElement): NoticeSru[] {
  const contenu = childOf(record, SRW, 'recordData')?.children[0];
  if (!estSrw(record, 'record') || contenu === undefined) return [];
  const identifiant = childOf(record, SRW, 'recordIdentifier')?.text.trim() ?? '';
  return [{ identifiant: identifiant === '' ? null : identifiant, contenu }];
}

const estSrw = (element: XmlElement, name: string): boolean =>
  element.namespace === SRW && element.name === name;

function entier(reponse: XmlElement, name: string): number | null {
  const texte = childOf(reponse, SRW, name)?.text.trim() ?? '';
  return /^\d{1,9}$/u.test(texte) ? Number(texte) : null;
}
