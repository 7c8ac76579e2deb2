import { nomOfLangue } from '#shared/langues';
import { readingOrder } from '#server/plumbing/upstream/noms';
import { invalid, raison, type Raison } from '#server/plumbing/common/raisons';
import type { Covers, ListFormat } from './format.ts';
import { coversLeft, namingOf, RecordBuilder, type ReadList } from './record-builder.ts';
import {
  attributeOf,
  childrenOf,
  elementsOf,
  firstTag,
  isTrue,
  plainText,
  textsOf,
  type Head,
  type XmlElement,
} from './xml.ts';

// Tellico's own XML (docs/rules.md § 35)

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
  'title',
  'rating',
  'read',
  'loaned',
  'binding',
  'pub_year',
  'cr_year',
  'year',
  'cover',
  'id',
  'cdate',
  'mdate',
]);
// cspell:enable

const PERSONS = new Set(['author', 'writer', 'artist', 'editor', 'translator']);

const isNamed = (field: string): boolean =>
  TELLICO_NAMES.fields.has(field) || TELLICO_NAMES.details.has(field);

export const tellico: ListFormat = {
  sniff: ({ tags: [root] }) =>
    (root?.name === 'tellico' || root?.name === 'bookcase') && root.attributes.has('syntaxVersion'),
  read: readTellico,
};

function readTellico(text: string, covers: Covers, head: Head): ReadList {
  const collection = firstTag(head, 'collection');
  const type = (collection && attributeOf(collection, 'type')) || '2';
  if (!['1', '2', '5', '6'].includes(type)) throw invalid(raison('tellicoSansLivres'));
  const avertissements: Raison[] = [];
  const records = tellicoRecords(text, type === '6', covers, avertissements);
  return { format: 'tellico', programme: 'Tellico', records, avertissements };
}

interface Loan {
  readonly nom: string;
  readonly date: string;
  readonly due: string;
}

/** The data around the entries: field titles by name, and loans by entry. */
function aroundEntries(text: string) {
  const titles = new Map<string, string>();
  const loans = new Map<string, Loan>();
  for (const element of elementsOf(text, ['field', 'borrower'])) {
    if (element.name === 'field')
      titles.set(attributeOf(element, 'name'), attributeOf(element, 'title'));
    for (const loan of childrenOf(element, 'loan'))
      loans.set(attributeOf(loan, 'entryRef'), {
        nom: attributeOf(element, 'name'),
        date: attributeOf(loan, 'loanDate'),
        due: attributeOf(loan, 'dueDate'),
      });
  }
  return { titles, loans };
}

/** @param avertissements receives the warnings about all records, after the last one */
function* tellicoRecords(
  text: string,
  isComic: boolean,
  covers: Covers,
  avertissements: Raison[],
): Generator<RecordBuilder> {
  const { titles, loans } = aroundEntries(text);
  const pictures = new Map([...covers].map(([name, key]) => [name.replace(/^.*\//s, ''), key]));
  let missing = 0;
  for (const entry of elementsOf(text, ['entry'], avertissements)) {
    const values = new RecordBuilder();
    const byName = Map.groupBy(entry.children, ({ name }) => name);
    const texts = (name: string) => (byName.get(name) ?? []).flatMap(tellicoTexts);
    const first = (...names: string[]) => names.flatMap(texts).find(Boolean) ?? '';
    if (isComic) values.makeComic();
    const cover = first('cover');
    values.addCover(pictures.get(cover));
    if (cover !== '' && !pictures.has(cover)) missing++;
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
    for (const key of byName.keys()) {
      if (TELLICO_READ.has(key)) continue;
      // Several values are in an element with the plural name.
      const field = key.endsWith('s') && titles.has(key.slice(0, -1)) ? key.slice(0, -1) : key;
      const name = isNamed(field) ? field : field.replace(/s$/, '');
      const plainTexts = texts(key).map((one) =>
        isTrue(one) && one !== '1' ? 'oui' : plainText(one),
      );
      values.named(
        TELLICO_NAMES,
        name,
        PERSONS.has(name)
          ? plainTexts.map(readingOrder)
          : name === 'language'
            ? plainTexts.map(nomOfLangue)
            : plainTexts,
        titles.get(field) ?? field,
      );
    }
    yield values;
  }
  avertissements.push(...coversLeft(missing));
}

/** A text, several, a row of a table, or a date by its parts. */
function tellicoTexts(element: XmlElement): string[] {
  const [year] = textsOf(element, 'year');
  if (year !== undefined)
    return [
      [year, ...['month', 'day'].map((part) => textsOf(element, part)[0] ?? '')]
        .filter(Boolean)
        .map((part) => part.padStart(2, '0'))
        .join('-'),
    ];
  const columns = textsOf(element, 'column').filter(Boolean);
  if (columns.length > 0) return [columns.join(', ')];
  const inner = element.children.flatMap(tellicoTexts);
  return inner.length > 0 ? inner : [element.text].filter(Boolean);
}
