import { readingOrder } from '#server/plumbing/upstream/noms';
import { nomOfLangue } from '#shared/langues';
import { invalid, raison } from '#server/plumbing/common/raisons';
import { coversLeft, NamedValues, type ReadList } from './lists.ts';
import { isEbook } from './values.ts';
import {
  attributeOf,
  elementsOf,
  isNode,
  nodesOf,
  parseElement,
  xmlText,
  type XmlNode,
} from './xml.ts';

// The files of GCstar and Tellico, as their own XML (docs/rules.md § 35).

/** What a person wrote with marks of HTML, as a text. */
const plainText = (text: string): string =>
  text
    .replace(/<br\s*\/?>|<\/p>/gi, '\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .trim();

/** An outside of a book, or what says that it is an ebook. */
const addBinding = (values: NamedValues, text: string): NamedValues =>
  values.add(isEbook(text) ? 'Format' : 'Reliure', text);

const isTrue = (text: string): boolean => /^(?:1|true)$/i.test(text);

// GCstar

// cspell:disable -- names of the formats
/** One field → how it is called here; those of several meanings are read by hand. */
const GCSTAR_NAMES: Readonly<Record<string, string>> = {
  isbn: 'ISBN',
  publisher: 'Éditeur',
  publication: 'Année',
  publishdate: 'Année',
  language: 'Langue',
  pages: 'Pages',
  numberboards: 'Pages',
  acquisition: 'Achat',
  location: 'Emplacement',
  serie: 'Série',
  series: 'Série',
  rank: 'Numéro',
  volume: 'Numéro',
  translator: 'Traduction',
  artist: 'Illustration',
  edition: 'Édition',
  authors: 'Auteurs',
  genre: 'Thèmes',
  tags: 'Thèmes',
  category: 'Thèmes',
  description: 'Résumé',
  synopsis: 'Résumé',
  comments: 'Note',
  comment: 'Note',
  original: 'Titre original',
  cost: 'Prix',
  estimate: 'Estimation',
  collection: 'Collection',
  added: 'Ajouté le',
  lendDate: 'Date de prêt',
  borrowings: 'Prêts passés',
  printdate: 'Imprimé le',
  cover: 'Image',
  image: 'Image',
  backpic: 'Image du dos',
  type: 'Nature',
};
// cspell:enable

const WRITERS = new Set(['writer', 'illustrator', 'colourist']);

export function readGcstar(text: string): ReadList {
  const kind = /<collection\b[^>]*\btype=["']GC(\w+)["']/.exec(text.slice(0, 5000))?.[1] ?? '';
  if (kind !== 'books' && kind !== 'comics') throw invalid(raison('gcstarSansLivres'));
  const labels = new Map<string, string>();
  for (const [field] of text.matchAll(/<field\b[^>]*\bvalue="gcsfield\d+"[^>]*>/g)) {
    const [value = '', label = ''] = [
      /\bvalue="([^"]*)"/.exec(field)?.[1],
      /\blabel="([^"]*)"/.exec(field)?.[1],
    ];
    labels.set(value, label);
  }
  return {
    format: 'gcstar',
    records: gcstarRecords(text, kind === 'comics', labels),
    avertissements: /<\/collection>\s*$/.test(text) ? [] : [raison('fichierCoupe')],
  };
}

function* gcstarRecords(
  text: string,
  isComic: boolean,
  labels: ReadonlyMap<string, string>,
): Generator<NamedValues> {
  for (const element of elementsOf(text, 'item')) {
    const fields = new Map<string, readonly string[]>();
    for (const [key, value] of Object.entries(parseElement(element))) {
      const name = key.replace(/^@/, '');
      if (typeof value === 'string') fields.set(name, [xmlText(value)]);
      else
        fields.set(
          name,
          value.flatMap((node) => (isNode(node) ? linesOf(node) : [xmlText(node)])),
        );
    }
    yield gcstarValues(fields, isComic, labels);
  }
}

