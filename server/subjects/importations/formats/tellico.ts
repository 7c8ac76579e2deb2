import { nomOfLangue } from '#shared/langues';
import { readingOrder } from '#server/plumbing/upstream/noms';
import { invalid, raison } from '#server/plumbing/common/raisons';
import type { Covers, ListFormat } from './format.ts';
import { coversLeft, namingOf, RecordBuilder, type ReadList } from './record-builder.ts';
import {
  attributeOf,
  elementsOf,
  isNode,
  isTrue,
  nodesOf,
  parseElement,
  plainText,
  xmlText,
  type XmlNode,
} from './xml.ts';

// The file of Tellico, as its own XML (docs/rules.md § 35)

// cspell:disable -- names of the format
const TELLICO_NAMES = namingOf({
  subtitle: { detail: 'Sous-titre' },
  author: 'auteurs',
  writer: 'auteurs',
  artist: 'auteurs',
  editor: { detail: 'Direction' },
  publisher: 'editeur',
  edition: { detail: 'Édition' },
  isbn: 'isbn',
  lccn: { detail: 'LCCN' },
  pages: 'nombrePages',
  translator: { detail: 'Traduction' },
  language: { detail: 'Langue' },
  genre: 'themes',
  keyword: 'themes',
  series: 'serie',
  series_num: 'numero',
  issue: 'numero',
  condition: { detail: 'État' },
  signed: { detail: 'Dédicace' },
  gift: { detail: 'Cadeau' },
  pur_date: { detail: 'Achat' },
  pur_price: { detail: 'Prix' },
  plot: { detail: 'Résumé' },
  abstract: { detail: 'Résumé' },
  comments: { detail: 'Note' },
  note: { detail: 'Note' },
  url: { detail: 'Adresse' },
  location: 'emplacement',
});

const TELLICO_READ = new Set([
  ...['title', 'rating', 'read', 'loaned', 'binding', 'pub_year', 'cr_year', 'year', 'cover'],
  ...['id', 'cdate', 'mdate', '#text'],
]);
// cspell:enable

const PERSONS = new Set(['author', 'writer', 'artist', 'editor', 'translator']);

const isNamed = (field: string): boolean =>
  TELLICO_NAMES.fields.has(field) || TELLICO_NAMES.details.has(field);

export const tellico: ListFormat = {
  sniff: ({ root }) =>
    (root?.name === 'tellico' || root?.name === 'bookcase') && root.tag.includes('syntaxVersion'),
  read: readTellico,
};

function readTellico(text: string, covers: Covers): ReadList {
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
): Generator<RecordBuilder> {
  const loans = loansOf(text);
  for (const element of elementsOf(text, 'entry')) {
    const entry = parseElement(element);
    const values = new RecordBuilder();
    const texts = (name: string) => nodesOf(entry, name).flatMap(tellicoTexts);
    const first = (...names: string[]) => names.flatMap(texts).find(Boolean) ?? '';
    if (isComic) values.makeComic();
    values.addCover(covers.get(first('cover')));
    values.add('titre', first('title')).add('annee', first('pub_year', 'cr_year', 'year'));
    const rating = Number(first('rating'));
    if (rating > 0) values.add('note', rating);
    if (isTrue(first('read'))) values.add('statut', 'lu');
    values.binding(first('binding'));
    const loan = loans.get(attributeOf(entry, 'id'));
    if (loan !== undefined)
      values
        .add('emprunteur', loan.nom)
        .add('datePret', loan.date)
        .add('dateRetourPrevue', loan.due);
    for (const key of Object.keys(entry)) {
      if (key.startsWith('@') || TELLICO_READ.has(key)) continue;
      // Several values stand in an element of their name and an « s ».
      const field = key.endsWith('s') && titles.has(key.slice(0, -1)) ? key.slice(0, -1) : key;
      const name = isNamed(field) ? field : field.replace(/s$/, '');
      const said = texts(key).map((one) => (isTrue(one) && one !== '1' ? 'oui' : plainText(one)));
      values.named(
        TELLICO_NAMES,
        name,
        PERSONS.has(name)
          ? said.map(readingOrder)
          : name === 'language'
            ? said.map(nomOfLangue)
            : said,
        titles.get(field) ?? field,
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
