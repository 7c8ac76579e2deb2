import { normaliser } from '#shared/text';
import { RECORDS, type PlayedRecord } from './records.ts';
import { OEUVRES } from './oeuvres.ts';

/** The simulated catalogue's response to an SRU 1.2 query, an envelope around Dublin Core. */
export function answerSru(parameters: URLSearchParams): string {
  const start = Number(parameters.get('startRecord') ?? 1);
  const count = Number(parameters.get('maximumRecords') ?? 10);
  const found = search(parameters.get('query') ?? '');
  const next = start + count <= found.length ? start + count : null;
  return envelope(found.slice(start - 1, start - 1 + count).map(recordXml), {
    count: found.length,
    next,
  });
}

/** A response with these records as XML; `prefix` is the envelope's namespace prefix, which varies. */
export function envelope(
  records: readonly string[],
  { count = records.length, next = null as number | null, prefix = 'srw' } = {},
): string {
  const p = prefix;
  const wrapped = records.map(
    (record, index) =>
      `<${p}:record><${p}:recordSchema>dc</${p}:recordSchema>` +
      `<${p}:recordPacking>xml</${p}:recordPacking>` +
      `<${p}:recordData>${record}</${p}:recordData>` +
      `<${p}:recordPosition>${index + 1}</${p}:recordPosition></${p}:record>`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<${p}:searchRetrieveResponse xmlns:${p}="http://www.loc.gov/zing/srw/">` +
    `<${p}:version>1.2</${p}:version><${p}:numberOfRecords>${count}</${p}:numberOfRecords>` +
    (wrapped.length > 0 ? `<${p}:records>${wrapped.join('\n')}</${p}:records>` : '') +
    (next === null ? '' : `<${p}:nextRecordPosition>${next}</${p}:nextRecordPosition>`) +
    `</${p}:searchRetrieveResponse>`
  );
}

/** A record in Dublin Core. */
export function recordXml(record: PlayedRecord): string {
  const { ark, numeros, titre, creators, contributors, type = 'texte imprimé' } = record;
  const element = (name: string, texts: readonly (string | undefined)[]) =>
    texts
      .map((t) => (t === undefined ? '' : `<dc:${name}>${escapeText(t)}</dc:${name}>\n`))
      .join('');
  return (
    '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"' +
    ' xmlns:dc="http://purl.org/dc/elements/1.1/">\n' +
    element('identifier', [`http://catalogue.bnf.fr/ark:/12148/${ark}`, ...numeros]) +
    element('title', [titre]) +
    element('creator', creators ?? []) +
    element('contributor', contributors ?? []) +
    element('publisher', [record.editeur]) +
    element('date', [record.date]) +
    element('description', [record.description]) +
    element('format', [record.format]) +
    element('language', ['fre', 'français']) +
    `<dc:type xml:lang="fre">${type}</dc:type>\n<dc:type xml:lang="eng">text</dc:type>\n` +
    '</oai_dc:dc>'
  );
}

/** Encodes accents as numeric entities, as half of the real records do. */
const escapeText = (text: string): string =>
  text.replace(/[<>&\u0080-\u00ff]/gu, (character) => `&#${String(character.codePointAt(0))};`);

const CLAUSE = /bib\.(\w+) (?:all|any) "([^"]*)"/gu;

function search(query: string): PlayedRecord[] {
  const criteres = [...query.matchAll(CLAUSE)].map(([, index = '', term = '']) => ({
    index,
    term,
  }));
  return [...RECORDS, ...OEUVRES].filter((record) =>
    criteres.every((clause) => matches(record, clause)),
  );
}

function matches(record: PlayedRecord, { index, term }: { index: string; term: string }): boolean {
  const { titre, numeros, creators = [], contributors = [], description = '' } = record;
  if (index === 'title') return hasAllWords(titre, term);
  if (index === 'author') return hasAllWords([...creators, ...contributors].join(' '), term);
  if (index === 'isbn') return [...numeros, description].some((numero) => numero.includes(term));
  if (index === 'issn') return numeros.includes(`ISSN ${term.replace('-', '')}`);
  if (index === 'recordtype') return record.type !== 'publication en série imprimée';
  return index !== 'doctype' || record.type !== 'document sonore';
}

function hasAllWords(text: string, term: string): boolean {
  const words = normaliser(text).split(' ');
  return normaliser(term)
    .split(' ')
    .every((word) => words.includes(word));
}
