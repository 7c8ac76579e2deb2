import { COLONNES, type Colonne } from '#shared/importations';
import { TYPES_DOCUMENT } from '#shared/livres';
import { objectKeys } from '#shared/object-keys';
import { normaliser, partsOf, shortened } from '#shared/text';
import { NO_LECTURES, type ImportRecord } from '../record.ts';
import { bare, isYes, readEtatLecture } from '../values.ts';
import { libby } from './libby.ts';
import { libraryThing } from './librarything.ts';
import { headerKey, type Cell, type TableFormat, seriesInBrackets } from './table-format.ts';
import { readingOrder } from '#server/plumbing/upstream/noms';
import { raison, type Raison } from '#server/plumbing/common/raisons';

const noLivre = (refusal: Raison): ImportRecord => ({ titre: '', auteurs: [], refusal });

/** The title includes the series, and ISBNs are formulas; older files have more columns. */
const goodreads: TableFormat = {
  name: 'goodreads',
  programme: 'Goodreads',
  known: [['book id', 'title', 'author', 'exclusive shelf']],
  columns: {
    auteurs: ['author', 'additional authors'],
    isbn: ['isbn13', 'isbn'],
    statut: 'exclusive shelf',
    souhait: 'bookshelves',
    themes: 'bookshelves',
  },
  lists: { 'additional authors': ',', bookshelves: ',' },
  titre: seriesInBrackets,
  // A book with a reading date is owned, whatever its list; so is one marked « owned », as in our
  // own file.
  transformRow(row, cell) {
    const text = cell('exclusive shelf');
    const shelf = readEtatLecture(text);
    if (normaliser(text) === 'owned') return { ...row, lecture: null };
    return shelf === 'lu' || shelf === 'enCours' ? { ...row, lecture: shelf } : row;
  },
  silent: ['book id', 'author l-f', 'bookshelves with positions', 'average rating'],
};

/** The list of books and that of reviews: names are « Nom Prénom », dates day first. */
const babelio: TableFormat = {
  name: 'babelio',
  programme: 'Babelio',
  known: [
    ['titre', 'auteur', 'date d`entrée dans babelio'],
    ['titre', 'auteur', "date d'entrée dans babelio"],
    ['titre', 'auteur', 'isbn', 'statut', 'note'],
    ['titre', 'auteur', 'ean', 'statut', 'note'],
  ],
  columns: {},
  isNomPrenom: true,
};

/** `ISBN/UID` may be no ISBN. */
const storyGraph: TableFormat = {
  name: 'storygraph',
  programme: 'StoryGraph',
  known: [['title', 'isbn/uid', 'read status']],
  columns: { isbn: 'isbn/uid' },
  lists: { authors: ',' },
  // A book to read that is not owned is a wish.
  transformRow(row, cell) {
    if (!/^no$/i.test(cell('owned?'))) return row;
    return row.lecture === 'aLire'
      ? { ...row, lecture: 'souhait' }
      : { ...row, notes: [raison('storyGraphSansLivre')] };
  },
};

const libib: TableFormat = {
  name: 'libib',
  programme: 'Libib',
  known: [['item_type', 'title', 'ean_isbn13']],
  columns: {
    auteurs: 'creators',
    isbn: ['ean_isbn13', 'upc_isbn10'],
    annee: 'publish_date',
    nombrePages: 'length',
    souhait: 'collection',
    themes: ['tags', 'collection'],
  },
  lists: { creators: ',' },
  transformRow(row, cell) {
    const kind = cell('item_type');
    if (kind !== '' && !/book|livre/i.test(kind))
      return noLivre(raison('pasLivreMais', { genre: kind }));
    const nom = `${cell('first_name')} ${cell('last_name')}`;
    return row.auteurs.length > 0 ? row : { ...row, auteurs: [nom] };
  },
};

