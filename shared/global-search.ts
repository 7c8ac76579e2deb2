import { joinedElisions, nearIndexOf, type NearMatch } from './catalogue-near.ts';
import type { Catalogue } from './catalogue.ts';
import { isbnAsWritten } from './isbn.ts';
import { issnOfCode977, parseIssn } from './issn.ts';
import type { Emplacement } from './emplacements.ts';
import type { Lecture } from './lectures.ts';
import type { LivreDocument } from './livres.ts';
import type { NumeroIndex } from './numero-index.ts';
import type { Numero } from './numeros.ts';
import { issnsOf, type Revue } from './revues.ts';
import type { Pret } from './prets.ts';
import type { Place, Serie } from './series.ts';
import { isManquant, withoutBorrowed } from './series-gaps.ts';
import type { RevueSouhaitee } from './souhaits-revues.ts';
import type { Souhait } from './souhaits.ts';
import { articleInFront, compareText, searchForm } from './text.ts';

/** The records that a global search reads; lists are in the order to be shown. */
export interface SearchedRecords {
  readonly catalogue: Catalogue;
  readonly numeroIndex: NumeroIndex;
  readonly series: Iterable<Serie>;
  readonly prets: Iterable<Pret>;
  /** The reader's own wishes; none for an unknown reader. */
  readonly souhaits: Iterable<Souhait>;
  readonly souhaitsRevues: Iterable<RevueSouhaitee>;
  readonly lectures: Iterable<Lecture>;
}

export interface PlaceInSerie {
  readonly serie: Serie;
  readonly place: Place;
}

interface EditeurCount {
  readonly nom: string;
  readonly count: number;
}

/** The results besides the list of books, by section; each may be empty. */
export interface GlobalResults {
  /** Books outside the list, found by their series. */
  readonly livres: readonly LivreDocument[];
  /** « Vouliez-vous dire »: only where nothing at all matches. */
  readonly near: readonly NearMatch[];
  /** Books lent to a borrower of that name, the longest loan first. */
  readonly prets: readonly LivreDocument[];
  /** Publishers with their number of books, one spelling each. */
  readonly editeurs: readonly EditeurCount[];
  readonly souhaits: readonly Souhait[];
  readonly souhaitsRevues: readonly RevueSouhaitee[];
  /** Matched by the reader's review; readings of books outside the household also by title. */
  readonly lectures: readonly Lecture[];
  readonly manquants: readonly PlaceInSerie[];
  readonly series: readonly Serie[];
  readonly emplacements: readonly Emplacement[];
  readonly revues: readonly Revue[];
  readonly numeros: readonly Numero[];
}

const NOTHING: GlobalResults = {
  livres: [],
  near: [],
  prets: [],
  editeurs: [],
  souhaits: [],
  souhaitsRevues: [],
  lectures: [],
  manquants: [],
  series: [],
  emplacements: [],
  revues: [],
  numeros: [],
};

/**
 * Searches all records. The caller lists the books that match the list's own rule, and passes it as `listed`
 * (docs/rules.md § 6). A query without a letter or digit finds nothing.
 */
export function globalSearch(
  recherche: string,
  records: SearchedRecords,
  listed: (livreId: number) => boolean,
): GlobalResults {
  const isbn = isbnAsWritten(recherche);
  if (isbn !== null) return findIsbn(isbn, records);
  const issn = parseIssn(recherche) ?? issnOfCode977(recherche)?.issn ?? null;
  if (issn !== null) return findIssn(issn, records);
  const query = searchForm(recherche);
  if (query === '') return NOTHING;
  return findWords(recherche, query.split(' '), records, listed);
}

function findIsbn(isbn: string, { catalogue, series, souhaits }: SearchedRecords): GlobalResults {
  return {
    ...NOTHING,
    souhaits: [...souhaits].filter((souhait) => souhait.isbn === isbn),
    manquants: findManquants(series, catalogue, ({ place }) => place.isbn === isbn),
  };
}

function findIssn(issn: string, { numeroIndex, souhaitsRevues }: SearchedRecords): GlobalResults {
  return {
    ...NOTHING,
    revues: numeroIndex.revues.filter((revue) => issnsOf(revue).includes(issn)),
    souhaitsRevues: [...souhaitsRevues].filter((souhait) => souhait.issn === issn),
  };
}

