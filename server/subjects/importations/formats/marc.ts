import { shortened } from '#shared/text';
import { readingOrder } from '#server/plumbing/upstream/noms';
import { nomOfLangue } from '#shared/langues';
import { raison, type Raison } from '#server/plumbing/common/raisons';
import type { ListFormat } from './format.ts';
import { cleanValue, recordsOfBytes, type MarcRecord } from './iso2709.ts';
import { RecordBuilder, type ReadList } from './record-builder.ts';
import { attributeOf, childrenOf, descendantsOf, elementsOf, type XmlElement } from './xml.ts';

// cspell:ignore koha
// Records of libraries (docs/rules.md § 35): MARC21 and UNIMARC, as MARCXML or as ISO 2709.

export const marcXml: ListFormat = {
  sniff: ({ tags }) => tags.some(({ name }) => name === 'leader' || name === 'datafield'),
  read: readMarcXml,
};

function readMarcXml(text: string): ReadList {
  const avertissements: Raison[] = [];
  return {
    format: 'marcxml',
    programme: 'MARCXML',
    records: fromXml(text, avertissements),
    avertissements,
  };
}

/** @param avertissements receives the warnings about all records, after the last one */
function* fromXml(text: string, avertissements: Raison[]): Generator<RecordBuilder> {
  const left = new LeftFields();
  for (const element of elementsOf(text, ['record'], avertissements)) {
    // An SRU response wraps each record in another `record`: the inner one has the fields.
    const inner = descendantsOf(element, 'record');
    for (const each of inner.length > 0 ? inner : [element])
      yield toValues(recordOfXml(each), left);
  }
  avertissements.push(...left.warnings);
}

function recordOfXml(record: XmlElement): MarcRecord {
  const controls = childrenOf(record, 'controlfield').map((field) => ({
    tag: attributeOf(field, 'tag'),
    value: field.text,
    subfields: [],
  }));
  const fields = childrenOf(record, 'datafield').map((field) => ({
    tag: attributeOf(field, 'tag'),
    value: '',
    subfields: childrenOf(field, 'subfield').map(
      (subfield) => [attributeOf(subfield, 'code'), cleanValue(subfield.text)] as const,
    ),
  }));
  return [...controls, ...fields];
}

export function readIso2709(bytes: Buffer): ReadList {
  const avertissements: Raison[] = [];
  return {
    format: 'marc',
    programme: 'MARC',
    records: fromBytes(bytes, avertissements),
    avertissements,
  };
}

/** @param avertissements receives the warnings about all records, after the last one */
function* fromBytes(bytes: Buffer, avertissements: Raison[]): Generator<RecordBuilder> {
  const left = new LeftFields();
  let hasOlder = false;
  for (const { record, isOlder } of recordsOfBytes(bytes)) {
    hasOlder ||= isOlder;
    yield record === null
      ? new RecordBuilder().refuse(raison('marcRepertoire'))
      : toValues(record, left);
  }
  avertissements.push(...(hasOlder ? [raison('marcAccents')] : []), ...left.warnings);
}

// Fields of a record

/**
 * Roles by their codes in UNIMARC and MARC21, and by words; a role that is neither here nor in `NO_AUTHORSHIP` is an
 * author's.
 */
const ROLES: readonly (readonly [role: RegExp, name: string])[] = [
  // cspell:disable -- codes and words of catalogues
  [/^(?:730|trl|trad|transl)/i, 'Traduction'],
  [/^(?:440|ill|dess?in)/i, 'Illustration'],
  [/^(?:080|aui|préf|pref|introd|foreword)/i, 'Préface'],
  [/^(?:075|aft|postf|afterw)/i, 'Postface'],
  [/^(?:340|651|edt|ed(?:itor|\.)|éd(?!iteur commercial)|dir|pbd)/i, 'Direction'],
  [/^(?:550|nrt|lect|narr)/i, 'Lecture par'],
  [/^(?:600|pht|photo)/i, 'Photographie'],
  // cspell:enable
];

/** Roles other than authorship: printers, publishers, sellers, owners, sponsors, dedicatees. */
const NO_AUTHORSHIP =
  // cspell:disable-next-line -- codes and words of catalogues
  /^(?:110|120|160|280|310|320|390|400|610|620|650|700|723|bnd|bsl|cns|col|dgg|dnr|dst|dte|fmo|fnd|his|hst|isb|lbr|mfr|mon|opn|own|pbl|pop|prt|scr|spn|ths|printer|imprimeu|publisher|éditeur commercial|dedicatee|dédicataire|bookseller|libraire|distribut|diffus|former owner|ancien possesseur|owner|propriétaire|donor|donateur|binder|relieur|sponsor|patron|copyist|copiste|censor|funder|host institution|degree grantor|issuing body)/i;

