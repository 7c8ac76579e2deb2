import { nomOfLangue } from '#shared/langues';
import { invalid, raison } from '#server/plumbing/common/raisons';
import type { ListFormat } from './format.ts';
import { namingOf, RecordBuilder, type ReadList } from './record-builder.ts';
import {
  elementsOf,
  isNode,
  isTrue,
  nodesOf,
  parseElement,
  plainText,
  xmlText,
  type XmlNode,
} from './xml.ts';

// The file of GCstar, as its own XML (docs/rules.md § 35)

// cspell:disable -- names of the formats
/** One field → how it is called here; those of several meanings are read by hand. */
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

export const gcstar: ListFormat = {
  sniff: ({ root }) => root?.name === 'collection' && /\btype=["']GC\w/.test(root.tag),
  read: readGcstar,
};

function readGcstar(text: string): ReadList {
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
): Generator<RecordBuilder> {
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
    if (['id', '#text', 'title', 'name', 'rating', 'read', 'borrower'].includes(name)) continue;
    const text = texts[0] ?? '';
    if (WRITERS.has(name))
      values.add(
        'auteurs',
        texts.flatMap((each) => each.split(/\s*[,;/]\s*/)),
      );
    else if (name === 'format') values.binding(text);
    else if (name === 'favourite') values.detail('Favori', isTrue(text) ? 'oui' : ''); // cspell:disable-line
    else if (name === 'signing') values.detail('Dédicace', isTrue(text) ? 'oui' : '');
    else if (name === 'web' || name === 'webPage')
      values.detail('Adresse', text.replace(/##.*$/, ''));
    else if (name === 'language') values.detail('Langue', nomOfLangue(text));
    else if (name === 'lendDate' && !values.has('emprunteur')) continue;
    else values.named(GCSTAR_NAMES, name, texts.map(plainText), labels.get(name));
  }
  return values;
}