function findWords(
  recherche: string,
  words: readonly string[],
  { catalogue, numeroIndex, series, prets, souhaits, souhaitsRevues, lectures }: SearchedRecords,
  listed: (livreId: number) => boolean,
): GlobalResults {
  const matches = (...texts: readonly (string | null)[]) => {
    const all = texts
      .filter((text) => text !== null)
      .map(searchable)
      .join('\n');
    return words.every((word) => all.includes(word));
  };
  const allSeries = [...series];
  const found = {
    ...NOTHING,
    livres: livresOfSeries(allSeries, catalogue, matches).filter(({ id }) => !listed(id)),
    prets: livresOfEmprunteurs(prets, catalogue, matches).filter(({ id }) => !listed(id)),
    editeurs: editeursOf(catalogue, matches),
    souhaits: [...souhaits].filter(({ titre, auteur }) => matches(titre, auteur)),
    souhaitsRevues: [...souhaitsRevues].filter(({ titre, numero }) => matches(titre, numero)),
    lectures: [...lectures].filter(({ livreId, titre, auteurs, avis }) =>
      livreId === null ? matches(titre, ...auteurs, avis) : matches(avis),
    ),
    manquants: findManquants(allSeries, catalogue, ({ serie, place }) =>
      matches(serie.titre, place.titre, place.numero, place.auteur),
    ),
    series: allSeries.filter(({ titre }) => matches(titre)),
    emplacements: catalogue.emplacements.search(recherche),
    revues: numeroIndex.revues.filter(({ titre }) => matches(titre)),
    numeros: numeroIndex.search({ recherche }),
  };
  const isFound =
    Object.values(found).some((section) => Array.isArray(section) && section.length > 0) ||
    catalogue.page({ recherche, limite: 1 }, new Map()).total > 0;
  return isFound ? found : { ...found, near: nearIndexOf(catalogue).find(recherche) };
}

/** The books in series, found by the words of series, place and book together. */
function livresOfSeries(
  series: readonly Serie[],
  catalogue: Catalogue,
  matches: Matches,
): LivreDocument[] {
  const found = new Map<number, LivreDocument>();
  for (const { titre, places } of series) {
    for (const place of places) {
      const livre = place.livreId === null ? undefined : catalogue.livre(place.livreId);
      if (livre === undefined || found.has(livre.id)) continue;
      const noms = livre.auteurs.map(({ nom }) => nom);
      if (matches(titre, place.titre, place.numero, livre.titre, ...noms))
        found.set(livre.id, livre);
    }
  }
  return [...found.values()];
}

type Matches = (...texts: readonly (string | null)[]) => boolean;

function livresOfEmprunteurs(
  prets: Iterable<Pret>,
  catalogue: Catalogue,
  matches: Matches,
): LivreDocument[] {
  return [...prets]
    .filter(({ dateRetour, emprunteur }) => dateRetour === null && matches(emprunteur))
    .sort((a, b) => compareText(a.datePret, b.datePret) || a.id - b.id)
    .flatMap(({ livreId }) => catalogue.livre(livreId) ?? []);
}

/** By name; of several spellings the first. */
function editeursOf(catalogue: Catalogue, matches: Matches): EditeurCount[] {
  const found = new Map<string, EditeurCount>();
  for (const [nom, count] of catalogue.editeurs) {
    if (!matches(nom)) continue;
    const key = searchForm(nom);
    const known = found.get(key);
    found.set(key, { nom: known?.nom ?? nom, count: count + (known?.count ?? 0) });
  }
  return [...found].sort(([a], [b]) => compareText(a, b)).map(([, each]) => each);
}

/** The missing volumes that match. */
const findManquants = (
  series: Iterable<Serie>,
  catalogue: Catalogue,
  matches: (each: PlaceInSerie) => boolean,
): PlaceInSerie[] =>
  [...series].flatMap((serie) => {
    const { places } = withoutBorrowed(serie, (id) => catalogue.isBorrowed(id));
    return places.flatMap((place) =>
      place.livreId === null && matches({ serie, place }) && isManquant(place, places)
        ? [{ serie, place }]
        : [],
    );
  });

/** Normalised texts by their original: every keystroke searches the same few thousand. */
const normalised = new Map<string, string>();
const MAX_KEPT = 50_000;

/** A text as the search reads it: normalised, its article in front, and with elided words joined (« letranger »). */
function searchable(text: string): string {
  const known = normalised.get(text);
  if (known !== undefined) return known;
  if (normalised.size >= MAX_KEPT) normalised.clear();
  const plain = searchForm(articleInFront(text));
  const value = [plain, ...joinedElisions(plain.split(' '))].join('\n');
  normalised.set(text, value);
  return value;
}
