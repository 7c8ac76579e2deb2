import { m } from '#messages';
import { Type, type Static } from 'typebox';
import { localDay } from '#shared/days';
import { detailKey, nomIn, type KnownDetail } from '#shared/detail-names';
import { detailsByKey, restText, type Detail } from '#shared/details';
import { EmplacementTree } from '#shared/emplacement-tree';
import * as api from '#shared/export';
import { ExportLivre } from '#shared/export';
import { nullable } from '#shared/fields';
import { formatIsbn } from '#shared/isbn-format';
import { isLangue, langueIn } from '#shared/langues';
import { Lecture, statutOfLecture } from '#shared/lectures';
import { isOurs, LIVRE_TEXTS, LivreDocument, textsInFile } from '#shared/livres';
import type { Locale } from '#shared/locale';
import { objectKeys } from '#shared/object-keys';
import { familyFirst } from '#shared/sort';
import { STATUTS } from '#shared/statuts';
import { cleOeuvre, normaliser } from '#shared/text';
import { delimiterOf, formatRows, type Cell } from '#server/plumbing/common/spreadsheet';
import { asText, documentProjection, jsonObject } from '#server/plumbing/database/columns';
import type { Snapshot } from '#server/plumbing/database/connection';
import { readRecords } from '#server/plumbing/records/records';
import type { ExportedText } from '#server/plumbing/records/kind';
import { projection as emplacementProjection } from '#server/subjects/emplacements';
import { exportExpressions } from './read.ts';

const Reading = Type.Object({
  debut: Lecture.properties.debut,
  fin: Lecture.properties.fin,
  note: Lecture.properties.note,
  avis: Lecture.properties.avis,
  abandon: Type.Integer(),
  page: Lecture.properties.page,
  pourcent: Lecture.properties.pourcent,
  pageJour: Lecture.properties.pageJour,
});
type Reading = Static<typeof Reading>;

const Tome = Type.Object({
  serie: Type.String(),
  numero: nullable(Type.String()),
  tomes: nullable(Type.String()),
});

/** With the caller's readings, the latest last, and the book's first place in a series. */
const lineProjection = documentProjection(
  'Livre',
  Type.Object({
    ...ExportLivre.properties,
    dateAjout: LivreDocument.properties.dateAjout,
    lectures: Type.Array(Reading),
    tome: nullable(Tome),
  }),
  {
    ...exportExpressions,
    lectures: `(SELECT json_group_array(
        ${jsonObject(Reading, 'r')} ORDER BY coalesce(r.fin, r.debut), r.id)
      FROM Lecture r WHERE r.livreId = d.id AND r.utilisateur = @utilisateur)`,
    tome: `(SELECT json_object('serie', ${asText('s.titre')}, 'numero', ${asText('p.numero')},
      'tomes', ${asText('p.tomes')})
      FROM Place p JOIN Serie s ON s.id = p.serieId WHERE p.livreId = d.id ORDER BY p.id LIMIT 1)`,
  },
);

type LivreLine = ReturnType<typeof lineProjection.toDocument> & {
  /** « Salon > Étagère 3 »; '' for a book without a location. */
  readonly emplacement: string;
};

function* livreLines(snapshot: Snapshot, utilisateur: string | null): Generator<LivreLine[]> {
  const tree = new EmplacementTree(
    [...readRecords(snapshot, { projection: emplacementProjection }, utilisateur)].flat(),
  );
  for (const livres of readRecords(snapshot, { projection: lineProjection }, utilisateur))
    yield livres.map((livre) => {
      const path = tree.path(livre.emplacementId).map(({ nom }) => nom);
      return { ...livre, emplacement: path.join(' > ') };
    });
}

const livreText = (write: (line: LivreLine) => string): ExportedText['format'] =>
  function* (snapshot, utilisateur) {
    let text = '';
    for (const line of eachLine(snapshot, utilisateur)) {
      text += write(line);
      if (text.length < PIECE) continue;
      yield text;
      text = '';
    }
    yield text;
  };

function* eachLine(snapshot: Snapshot, utilisateur: string | null): Generator<LivreLine> {
  for (const lines of livreLines(snapshot, utilisateur)) yield* lines;
}

