import { isUtf8 } from 'node:buffer';
import { nfc, shortened } from '#shared/text';
import { readingOrder } from '#server/plumbing/upstream/noms';
import { nomOfLangue } from '#shared/langues';
import { invalid, raison, type Raison } from '#server/plumbing/common/raisons';
import type { ListFormat } from './format.ts';
import { RecordBuilder, type ReadList } from './record-builder.ts';
import { attributeOf, elementsOf, nodesOf, parseElement, xmlText } from './xml.ts';

// Records of libraries (docs/rules.md § 35): MARC21 and UNIMARC, as MARCXML or as ISO 2709.

interface MarcField {
  readonly tag: string;
  /** Of a control field; `''` for any other. */
  readonly value: string;
  readonly subfields: readonly (readonly [code: string, value: string])[];
}

type MarcRecord = readonly MarcField[];

export const marcXml: ListFormat = {
  sniff: ({ text, root }) => root !== null && /<(?:[\w.-]+:)?(?:leader|datafield)[\s/>]/.test(text),
  read: readMarcXml,
};

function readMarcXml(text: string): ReadList {
  const avertissements: Raison[] = [];
  return { format: 'marcxml', records: fromXml(text, avertissements), avertissements };
}

/** @param avertissements gets what is to be said of all records, once the last one is read */
function* fromXml(text: string, avertissements: Raison[]): Generator<RecordBuilder> {
  const left = new LeftFields();
  // What is around a record of a catalogue's answer is a `record`, too: the inner one has fields.
  for (const element of elementsOf(text, 'record')) {
    const inner = element.slice(1);
    const nested = /<(?:[\w.-]+:)?record\b/.test(inner)
      ? [...elementsOf(inner, 'record')]
      : [element];
    for (const each of nested.length > 0 ? nested : [element])
      yield toValues(recordOfXml(each), left);
  }
  avertissements.push(...left.said);
}

function recordOfXml(text: string): MarcRecord {
  const record = parseElement(text);
  const controls = nodesOf(record, 'controlfield').map((node) => ({
    tag: attributeOf(node, 'tag'),
    value: xmlText(node),
    subfields: [],
  }));
  const fields = nodesOf(record, 'datafield').map((node) => ({
    tag: attributeOf(node, 'tag'),
    value: '',
    subfields: nodesOf(node, 'subfield').map(
      (subfield) => [attributeOf(subfield, 'code'), clean(xmlText(subfield))] as const,
    ),
  }));
  return [...controls, ...fields];
}

/** Signs that part an article from a title, for sorting. */
const clean = (text: string): string => text.replace(/[\u0088\u0089\u0098\u009c]/g, '').trim();

// ISO 2709

const LEADER_BYTES = 24;
const LEADER = /^\d{5}[a-z][a-z ]{2}[\da-z ]{2}\d\d/;
const FIELD_END = 0x1e;

export function isIso2709(start: string, bytes: Buffer): boolean {
  return LEADER.test(start) && bytes.subarray(0, 100_000).includes(FIELD_END);
}

export function readIso2709(bytes: Buffer): ReadList {
  const isUnicode = isUtf8(bytes);
  const decode = isUnicode ? (piece: Buffer) => piece.toString('utf8') : decodeOlder(bytes);
  const records: RecordBuilder[] = [];
  const left = new LeftFields();
  for (let start = 0; start < bytes.length;) {
    while (start < bytes.length && (bytes[start] ?? 0) <= 0x20) start++;
    const end = bytes.indexOf(0x1d, start);
    if (start >= bytes.length) break;
    if (end === -1) throw invalid(raison('marcCoupe'));
    records.push(toValues(recordOfBytes(bytes.subarray(start, end), decode), left));
    start = end + 1;
  }
  return {
    format: 'marc',
    records,
    avertissements: [...(isUnicode ? [] : [raison('marcAccents')]), ...left.said],
  };
}

