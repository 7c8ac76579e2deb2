import { nomOfLangue } from '#shared/langues';
import { raison } from '#server/plumbing/common/raisons';
import type { ListFormat } from './format.ts';
import { namingOf, RecordBuilder } from './record-builder.ts';
import { attributeOf, elementsOf, isNode, nodesOf, parseElement, xmlText } from './xml.ts';

// « Library Media Data.xml » of Delicious Library: an element a thing, its values as attributes (docs/rules.md § 35).

const KINDS = ['book', 'movie', 'music', 'game', 'software', 'toy', 'tool', 'gadget', 'apparel'];

// cspell:disable -- names of the format
const NAMES = namingOf({
  isbn: 'isbn',
  publisher: 'editeur',
  pages: 'nombrePages',
  genre: 'themes',
  edition: { detail: 'Édition' },
  series: 'serie',
  illustrator: { detail: 'Illustration' },
  translator: { detail: 'Traduction' },
  editor: { detail: 'Direction' },
  price: { detail: 'Prix' },
  currentValue: { detail: 'Estimation' },
  purchaseDate: { detail: 'Achat' },
  location: 'emplacement',
  condition: { detail: 'État' },
  signed: { detail: 'Dédicace' },
  deweyDecimal: { detail: 'Classification' },
  deweydecimal: { detail: 'Classification' },
  notes: { detail: 'Note' },
  description: { detail: 'Résumé' },
  netrating: { detail: 'Note du public' },
  borrower: 'emprunteur',
  url: { detail: 'Adresse' },
});

const READ = new Set(['title', 'fullTitle', 'author', 'aspect', 'published', 'rating', 'language']);
/** Numbers of the program and of its shop. */
for (const name of ['uuid', 'asin', 'upc', 'ean', 'country', 'lastLookupTime', '#text'])
  READ.add(name);
// cspell:enable

export const delicious: ListFormat = {
  sniff: ({ text, root }) =>
    root !== null && /<(?:book|movie|music|game|software)\b[^<>]*\s(?:fullTitle|uuid)=/.test(text),
  read: (text) => ({ format: 'delicious', records: recordsOf(text) }),
};

/** uuid → the shelves that it stands on. */
function shelvesOf(text: string): Map<string, string[]> {
  const shelves = new Map<string, string[]>();
  for (const element of elementsOf(text, 'shelf')) {
    const shelf = parseElement(element);
    // cspell:disable-next-line -- an element of the format
    for (const link of nodesOf(shelf, 'linkto')) {
      const uuid = attributeOf(link, 'uuid');
      shelves.set(uuid, [...(shelves.get(uuid) ?? []), attributeOf(shelf, 'name')]);
    }
  }
  return shelves;
}

function* recordsOf(text: string): Generator<RecordBuilder> {
  const shelves = shelvesOf(text);
  for (const element of elementsOf(text, ...KINDS)) {
    const kind = /^<(?:[\w.-]+:)?(\w+)/.exec(element)?.[1] ?? '';
    const thing = parseElement(element);
    const values = new RecordBuilder();
    const of = (name: string) => attributeOf(thing, name).trim();
    values.add('titre', of('title') || of('fullTitle'));
    if (kind !== 'book') {
      yield values.refuse(raison('pasLivreMais', { genre: kind }));
      continue;
    }
    if (of('title') !== '' && of('fullTitle') !== of('title'))
      values.detail('Titre complet', of('fullTitle'));
    values.add('auteurs', authorsOf(of('author')));
    values.binding(of('aspect'));
    const published = of('published');
    values.add('annee', /\d{4}/.exec(published)?.[0]);
    if (!/^\d{4}$/.test(published)) values.detail('Paru le', published);
    if (Number(of('rating')) > 0) values.add('note', of('rating'));
    values.detail('Langue', nomOfLangue(of('language')));
    values.add('themes', shelves.get(of('uuid')));
    for (const [key, value] of Object.entries(thing)) {
      const name = key.replace(/^@/, '');
      if (READ.has(name)) continue;
      const texts =
        typeof value === 'string'
          ? [of(name)]
          : value.map((one) => (isNode(one) ? xmlText(one) : one));
      values.named(
        NAMES,
        name,
        name === 'genre' ? texts.flatMap((one) => one.split(/\s*\n\s*/)) : texts,
      );
    }
    yield values;
  }
}

/** A line each, else apart by commas where each part is a whole name. */
export function authorsOf(text: string): string[] {
  const lines = text.split(/\s*\n\s*/);
  const parts = text.split(/\s*,\s*/);
  return lines.length === 1 && parts.every((part) => part.includes(' ')) ? parts : lines;
}