/** A book with files is an ebook; an ISBN without its X is complete in `identifiers`. */
const calibre: TableFormat = {
  name: 'calibre',
  programme: 'Calibre',
  known: [
    ['title', 'authors', 'author_sort'],
    ['title', 'authors', 'title_sort'],
  ],
  columns: { annee: 'pubdate' },
  lists: { authors: /\s&\s|,\s/ },
  transformRow(row, cell) {
    const identifiers = partsOf(cell('identifiers'), ',').flatMap(
      (text) => /^isbn(?:[-_ ]?1[03])?:(.*)$/i.exec(text)?.[1] ?? [],
    );
    return {
      ...row,
      // Not both: the number without its X would be reported as invalid.
      isbns: identifiers.length > 0 ? identifiers : (row.isbns ?? []),
      // Calibre writes the first day of the year 101 where it knows none, in some zones the day before.
      annee: /^0101-01-01|^0100-12-31/.test(row.annee ?? '') ? '' : (row.annee ?? ''),
      isNumerique: cell('formats') !== '',
    };
  },
  // calibre writes « 1.0 » without a series.
  silent: [
    'author_sort',
    'title_sort',
    'series_index',
    'library_name',
    'size',
    'cover',
    'id',
    'uuid',
  ],
};

/** Genres of the edition and of its work. */
const GENRES_OF_INVENTAIRE = ['genres labels', 'subjects labels'].flatMap((header) => [
  header,
  `edition ${header}`,
  `works ${header}`,
]);

const inventaire: TableFormat = {
  name: 'inventaire',
  programme: 'Inventaire',
  known: [
    ['item url', 'edition isbn-13'],
    ['item url', 'edition title'],
  ],
  columns: {
    titre: ['edition title', 'works labels'],
    auteurs: 'authors labels',
    isbn: ['edition isbn-13', 'edition isbn-10'],
    editeur: 'publisher label',
    annee: 'edition publication date',
    nombrePages: 'edition number of pages',
    serie: 'series labels',
    numero: 'works series ordinals',
    themes: ['shelves', ...GENRES_OF_INVENTAIRE],
  },
  lists: {
    'authors labels': ',',
    'series labels': ',',
    'works series ordinals': ',',
    ...Object.fromEntries(GENRES_OF_INVENTAIRE.map((header) => [header, ','])),
  },
  silent: ['item listing', 'item url', 'edition url', 'works urls', 'authors urls', 'series urls'],
};

/** The shelf has the reading state, else the dates. */
const bookWyrm: TableFormat = {
  name: 'bookwyrm',
  programme: 'BookWyrm',
  known: [['title', 'author_text', 'remote_id']],
  columns: {
    auteurs: ['author_text', 'author'],
    isbn: ['isbn_13', 'isbn_10', 'isbn'],
    statut: ['shelf', 'shelf_name'],
    lu: ['finish_date', 'finished'],
    enCours: 'start_date',
    themes: 'shelf_name',
  },
  lists: { author_text: ',', shelf: ',' },
  titre: seriesInBrackets,
  // The review's title is a separate column.
  transformRow(row, cell) {
    const [name, text] = [cell('review_name'), cell('review_content')];
    return row.lectures && name !== '' && text !== ''
      ? { ...row, lectures: { ...row.lectures, avis: `${name}\n\n${text}` } }
      : row;
  },
  // The shelf's name is another column.
  silent: ['remote_id', 'openlibrary_key', 'shelf'],
};

/** The plain table lacks the names of shelves. */
const bookWyrmPlain: TableFormat = {
  ...bookWyrm,
  known: [['id', 'title', 'author', 'isbn', 'rating', 'shelf', 'review', 'added']],
  columns: { ...bookWyrm.columns, themes: 'shelf' },
  silent: ['id'],
};

/** Details follow ` * ` in the items of a list. */
const DETAILS = /\s\*\s[^|]*(?:\||$)|\|/;

