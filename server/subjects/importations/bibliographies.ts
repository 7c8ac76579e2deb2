import { shortened } from '#shared/text';
import { readingOrder } from '#server/plumbing/upstream/noms';
import { nomOfLangue } from '#shared/langues';
import { raison } from '#server/plumbing/common/raisons';
import { MAX_ROWS, NamedValues, type ReadList, tooMany } from './lists.ts';

// Bibliographies (docs/rules.md § 35): only books are entered, a chapter as the book that holds it.

/** A record on the way to a row: what it is and who stands where, by whichever format. */
interface Reference {
  readonly kind: 'book' | 'chapter' | 'other';
  /** What the file calls its kind. */
  readonly type: string;
  readonly titre: string;
  /** Of the book that holds a chapter. */
  readonly container: string;
  readonly auteurs: readonly string[];
  /** Of the book that holds a chapter, where the file names any. */
  readonly containerAuteurs: readonly string[];
  readonly direction: readonly string[];
  readonly isbns: readonly string[];
  readonly values: NamedValues;
}

function toRecord(reference: Reference): NamedValues {
  const { type, titre, container, auteurs, containerAuteurs, direction, isbns, values } = reference;
  const isOther = reference.kind === 'other' && isbns.length === 0;
  values.add('ISBN', isbns);
  if (isOther)
    return values
      .add('Titre', titre)
      .add('Auteurs', auteurs)
      .refuse(raison('pasLivreMais', { genre: shortened(type, 40) }));
  if (reference.kind !== 'chapter' || (container === '' && isbns.length > 0)) {
    const isEdited = auteurs.length === 0;
    values.add('Titre', titre).add('Auteurs', isEdited ? direction : auteurs);
    return isEdited ? values : values.add('Direction', direction);
  }
  const chapter = titre + (auteurs.length > 0 ? ` (${auteurs.join(', ')})` : '');
  if (container === '')
    return values.add('Titre', titre).add('Auteurs', auteurs).refuse(raison('chapitreSeul'));
  const own = containerAuteurs.length > 0 ? containerAuteurs : direction;
  return values
    .add('Titre', container)
    .add('Auteurs', own)
    .add('Chapitre', titre === '' ? '' : chapter)
    .say(raison('chapitre', { chapitre: shortened(chapter, 100) }));
}

/** « 214 », « 214 p. »: how many pages a book has, rather than which of them are meant. */
const isPageCount = (text: string): boolean => /^\d{1,5}(?: ?p(?:ages|p)?\.?)?$/.test(text.trim());

// RIS

// cspell:disable -- codes of the format
const RIS_BOOKS = new Set([
  ...['BOOK', 'EBOOK', 'EDBOOK', 'CLSWK', 'DICT', 'ENCYC', 'PAMP', 'THES', 'MULTI'],
]);
const RIS_CHAPTERS = new Set(['CHAP', 'ECHAP']);

/** What a tag says, in household words; those of several meanings are read by hand. */
const RIS_NAMES: Readonly<Record<string, string>> = {
  PB: 'Éditeur',
  KW: 'Thèmes',
  N1: 'Note',
  AB: 'Résumé',
  N2: 'Résumé',
  A4: 'Traduction',
  TA: 'Traduction',
  A3: 'Direction de collection',
  OP: 'Titre original',
  TT: 'Titre traduit',
  ST: 'Titre abrégé',
  T3: 'Collection',
  CY: 'Lieu d’édition',
  PP: 'Lieu d’édition',
  ET: 'Édition',
  CN: 'Cote',
  UR: 'Adresse',
  L1: 'Fichier',
  L2: 'Adresse',
  DO: 'DOI',
  DB: 'Base de données',
  DP: 'Source',
  M3: 'Nature',
  NV: 'Nombre de volumes',
  SE: 'Section',
};

const RIS_SILENT = new Set(['ER', 'TY', 'ID', 'LU', 'Y2', 'J2', 'JA', 'JF', 'JO']);
// cspell:enable

const RIS_LINE = /^([A-Z][A-Z0-9]) {0,2}-(?: (.*))?$/;

/** Whether a record stands first: above it a reader of references may write blank lines, and lines such as « Provider: Zotero ». */
export function isRis(head: string): boolean {
  const first = head.split('\n').find((line) => line.trim() !== '' && !/^[^,;\t]*:/.test(line));
  return first !== undefined && /^\s*TY {1,2}- /.test(first);
}