/** A book with one of its readings, or without any. */
interface ReadingLine extends LivreLine {
  readonly lecture: Reading | null;
  /** The number of readings without any data. */
  readonly undatedCount: number;
}

type Columns = Readonly<Record<string, (line: ReadingLine) => Cell>>;

interface Table {
  readonly delimiter: string;
  readonly bom: boolean;
  readonly columns: Columns;
  readonly rowsOf: (line: LivreLine) => readonly ReadingLine[];
  /** Further columns, depending on the household's data; yields empty texts while it reads. */
  readonly ownColumns?: (snapshot: Snapshot) => Generator<string, Columns>;
}

/**
 * One row for a book, and another for each further reading with data, so that stars, review and days are in one row;
 * the first has the reading of the book's status.
 */
function readingLines(line: LivreLine): ReadingLine[] {
  const saying = line.lectures.filter(saysSomething);
  const silent = line.lectures.length - saying.length;
  const first = mainReading(line, saying);
  // A title of signs only would not be recognised as the same book in a second row.
  const isIdentified = line.isbn !== null || cleOeuvre(line.titre) !== '';
  const others = isIdentified ? saying.filter((lecture) => lecture !== first) : [];
  return [
    { ...line, lecture: first, undatedCount: silent },
    ...others.map((lecture) => ({ ...line, lecture, undatedCount: 0 })),
  ];
}

/** The reading of a book's status, or the latest of a book without one. */
const mainReading = ({ statut }: LivreLine, lectures: readonly Reading[]): Reading | null =>
  lectures.findLast(({ abandon }) => statut === null || abandon === 0) ?? null;

/** One row a book: the last reading, completed from the latest ones, and the number of finished ones. */
function goodreadsLines(line: LivreLine): ReadingLine[] {
  const { lectures } = line;
  const finished = lectures.filter(isRead);
  const main = mainReading(line, lectures);
  const latest = <K extends 'fin' | 'note' | 'avis'>(of: readonly Reading[], name: K) =>
    main?.[name] ?? of.findLast((lecture) => lecture[name] !== null)?.[name] ?? null;
  const lecture = main && {
    ...main,
    fin: latest(finished, 'fin'),
    note: latest(lectures, 'note'),
    avis: latest(lectures, 'avis'),
  };
  const undatedCount = finished.length - (lecture !== null && isRead(lecture) ? 1 : 0);
  return [{ ...line, lecture, undatedCount: Math.max(0, undatedCount) }];
}

const saysSomething = ({ debut, fin, note, avis, abandon, page, pourcent }: Reading): boolean =>
  abandon === 1 || [debut, fin, note, avis, page, pourcent].some((value) => value !== null);

const openPret = ({ prets }: LivreLine) => prets.find(({ dateRetour }) => dateRetour === null);

/** « 4,5 » of nine half stars, “4.5” in English. */
const starsText = (note: number | null, locale: Locale): string =>
  note === null ? '' : (note / 2).toLocaleString(locale);
/** The word for an abandoned reading, else for the status. */
function statutText(
  { statut, lecture }: ReadingLine,
  words: readonly [aLire: string, enCours: string, lu: string],
  others: { readonly abandoned: string; readonly none: string },
): string {
  if (lecture?.abandon === 1) return others.abandoned;
  return statut === null ? others.none : words[statut];
}
const isRead = (lecture: Reading): boolean =>
  statutOfLecture({ ...lecture, abandon: lecture.abandon === 1 }) === 'Lue';
/** « 2019-03/2019-04-12 », an end alone, or « 2019-03/ » of an open reading. */
const spanText = ({ debut, fin }: Reading): string =>
  debut === null ? (fin ?? '') : `${debut}/${fin ?? ''}`;

/** « p. 120 », « 35 % ». */
function positionText({ page, pourcent }: Reading): string {
  if (page !== null) return `p. ${page}`;
  return pourcent === null ? '' : `${pourcent} %`;
}

/** How many detail names get a column of their own: those of the most books. */
const MAX_DETAIL_COLUMNS = 200;

