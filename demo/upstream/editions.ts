/** The records of the simulated Open Library in its JSON format: works invented for the demonstration. */
interface PlayedEdition {
  readonly cle: string;
  readonly isbn13: string;
  readonly content: Readonly<Record<string, unknown>>;
}

const edition = (cle: string, isbn13: string, content: Record<string, unknown>): PlayedEdition => ({
  cle,
  isbn13,
  content: { key: cle, type: { key: '/type/edition' }, isbn_13: [isbn13], ...content },
});

export const EDITIONS: readonly PlayedEdition[] = [
  edition('/books/OL900001M', '9782948012178', {
    title: 'The Lighthouse Ledger',
    subtitle: 'a novel',
    authors: [{ key: '/authors/OL900001A' }, { key: '/authors/OL900002A' }],
    publishers: ['Harbour Row'],
    publish_date: 'April 22, 2008',
    number_of_pages: 352,
    pagination: '340p.',
  }),
  // Without an author; its work has one.
  edition('/books/OL900002M', '9782948012185', {
    title: 'Slow tides',
    works: [{ key: '/works/OL900002W' }],
    publishers: ['Harbour Row'],
    publish_date: 'March 2009',
    pagination: '80p.',
  }),
  // The second source for a book of the first one.
  edition('/books/OL900003M', '9782948012048', {
    title: 'La naissance du jour',
    authors: [{ key: '/authors/OL900003A' }],
    publishers: ["L'Arbre sec"],
    publish_date: '2008',
    number_of_pages: 189,
  }),
  edition('/books/OL900004M', '9782948012192', {
    title: 'Un herbier de poche',
    publishers: ['Météores'],
    publish_date: '2022-02-09',
  }),
];

/** Records other than editions, by key: authors and works, merged and deleted ones among them. */
export const DOCUMENTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/authors/OL900001A': { type: { key: '/type/author' }, name: 'Maud Ferrier' },
  '/authors/OL900002A': { type: { key: '/type/redirect' }, location: '/authors/OL900004A' },
  '/authors/OL900003A': { type: { key: '/type/author' }, name: 'Colette' },
  '/authors/OL900004A': { type: { key: '/type/author' }, name: 'Holm, Anders' },
  '/authors/OL900005A': { type: { key: '/type/delete' } },
  '/works/OL900001W': { type: { key: '/type/redirect' }, location: '/works/OL900002W' },
  '/works/OL900002W': {
    type: { key: '/type/work' },
    title: 'Slow tides',
    authors: [{ author: { key: '/authors/OL900004A' }, type: { key: '/type/author_role' } }],
  },
};

/** Responses of the search by title. */
export const WORKS = [
  {
    key: '/works/OL900002W',
    title: 'Slow tides',
    author_name: ['Anders Holm'],
    first_publish_year: 2009,
    isbn: ['9782948012185'],
  },
  {
    key: '/works/OL900003W',
    title: 'The Lighthouse Ledger',
    subtitle: 'a novel',
    author_name: ['Maud Ferrier', 'Anders Holm'],
    first_publish_year: 2008,
    isbn: ['9782948012178'],
  },
] as const;