/** Tag → its values, in the file's order, each with its lines. */
type RisRecord = Map<string, string[][]>;

export function readRis(text: string): ReadList {
  const records: NamedValues[] = [];
  let open: RisRecord | null = null;
  let last = '';
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [, tag, value = ''] = RIS_LINE.exec(line.trimEnd()) ?? [];
    if (tag === 'TY') {
      if (open !== null) records.push(risToRecord(open));
      open = new Map();
    }
    if (open === null) continue;
    if (tag === 'ER') {
      records.push(risToRecord(open));
      open = null;
    } else if (tag !== undefined) {
      const values = open.get(tag) ?? [];
      values.push([value.trim()]);
      open.set(tag, values);
      last = tag;
    } else if (line.trim() !== '') open.get(last)?.at(-1)?.push(line.trim());
  }
  const isCut = open !== null;
  if (open !== null) records.push(risToRecord(open));
  return {
    format: 'ris',
    records,
    avertissements: isCut ? [raison('ficheCoupee')] : [],
  };
}

function risToRecord(record: RisRecord): NamedValues {
  const texts = new Map(
    Array.from(record, ([tag, values]) => [tag, values.map((lines) => lines.join('\n').trim())]),
  );
  const all = (...tags: string[]) => tags.flatMap((tag) => texts.get(tag) ?? []).filter(Boolean);
  const first = (...tags: string[]) => all(...tags)[0] ?? '';
  const type = first('TY').toUpperCase();
  const kind = RIS_BOOKS.has(type) ? 'book' : RIS_CHAPTERS.has(type) ? 'chapter' : 'other';
  const values = new NamedValues();
  const names = (...tags: string[]) => all(...tags).map(readingOrder);
  const read = new Set(['TI', 'T1', 'T2', 'BT', 'AU', 'A1', 'A2', 'ED', 'SN', 'PY', 'Y1', 'DA']);
  for (const tag of ['SP', 'EP', 'VL', 'IS', 'M1', 'SV', 'LA', 'CT']) read.add(tag);
  if (kind === 'book' && first('TI', 'T1') !== '')
    values.add('Autre titre', [...new Set(all('TI', 'T1', 'CT', 'BT'))].slice(1));
  values.add('Année', first('PY', 'Y1', 'DA')).add('Langue', nomOfLangue(first('LA')));
  const [from, to] = [first('SP'), first('EP')];
  if (kind !== 'chapter' && to === '' && isPageCount(from)) values.add('Pages', from);
  else values.add('Pages citées', [from, to].filter(Boolean).join('–'));
  const numero = first('VL', 'SV', 'IS', 'M1');
  const serie = kind === 'chapter' ? '' : first('T2') || (numero === '' ? '' : first('T3'));
  if (serie !== '') values.add('Série', serie).add('Numéro', numero);
  else values.add('Volume', numero);
  for (const [tag, found] of texts) {
    if (read.has(tag) || RIS_SILENT.has(tag)) continue;
    if (tag === 'T3' && found.includes(serie)) continue;
    const name = RIS_NAMES[tag] ?? tag;
    values.add(name, name === 'Traduction' ? found.map(readingOrder) : found);
  }
  return toRecord({
    ...{ kind, type, values },
    titre: first('TI', 'T1', 'CT') || (kind === 'book' ? first('BT') : ''),
    container: first('BT', 'T2'),
    auteurs: names('AU', 'A1'),
    containerAuteurs: [],
    direction: names('A2', 'ED'),
    isbns: kind === 'other' && all('JO', 'JF', 'T2').length > 0 ? [] : all('SN'),
  });
}

// BibTeX and BibLaTeX
// cspell:disable -- names of the formats

/** The library sorts the words of `keywords` and parts them within braces: under this name they are read here. */
const OWN_KEYWORDS = 'rayonnage-keywords';

const BIBTEX_BOOKS = new Set([
  ...['book', 'mvbook', 'collection', 'mvcollection', 'reference', 'mvreference', 'proceedings'],
  ...['mvproceedings', 'booklet', 'manual', 'thesis', 'phdthesis', 'mastersthesis', 'ebook'],
]);
const BIBTEX_CHAPTERS = new Set([
  ...['inbook', 'incollection', 'inproceedings', 'conference', 'bookinbook', 'suppbook'],
  ...['suppcollection', 'inreference'],
]);