function recordOfBytes(bytes: Buffer, decode: (piece: Buffer) => string): MarcRecord {
  const numberAt = (from: number, to: number) =>
    Number(bytes.subarray(from, to).toString('latin1').replace(/\D/g, '') || Number.NaN);
  const base = numberAt(12, 17);
  const end = bytes.indexOf(0x1e, LEADER_BYTES);
  if (Number.isNaN(base) || end === -1 || base > bytes.length) throw invalid(raison('marcAbime'));
  const fields: MarcField[] = [];
  for (let at = LEADER_BYTES; at + 12 <= end; at += 12) {
    const tag = bytes.subarray(at, at + 3).toString('latin1');
    const [length, from] = [numberAt(at + 3, at + 7), numberAt(at + 7, at + 12)];
    const field = bytes.subarray(base + from, base + from + length);
    const text = decode(field).replace(/\x1e$/, '');
    const [first = '', ...parts] = text.split('\x1f');
    fields.push({
      tag,
      value: parts.length === 0 ? first : '',
      subfields: parts.map((part) => [part.slice(0, 1), clean(part.slice(1))] as const),
    });
  }
  return fields;
}

/** Accents before their letter: ISO 5426 of UNIMARC from 0xc0, ANSEL of MARC21 from 0xe0. */
const ISO_5426 = new Map(
  Array.from(
    '\u0309\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0308\u030a\u0315\u0312\u030b\u031b\u030c\u0327',
    (mark, at) => [0xc0 + at, mark] as const,
  ),
);
const ANSEL = new Map(
  Array.from(
    '\u0309\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030c\u030a\ufe20\ufe21\u0315\u030b\u0310\u0327\u0328',
    (mark, at) => [0xe0 + at, mark] as const,
  ),
);
const SIGNS: Readonly<Record<number, string>> = {
  ...{ 0xa1: '¡', 0xa3: '£', 0xa5: '¥', 0xa7: '§', 0xa9: '’', 0xaa: '“', 0xab: '«', 0xb9: '’' },
  ...{
    0xba: '”',
    0xbb: '»',
    0xd3: '\u0328',
    0xe1: 'Æ',
    0xe2: 'Đ',
    0xe8: 'Ł',
    0xe9: 'Ø',
    0xea: 'Œ',
  },
  ...{ 0xec: 'Þ', 0xf1: 'æ', 0xf2: 'đ', 0xf3: 'ð', 0xf5: 'ı', 0xf8: 'ł', 0xf9: 'ø', 0xfa: 'œ' },
  ...{ 0xfb: 'ß', 0xfc: 'þ' },
};

const ANSEL_SIGNS: Readonly<Record<number, string>> = {
  ...{ 0xa1: 'Ł', 0xa2: 'Ø', 0xa3: 'Đ', 0xa4: 'Þ', 0xa5: 'Æ', 0xa6: 'Œ', 0xb1: 'ł', 0xb2: 'ø' },
  ...{ 0xb3: 'đ', 0xb4: 'þ', 0xb5: 'æ', 0xb6: 'œ', 0xb8: 'ı', 0xba: 'ð', 0xc7: 'ß' },
};

/** By which of both norms accents stand before their letters; else as Windows writes them. */
function decodeOlder(bytes: Buffer): (piece: Buffer) => string {
  const sample = bytes.subarray(0, 1_000_000).toString('latin1');
  const count = (pattern: RegExp) => sample.match(pattern)?.length ?? 0;
  const all = count(/[\x80-\xff]/g);
  if (2 * count(/[\xc1-\xd0](?=[A-Za-z])/g) > all) return marked(ISO_5426, SIGNS);
  // An accent of Windows stands before a vowel now and then, of ANSEL nearly always.
  if (2 * count(/[\xe1-\xe8](?=[AEIOUaeiou])/g) > all) return marked(ANSEL, ANSEL_SIGNS); // cspell:disable-line
  const decoder = new TextDecoder('windows-1252');
  return (piece) => decoder.decode(piece);
}

const marked =
  (marks: ReadonlyMap<number, string>, signs: Readonly<Record<number, string>>) =>
  (piece: Buffer): string => {
    let [text, waiting] = ['', ''];
    for (const byte of piece) {
      const mark = marks.get(byte);
      if (mark !== undefined) {
        waiting += mark;
        continue;
      }
      text += (byte < 0x80 ? String.fromCharCode(byte) : (signs[byte] ?? '\ufffd')) + waiting;
      waiting = '';
    }
    return nfc(text);
  };

// What a record says of a book

