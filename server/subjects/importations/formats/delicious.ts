import { nomOfLangue } from '#shared/langues';
import { partsOf } from '#shared/text';
import { raison, type Raison } from '#server/plumbing/common/raisons';
import type { ListFormat } from './format.ts';
import { namingOf, RecordBuilder } from './record-builder.ts';
import { attributeOf, childrenOf, elementsOf } from './xml.ts';

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
for (const name of ['uuid', 'asin', 'upc', 'ean', 'country', 'lastLookupTime']) READ.add(name);
// cspell:enable

export const delicious: ListFormat = {
  sniff: ({ tags }) =>
    tags.some(
      ({ name, attributes }) =>
        KINDS.includes(name) && (attributes.has('fullTitle') || attributes.has('uuid')),
    ),
  read: (text) => {
    const avertissements: Raison[] = [];
    return {
      format: 'delicious',
      programme: 'Delicious Library',
      records: recordsOf(text, avertissements),
      avertissements,
    };
  },
};

/** uuid → its shelves. */
function shelvesOf(text: string): Map<string, Set<string>> {
  const shelves = new Map<string, Set<string>>();
  for (const shelf of elementsOf(text, ['shelf'])) {
    // cspell:disable-next-line -- an element of the format
    for (const link of childrenOf(shelf, 'linkto')) {
      const uuid = attributeOf(link, 'uuid');
      const names = shelves.get(uuid) ?? new Set();
      shelves.set(uuid, names.add(attributeOf(shelf, 'name')));
    }
  }
  return shelves;
}

function* recordsOf(text: string, avertissements: Raison[]): Generator<RecordBuilder> {
  const shelves = shelvesOf(text);
  for (const thing of elementsOf(text, KINDS, avertissements)) {
    const values = new RecordBuilder();
    const of = (name: string) => attributeOf(thing, name);
    values.add('titre', of('title') || of('fullTitle'));
    if (thing.name !== 'book') {
      yield values.refuse(raison('pasLivreMais', { genre: thing.name }));
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
    values.add('themes', [...(shelves.get(of('uuid')) ?? [])]);
    const properties = [
      ...thing.attributes,
      ...thing.children.map(({ name, text: own }) => [name, own]),
    ];
    for (const [name = '', value = ''] of properties)
      if (!READ.has(name))
        values.named(NAMES, name, name === 'genre' ? partsOf(value, '\n') : value);
    yield values;
  }
}

/** One per line, else separated by commas if each part is a full name. */
export function authorsOf(text: string): string[] {
  const lines = partsOf(text, '\n');
  const parts = partsOf(text, ',');
  return lines.length === 1 && parts.every((part) => part.includes(' ')) ? parts : lines;
}