/** Strips the punctuation of a catalogue card: « Le quai / », « Paris : ». */
function bareOf(text: string): string {
  const trimmed = text.trim();
  return /[/:;=,]$/.test(trimmed) ? trimmed.slice(0, -1).trimEnd() : trimmed;
}

/** Collects the tags of unread fields, without numbers, codes and administrative data. */
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

  get warnings(): Raison[] {
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
    all(tags.isbn, 'a').map((text) => (text.split('(', 1)[0] ?? '').trimEnd()),
  );
  const [place, publisher, date] = tags.imprint;
  values.add('editeur', first(tags.published, publisher));
  values.add('annee', /\d{4}/.exec(first(tags.published, date))?.[0]);
  values.detail('Lieu d’édition', all(tags.published, place));
  values.detail('Édition', all(tags.edition, 'a')); // cspell:disable-line
  values.add('nombrePages', first(tags.extent, 'a'));
  values.detail('Dimensions', first(tags.extent, isUnimarc ? 'd' : 'c'));
  const { serie, numero } = serieOf(record, tags.serie);
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
  values.add('emplacement', tags.place.flatMap(([tag, code]) => all([tag], code))[0]);
  for (const [library, code] of tags.library) values.detail('Bibliothèque', all([library], code));
  return values.has('titre') || values.has('isbn') ? values : values.refuse(raison('pasFiche'));
}

/** The first series field with a number, else the first one. */
function serieOf(
  record: MarcRecord,
  tags: readonly (readonly [tag: string, titre: string])[],
): { serie: string; numero: string } {
  const named = tags.flatMap(([tag, code]) =>
    record
      .filter((field) => field.tag === tag)
      .map(({ subfields }) => {
        const of = (wanted: string) =>
          bareOf(subfields.find(([each, value]) => each === wanted && value !== '')?.[1] ?? '');
        return { serie: of(code), numero: of('v') };
      })
      .filter(({ serie }) => serie !== ''),
  );
  return named.find(({ numero }) => numero !== '') ?? named[0] ?? { serie: '', numero: '' };
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
  serie: [['461', 't']],
  collection: ['225'],
  langue: ['101'],
  original: ['454'],
  subjects: ['606', '607', '608', '610'],
  summary: ['330'],
  /** 330 is a summary. */
  note: /^3(?!30)\d\d$/,
  classification: ['676', '686'],
  shelf: [
    ['930', 'a'],
    ['995', 'k'],
    ['952', 'o'],
  ],
  /** Koha has its own fields for copies, 952 and 995. */
  place: [
    ['995', 'e'],
    ['952', 'c'],
  ],
  library: [
    ['995', 'b'],
    ['952', 'a'],
  ],
  read: [
    '010',
    '073',
    '101',
    '200',
    '205',
    '210',
    '214',
    '215',
    '225',
    '330',
    '454',
    '461',
    '606',
    '607',
    '608',
    '610',
    '676',
    '686',
    '700',
    '701',
    '702',
    '710',
    '711',
    '712',
    '930',
    '952',
    '995',
  ],
  /** Numbers, codes and authority data. */
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
  /** In 800, 810 and 811 `$a` is a name: of a person, a body or a meeting. */
  serie: [
    ['800', 't'],
    ['810', 't'],
    ['811', 't'],
    ['830', 'a'],
    ['490', 'a'],
  ],
  collection: ['490'],
  langue: ['041'],
  original: ['240'],
  subjects: ['600', '650', '651', '653', '655'],
  summary: ['520'],
  /** 520 is a summary. */
  note: /^5(?!20)\d\d$/,
  classification: ['082', '080'],
  shelf: [
    ['852', 'h'],
    ['050', 'a'],
    ['090', 'a'],
    ['952', 'o'],
  ],
  place: [
    ['952', 'c'],
    ['852', 'c'],
  ],
  library: [
    ['952', 'a'],
    ['852', 'a'],
  ],
  read: [
    '020',
    '041',
    '050',
    '080',
    '082',
    '090',
    '100',
    '110',
    '111',
    '240',
    '245',
    '250',
    '260',
    '264',
    '300',
    '490',
    '520',
    '600',
    '650',
    '651',
    '653',
    '655',
    '700',
    '710',
    '800',
    '810',
    '811',
    '830',
    '852',
    '952',
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
    const roles = [...of('4'), ...of('e')].map((text) => text.trim()).filter((text) => text !== '');
    const name = ROLES.find(([role]) => roles.some((text) => role.test(text)))?.[1];
    if (name !== undefined) values.detail(name, nom);
    else if (roles.length > 0 && roles.every((text) => NO_AUTHORSHIP.test(text)))
      values.detail(
        'Autres personnes',
        nom === '' ? '' : `${nom} (${roles.map(bareOf).join(', ')})`,
      );
    else values.add('auteurs', nom);
  }
}