/** Lists are separated by `|`, « Name (3) » is a series; reading dates take precedence over the shelf. */
const neverTooManyBooks: TableFormat = {
  name: 'nevertoomanybooks',
  programme: 'NeverTooManyBooks',
  known: [
    ['title', 'author_details', 'series_details'],
    ['title', 'author_details', '_id'],
  ],
  columns: {
    auteurs: 'author_details',
    editeur: ['publisher', 'publisher_details'],
    annee: 'date_published',
    statut: 'bookshelf',
    souhait: 'bookshelf',
    serie: 'series_details',
    themes: ['bookshelf', 'genre'],
  },
  lists: {
    author_details: DETAILS,
    publisher: DETAILS,
    publisher_details: DETAILS,
    series_details: DETAILS,
    bookshelf: /[|,]/,
  },
  nom: readingOrder,
  transformRow(row, cell) {
    const isRead = isYes(cell('read')) || cell('read_end') !== '';
    const dated = isRead ? 'lu' : cell('read_start') === '' ? null : 'enCours';
    return {
      ...row,
      lecture: row.lecture === 'souhait' ? 'souhait' : (dated ?? row.lecture ?? null),
      series: (row.series ?? []).map(({ titre, numero: given }) => {
        if (given !== null) return { titre, numero: given };
        const [, name = titre, numero = ''] = /^(.*\S)\s*\(([^()]*)\)$/s.exec(titre) ?? [];
        return { titre: name, numero: numero || null };
      }),
    };
  },
  silent: ['_id', 'book_uuid', 'last_updated'],
};

/** The reading log; its older form names neither title nor ISBN. */
const openLibrary: TableFormat = {
  name: 'openlibrary',
  programme: 'Open Library',
  known: [
    ['work id', 'edition id', 'bookshelf'],
    ['work id', 'title', 'first publish year'],
  ],
  columns: { statut: 'bookshelf' },
  lists: { authors: ',' },
  transformRow(row, cell) {
    if (row.titre !== '' || row.isbns?.length !== 0) return row;
    const work = cell('work id');
    return noLivre(raison('openLibrarySeul', { numero: work }));
  },
  silent: ['work id', 'edition id'],
};

/** Unlike others, BookBuddy has subtitles, and books that were given away. */
const bookBuddy: TableFormat = {
  name: 'bookbuddy',
  programme: 'BookBuddy',
  known: [
    ['title', 'author', 'physical location'],
    ['title', 'author', 'author (last, first)'],
    ['title', 'author', 'loaned to', 'date loaned'],
  ],
  columns: { annee: ['year published', 'date published'], souhait: 'wish list' },
  readsNoms: true,
  transformRow: (row, cell) => ({
    ...row,
    titre: withSubtitle(row.titre, cell),
    ...(isYes(cell('previously owned')) && { notOwned: raison('sorti') }),
    ...givenBack(cell('borrowed from'), cell('returned from loan')),
  }),
  silent: ['author (last, first)'],
};

/** A returned borrowed book was read, and is not the household's. */
const givenBack = (from: string, isReturned: string): Pick<ImportRecord, 'notOwned'> =>
  from !== '' && isYes(isReturned) ? { notOwned: raison('rendu', { nom: from }) } : {};

// cspell:disable -- headers and words of other programs
/** « In Collection », « For Sale », « Sold »; ratings of ten; a book for sale is still owned. */
const clz: TableFormat = {
  name: 'clz',
  programme: 'CLZ Books',
  known: [
    ['title', 'collection status'],
    ['title', 'read it', 'reading date'],
  ],
  columns: {
    auteurs: 'author',
    isbn: 'isbn',
    nombrePages: 'pages',
    serie: 'series',
    numero: ['series nr', 'series number', 'volume nr'],
    annee: ['publication date', 'publication year'],
    emplacement: 'location',
    emprunteur: 'loaned to',
    datePret: 'loan date',
    souhait: 'on wish list',
    themes: ['tags', 'genres', 'genre', 'subjects', 'subject'],
  },
  readsNoms: true,
  transformRow(row, cell) {
    const note = bare(cell('my rating'));
    const status = cell('collection status');
    const isKnown =
      /^$|wish|souhait|order|^(?:sold|vendu|not in|pas dans)|sale|vendre|^(?:in collection|dans la collection)/i.test(
        status,
      );
    return {
      ...row,
      ...(!isKnown && withDetail(row, 'Collection Status', status)),
      titre: withSubtitle(row.titre, cell),
      lecture: /wish|souhait|order/i.test(status) ? 'souhait' : (row.lecture ?? null),
      lectures:
        row.lectures && note !== ''
          ? { ...row.lectures, note: `${note}/10` }
          : (row.lectures ?? null),
      ...(/^(?:sold|vendu|not in|pas dans)/i.test(status) && {
        notOwned: raison('clz', { statut: status }),
      }),
      notes: /sale|vendre/i.test(status) ? [raison('clz', { statut: status })] : [],
    };
  },
  silent: ['core series id', 'index', 'cover'],
};