/** The last book of each part whose details have about a megabyte together. */
const ENDS_OF_PARTS = `SELECT max(id) AS "end" FROM (
    SELECT id, sum(octet_length(details)) OVER (ORDER BY id) / 1000000 AS part
    FROM Livre WHERE details IS NOT NULL)
  GROUP BY part ORDER BY part`;

const NOMS_OF_PART = `SELECT e.value ->> 'nom' AS nom, min(l.id) AS livre, min(e.key) AS place, count(*) AS livres
  FROM Livre l, json_each(l.details) e
  WHERE l.id > @after AND l.id <= @end AND l.details IS NOT NULL
  GROUP BY 1 ORDER BY livre, place`;

/** A name of details: the first book that has it, its first position in any book, and how many books have it. */
interface NomUse {
  readonly nom: string;
  readonly livre: number;
  readonly place: number;
  readonly livres: number;
}

const byFirstUse = (a: NomUse, b: NomUse): number => a.livre - b.livre || a.place - b.place;

/** Returns all names; yields after each part, since the details of a household may have hundreds of megabytes. */
function* readNomUses(snapshot: Snapshot): Generator<string, readonly NomUse[]> {
  const uses = new Map<string, NomUse>();
  let after = 0;
  for (const { end } of snapshot.all<{ end: number }>(ENDS_OF_PARTS, {})) {
    for (const use of snapshot.all<NomUse>(NOMS_OF_PART, { after, end })) {
      const known = uses.get(use.nom);
      uses.set(use.nom, {
        nom: use.nom,
        livre: known?.livre ?? use.livre,
        place: Math.min(known?.place ?? use.place, use.place),
        livres: (known?.livres ?? 0) + use.livres,
      });
    }
    after = end;
    yield '';
  }
  return [...uses.values()];
}

/**
 * With a byte order mark, and the separator that a spreadsheet of the language expects: semicolons in French, commas
 * in English (docs/rules.md § 41).
 */
function livresTable(locale: Locale): Table {
  const word = (say: (none: object, options: { locale: Locale }) => string) => say({}, { locale });
  const statuts = [word(m.table_a_lire), word(m.table_en_cours), word(m.table_lu)] as const;
  const others = { abandoned: word(m.table_abandonne), none: '' };
  const [ebook, paper, undated] = [m.table_numerique, m.table_papier, m.table_sans_date].map(word);
  return {
    delimiter: delimiterOf(locale),
    bom: true,
    rowsOf: readingLines,
    columns: {
      [word(m.table_titre)]: ({ titre }) => titre,
      [word(m.table_auteurs)]: ({ auteurs }) => auteurs.map(({ nom }) => nom).join(' ; '),
      // With hyphens: a spreadsheet would show thirteen digits as 9,78E+12.
      ISBN: ({ isbn }) => formatIsbn(isbn ?? ''),
      ...Object.fromEntries(
        objectKeys(LIVRE_TEXTS).map((name) => [
          word(LIVRE_TEXTS[name].label),
          (line: ReadingLine) => line[name],
        ]),
      ),
      [word(m.table_annee)]: ({ annee }) => annee,
      [word(m.table_pages)]: ({ nombrePages }) => nombrePages,
      [word(m.table_format)]: ({ format }) => (format === 'Numerique' ? ebook : paper) ?? null,
      [word(m.table_type)]: ({ typeDocument }) => typeDocument,
      [word(m.table_statut)]: (line) => statutText(line, statuts, others),
      [word(m.table_etoiles)]: ({ lecture }) => starsText(lecture?.note ?? null, locale),
      [word(m.table_lectures)]: ({ lecture, undatedCount }) =>
        [
          ...(lecture === null ? [] : [spanText(lecture)]),
          ...Array<string>(undatedCount).fill(undated ?? ''),
        ]
          .filter(Boolean)
          .join(' ; '),
      [word(m.table_avis)]: ({ lecture }) => lecture?.avis ?? null,
      [word(m.table_page)]: ({ lecture }) => (lecture === null ? null : positionText(lecture)),
      [word(m.table_page_jour)]: ({ lecture }) => lecture?.pageJour ?? null,
      [word(m.table_serie)]: ({ tome }) => tome?.serie ?? null,
      [word(m.table_numero)]: ({ tome }) => tome?.numero ?? null,
      [word(m.table_tomes)]: ({ tome }) => tome?.tomes ?? null,
      [word(m.table_themes)]: ({ themes }) => themes.join(' ; '),
      [word(m.table_emplacement)]: ({ emplacement }) => emplacement,
      [word(m.table_prete_a)]: (line) => openPret(line)?.emprunteur ?? null,
      [word(m.table_date_pret)]: (line) => openPret(line)?.datePret ?? null,
      [word(m.table_emprunte_a)]: ({ emprunteA }) => emprunteA?.nom ?? null,
      [word(m.table_emprunte_le)]: ({ emprunteA }) => emprunteA?.depuis ?? null,
      [word(m.table_a_rendre)]: (line) =>
        openPret(line)?.dateRetourPrevue ?? line.emprunteA?.aRendre ?? null,
      [word(m.table_ajoute_par)]: ({ ajoutePar }) => ajoutePar,
      [word(m.table_date_ajout)]: ({ dateAjout }) => dateAjout,
      [word(m.table_couverture)]: ({ coverUrl }) => coverUrl,
    },
    ownColumns: (snapshot) => detailColumns(snapshot, locale),
  };
}