const BIBTEX_NAMES: Readonly<Record<string, string>> = {
  subtitle: 'Sous-titre',
  titleaddon: 'Complément du titre',
  maintitle: 'Titre de l’ensemble',
  origtitle: 'Titre original',
  origlanguage: 'Langue originale',
  origdate: 'Année de l’original',
  shorttitle: 'Titre abrégé',
  translator: 'Traduction',
  illustrator: 'Illustration',
  foreword: 'Préface',
  introduction: 'Introduction',
  afterword: 'Postface',
  annotator: 'Notes de',
  commentator: 'Commentaire de',
  publisher: 'Éditeur',
  address: 'Lieu d’édition',
  location: 'Lieu d’édition',
  edition: 'Édition',
  abstract: 'Résumé',
  note: 'Note',
  annote: 'Note',
  annotation: 'Note',
  addendum: 'Note',
  comment: 'Note',
  review: 'Note',
  price: 'Prix',
  url: 'Adresse',
  doi: 'DOI',
  file: 'Fichier',
  lccn: 'Cote',
  shelfmark: 'Cote',
  callnumber: 'Cote',
  library: 'Bibliothèque',
  volumes: 'Nombre de volumes',
  binding: 'Reliure',
  dimensions: 'Dimensions',
  pages: 'Pages citées',
  type: 'Nature',
};

const BIBTEX_READ = new Set([
  ...['title', 'booktitle', 'author', 'bookauthor', 'editor', 'isbn', 'year', 'date', 'pagetotal'],
  ...['numpages', 'language', 'langid', 'series', 'number', 'volume', 'chapter', 'ranking'],
  ...['rating', 'readstatus', 'month', 'crossref', 'xref', 'ids', OWN_KEYWORDS],
]);

