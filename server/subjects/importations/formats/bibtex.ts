import type * as Bibtex from '@retorquere/bibtex-parser';
import { nomOfLangue } from '#shared/langues';
import { beginningOf, shortened } from '#shared/text';
import { ownValue } from '#shared/object-keys';
import { raison, type Raison } from '#server/plumbing/common/raisons';
import { batchesOf } from './bibtex-batches.ts';
import { boundedEntries } from './bibtex-bounds.ts';
import type { ListFormat } from './format.ts';
import { tooMany } from '../record.ts';
import { namingOf, RecordBuilder, textsByName, type ReadList } from './record-builder.ts';
import { isPageCount, MARKUP, nomOf, toRecord, type Creator } from './reference.ts';

// BibTeX and BibLaTeX (docs/rules.md § 35)

// cspell:disable -- names of the formats

/** Renames `keywords`, whose words the library would sort and split inside braces. */
const OWN_KEYWORDS = 'rayonnage-keywords';

const BIBTEX_BOOKS = new Set([
  'book',
  'mvbook',
  'collection',
  'mvcollection',
  'reference',
  'mvreference',
  'proceedings',
  'mvproceedings',
  'booklet',
  'manual',
  'thesis',
  'phdthesis',
  'mastersthesis',
  'ebook',
]);
const BIBTEX_CHAPTERS = new Set([
  'inbook',
  'incollection',
  'inproceedings',
  'conference',
  'bookinbook',
  'suppbook',
  'suppcollection',
  'inreference',
]);

const BIBTEX_NAMES = namingOf({
  subtitle: { detail: 'Sous-titre' },
  titleaddon: { detail: 'Complément du titre' },
  maintitle: { detail: 'Titre de l’ensemble' },
  origtitle: { detail: 'Titre original' },
  origlanguage: { detail: 'Langue originale' },
  origdate: { detail: 'Année de l’original' },
  shorttitle: { detail: 'Titre abrégé' },
  translator: { detail: 'Traduction' },
  illustrator: { detail: 'Illustration' },
  foreword: { detail: 'Préface' },
  introduction: { detail: 'Introduction' },
  afterword: { detail: 'Postface' },
  annotator: { detail: 'Notes de' },
  commentator: { detail: 'Commentaire de' },
  ...textsByName('livres.bib'),
  address: { detail: 'Lieu d’édition' },
  location: { detail: 'Lieu d’édition' },
  edition: { detail: 'Édition' },
  abstract: { detail: 'Résumé' },
  note: { detail: 'Note' },
  annote: { detail: 'Note' },
  annotation: { detail: 'Note' },
  addendum: { detail: 'Note' },
  comment: { detail: 'Note' },
  review: { detail: 'Note' },
  price: { detail: 'Prix' },
  url: { detail: 'Adresse' },
  doi: { detail: 'DOI' },
  file: { detail: 'Fichier' },
  lccn: { detail: 'Cote' },
  shelfmark: { detail: 'Cote' },
  callnumber: { detail: 'Cote' },
  library: { detail: 'Bibliothèque' },
  volumes: { detail: 'Nombre de volumes' },
  binding: { detail: 'Reliure' },
  dimensions: { detail: 'Dimensions' },
  pages: { detail: 'Pages citées' },
  type: { detail: 'Nature' },
});

const BIBTEX_READ = new Set([
  'title',
  'booktitle',
  'author',
  'bookauthor',
  'editor',
  'isbn',
  'year',
  'date',
  'pagetotal',
  'numpages',
  'language',
  'langid',
  'series',
  'number',
  'volume',
  'chapter',
  'ranking',
  'rating',
  'readstatus',
  'month',
  'crossref',
  'xref',
  'ids',
  OWN_KEYWORDS,
]);

/** JabRef's reading state; a skimmed book was not read to the end. */
const READ_STATUS = new Map([
  ['read', 'lu'],
  ['skimmed', 'en cours'],
]);

export const bibtex: ListFormat = { sniff: ({ text }) => isBibtex(text), read: readBibtex };

