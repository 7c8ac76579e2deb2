import { parseIsbn } from '#shared/isbn';
import { nomOfLangue } from '#shared/langues';
import { partsOf } from '#shared/text';
import { raison, type Raison } from '#server/plumbing/common/raisons';
import { authorsOf } from './delicious.ts';
import type { ListFormat } from './format.ts';
import { namingOf, RecordBuilder } from './record-builder.ts';
import { elementsOf, type XmlElement } from './xml.ts';

// Property lists of a Mac: Delicious Library since its second version, and Bookpedia (docs/rules.md § 35).

// cspell:disable -- names of the formats, in lower case
const NAMES = namingOf({
  title: 'titre',
  subtitle: { detail: 'Sous-titre' },
  publisher: 'editeur',
  publisherscompositestring: 'editeur',
  isbn: 'isbn',
  pages: 'nombrePages',
  numberofpages: 'nombrePages',
  description: { detail: 'Résumé' },
  summary: { detail: 'Résumé' },
  synopsis: { detail: 'Résumé' },
  notes: { detail: 'Note' },
  comments: { detail: 'Note' },
  usercomments: { detail: 'Note' },
  price: { detail: 'Prix' },
  purchaseprice: { detail: 'Prix' },
  purchasedate: { detail: 'Achat' },
  purchaselocation: { detail: 'Lieu d’achat' },
  purchasedat: { detail: 'Lieu d’achat' },
  condition: { detail: 'État' },
  edition: { detail: 'Édition' },
  series: 'serie',
  seriessingularstring: 'serie',
  volume: 'numero',
  translator: { detail: 'Traduction' },
  illustrator: { detail: 'Illustration' },
  illustratorscompositestring: { detail: 'Illustration' },
  editor: { detail: 'Direction' },
  editorscompositestring: { detail: 'Direction' },
  location: 'emplacement',
  borrower: 'emprunteur',
  lentto: 'emprunteur',
  datelent: 'datePret',
  datedue: 'dateRetourPrevue',
  duedate: 'dateRetourPrevue',
  dimensions: { detail: 'Dimensions' },
  weight: { detail: 'Poids' },
  country: { detail: 'Pays' },
});

const AUTEURS = new Set(['author', 'authors', 'creatorscompositestring']);
const DATES = new Set(['published', 'publishdate', 'releasedate', 'release', 'publicationdate']);
const BINDINGS = new Set(['aspect', 'format', 'formatsingularstring', 'binding']);
const LANGUES = new Set(['language', 'languages', 'languagescompositestring']);
const THEMES = new Set(['genre', 'genres', 'genrescompositestring', 'keywords', 'tags']);
const STARS = new Set(['rating', 'myrating', 'userrating']);
const READ = new Set(['read', 'hasread', 'isread', 'hasexperienced']);
const SIGNED = new Set(['signed', 'issigned']);

/** The program's numbers, repeated values, and a shop's data. */
const SILENT = new Set([
  'type',
  'uuid',
  'uuidstring',
  'uid',
  'creationdate',
  'lastmodificationdate',
  'dateadded',
  'dateedited',
  'lastlookuptime',
  'netrating',
  'fulltitle',
  'upc',
  'ean',
  'associatedurl',
  'amazonlink',
  'image',
  'coverimage',
  'boxheightininches',
  'boxwidthininches',
]);
// cspell:enable

const isTrue = (text: string): boolean => /^(?:1|true|yes)$/i.test(text);

function add(values: RecordBuilder, key: string, value: string): void {
  const name = key.toLowerCase();
  const text = value.trim();
  if (SILENT.has(name) || text === '') return;
  if (AUTEURS.has(name)) values.add('auteurs', partsOf(text, ';').flatMap(authorsOf));
  else if (DATES.has(name)) values.add('annee', /\d{4}/.exec(text)?.[0] ?? text);
  else if (BINDINGS.has(name)) values.binding(text);
  else if (LANGUES.has(name)) values.detail('Langue', partsOf(text, /[\n,]/).map(nomOfLangue));
  else if (THEMES.has(name)) values.add('themes', partsOf(text, /[\n,;/]/));
  else if (STARS.has(name)) values.add('note', Number(text) > 0 ? text : '');
  else if (READ.has(name)) values.add('statut', isTrue(text) ? 'lu' : '');
  else if (SIGNED.has(name)) values.detail('Dédicace', isTrue(text) ? 'oui' : '');
  else if (name === 'used') values.detail('État', isTrue(text) ? 'occasion' : '');
  else if (name !== 'asin') values.named(NAMES, name, text, key);
  else if (parseIsbn(text) !== null && !values.has('isbn')) values.add('isbn', text);
}

export const plist: ListFormat = {
  sniff: ({ text, tags: [root] }) => root?.name === 'plist' && /<key>\s*title\s*</i.test(text),
  read: (text) => {
    const avertissements: Raison[] = [];
    return {
      ...(/<key>(?:uuidString|creatorsCompositeString)<\/key>/.test(text)
        ? { format: 'delicious', programme: 'Delicious Library' }
        : { format: 'bookpedia', programme: 'Bookpedia' }),
      records: plistRecords(text, avertissements),
      avertissements,
    };
  },
};

type PlistEntry = readonly [key: string, value: XmlElement];

/** Keys and values alternate; a key without a value, and a value without a key, are ignored. */
function entriesOf({ children }: XmlElement): PlistEntry[] {
  return children.flatMap((child, at): PlistEntry[] => {
    const value = children[at + 1];
    return child.name === 'key' && value !== undefined && value.name !== 'key'
      ? [[child.text, value]]
      : [];
  });
}

/** A value as readable text: a list has one line per item. */
function textOf(value: XmlElement): string {
  if (value.name === 'true' || value.name === 'false') return value.name;
  if (value.name === 'array') return value.children.map(textOf).filter(Boolean).join('\n');
  if (value.name !== 'dict') return value.text;
  return entriesOf(value)
    .map(([key, inner]) => `${key}: ${textOf(inner)}`)
    .join(', ');
}

function* plistRecords(text: string, avertissements: Raison[]): Generator<RecordBuilder> {
  for (const root of elementsOf(text, ['dict'], avertissements, 'array')) {
    const values = new RecordBuilder();
    let type = '';
    for (const [key, value] of entriesOf(root)) {
      const text = textOf(value);
      if (key === 'type') type = text.toLowerCase();
      add(values, key, text);
    }
    if (type !== '' && type !== 'book') values.refuse(raison('pasLivre'));
    yield values;
  }
}
