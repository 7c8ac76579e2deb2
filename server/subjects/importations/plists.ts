import { decodeXML } from 'entities';
import { parseIsbn } from '#shared/isbn';
import { nomOfLangue } from '#shared/langues';
import { partsOf } from '#shared/text';
import { raison } from '#server/plumbing/common/raisons';
import { authorsOf } from './delicious.ts';
import { NamedValues, type ReadList } from './lists.ts';
import { isEbook } from './values.ts';
import { elementsOf } from './xml.ts';

// Property lists of a Mac: Delicious Library since its second version, and Bookpedia (docs/rules.md § 35).

// cspell:disable -- names of the formats, in lower case
const NAMES: Readonly<Record<string, string>> = {
  title: 'Titre',
  subtitle: 'Sous-titre',
  publisher: 'Éditeur',
  publisherscompositestring: 'Éditeur',
  isbn: 'ISBN',
  pages: 'Pages',
  numberofpages: 'Pages',
  description: 'Résumé',
  summary: 'Résumé',
  synopsis: 'Résumé',
  notes: 'Note',
  comments: 'Note',
  usercomments: 'Note',
  price: 'Prix',
  purchaseprice: 'Prix',
  purchasedate: 'Achat',
  purchaselocation: 'Lieu d’achat',
  purchasedat: 'Lieu d’achat',
  condition: 'État',
  edition: 'Édition',
  series: 'Série',
  seriessingularstring: 'Série',
  volume: 'Numéro',
  translator: 'Traduction',
  illustrator: 'Illustration',
  illustratorscompositestring: 'Illustration',
  editor: 'Direction',
  editorscompositestring: 'Direction',
  location: 'Emplacement',
  borrower: 'Prêté à',
  lentto: 'Prêté à',
  datelent: 'Date de prêt',
  datedue: 'À rendre le',
  duedate: 'À rendre le',
  dimensions: 'Dimensions',
  weight: 'Poids',
  country: 'Pays',
};

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

function add(values: NamedValues, key: string, said: string): void {
  const name = key.toLowerCase();
  const text = said.trim();
  if (SILENT.has(name) || text === '') return;
  if (AUTEURS.has(name)) values.add('Auteurs', partsOf(text, ';').flatMap(authorsOf));
  else if (DATES.has(name)) values.add('Année', /\d{4}/.exec(text)?.[0] ?? text);
  else if (BINDINGS.has(name)) values.add(isEbook(text) ? 'Format' : 'Reliure', text);
  else if (LANGUES.has(name)) values.add('Langue', partsOf(text, /[\n,]/).map(nomOfLangue));
  else if (THEMES.has(name)) values.add('Thèmes', partsOf(text, /[\n,;/]/));
  else if (STARS.has(name)) values.add('Étoiles', Number(text) > 0 ? text : '');
  else if (READ.has(name)) values.add('Statut', isTrue(text) ? 'lu' : '');
  else if (SIGNED.has(name)) values.add('Dédicace', isTrue(text) ? 'oui' : '');
  else if (name === 'used') values.add('État', isTrue(text) ? 'occasion' : '');
  else if (name !== 'asin') values.add(NAMES[name] ?? key, text);
  else if (parseIsbn(text) !== null && !values.has('ISBN')) values.add('ISBN', text);
}

export const readPlist = (text: string): ReadList => ({
  format: /<key>(?:uuidString|creatorsCompositeString)<\/key>/.test(text)
    ? 'delicious'
    : 'bookpedia',
  records: plistRecords(text),
});

/** A key and its value, which stand one behind the other. */
const PAIR =
  /<key>([^<]*)<\/key>\s*(?:<(true|false)\s*\/>|<(string|integer|real|date)>([^<]*)<\/\3>|<array>((?:\s*<string>[^<]*<\/string>)*)\s*<\/array>)/g;

function* plistRecords(text: string): Generator<NamedValues> {
  const list = text.slice(Math.max(0, text.indexOf('<array')));
  for (const element of elementsOf(list, 'dict')) {
    const values = new NamedValues();
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