/** JabRef's state of reading; what was skimmed is no reading to the end. */
const READ_STATUS: Readonly<Record<string, string>> = { read: 'lu', skimmed: 'en cours' };
export const isBibtex = (head: string): boolean =>
  /^(?:\s|%.*\n)*@\s*[a-z]+\s*[{(]/i.test(head) || /^@[a-z]+\s*\{[^\s,{}]*,\s*$/im.test(head);

interface Creator {
  readonly name?: string;
  readonly firstName?: string;
  readonly prefix?: string;
  readonly lastName?: string;
  readonly suffix?: string;
}

type BibtexValue = string | readonly (string | Creator)[];

const PERSONS = ['illustrator', 'foreword', 'introduction', 'afterword', 'annotator'];

/** Titles as they stand: the library would have « théo » of « Théo ». */
const BIBTEX_OPTIONS = {
  sentenceCase: false,
  english: false,
  caseProtection: false,
  unsupported: 'ignore',
  verbatimFields: ['url', 'doi', 'file', 'groups', 'ids', 'eprint', OWN_KEYWORDS],
  fieldMode: Object.fromEntries(PERSONS.map((name) => [name, 'creatorlist' as const])),
} as const;

/** A broken entry is told, and what stands behind it is read. */
export async function readBibtex(text: string): Promise<ReadList> {
  // Three thousand a second are read: what is refused afterwards is counted before.
  const entry = /^[ \t]*@\w+[ \t]*[{(]/gm;
  for (let count = 1; entry.test(text); count++) if (count > MAX_ROWS) throw tooMany();
  const { parse } = await import('@retorquere/bibtex-parser');
  const source = text.replace(/([,\s])keywords(\s*=)/gi, `$1${OWN_KEYWORDS}$2`);
  const { entries, errors } = parse(source, {
    ...BIBTEX_OPTIONS,
    verbatimFields: [...BIBTEX_OPTIONS.verbatimFields],
  });
  const isRead = ({ fields }: { readonly fields: object }) => Object.keys(fields).length > 0;
  const latexWords = new Set(
    entries
      .flatMap(({ fields }) => wordsIn(fields[OWN_KEYWORDS]))
      .filter((word) => /[\\{}$~]/.test(word)),
  );
  const decoded = parse(
    [...latexWords].map((word, at) => `@misc{k${String(at)}, note = {${word}}}`).join('\n'),
    {
      ...BIBTEX_OPTIONS,
      verbatimFields: [...BIBTEX_OPTIONS.verbatimFields],
    },
  );
  const byKey = new Map(decoded.entries.map(({ key, fields }) => [key, fields['note'] ?? '']));
  const words = new Map(
    [...latexWords].map((word, at) => [word, byKey.get(`k${String(at)}`) ?? word]),
  );
  return {
    format: 'bibtex',
    records: entries
      .filter(isRead)
      .map(({ type, key, fields }) => bibtexToRecord(type.toLowerCase(), key, fields, words)),
    avertissements: errors.map(({ input = '' }) =>
      raison('ficheNonLue', { dit: shortened(input.replace(/\s+/g, ' ').trim(), 60) }),
    ),
  };
}

/** The words of a field, apart by commas and semicolons that stand in no braces. */
function wordsIn(value: BibtexValue | undefined): string[] {
  if (typeof value !== 'string') return [];
  const words: string[] = [];
  let [depth, word] = [0, ''];
  for (const sign of value) {
    if (sign === '{') depth++;
    if (sign === '}') depth--;
    if (depth <= 0 && /[,;]/.test(sign)) {
      words.push(word.trim());
      word = '';
    } else word += sign;
  }
  return [...words, word.trim()].filter(Boolean);
}

const MARKUP = /<\/?(?:b|i|u|em|strong|sub|sup|sc|tt|span|pre)(?: [^<>]*)?>/g;

const textsOf = (value: BibtexValue | undefined): string[] =>
  [value ?? []]
    .flat()
    .map((one) => (typeof one === 'string' ? one : nomOf(one)).replace(MARKUP, '').trim())
    .filter(Boolean);

/** « Jean de La Fontaine », « Jean Le Rond d’Alembert »; `''` for « and others ». */
function nomOf({ name, firstName, prefix, lastName, suffix }: Creator): string {
  if (name !== undefined) return name;
  if (firstName === undefined && lastName === 'others') return '';
  const family =
    prefix === undefined || /['’]$/.test(prefix)
      ? `${prefix ?? ''}${lastName ?? ''}`
      : `${prefix} ${lastName ?? ''}`;
  return [firstName, family, suffix].filter(Boolean).join(' ');
}

function bibtexToRecord(
  type: string,
  key: string,
  fields: Readonly<Record<string, BibtexValue>>,
  words: ReadonlyMap<string, string>,
): NamedValues {
  const kind = BIBTEX_BOOKS.has(type)
    ? 'book'
    : BIBTEX_CHAPTERS.has(type) && (type !== 'inbook' || fields['booktitle'] !== undefined)
      ? 'chapter'
      : type === 'inbook'
        ? 'book'
        : 'other';
  const first = (...names: string[]) => names.flatMap((name) => textsOf(fields[name]))[0] ?? '';
  const values = new NamedValues();
  values
    .add('Année', first('year', 'date'))
    .add('Langue', nomOfLangue(first('language', 'langid')))
    .add(
      'Thèmes',
      wordsIn(fields[OWN_KEYWORDS]).map((word) => words.get(word) ?? word),
    );
  const [pages, counted] = [first('pages'), first('pagetotal', 'numpages')];
  const isCount = kind !== 'chapter' && counted === '' && isPageCount(pages);
  values.add('Pages', isCount ? pages : counted);
  const [serie, numero] = [first('series'), first('number') || first('volume')];
  // Without a number what stands there is a publisher’s collection, but in our own export.
  if (serie !== '' && (numero !== '' || /^livre\d+$/.test(key)))
    values.add('Série', serie).add('Numéro', numero);
  else values.add('Collection', serie).add('Volume', numero);
  if (first('number') !== '' && first('volume') !== '') values.add('Volume', first('volume'));
  const stars = /^(?:rank)?([1-5])$/.exec(first('ranking', 'rating'))?.[1];
  const said = first('readstatus');
  values.add('Étoiles', stars).add('Statut', READ_STATUS[said.toLowerCase()]);
  if (READ_STATUS[said.toLowerCase()] === undefined) values.add('Lecture', said);
  if (stars === undefined) values.add('Rang', first('ranking', 'rating'));
  if (kind === 'book')
    values.add('Chapitre', first('chapter')).add('Autre titre', first('booktitle'));
  for (const [name, value] of Object.entries(fields)) {
    if (BIBTEX_READ.has(name) || (name === 'pages' && isCount)) continue;
    if (name === 'groups' || name === 'keyword' || name === 'tags')
      values.add('Thèmes', wordsIn(value));
    else values.add(BIBTEX_NAMES[name] ?? name, textsOf(value));
  }
  return toRecord({
    ...{ kind, type: `@${type}`, values },
    titre: first('title'),
    container: first('booktitle'),
    auteurs: textsOf(fields['author']),
    containerAuteurs: textsOf(fields['bookauthor']),
    direction: textsOf(fields['editor']),
    isbns: first('isbn')
      .split(/[,;/\s]+(?=[\d-]{9})/)
      .filter(Boolean),
  });
}

// CSL-JSON

const CSL_BOOKS = new Set(['book', 'thesis', 'classic', 'pamphlet']);
const CSL_CHAPTERS = new Set([
  'chapter',
  'entry-dictionary',
  'entry-encyclopedia',
  'paper-conference',
]);

const CSL_NAMES: Readonly<Record<string, string>> = {
  publisher: 'Éditeur',
  'publisher-place': 'Lieu d’édition',
  abstract: 'Résumé',
  note: 'Note',
  annote: 'Note',
  translator: 'Traduction',
  illustrator: 'Illustration',
  'collection-editor': 'Direction de collection',
  'original-title': 'Titre original',
  'original-author': 'Auteur original',
  'original-publisher': 'Éditeur original',
  'title-short': 'Titre abrégé',
  edition: 'Édition',
  genre: 'Nature',
  dimensions: 'Dimensions',
  medium: 'Support',
  'call-number': 'Cote',
  source: 'Source',
  URL: 'Adresse',
  DOI: 'DOI',
  page: 'Pages citées',
  'number-of-volumes': 'Nombre de volumes',
};

const CSL_READ = new Set([
  ...['id', 'type', 'title', 'container-title', 'author', 'container-author', 'editor', 'issued'],
  ...['ISBN', 'number-of-pages', 'language', 'keyword', 'collection-title', 'collection-number'],
  ...['volume', 'accessed', 'citation-key', 'system_id'],
]);
type CslItem = Readonly<Record<string, unknown>>;

export const isCsl = (value: unknown): value is CslItem =>
  isObject(value) && typeof value['type'] === 'string' && ('id' in value || 'issued' in value);

const isObject = (value: unknown): value is CslItem =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const readCsl = (items: readonly unknown[]): ReadList => ({
  format: 'csljson',
  records: items.map((item) =>
    isCsl(item) ? cslToRecord(item) : new NamedValues().refuse(raison('pasFiche')),
  ),
});

/** A text, a number, persons by name, or a date by its parts, as texts. */
function cslTexts(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number')
    return [String(value).replace(MARKUP, '')];
  if (Array.isArray(value)) return value.flatMap(cslTexts);
  if (!isObject(value)) return [];
  const part = (name: string) => cslTexts(value[name])[0] ?? '';
  if ('date-parts' in value) return cslTexts(value['date-parts']);
  if (part('literal') || part('raw')) return [part('literal') || part('raw')];
  const prefix = part('non-dropping-particle') || part('dropping-particle');
  const nom = nomOf({
    firstName: part('given'),
    ...(prefix !== '' && { prefix }),
    lastName: part('family'),
    suffix: part('suffix'),
  });
  return nom === '' ? [] : [nom];
}

function cslToRecord(item: CslItem): NamedValues {
  const type = cslTexts(item['type'])[0] ?? '';
  const kind = CSL_BOOKS.has(type) ? 'book' : CSL_CHAPTERS.has(type) ? 'chapter' : 'other';
  const first = (name: string) => cslTexts(item[name])[0] ?? '';
  const values = new NamedValues();
  values
    .add('Année', first('issued'))
    .add('Pages', first('number-of-pages'))
    .add('Langue', nomOfLangue(first('language')))
    .add(
      'Thèmes',
      cslTexts(item['keyword']).flatMap((text) => text.split(/[,;]/)),
    );
  const [serie, numero] = [
    first('collection-title'),
    first('collection-number') || first('volume'),
  ];
  if (serie !== '' && numero !== '') values.add('Série', serie).add('Numéro', numero);
  else values.add('Collection', serie).add('Volume', numero);
  for (const [name, value] of Object.entries(item))
    if (!CSL_READ.has(name)) values.add(CSL_NAMES[name] ?? name, cslTexts(value));
  return toRecord({
    ...{
      kind,
      type,
      values: kind === 'book' ? values.add('Autre titre', first('container-title')) : values,
    },
    titre: first('title'),
    container: first('container-title'),
    auteurs: cslTexts(item['author']),
    containerAuteurs: cslTexts(item['container-author']),
    direction: cslTexts(item['editor']),
    isbns: first('ISBN')
      .split(/[,;/\s]+(?=[\d-]{9})/)
      .filter(Boolean),
  });
}
