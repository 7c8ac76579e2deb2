import { nomOfLangue } from '#shared/langues';
import { partsOf } from '#shared/text';
import { invalid, raison, type Raison } from '#server/plumbing/common/raisons';
import type { Covers, ListFormat } from './format.ts';
import { namingOf, RecordBuilder, type ReadList } from './record-builder.ts';
import {
  attributeOf,
  childrenOf,
  elementsOf,
  isTrue,
  plainText,
  textsOf,
  type Head,
  type XmlElement,
} from './xml.ts';

// GCstar's own XML (docs/rules.md § 35)

// cspell:disable -- names of the formats
/** Fields with one meaning; others are read separately. */
const GCSTAR_NAMES = namingOf({
  isbn: 'isbn',
  publisher: 'editeur',
  publication: 'annee',
  publishdate: 'annee',
  language: { detail: 'Langue' },
  pages: 'nombrePages',
  numberboards: 'nombrePages',
  acquisition: { detail: 'Achat' },
  location: 'emplacement',
  serie: 'serie',
  series: 'serie',
  rank: 'numero',
  volume: 'numero',
  translator: { detail: 'Traduction' },
  artist: { detail: 'Illustration' },
  edition: { detail: 'Édition' },
  authors: 'auteurs',
  genre: 'themes',
  tags: 'themes',
  category: 'themes',
  description: { detail: 'Résumé' },
  synopsis: { detail: 'Résumé' },
  comments: { detail: 'Note' },
  comment: { detail: 'Note' },
  original: { detail: 'Titre original' },
  cost: { detail: 'Prix' },
  estimate: { detail: 'Estimation' },
  collection: { detail: 'Collection' },
  added: { detail: 'Ajouté le' },
  lendDate: 'datePret',
  borrowings: { detail: 'Prêts passés' },
  printdate: { detail: 'Imprimé le' },
  cover: { detail: 'Image' },
  image: { detail: 'Image' },
  backpic: { detail: 'Image du dos' },
  type: { detail: 'Nature' },
});
// cspell:enable

const WRITERS = new Set(['writer', 'illustrator', 'colourist']);

const typeOf = ({ tags: [root] }: Pick<Head, 'tags'>): string =>
  root?.name === 'collection' ? attributeOf(root, 'type') : '';

export const gcstar: ListFormat = {
  sniff: (head) => typeOf(head).startsWith('GC'),
  read: readGcstar,
};

function readGcstar(text: string, _: Covers, head: Head): ReadList {
  const type = typeOf(head);
  if (type !== 'GCbooks' && type !== 'GCcomics') throw invalid(raison('gcstarSansLivres'));
  const labels = new Map<string, string>();
  for (const field of elementsOf(text, ['field']))
    labels.set(attributeOf(field, 'value'), attributeOf(field, 'label'));
  const avertissements: Raison[] = [];
  return {
    format: 'gcstar',
    programme: 'GCstar',
    records: gcstarRecords(text, type === 'GCcomics', labels, avertissements),
    avertissements,
  };
}

/** @param avertissements receives the warnings about all records, after the last one */
function* gcstarRecords(
  text: string,
  isComic: boolean,
  labels: ReadonlyMap<string, string>,
  avertissements: Raison[],
): Generator<RecordBuilder> {
  for (const { attributes, children } of elementsOf(text, ['item'], avertissements)) {
    const fields = new Map<string, readonly string[]>(
      [...attributes].map(([name, value]) => [name, [value.trim()]]),
    );
    for (const [name, elements] of Map.groupBy(children, (child) => child.name))
      fields.set(name, elements.flatMap(linesOf));
    yield gcstarValues(fields, isComic, labels);
  }
}

/** The rows of a list by their columns, or the text of a field. */
const linesOf = (field: XmlElement): string[] => {
  const lines = childrenOf(field, 'line').map((line) =>
    textsOf(line, 'col').filter(Boolean).join(', '),
  );
  return lines.length > 0 ? lines : [field.text];
};

function gcstarValues(
  fields: ReadonlyMap<string, readonly string[]>,
  isComic: boolean,
  labels: ReadonlyMap<string, string>,
): RecordBuilder {
  const values = new RecordBuilder();
  const first = (name: string) => fields.get(name)?.[0] ?? '';
  if (isComic) values.makeComic();
  values.add('titre', first('title') || first('name'));
  const rating = Number(first('rating'));
  if (rating > 0) values.add('note', `${rating}/10`);
  if (isTrue(first('read'))) values.add('statut', 'lu');
  const borrower = first('borrower');
  if (borrower !== '' && borrower !== 'none') values.add('emprunteur', borrower);
  for (const [name, texts] of fields) {
    if (['id', 'title', 'name', 'rating', 'read', 'borrower'].includes(name)) continue;
    const text = texts[0] ?? '';
    if (WRITERS.has(name))
      values.add(
        'auteurs',
        texts.flatMap((each) => partsOf(each, /[,;/]/)),
      );
    else if (name === 'format') values.binding(text);
    else if (name === 'favourite') values.detail('Favori', isTrue(text) ? 'oui' : ''); // cspell:disable-line
    else if (name === 'signing') values.detail('Dédicace', isTrue(text) ? 'oui' : '');
    else if (name === 'web' || name === 'webPage')
      values.detail('Adresse', text.replace(/##.*/s, ''));
    else if (name === 'language') values.detail('Langue', nomOfLangue(text));
    else if (name === 'lendDate' && !values.has('emprunteur')) continue;
    else values.named(GCSTAR_NAMES, name, texts.map(plainText), labels.get(name));
  }
  return values;
}