/** Roles by their codes, UNIMARC's and MARC21's, and by words; what is none of these is an author's. */
const ROLES: readonly (readonly [role: RegExp, name: string])[] = [
  // cspell:disable -- codes and words of catalogues
  [/^(?:730|trl|trad|transl)/i, 'Traduction'],
  [/^(?:440|ill|dess?in)/i, 'Illustration'],
  [/^(?:080|aui|préf|pref|introd|foreword)/i, 'Préface'],
  [/^(?:075|aft|postf|afterw)/i, 'Postface'],
  [/^(?:340|651|edt|ed(?:itor|\.)|éd|dir|pbd)/i, 'Direction'],
  [/^(?:550|nrt|lect|narr)/i, 'Lecture par'],
  [/^(?:600|pht|photo)/i, 'Photographie'],
  // cspell:enable
];

/** « Le quai / », « Paris : »: what parts a record on a card. */
const bareOf = (text: string): string => text.replace(/\s*[/:;=,]\s*$/, '').trim();

/** The fields of records that become nothing, but for numbers, codes and what a library needs for itself. */
class LeftFields {
  readonly #tags = new Map<string, number>();

  note(record: MarcRecord, { read, silent, note }: typeof UNIMARC | typeof MARC21): void {
    const known = new Set<string>(read);
    const left = record.filter(
      ({ tag, subfields }) =>
        !known.has(tag) &&
        !silent.test(tag) &&
        !note.test(tag) &&
        subfields.some(([, value]) => /\p{L}/u.test(value)),
    );
    for (const tag of new Set(left.map((field) => field.tag)))
      this.#tags.set(tag, (this.#tags.get(tag) ?? 0) + 1);
  }

