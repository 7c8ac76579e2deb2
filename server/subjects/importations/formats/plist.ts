import { decodeXML } from 'entities';
import { parseIsbn } from '#shared/isbn';
import { nomOfLangue } from '#shared/langues';
import { partsOf } from '#shared/text';
import { raison } from '#server/plumbing/common/raisons';
import { authorsOf } from './delicious.ts';
import type { ListFormat } from './format.ts';
import { namingOf, RecordBuilder } from './record-builder.ts';
import { elementsOf } from './xml.ts';

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

/** Numbers of the program, what another key says again, and what a shop knows. */
const SILENT = new Set([
  ...['type', 'uuid', 'uuidstring', 'uid', 'creationdate', 'lastmodificationdate', 'dateadded'],
  ...['dateedited', 'lastlookuptime', 'netrating', 'fulltitle', 'upc', 'ean', 'associatedurl'],
  ...['amazonlink', 'image', 'coverimage', 'boxheightininches', 'boxwidthininches'],
]);
// cspell:enable

const isTrue = (text: string): boolean => /^(?:1|true|yes)$/i.test(text);

function add(values: RecordBuilder, key: string, said: string): void {
  const name = key.toLowerCase();
  const text = said.trim();
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
  sniff: ({ text, root }) => root?.name === 'plist' && text.includes('<key>title</key>'),
  read: (text) => ({
    format: /<key>(?:uuidString|creatorsCompositeString)<\/key>/.test(text)
      ? 'delicious'
      : 'bookpedia',
    records: plistRecords(text),
  }),
};

/** A key and its value, which stand one behind the other. */
const PAIR =
  /<key>([^<]*)<\/key>\s*(?:<(true|false)\s*\/>|<(string|integer|real|date)>([^<]*)<\/\3>|<array>((?:\s*<string>[^<]*<\/string>)*)\s*<\/array>)/g;

function* plistRecords(text: string): Generator<RecordBuilder> {
  const list = text.slice(Math.max(0, text.indexOf('<array')));
  for (const element of elementsOf(list, 'dict')) {
    const values = new RecordBuilder();
    let type = '';
    for (const [, key = '', truth, , said, items] of element.matchAll(PAIR)) {
      const texts = items === undefined ? [said ?? truth ?? ''] : items.split(/<\/?string>/);
      const value = decodeXML(
        texts
          .map((each) => each.trim())
          .filter(Boolean)
          .join('\n'),
      );
      if (key === 'type') type = value.toLowerCase();
      add(values, decodeXML(key), value);
    }
    if (type !== '' && type !== 'book') values.refuse(raison('pasLivre'));
    yield values;
  }
}