/** Whether the text begins with an entry, apart from comments, or has one at the beginning of a line. */
const isBibtex = (head: string): boolean =>
  /^@\s*[a-z]+\s*[{(]/i.test(withoutComments(head)) ||
  /^@[a-z]+\s*\{[^\s,{}]*,[ \t]*$/im.test(head);

const withoutComments = (head: string): string => {
  const lines = head.split('\n');
  const first = lines.findIndex((line) => !/^\s*(?:%|$)/.test(line));
  return first === -1 ? '' : lines.slice(first).join('\n').trimStart();
};

type BibtexValue = string | readonly (string | Creator)[];

const PERSONS = ['illustrator', 'foreword', 'introduction', 'afterword', 'annotator'];

/** Keeps titles unchanged: by default the library turns « Théo » into « théo ». */
const BIBTEX_OPTIONS = {
  sentenceCase: false,
  english: false,
  caseProtection: false,
  unsupported: 'ignore',
  verbatimFields: ['url', 'doi', 'file', 'groups', 'ids', 'eprint', OWN_KEYWORDS],
  fieldMode: Object.fromEntries(PERSONS.map((name) => [name, 'creatorlist' as const])),
} as const;

/** The library parses a few thousand entries a second. */
const MAX_ENTRIES = 30_000;

type Parse = (typeof Bibtex)['parse'];

/** A malformed entry is reported, and the following ones are read. */
async function readBibtex(text: string): Promise<ReadList> {
  const entry = /^[ \t]*@\w+[ \t]*[{(]/gm;
  for (let count = 1; entry.test(text); count++)
    if (count > MAX_ENTRIES) throw tooMany(MAX_ENTRIES);
  const { parse } = await import('@retorquere/bibtex-parser');
  const { entries, left } = boundedEntries(text);
  const avertissements = left.map(notRead);
  return {
    format: 'bibtex',
    programme: 'BibTeX',
    records: recordsOf(entries, parse, avertissements),
    avertissements,
  };
}

/** @param avertissements receives the warnings about malformed entries, complete after the last record */
function* recordsOf(
  pieces: readonly string[],
  parse: Parse,
  avertissements: Raison[],
): Generator<RecordBuilder> {
  const reported = new Set<string>();
  for (const { source, borrowed } of batchesOf(pieces)) {
    const { entries, errors } = parse(
      source.replace(/([,\s])keywords(\s{0,20}=)/gi, `$1${OWN_KEYWORDS}$2`),
      optionsOf(),
    );
    const words = decodedWords(
      entries.flatMap(({ fields }) => wordsIn(fields[OWN_KEYWORDS])),
      parse,
    );
    for (const { type, key, fields } of entries)
      if (Object.keys(fields).length > 0 && !borrowed.has(key))
        yield bibtexToRecord(type.toLowerCase(), key, fields, words);
    // A malformed entry that several batches need is reported once.
    const inputs = errors.map(({ input = '' }) => input).filter((input) => !reported.has(input));
    avertissements.push(...inputs.map(notRead));
    for (const input of inputs) reported.add(input);
  }
}

const optionsOf = () => ({
  ...BIBTEX_OPTIONS,
  verbatimFields: [...BIBTEX_OPTIONS.verbatimFields],
});

/** The text of each keyword in LaTeX, by the keyword. */
function decodedWords(words: readonly string[], parse: Parse): Map<string, string> {
  const latex = [...new Set(words.filter((word) => /[\\{}$~]/.test(word)))];
  const decoded = parse(
    latex.map((word, at) => `@misc{k${String(at)}, note = {${word}}}`).join('\n'),
    optionsOf(),
  );
  const byKey = new Map(decoded.entries.map(({ key, fields }) => [key, fields['note'] ?? '']));
  return new Map(latex.map((word, at) => [word, byKey.get(`k${String(at)}`) ?? word]));
}

const notRead = (input: string): Raison =>
  raison('ficheNonLue', {
    dit: shortened(beginningOf(input.trim(), 200).replace(/\s+/g, ' ').trim(), 60),
  });

/** The words of a field, separated by commas and semicolons outside braces. */
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

const textsOf = (value: BibtexValue | undefined): string[] =>
  [value ?? []]
    .flat()
    .map((one) => (typeof one === 'string' ? one : nomOf(one)).replace(MARKUP, '').trim())
    .filter(Boolean);

function bibtexToRecord(
  type: string,
  key: string,
  fields: Readonly<Record<string, BibtexValue>>,
  words: ReadonlyMap<string, string>,
): RecordBuilder {
  const kind = BIBTEX_BOOKS.has(type)
    ? 'book'
    : BIBTEX_CHAPTERS.has(type) && (type !== 'inbook' || fields['booktitle'] !== undefined)
      ? 'chapter'
      : type === 'inbook'
        ? 'book'
        : 'other';
  const first = (...names: string[]) =>
    names.flatMap((name) => textsOf(ownValue(fields, name)))[0] ?? '';
  const values = new RecordBuilder();
  values
    .add('annee', first('year', 'date'))
    .detail('Langue', nomOfLangue(first('language', 'langid')))
    .add(
      'themes',
      wordsIn(fields[OWN_KEYWORDS]).map((word) => words.get(word) ?? word),
    );
  const [pages, counted] = [first('pages'), first('pagetotal', 'numpages')];
  const isCount = kind !== 'chapter' && counted === '' && isPageCount(pages);
  values.add('nombrePages', isCount ? pages : counted);
  const [serie, numero] = [first('series'), first('number') || first('volume')];
  // Without a number the series is a publisher's collection, except in our own export.
  if (serie !== '' && (numero !== '' || /^livre\d+$/.test(key)))
    values.add('serie', serie).add('numero', numero);
  else values.detail('Collection', serie).detail('Volume', numero);
  if (first('number') !== '' && first('volume') !== '') values.detail('Volume', first('volume'));
  const stars = /^(?:rank)?([1-5])$/.exec(first('ranking', 'rating'))?.[1];
  const status = first('readstatus');
  values.add('note', stars).add('statut', READ_STATUS.get(status.toLowerCase()));
  if (READ_STATUS.get(status.toLowerCase()) === undefined) values.detail('Lecture', status);
  if (stars === undefined) values.detail('Rang', first('ranking', 'rating'));
  if (kind === 'book')
    values.detail('Chapitre', first('chapter')).detail('Autre titre', first('booktitle'));
  for (const [name, value] of Object.entries(fields)) {
    if (BIBTEX_READ.has(name) || (name === 'pages' && isCount)) continue;
    if (name === 'groups' || name === 'keyword' || name === 'tags')
      values.add('themes', wordsIn(value));
    else values.named(BIBTEX_NAMES, name, textsOf(value));
  }
  return toRecord({
    kind,
    type: `@${type}`,
    values,
    titre: first('title'),
    container: first('booktitle'),
    auteurs: textsOf(fields['author']),
    containerAuteurs: textsOf(fields['bookauthor']),
    direction: textsOf(fields['editor']),
    isbns: first('isbn')
      .split(/(?<![,;/\s])[,;/\s]+(?=[\d-]{9})/)
      .filter(Boolean),
  });
}