/** Albums with a number in their series, writer and artist in columns of their own, and a wish list. */
const bdGest: TableFormat = {
  name: 'bdgest',
  programme: 'BDGest',
  known: [
    ['idalbum', 'series', 'titre'],
    ['series', 'num', 'titre', 'scenariste', 'dessinateur'],
  ],
  columns: {
    titre: 'titre',
    auteurs: ['scenariste', 'dessinateur'],
    serie: 'series',
    numero: 'num',
    annee: 'dl',
    souhait: 'wishlist',
    themes: 'style',
    format: [],
    statut: [],
    emplacement: [],
  },
  readsNoms: true,
  // A standalone album is its own « series ».
  transformRow: (row, cell) => ({
    ...row,
    typeDocument: 'BandeDessinee',
    auteurs: row.auteurs.filter((nom) => !/^<.*>$/.test(nom)),
    series: cell('num') === '' && cell('series') === row.titre ? [] : (row.series ?? []),
  }),
  silent: ['idlocal', 'idalbum', 'ai', 'statut'],
};

/** Albums and volumes; those outside the collection are only followed. */
const bubble: TableFormat = {
  name: 'bubble',
  programme: 'Bubble',
  known: [['titre de la série', "titre de l'album", 'dans ma collection']],
  columns: {
    titre: "titre de l'album",
    auteurs: 'auteurs',
    serie: 'titre de la série',
    numero: 'tome',
    emprunteur: 'prété à',
    themes: 'catégory',
    format: [],
    statut: [],
  },
  readsNoms: true,
  namesVolumes: true,
  transformRow(row, cell) {
    if (/^non$/i.test(cell('dans ma collection')))
      return { ...row, refusal: raison('bubbleSansLivre') };
    const type = cell('type');
    const isComic = /^(?:bd|mangas?|comics?|webtoons?)$/i.test(type);
    return {
      ...row,
      lecture: isYes(cell('lu')) ? 'lu' : null,
      ...(isComic ? { typeDocument: 'BandeDessinee' as const } : withDetail(row, 'Type', type)),
    };
  },
};

/** Books that were deleted stay in its file; a reading has both its days between bars. */
const openreads: TableFormat = {
  name: 'openreads',
  programme: 'Openreads',
  known: [['title', 'author', 'book_format', 'readings']],
  columns: {
    annee: 'publication_year',
    format: 'book_format',
    statut: 'status',
  },
  readsNoms: true,
  transformRow(row, cell) {
    if (isYes(cell('deleted')))
      return { titre: row.titre, auteurs: [], refusal: raison('openreadsSupprime') };
    const dates = partsOf(cell('readings'), ';').map((reading) => {
      const [debut = '', fin = ''] = reading.split('|').map((day) => day.slice(0, 10));
      return debut === '' ? fin : `${debut}/${fin}`;
    });
    const lectures = row.lectures ?? NO_LECTURES;
    return {
      ...row,
      titre: withSubtitle(row.titre, cell),
      lectures: dates.length > 0 || row.lectures ? { ...lectures, dates: dates.join(', ') } : null,
    };
  },
  silent: ['olid', 'date_modified'],
};