/** A column per name, and one for all others, which can be read back (`restText`). */
function* detailColumns(snapshot: Snapshot, locale: Locale): Generator<string, Columns> {
  const uses = yield* readNomUses(snapshot);
  const hasOthers = uses.length > MAX_DETAIL_COLUMNS;
  const most = uses.toSorted((a, b) => b.livres - a.livres || byFirstUse(a, b));
  const own = most
    .slice(0, MAX_DETAIL_COLUMNS)
    .sort(byFirstUse)
    .map(({ nom }) => nom);
  const keys = new Set(own.map(detailKey));
  // Cached, since the cells of a row are written one after another.
  let last: readonly Detail[] = [];
  let byKey = valuesByKey(last);
  const valeurOf = (details: readonly Detail[], key: string): string | null => {
    if (details !== last) [last, byKey] = [details, valuesByKey(details)];
    const valeur = byKey.get(key);
    if (valeur === undefined) return null;
    return isLangue(key) ? langueIn(locale, valeur) : valeur;
  };
  const columns = own.map((nom) => {
    const key = detailKey(nom);
    const cell = ({ details }: ReadingLine): Cell => valeurOf(details, key);
    return [m.table_detail({ nom: nomIn(locale, nom) }, { locale }), cell] as const;
  });
  const rest = ({ details }: ReadingLine): Cell =>
    restText(
      details
        .filter(({ nom }) => !keys.has(detailKey(nom)))
        .map(({ nom, valeur }) => ({ nom: nomIn(locale, nom), valeur })),
    ) || null;
  return Object.fromEntries([
    ...columns,
    ...(hasOthers ? [[m.table_other_details({}, { locale }), rest] as const] : []),
  ]);
}

/** A book of an earlier version may have one name in two languages: both values stay. */
function valuesByKey(details: readonly Detail[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { nom, valeur } of details) {
    const key = detailKey(nom);
    const other = values.get(key);
    values.set(key, other === undefined ? valeur : `${other}\n${valeur}`);
  }
  return values;
}

const none = (): Cell => null;

/** Quotes allow commas within a value of a list, unless the value has quotes itself. */
const inList = (text: string): string => {
  if (!text.includes(',')) return text;
  return text.includes('"') ? text.replaceAll(/,\s*/g, ' ') : `"${text}"`;
};

/** « Titre (Name, #1) » where that is read as the same series and number again. */
function withTome({ titre, tome }: LivreLine): string {
  if (tome === null || !/^\d[\d.,–-]*\w?$/.test(tome.numero ?? '') || /[();]/.test(tome.serie))
    return titre;
  return `${titre} (${tome.serie}, #${tome.numero ?? ''})`;
}

