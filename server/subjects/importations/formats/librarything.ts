import { partsOf } from '#shared/text';
import { ownValue } from '#shared/object-keys';
import { isOtherRole, readingOrder } from '#server/plumbing/upstream/noms';
import { invalid, raison } from '#server/plumbing/common/raisons';
import { MAX_COLUMNS, type TableFormat } from './table-format.ts';
import type { ColumnText } from '../record.ts';
import { isReadUnowned } from '../values.ts';

// LibraryThing’s table, and its JSON (docs/rules.md § 35).

/** Names family first, ISBNs and dates in brackets, « Gallimard (1972), Broché », roles, loans that may be over. */
export const libraryThing: TableFormat = {
  name: 'librarything',
  programme: 'LibraryThing',
  known: [
    ['title', 'primary author', 'collections'],
    ['title', 'primary author', 'book id'],
  ],
  columns: {
    auteurs: 'primary author',
    isbn: ['isbns', 'isbn'],
    editeur: 'publication',
    format: 'media',
    statut: 'collections',
    lu: 'date read',
    enCours: 'date started',
    emprunteur: 'lending patron',
    datePret: 'lending start',
    themes: ['tags', 'collections', 'subjects', 'genres'],
  },
  lists: { isbns: ',', collections: ',', tags: ',', subjects: '|', genres: '|' },
  nom: readingOrder,
  transformRow(row, cell) {
    const roles = cell('secondary author roles').split('|');
    const persons = cell('secondary author')
      .split('|')
      .map((nom, index) => ({ nom: readingOrder(nom), role: (roles[index] ?? '').trim() }));
    const others = persons.filter(({ role }) => !isOtherRole(role)).map(({ nom }) => nom);
    const [status, end] = [cell('lending status'), cell('lending end')];
    const isReturned = end !== '' || /return|rendu/i.test(status);
    const loan = [cell('lending patron'), cell('lending start'), end].filter((text) => text !== '');
    return {
      ...row,
      auteurs: [...row.auteurs, ...others],
      details: [
        ...(row.details ?? []),
        ...detailsOf(persons.filter(({ role }) => role !== '' && !isAuthorRole(role))),
        ...(isReturned && loan.length > 0
          ? [{ colonne: 'Prêts passés', valeur: loan.join(', ') }]
          : []),
      ],
      editeur: row.editeur?.split(/\(|,\s/, 1)[0]?.trimEnd() ?? '',
      pret: isReturned ? null : (row.pret ?? null),
      ...(isReadUnowned(partsOf(cell('collections'), ',')) && {
        notOwned: raison('libraryThingSansLivre'),
      }),
    };
  },
  lineBreak: '[Return]',
  silent: ['book id', 'sort character', 'work id'],
};

const isAuthorRole = (role: string): boolean =>
  /^(?:co-?)?(?:author|auteure?|autrice)s?$/i.test(role);

/** The contributors of a book, one detail per role. */
const detailsOf = (
  persons: readonly { readonly nom: string; readonly role: string }[],
): ColumnText[] =>
  [...Map.groupBy(persons, ({ role }) => role)].map(([colonne, of]) => ({
    colonne,
    valeur: of.map(({ nom }) => nom).join(', '),
  }));

/** The columns of its table that its JSON has as they are. */
const JSON_FIELDS = [
  'title',
  'publication',
  'date',
  'page count',
  'collections',
  'rating',
  'review',
  'date started',
  'date read',
  'tags',
  'entry date',
  'subjects',
  'genres',
];

const JSON_HEADERS = [
  'primary author',
  'secondary author',
  'secondary author roles',
  'isbns',
  ...JSON_FIELDS,
];

/** The keys of its JSON that are no headers of its table. */
const JSON_KEYS: Readonly<Record<string, string>> = {
  'page count': 'pages',
  'date started': 'datestarted', // cspell:disable-line -- a key
  'date read': 'dateread', // cspell:disable-line -- a key
  'entry date': 'entrydate',
  subjects: 'subject',
  genres: 'genre',
};

/** Keys read separately, the program's own numbers, and its derived values. */
const JSON_READ = new Set([
  // cspell:disable -- keys
  'title',
  'primaryauthor',
  'primaryauthorrole',
  'authors',
  'isbn',
  'originalisbn',
  'ean',
  'asin',
  'upc',
  'books_id',
  'workcode',
  'sortcharacter',
  'public',
  'source',
  'genre_id',
  'language_codeA',
  'originallanguage_codeA',
  'summary',
  'volumes',
  'length',
  // cspell:enable
]);

/**
 * LibraryThing's JSON as its table, with further data as columns; `null` for any other file. Throws
 * `FICHIER_INVALIDE` beyond the limit of columns.
 */
export function libraryThingTable(
  values: readonly unknown[],
): { headers: readonly string[]; rows: Iterable<readonly string[] | null> } | null {
  if (cellsOf(values[0], []) === null) return null;
  const read = new Set([
    ...JSON_READ,
    ...JSON_FIELDS.map((name) => ownValue(JSON_KEYS, name) ?? name),
  ]);
  const keys = new Set<string>();
  for (const value of values)
    if (isObject(value))
      for (const key of Object.keys(value)) {
        if (!read.has(key)) keys.add(key);
        if (keys.size > MAX_COLUMNS) throw invalid(raison('colonnesDeTrop'));
      }
  const others = [...keys];
  return {
    headers: [...JSON_HEADERS, ...others],
    rows: rowsOf(values, others),
  };
}

function* rowsOf(
  values: readonly unknown[],
  others: readonly string[],
): Generator<readonly string[] | null> {
  for (const value of values) yield cellsOf(value, others);
}

/** A record, which is a value of an object keyed by numbers, as a row; `null` if it is no record. */
function cellsOf(value: unknown, others: readonly string[]): string[] | null {
  if (!isObject(value) || !('title' in value)) return null;
  if (!('primaryauthor' in value || 'authors' in value || 'books_id' in value)) return null;
  const persons = valuesOf(value['authors'])
    .filter(isObject)
    .map(({ fl, lf, role }) => ({
      // A comma that is left would have the name turned round.
      nom: (textOf(fl) || readingOrder(textOf(lf))).replaceAll(/[,|]/g, ''),
      role: textOf(role),
    }));
  return [
    // The primary author is among the others.
    persons.some(({ role }) => !isOtherRole(role)) ? '' : textOf(value['primaryauthor']),
    persons.map(({ nom }) => nom).join('|'),
    persons.map(({ role }) => role.replaceAll('|', ' ')).join('|'),
    [...valuesOf(value['isbn']), value['originalisbn']].map(textOf).join(','),
    ...JSON_FIELDS.map((header) => {
      const separator = ownValue(libraryThing.lists ?? {}, header);
      const cell = ownValue(value, ownValue(JSON_KEYS, header) ?? header);
      return typeof separator === 'string'
        ? valuesOf(cell).map(textOf).join(separator)
        : textOf(cell);
    }),
    ...others.map((key) => textsOf(ownValue(value, key)).join(', ')),
  ];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The values of a list or of an object keyed by numbers, flattened; a text is one value. */
function valuesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flat();
  if (isObject(value)) return Object.values(value);
  return value === undefined || value === null ? [] : [value];
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : '';
}

const MAX_DEPTH = 5;

/** All texts within a value, including a code and its label. */
const textsOf = (value: unknown, depth = 0): string[] =>
  isObject(value)
    ? Object.values(value).flatMap((one) => (depth < MAX_DEPTH ? textsOf(one, depth + 1) : []))
    : [textOf(value)].filter(Boolean);