  get said(): Raison[] {
    const tags = [...this.#tags].sort(([, a], [, b]) => b - a).slice(0, MAX_LEFT);
    return tags.length === 0
      ? []
      : [
          raison('marcChamps', {
            champs: tags.map(([tag, count]) => `${shortened(tag, 3)} (${count})`),
          }),
        ];
  }
}

const MAX_LEFT = 20;

function toValues(record: MarcRecord, left: LeftFields): RecordBuilder {
  const values = new RecordBuilder();
  const byTag = Map.groupBy(record, ({ tag }) => tag);
  const of = (...tags: string[]) => tags.flatMap((tag) => byTag.get(tag) ?? []);
  const all = (tags: readonly string[], code: string) =>
    of(...tags).flatMap(({ subfields }) =>
      subfields.flatMap(([each, value]) => (each === code && value !== '' ? [bareOf(value)] : [])),
    );
  const first = (tags: readonly string[], code: string) => all(tags, code)[0] ?? '';
  const isUnimarc = of('200').length > 0 && of('245').length === 0;
  const tags = isUnimarc ? UNIMARC : MARC21;
  left.note(record, tags);
  values.add('titre', first(tags.titre, 'a'));
  const [number, part] = tags.part;
  values.detail('Tome', [...all(tags.titre, number), ...all(tags.titre, part)]);
  values.detail('Sous-titre', all(tags.titre, tags.subtitle));
  persons(record, tags.persons, isUnimarc, values);
  values.add(
    'isbn',
    all(tags.isbn, 'a').map((text) => text.replace(/\s*\(.*$/, '')),
  );
  const [place, publisher, date] = tags.imprint;
  values.add('editeur', first(tags.published, publisher));
  values.add('annee', /\d{4}/.exec(first(tags.published, date))?.[0]);
  values.detail('Lieu d’édition', all(tags.published, place));
  values.detail('Édition', all(tags.edition, 'a'));
  values.add('nombrePages', first(tags.extent, 'a'));
  values.detail('Dimensions', first(tags.extent, isUnimarc ? 'd' : 'c'));
  const [serie, numero] = [first(tags.serie, tags.serieTitre), first(tags.serie, 'v')];
  if (serie !== '' && numero !== '') values.add('serie', serie).add('numero', numero);
  else values.detail('Collection', serie);
  values.detail(
    'Collection',
    all(tags.collection, 'a').filter((name) => name !== serie),
  );
  values.detail(
    'Numéro de collection',
    all(tags.collection, 'v').filter((text) => text !== numero),
  );
  const langue = first(tags.langue, 'a') || languageOf(record, isUnimarc);
  values.detail('Langue', nomOfLangue(langue));
  values.detail('Langue originale', nomOfLangue(first(tags.langue, isUnimarc ? 'c' : 'h')));
  values.detail('Titre original', all(tags.original, isUnimarc ? 't' : 'a'));
  values.add('themes', all(tags.subjects, 'a'));
  values.detail('Résumé', all(tags.summary, 'a'));
  values.detail(
    'Note',
    all(
      [...new Set(record.map(({ tag }) => tag))].filter((tag) => tags.note.test(tag)),
      'a',
    ),
  );
  values.detail('Classification', all(tags.classification, 'a'));
  values.detail('Prix', first(tags.isbn, isUnimarc ? 'd' : 'c'));
  for (const [shelf, code] of tags.shelf) values.detail('Cote', all([shelf], code));
  return values.has('titre') || values.has('isbn') ? values : values.refuse(raison('pasFiche'));
}

const languageOf = (record: MarcRecord, isUnimarc: boolean): string =>
  isUnimarc
    ? ''
    : (record
        .find(({ tag }) => tag === '008')
        ?.value.slice(35, 38)
        .trim() ?? '');

const UNIMARC = {
  titre: ['200'],
  part: ['h', 'i'],
  subtitle: 'e',
  persons: ['700', '701', '702', '710', '711', '712'],
  isbn: ['010', '073'],
  published: ['214', '210'],
  imprint: ['a', 'c', 'd'],
  edition: ['205'],
  extent: ['215'],
  serie: ['461'],
  serieTitre: 't',
  collection: ['225'],
  langue: ['101'],
  original: ['454'],
  subjects: ['606', '607', '608', '610'],
  summary: ['330'],
  /** Of 330 a summary. */
  note: /^3(?!30)\d\d$/,
  classification: ['676', '686'],
  shelf: [
    ['930', 'a'],
    ['995', 'k'],
  ],
  read: [
    ...['010', '073', '101', '200', '205', '210', '214', '215', '225', '330', '454', '461', '606'],
    ...['607', '608', '610', '676', '686', '700', '701', '702', '710', '711', '712', '930', '995'],
  ],
  /** Numbers and codes; what a name's own record says. */
  silent: /^(?:[01]|8(?!56)|9)/,
} as const;

const MARC21 = {
  titre: ['245'],
  part: ['n', 'p'],
  subtitle: 'b',
  persons: ['100', '110', '111', '700', '710'],
  isbn: ['020'],
  published: ['264', '260'],
  imprint: ['a', 'b', 'c'],
  edition: ['250'],
  extent: ['300'],
  serie: ['800', '830', '490'],
  serieTitre: 'a',
  collection: ['490'],
  langue: ['041'],
  original: ['240'],
  subjects: ['600', '650', '651', '653', '655'],
  summary: ['520'],
  /** Of 520 a summary. */
  note: /^5(?!20)\d\d$/,
  classification: ['082', '080'],
  shelf: [
    ['852', 'h'],
    ['050', 'a'],
    ['090', 'a'],
  ],
  read: [
    ...['020', '041', '050', '080', '082', '090', '100', '110', '111', '240', '245', '250', '260'],
    ...['264', '300', '490', '520', '600', '650', '651', '653', '655', '700', '710', '800', '830'],
    '852',
  ],
  /** Numbers and codes; kinds of content, medium and carrier. */
  silent: /^(?:0|33|9)/,
} as const;

function persons(
  record: MarcRecord,
  tags: readonly string[],
  isUnimarc: boolean,
  values: RecordBuilder,
): void {
  const wanted = new Set(tags);
  for (const { tag, subfields } of record) {
    if (!wanted.has(tag)) continue;
    const of = (code: string) =>
      subfields.flatMap(([each, value]) => (each === code ? [value] : []));
    const [family = '', given = ''] = [of('a')[0], isUnimarc && /^70/.test(tag) ? of('b')[0] : ''];
    const nom = readingOrder(given === '' ? bareOf(family) : `${bareOf(family)}, ${bareOf(given)}`);
    const roles = [...of('4'), ...of('e')];
    const name = ROLES.find(([role]) => roles.some((text) => role.test(text.trim())))?.[1];
    if (name === undefined) values.add('auteurs', nom);
    else values.detail(name, nom);
  }
}