/** Goodreads writes reviews as HTML. */
const reviewText = (avis: string): string =>
  avis.replace(/&(?=#|[a-z])/gi, '&amp;').replace(/<(?=\/?[a-z])/gi, '&lt;');

/** The columns of Goodreads, which many programs read. */
const goodreadsTable = (): Table => ({
  delimiter: ',',
  bom: false,
  rowsOf: goodreadsLines,
  columns: {
    'Book Id': ({ id }) => id,
    Title: withTome,
    Author: ({ auteurs }) => auteurs[0]?.nom ?? null,
    'Author l-f': none,
    'Additional Authors': ({ auteurs }) =>
      auteurs
        .slice(1)
        .map(({ nom }) => inList(nom))
        .join(', '),
    ISBN: none,
    ISBN13: ({ isbn }) => isbn,
    'My Rating': ({ lecture }) => Math.round((lecture?.note ?? 0) / 2),
    'Average Rating': none,
    ...Object.fromEntries(
      textsInFile('goodreads.csv').map(([text, name]) => [name, (line: LivreLine) => line[text]]),
    ),
    Binding: ({ format }) => (format === 'Numerique' ? 'ebook' : 'Paperback'),
    'Number of Pages': ({ nombrePages }) => nombrePages,
    'Year Published': ({ annee }) => annee,
    'Original Publication Year': none,
    'Date Read': ({ lecture }) => lecture?.fin?.replaceAll('-', '/') ?? null,
    // In the service's time zone.
    'Date Added': ({ dateAjout }) => localDay(new Date(dateAjout)).replaceAll('-', '/'),
    Bookshelves: ({ themes }) => themes.map(inList).join(', '),
    'Bookshelves with positions': none,
    'Exclusive Shelf': (line) =>
      statutText(line, ['to-read', 'currently-reading', 'read'], {
        abandoned: 'did-not-finish',
        none: 'owned',
      }),
    'My Review': ({ lecture }) => reviewText(lecture?.avis ?? ''),
    Spoiler: none,
    'Private Notes': none,
    'Read Count': ({ lecture, undatedCount, statut }) =>
      (lecture !== null && isRead(lecture) ? 1 : 0) + undatedCount || Number(statut === STATUTS.lu),
    'Owned Copies': (livre) => (isOurs(livre) ? 1 : 0),
  },
});

/** How many cells and characters are written per slice: about ten milliseconds. */
const PIECE = 50_000;

const tableText = (tableIn: (locale: Locale) => Table): ExportedText['format'] =>
  function* (snapshot, utilisateur, locale) {
    const { delimiter, bom, rowsOf, columns, ownColumns } = tableIn(locale);
    const own = ownColumns === undefined ? {} : yield* ownColumns(snapshot);
    const all = { ...columns, ...own };
    const cells = Object.values(all);
    yield formatRows([Object.keys(all)], { delimiter, bom });
    for (const lines of livreLines(snapshot, utilisateur)) {
      let rows: Cell[][] = [];
      let size = 0;
      for (const line of lines.flatMap(rowsOf)) {
        const row = cells.map((cell) => cell(line));
        rows.push(row);
        size += row.reduce<number>(
          (sum, cell) => sum + 1 + (cell === null ? 0 : String(cell).length),
          0,
        );
        if (size < PIECE) continue;
        yield formatRows(rows, { delimiter });
        [rows, size] = [[], 0];
      }
      yield formatRows(rows, { delimiter });
    }
  };

export const livresCsv: ExportedText = {
  endpoint: api.exporterLivresCsv,
  name: 'livres.csv',
  label: m.export_label_livres_csv,
  format: tableText(livresTable),
};

export const goodreadsCsv: ExportedText = {
  endpoint: api.exporterGoodreads,
  name: 'goodreads.csv',
  label: m.export_label_goodreads,
  format: tableText(goodreadsTable),
};

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

const latex = (text: string): string =>
  text.replace(/[\\~^{}$&#%_]/g, (character) => LATEX[character] ?? `\\${character}`);

/** Normalised beginnings of corporate bodies' names, and what joins several names. */
const BODY =
  /^(?:association|collectif|editions?|groupe|institut|la|le|les|musee|presses|societe|the|universite) |\b(?:and|et|und)\b/;
/** « nationale », « pour »: particles are shorter, but for these. */
const LONG_LOWER_CASE = /\s(?!(?:d[ae]lla|fils|père)(?!\p{L}))\p{Ll}{4}/u;

/** Whether a name is a corporate body's, judging by its words. */
const isBody = (nom: string): boolean =>
  nom.includes('&') ||
  BODY.test(normaliser(nom)) ||
  (nom !== nom.toLowerCase() && LONG_LOWER_CASE.test(nom));

const commasOf = (nom: string): number => nom.split(',').length - 1;

/** Braces keep the name of a body together in BibTeX, which understands « Hugo, Victor ». */
const bibtexNom = (nom: string): string =>
  isBody(nom) || commasOf(nom) > 1 ? `{${latex(nom)}}` : latex(nom);

/** RIS takes a name without a comma for a body's. */
const risNom = (nom: string): string => (isBody(nom) ? nom : familyFirst(nom));

const bibtexKeyword = (theme: string): string =>
  theme.includes(',') ? `{${latex(theme)}}` : latex(theme);

/** The value of a detail, by its known name; `null` where the book has none. */
const detailOf = ({ details }: LivreLine, nom: KnownDetail): string | null =>
  detailsByKey(details).get(detailKey(nom))?.valeur ?? null;

function bibtexEntry(livre: LivreLine) {
  const { id, titre, auteurs, annee, isbn, nombrePages, tome, themes } = livre;
  const textOf = (nom: KnownDetail): string | null => {
    const text = detailOf(livre, nom);
    return text === null ? null : latex(text);
  };
  const fields: [name: string, value: string | number | null][] = [
    ['title', latex(titre)],
    ['author', auteurs.map(({ nom }) => bibtexNom(nom)).join(' and ') || null],
    ...textsInFile('livres.bib').map(([text, name]): [string, string | null] => {
      const value = livre[text];
      return [name, value === null ? null : latex(value)];
    }),
    ['year', annee],
    ['isbn', isbn && formatIsbn(isbn)],
    ['pagetotal', nombrePages],
    ['series', tome === null ? textOf('Collection') : latex(tome.serie)],
    ['number', tome?.numero ? latex(tome.numero) : null],
    ['keywords', themes.map(bibtexKeyword).join(', ') || null],
    ['language', textOf('Langue')],
    ['translator', textOf('Traduction')],
    ['abstract', textOf('Résumé')],
    ['note', textOf('Note')],
  ];
  const lines = fields
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `  ${name} = {${value ?? ''}},\n`);
  return `@book{livre${id},\n${lines.join('')}}\n\n`;
}

function risEntry(livre: LivreLine): string {
  const { titre, auteurs, annee, isbn, nombrePages, tome, themes } = livre;
  const textOf = (nom: KnownDetail): string | null => {
    const text = detailOf(livre, nom);
    // A line that begins like a tag would be read as one.
    return text === null || !/\n[A-Z][A-Z\d] {0,2}-/.test(text)
      ? (text?.replaceAll('\n', '\r\n') ?? null)
      : text.replaceAll('\n', ' ');
  };
  const tags: [tag: string, value: string | number | null][] = [
    ['TY', 'BOOK'],
    ['TI', titre],
    ...auteurs.map(({ nom }): [string, string] => ['AU', risNom(nom)]),
    ...textsInFile('livres.ris').map(([text, name]): [string, string | null] => [
      name,
      livre[text],
    ]),
    ['PY', annee],
    ['SN', isbn && formatIsbn(isbn)],
    ['SP', nombrePages],
    ['T2', tome?.serie ?? null],
    ['T3', textOf('Collection')],
    ['VL', tome?.numero ?? null],
    ...themes.map((theme): [string, string] => ['KW', theme]),
    ['LA', textOf('Langue')],
    ['A4', textOf('Traduction')],
    ['AB', textOf('Résumé')],
    ['N1', textOf('Note')],
    ['ER', ''],
  ];
  return tags
    .filter(([, value]) => value !== null)
    .map(([tag, value]) => `${tag}  - ${value ?? ''}\r\n`)
    .join('');
}

export const bibtex: ExportedText = {
  endpoint: api.exporterBibtex,
  name: 'livres.bib',
  label: m.export_label_bibtex,
  format: livreText(bibtexEntry),
};

export const ris: ExportedText = {
  endpoint: api.exporterRis,
  name: 'livres.ris',
  label: m.export_label_ris,
  format: livreText(risEntry),
};