/** Dates are lists; the latest one is in « Date Read » whether finished or not. */
const jelu: TableFormat = {
  name: 'jelu',
  programme: 'Jelu',
  known: [['title', 'read_dates', 'dropped_dates', 'currently_reading']],
  columns: {
    titre: 'title',
    auteurs: ['authors', 'author'],
    isbn: ['isbn13', 'isbn10', 'isbn'],
    statut: 'shelves',
    lu: 'read_dates',
    themes: 'tags',
  },
  lists: { authors: ',', tags: ',' },
  lectures: {
    dates: 'read_dates',
    debut: 'currently_reading',
    abandon: 'dropped_dates',
    page: ['current_page_number', 'currentpagenumber'],
    pourcent: ['percent_read', 'percentread'],
  },
  transformRow(row) {
    if (!row.lectures) return row;
    const { dates } = row.lectures;
    const lastOf = (days: string) => partsOf(days, ',').at(-1) ?? '';
    const [debut, abandon] = [lastOf(row.lectures.debut), lastOf(row.lectures.abandon)];
    // Read before, and read again now.
    const isAgain = row.lecture === 'enCours' && dates !== '' && debut !== '';
    const again = { dates: `${dates},${debut.replaceAll('/', '-')}/`, debut: '' };
    return {
      ...row,
      lecture: row.lecture ?? (abandon === '' ? null : 'abandon'),
      lectures: { ...row.lectures, debut, abandon, ...(isAgain && again) },
    };
  },
  silent: ['date read', 'bookshelves', 'owned'],
};

/** Printed books that are owned; others are wishes, or read elsewhere. */
const hardcover: TableFormat = {
  name: 'hardcover',
  programme: 'Hardcover',
  known: [['title', 'author', 'hardcover book id', 'status']],
  columns: {
    titre: 'title',
    auteurs: 'author',
    isbn: ['isbn 13', 'isbn 10'],
    annee: 'publish date',
    statut: 'status',
    serie: 'series',
    format: 'media',
    themes: ['genres', 'tags', 'moods'],
  },
  lists: { author: ',', genres: ',', tags: ',', moods: ',' },
  transformRow(row, cell) {
    const isHeard = row.details?.some(({ valeur }) => /^audiobook$/i.test(valeur)) === true;
    if (isYes(cell('owned'))) return isHeard ? { ...row, isNumerique: true } : row;
    return row.lecture === 'aLire'
      ? { ...row, lecture: 'souhait' }
      : { ...row, notOwned: raison('hardcoverSansLivre') };
  },
  silent: ['hardcover book id', 'hardcover edition id', 'privacy', 'review url', 'owned'],
};

/** A reference manager: only books are entered, a chapter as its book. */
const zotero: TableFormat = {
  name: 'zotero',
  programme: 'Zotero',
  known: [['key', 'item type', 'publication year', 'author', 'title', 'publication title']],
  columns: {
    titre: 'title',
    auteurs: 'author',
    isbn: 'isbn',
    annee: 'publication year',
    nombrePages: 'num pages',
    editeur: 'publisher',
    serie: 'series',
    numero: 'series number',
    themes: ['manual tags', 'automatic tags'],
    format: [],
  },
  lists: { author: ';', 'manual tags': ';', 'automatic tags': ';' },
  nom: readingOrder,
  transformRow(row, cell) {
    const kind = cell('item type');
    if (/^(?:book|thesis|manuscript|)$/i.test(kind)) return row;
    const [container, chapter] = [cell('publication title'), cell('title')];
    if (!/^bookSection$/i.test(kind) || container === '')
      return { ...row, refusal: raison('pasLivreMais', { genre: shortened(kind, 40) }) };
    const editors = partsOf(cell('editor'), ';').map(readingOrder);
    const contribution = chapter + (row.auteurs.length > 0 ? ` (${row.auteurs.join(', ')})` : '');
    return {
      ...row,
      titre: container,
      auteurs: editors,
      series: [],
      ...withDetail(row, 'Chapitre', contribution),
      notes: [raison('chapitre', { chapitre: shortened(contribution, 100) })],
    };
  },
  silent: ['key', 'date', 'date modified', 'access date', 'item type'],
};

