import type { LivreDocument } from '#shared/livres';
import { FILE, files, MARKS, pictures, times, type CostlyRequest } from './costly-files.ts';

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const encode = encodeURIComponent;

/** Bodies, queries, files and pictures that cause as much work as possible. */
export const costlyRequests = (livres: readonly LivreDocument[]): readonly CostlyRequest[] => [
  ...reads(),
  ...queries(),
  ...malformedBodies(),
  ...records(),
  ...batches(livres),
  ...files(livres),
  ...pictures(),
];

const reads = (): CostlyRequest[] => [
  { what: 'all books', path: '/api/livres' },
  { what: 'all books by series', path: '/api/livres?tri=serie' },
  { what: 'a first page of the copy', path: '/api/replication?limite=5000' },
  { what: 'all issues', path: '/api/numeros' },
  { what: 'all series', path: '/api/series' },
  { what: 'suggestions of merges', path: '/api/auteurs/suggestions' },
  { what: 'the newest acts', path: '/api/modifications?limite=1000' },
  { what: 'the whole export', path: '/api/export.zip' },
  { what: 'the books as BibTeX', path: '/api/export/livres.bib' },
  { what: 'the API document', path: '/api/documentation/json' },
];

const queries = (): CostlyRequest[] => {
  const words = (count: number) => times(count, (i) => `zyxw${String(i)}`).join(' ');
  const search = (what: string, text: string): CostlyRequest[] => [
    { what: `books: ${what}`, path: `/api/livres?recherche=${encode(text)}` },
    { what: `issues: ${what}`, path: `/api/numeros?recherche=${encode(text)}` },
  ];
  return [
    ...search('one word that nothing has', 'zyxwvutsrqponm'),
    ...search('thirty words that nothing has', words(30)),
    ...search('a hundred words', words(100)),
    ...search('a hundred letters', 'a '.repeat(100)),
    ...search('500 letters', 'abcdefghij'.repeat(50)),
    ...search('marks', MARKS.slice(0, 1500)),
    {
      what: '100 keys of covers',
      path: `/api/couvertures/lignes?cles=${Array(100).fill('0'.repeat(64)).join(',')}`,
    },
    {
      what: 'the mapping of columns',
      method: 'POST',
      path: `/api/importations?colonnes=${encode('{'.repeat(1600))}`,
      body: () => Buffer.from('a;b\n1;2\n'),
      type: FILE,
    },
    {
      what: '16 kB of parameters',
      path: `/api/livres?${times(1500, (i) => `a${String(i)}=1`).join('&')}`,
    },
  ];
};

const malformedBodies = (): CostlyRequest[] =>
  (
    [
      ['a title of marks', json({ titre: MARKS, format: 'Physique' })],
      ['a field of marks that nobody knows', json({ [MARKS]: MARKS })],
      ['1 MB in depth', Buffer.from('['.repeat(1_000_000))],
      ['150,000 fields', Buffer.from(`{${times(80_000, (i) => `"f${String(i)}":0`).join()}}`)],
      ['1 MB of escapes', Buffer.from(`{"titre":"${'\\u0301'.repeat(170_000)}"}`)],
      ['1 MB of blanks', json({ titre: ' '.repeat(1_000_000), format: 'Physique' })],
      ['1 MB of line breaks', json({ titre: '\n\r'.repeat(250_000), format: 'Physique' })],
      [
        '100,000 authors',
        json({ titre: 'a', format: 'Physique', auteurs: Array(100_000).fill('Zo') }),
      ],
    ] as const
  ).map(([what, body]) => ({
    what: `a book: ${what}`,
    method: 'POST',
    path: '/api/livres',
    body: () => body,
  }));

const post = (what: string, path: string, body: (nth: number) => unknown): CostlyRequest => ({
  what,
  method: 'POST',
  path,
  body: (nth) => json(body(nth)),
});

const livresOfMany = (): CostlyRequest[] => {
  const withAuteurs = (what: string, nom: (key: string) => string) =>
    post(`a book with 100 ${what}`, '/api/livres', (nth) => ({
      titre: `Coûteux ${String(nth)} ${'a (b (c '.repeat(55)}`,
      format: 'Physique',
      auteurs: times(100, (i) => nom(`${String(nth)}x${String(i)}`)),
      confirmerDoublon: true,
    }));
  return [
    withAuteurs('new authors', (key) => `Ada Béa Cléo Nom${key}`),
    withAuteurs('initials', (key) => `A. B. C. D. Nom${key}`),
    withAuteurs('long names', (key) => `${key}${' a'.repeat(95)}`),
  ];
};

const records = (): CostlyRequest[] => [
  ...livresOfMany(),
  post('an issue with all that it may have', '/api/revues/numeros', (nth) => ({
    revue: { titre: `Revue coûteuse ${String(nth)}` },
    numero: {
      numero: `${String(nth)} ${'9'.repeat(190)}`,
      une: 'à la une '.repeat(1000),
      resume: 'é\n'.repeat(4000),
      themes: times(100, (i) => `Thème ${String(nth)} ${String(i)} ${'ç'.repeat(180)}`),
      articles: times(200, (i) => `Article ${String(i)} ${'œ'.repeat(240)}`),
    },
  })),
  post('a series of 2,000 places', '/api/series', (nth) => ({
    titre: `Série coûteuse ${String(nth)}`,
    places: times(2000, (i) => ({ titre: `Place ${String(i)}`, numero: String(i) })),
  })),
  post('a series of 2,000 books', '/api/series', (nth) => ({
    titre: `Série de livres ${String(nth)}`,
    places: times(2000, (i) => ({ titre: 'P', livreId: i + 1 })),
  })),
  {
    what: 'the order of a series of 4,000 that it is not',
    method: 'PUT',
    path: '/api/series/1/ordre',
    body: () => json({ elements: times(4000, (i) => ({ place: i + 1 })) }),
  },
  {
    what: 'the order of 10,000 wishes that there are not',
    method: 'PUT',
    path: '/api/souhaits/ordre',
    body: () => json({ ids: times(10_000, (i) => i + 1) }),
  },
  {
    what: 'the name of an author',
    method: 'PUT',
    path: '/api/auteurs/3',
    body: (nth) => json({ nom: `Renommée ${String(nth)}` }),
  },
];

const lastAct = async (url: string): Promise<string> => {
  const acts = (await (
    await fetch(`${url}/api/modifications?limite=1`, { headers: { SSO_USER: 'alice' } })
  ).json()) as { id: number }[];
  return `/api/modifications/${String(acts[0]?.id)}/annulation`;
};

const batches = (livres: readonly LivreDocument[]): CostlyRequest[] => {
  const ids = livres.slice(0, 1000).map(({ id }) => id);
  const lot = (what: string, action: object): CostlyRequest[] => [
    {
      what: `1,000 books: ${what}`,
      method: 'POST',
      path: '/api/livres/lot',
      body: () => json({ ids, ...action }),
      once: true,
    },
    { what: `1,000 books: ${what}, undone`, method: 'POST', path: lastAct, once: true },
  ];
  return [
    ...lot('a status', { action: 'statut', statut: 1 }),
    ...lot('a kind', { action: 'typeDocument', typeDocument: 'Roman' }),
    ...lot('a series', { action: 'serie', serie: { titre: 'Mille' } }),
    ...lot('deleted', { action: 'supprimer' }),
  ];
};