/** The rows of a list by their first column, or the text of a field. */
const linesOf = (node: XmlNode): string[] => {
  const lines = nodesOf(node, 'line').map((line) =>
    nodesOf(line, 'col').map(xmlText).filter(Boolean).join(', '),
  );
  return lines.length > 0 ? lines : [xmlText(node)];
};

function gcstarValues(
  fields: ReadonlyMap<string, readonly string[]>,
  isComic: boolean,
  labels: ReadonlyMap<string, string>,
): NamedValues {
  const values = new NamedValues();
  const first = (name: string) => fields.get(name)?.[0] ?? '';
  if (isComic) values.makeComic();
  values.add('Titre', first('title') || first('name'));
  const rating = Number(first('rating'));
  if (rating > 0) values.add('Étoiles', `${rating}/10`);
  if (isTrue(first('read'))) values.add('Statut', 'lu');
  const borrower = first('borrower');
  if (borrower !== '' && borrower !== 'none') values.add('Prêté à', borrower);
  for (const [name, texts] of fields) {
    if (['id', '#text', 'title', 'name', 'rating', 'read', 'borrower'].includes(name)) continue;
    const text = texts[0] ?? '';
    if (WRITERS.has(name))
      values.add(
        'Auteurs',
        texts.flatMap((each) => each.split(/\s*[,;/]\s*/)),
      );
    else if (name === 'format') addBinding(values, text);
    else if (name === 'favourite') values.add('Favori', isTrue(text) ? 'oui' : ''); // cspell:disable-line
    else if (name === 'signing') values.add('Dédicace', isTrue(text) ? 'oui' : '');
    else if (name === 'web' || name === 'webPage') values.add('Adresse', text.replace(/##.*$/, ''));
    else if (name === 'language') values.add('Langue', nomOfLangue(text));
    else if (name === 'lendDate' && !values.has('Prêté à')) continue;
    else values.add(GCSTAR_NAMES[name] ?? labels.get(name) ?? name, texts.map(plainText));
  }
  return values;
}

// Tellico

// cspell:disable -- names of the format
const TELLICO_NAMES: Readonly<Record<string, string>> = {
  subtitle: 'Sous-titre',
  author: 'Auteurs',
  writer: 'Auteurs',
  artist: 'Auteurs',
  editor: 'Direction',
  publisher: 'Éditeur',
  edition: 'Édition',
  isbn: 'ISBN',
  lccn: 'LCCN',
  pages: 'Pages',
  translator: 'Traduction',
  language: 'Langue',
  genre: 'Thèmes',
  keyword: 'Thèmes',
  series: 'Série',
  series_num: 'Numéro',
  issue: 'Numéro',
  condition: 'État',
  signed: 'Dédicace',
  gift: 'Cadeau',
  pur_date: 'Achat',
  pur_price: 'Prix',
  plot: 'Résumé',
  abstract: 'Résumé',
  comments: 'Note',
  note: 'Note',
  url: 'Adresse',
  location: 'Emplacement',
};

const TELLICO_READ = new Set([
  ...['title', 'rating', 'read', 'loaned', 'binding', 'pub_year', 'cr_year', 'year', 'cover'],
  ...['id', 'cdate', 'mdate', '#text'],
]);
// cspell:enable

const PERSONS = new Set(['Auteurs', 'Direction', 'Traduction']);

/** @param covers the keys of the pictures in its zip by their names there */
export function readTellico(text: string, covers: ReadonlyMap<string, string>): ReadList {
  const [opening = ''] = /<collection\b[^>]*>/.exec(text) ?? [];
  const type = /\btype="(\d+)"/.exec(opening)?.[1] ?? '2';
  if (!['1', '2', '5', '6'].includes(type)) throw invalid(raison('tellicoSansLivres'));
  const titles = new Map<string, string>();
  for (const [field] of text.matchAll(/<field\b[^>]*>/g))
    titles.set(
      /\bname="([^"]*)"/.exec(field)?.[1] ?? '',
      /\btitle="([^"]*)"/.exec(field)?.[1] ?? '',
    );
  const keys = new Map([...covers].map(([name, key]) => [name.replace(/^.*\//s, ''), key]));
  const named = [...text.matchAll(/<cover>([^<]*)<\/cover>/g)].map(([, name = '']) => name.trim());
  return {
    format: 'tellico',
    records: tellicoRecords(text, type === '6', titles, keys),
    avertissements: coversLeft(named.filter((name) => name !== '' && !keys.has(name)).length),
  };
}

interface Loan {
  readonly nom: string;
  readonly date: string;
  readonly due: string;
}

function loansOf(text: string): Map<string, Loan> {
  const loans = new Map<string, Loan>();
  for (const element of elementsOf(text, 'borrower')) {
    const borrower = parseElement(element);
    for (const loan of nodesOf(borrower, 'loan'))
      loans.set(attributeOf(loan, 'entryRef'), {
        nom: attributeOf(borrower, 'name'),
        date: attributeOf(loan, 'loanDate'),
        due: attributeOf(loan, 'dueDate'),
      });
  }
  return loans;
}

function* tellicoRecords(
  text: string,
  isComic: boolean,
  titles: ReadonlyMap<string, string>,
  covers: ReadonlyMap<string, string>,
): Generator<NamedValues> {
  const loans = loansOf(text);
  for (const element of elementsOf(text, 'entry')) {
    const entry = parseElement(element);
    const values = new NamedValues();
    const texts = (name: string) => nodesOf(entry, name).flatMap(tellicoTexts);
    const first = (...names: string[]) => names.flatMap(texts).find(Boolean) ?? '';
    if (isComic) values.makeComic();
    values.addCover(covers.get(first('cover')));
    values.add('Titre', first('title')).add('Année', first('pub_year', 'cr_year', 'year'));
    const rating = Number(first('rating'));
    if (rating > 0) values.add('Étoiles', rating);
    if (isTrue(first('read'))) values.add('Statut', 'lu');
    addBinding(values, first('binding'));
    const loan = loans.get(attributeOf(entry, 'id'));
    if (loan !== undefined)
      values.add('Prêté à', loan.nom).add('Date de prêt', loan.date).add('À rendre le', loan.due);
    for (const key of Object.keys(entry)) {
      if (key.startsWith('@') || TELLICO_READ.has(key)) continue;
      // Several values stand in an element of their name and an « s ».
      const field = key.endsWith('s') && titles.has(key.slice(0, -1)) ? key.slice(0, -1) : key;
      const name =
        TELLICO_NAMES[field] ??
        TELLICO_NAMES[field.replace(/s$/, '')] ??
        titles.get(field) ??
        field;
      const said = texts(key).map((one) => (isTrue(one) && one !== '1' ? 'oui' : plainText(one)));
      values.add(
        name,
        PERSONS.has(name)
          ? said.map(readingOrder)
          : name === 'Langue'
            ? said.map(nomOfLangue)
            : said,
      );
    }
    yield values;
  }
}

/** A text, several, a row of a table, or a date by its parts. */
function tellicoTexts(node: XmlNode): string[] {
  const year = nodesOf(node, 'year').map(xmlText)[0];
  if (year !== undefined)
    return [
      [year, ...['month', 'day'].map((part) => nodesOf(node, part).map(xmlText)[0] ?? '')]
        .filter(Boolean)
        .map((part) => part.padStart(2, '0'))
        .join('-'),
    ];
  const columns = nodesOf(node, 'column').map(xmlText).filter(Boolean);
  if (columns.length > 0) return [columns.join(', ')];
  const inner = Object.entries(node).flatMap(([name, value]) =>
    name.startsWith('@') || typeof value === 'string'
      ? []
      : value.filter(isNode).flatMap(tellicoTexts),
  );
  return inner.length > 0 ? inner : [xmlText(node)].filter(Boolean);
}