/** Readings with days and position; the notes belong to the reading. */
const readingList: TableFormat = {
  name: 'table',
  programme: null,
  known: [['title', 'authors', 'started reading', 'finished reading', 'current page']],
  columns: { auteurs: 'authors', lu: 'finished reading', enCours: 'started reading' },
  lists: { authors: ';', subjects: ';' },
  nom: readingOrder,
  lectures: {
    debut: 'started reading',
    dates: 'finished reading',
    page: 'current page',
    pourcent: 'current percentage',
    note: 'rating',
    avis: 'notes',
  },
};

// cspell:enable

/** Adds a column's remaining text as a detail. */
const withDetail = (
  { details = [] }: ImportRecord,
  colonne: string,
  valeur: string,
): Pick<ImportRecord, 'details'> =>
  valeur === '' ? {} : { details: [...details, { colonne, valeur }] };

const withSubtitle = (titre: string, cell: Cell): string =>
  [titre, cell('subtitle')].filter((text) => text !== '').join(' : ');

/** Our own table for a spreadsheet, in either language: names, titles and series are as the household has them. */
const livresCsv: TableFormat = {
  name: 'table',
  programme: null,
  known: [
    ['titre', 'auteurs', 'lectures', 'mon mot', 'ajouté par', 'date d’ajout'],
    ['title', 'authors', 'readings', 'my words', 'added by', 'date added'],
  ],
  columns: {},
  lists: { auteurs: ' ; ', authors: ' ; ', thèmes: ' ; ', themes: ' ; ' },
  isExact: true,
  titre: (titre) => ({ titre, series: [] }),
  transformRow(row, cell) {
    const typeDocument = TYPES_DOCUMENT.find((type) => type === cell('type'));
    const { lectures = null } = row;
    return {
      ...row,
      ...(typeDocument === undefined && withDetail(row, 'Type', cell('type'))),
      coverUrl: cell('couverture') || cell('cover'),
      ...(typeDocument && { typeDocument }),
      // Escaped, since the text would be parsed as HTML.
      lectures: lectures && { ...lectures, avis: lectures.avis.replace(/[&<]/g, escaped) },
    };
  },
};

const escaped = (sign: string): string => (sign === '&' ? '&amp;' : '&lt;');

// cspell:ignore zotero
export const PROGRAMS: readonly TableFormat[] = [
  livresCsv,
  goodreads,
  libraryThing,
  babelio,
  storyGraph,
  libib,
  calibre,
  inventaire,
  bookWyrm,
  bookWyrmPlain,
  neverTooManyBooks,
  openLibrary,
  bookBuddy,
  clz,
  libby,
  bdGest,
  bubble,
  openreads,
  jelu,
  hardcover,
  zotero,
  readingList,
];

/** The program whose header this is, whatever the file's name; `undefined` for an unknown header. */
export function recogniseTable(headers: readonly string[]): TableFormat | undefined {
  const names = new Set(headers.map(headerKey));
  const fitting = PROGRAMS.filter(({ known }) =>
    known.some((wanted) => wanted.every((header) => names.has(header))),
  );
  if (fitting.length < 2) return fitting[0];
  const countOf = (program: TableFormat) =>
    [...namesIn(program)].filter((header) => names.has(header)).length;
  return fitting.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}

const namesIn = ({ known, columns, silent = [] }: TableFormat): ReadonlySet<string> =>
  new Set([...known, ...Object.values(columns), silent].flat());

/** The programs' columns by header alone: a table may have one of them and no other. */
const FIELDS_BY_HEADER = Map.groupBy(
  PROGRAMS.flatMap(({ columns }) =>
    objectKeys(columns).flatMap((field) =>
      [columns[field] ?? []].flat().map((header) => ({ header, field })),
    ),
  ),
  ({ header }) => header,
);

/** The fields of a header in any program's table. */
export const fieldsOfHeader = (header: string): readonly Colonne[] =>
  COLONNES.filter((colonne) =>
    FIELDS_BY_HEADER.get(headerKey(header))?.some(({ field }) => field === colonne),
  );
