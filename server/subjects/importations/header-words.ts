import { COLONNES, type Colonne, type Colonnes } from '#shared/importations';
import { LIVRE_TEXTS, type LivreText } from '#shared/livres';
import { LOCALES } from '#shared/locale';
import { mapObject } from '#shared/object-keys';
import { normaliser } from '#shared/text';
import { fieldsOfHeader } from './formats/programs.ts';
import type { RawLectures } from './record.ts';

// The field of a column, by the words of its header (docs/rules.md § 35).

// cspell:disable -- words that people and other programs write
/** Words that a header may have besides the name of its field: « Titre du livre », « Auteur principal », « N° ISBN ». */
const FILLERS = new Set([
  'du',
  'de',
  'des',
  'la',
  'le',
  'les',
  'l',
  'd',
  'of',
  'the',
  'livre',
  'livres',
  'book',
  'nb',
  'ouvrage',
  'album',
  'bd',
  'no',
  'n',
  'principal',
  'principaux',
  's',
  'nom',
  'prenom',
  'name',
]);

/** The reading state in programs; in a household, a location. */
export const SHELF = 'shelf';

/** Normalised words of headers by field, the surest first. */
const OTHER_WORDS: Readonly<Record<Exclude<Colonne, LivreText>, readonly string[]>> &
  Readonly<Partial<Record<LivreText, readonly string[]>>> = {
  titre: [
    'titre',
    'title',
    'nom du livre',
    'livre',
    'titel',
    'titolo',
    'titulo',
    'intitule',
    'titre propre',
    'title proper',
    'book',
    'book title',
  ],
  auteurs: [
    'auteurs',
    'auteur',
    'author',
    'authors',
    'auteur(s)',
    'creator',
    'creators',
    'ecrivain',
    'auteure',
    'autrice',
    'autor',
    'autore',
    'main author',
    'responsabilite',
  ],
  isbn: ['isbn', 'isbn13', 'isbn 13', 'ean', 'ean13', 'isbn ean', 'isbn10', 'isbn 10', 'code'],
  editeur: [
    'maison edition',
    'maison d edition',
    'publishercode',
    'publisher name',
    'edition',
    'editions',
  ],
  annee: [
    'annee',
    'year',
    'date publication',
    'publication date',
    'date parution',
    'annee parution',
    'annee publication',
    'annee edition',
    'date edition',
    'year published',
    'publication year',
    'parution',
    'copyright date',
    'copyrightdate',
    'publicationyear',
    'date',
    'release date',
    'date sortie',
  ],
  nombrePages: [
    'nombrepages',
    'nombre pages',
    'pages',
    'page count',
    'number pages',
    'pagination',
    'collation',
    'physical description',
    'description materielle',
    'importance materielle',
  ],
  format: ['format', 'binding', 'reliure', 'support', 'type'],
  statut: ['statut', 'status', 'read status', 'lecture', 'etat lecture', 'statut lecture', SHELF],
  serie: ['serie', 'series', 'cycle', 'saga', 'titre serie', 'nom serie'],
  numero: [
    'numero',
    'tome',
    'tome n',
    'volume',
    'vol',
    'n',
    'number',
    'series index',
    'num',
    'series no',
    'series number',
    'serie number',
    'volume number',
    'vol number',
    'tome number',
    'book number',
    'issue number',
    'numero tome',
    'n tome',
  ],
  tomes: ['tomes contenus', 'contient les tomes', 'volumes contained'],
  emplacement: [
    'emplacement',
    'physical location',
    'location',
    'shelf location',
    'rangement',
    'localisation',
    'lieu',
    'etagere',
  ],
  emprunteur: ['emprunteur', 'prete a', 'loaned to', 'lent to', 'borrower'],
  datePret: [
    'datepret',
    'date pret',
    'prete le',
    'date loaned',
    'date lent',
    'lent date',
    'lent on',
  ],
  dateRetourPrevue: [
    'dateretourprevue',
    'date retour prevue',
    'retour prevu',
    'a rendre le',
    'jusqu au',
    'echeance',
    'due',
    'due on',
    'due date',
    'date due',
    'return by',
    'loan due',
  ],
  preteur: ['preteur', 'emprunte a', 'borrowed from', 'lender'],
  dateEmprunt: ['date emprunt', 'emprunte le', 'date borrowed', 'borrowed on'],
  souhait: ['souhait', 'souhaits', 'liste souhaits', 'wish list', 'wishlist', 'envie'],
  themes: [
    'themes',
    'theme',
    'etiquettes',
    'etiquette',
    'tags',
    'tag',
    'genres',
    'genre',
    'genre litteraire',
    'mots cles',
    'mot cle',
    'keywords',
    'sujets',
    'sujet',
    'subjects',
    'categories',
    'categorie',
    'category',
    'shelves',
    'bookshelves',
  ],
};

/**
 * A book's text is recognised by its own names in all languages, and in Goodreads' file, before those of other
 * programs.
 */
const SYNONYMS: Readonly<Record<Colonne, readonly string[]>> = {
  ...OTHER_WORDS,
  ...mapObject(LIVRE_TEXTS, (text, { label, names }) => [
    text.toLowerCase(),
    ...LOCALES.map((locale) => normaliser(label({}, { locale }))),
    normaliser(names['goodreads.csv'] ?? ''),
    ...(OTHER_WORDS[text] ?? []),
  ]),
};

const AUTEURS =
  /^(?:co |autres? )?(?:auteure?s?|autrices?|authors?|scenaristes?|dessinat(?:eurs?|rices?)|coloristes?|illustrat(?:eurs?|rices?))(?: s| \d| principal| principaux| secondaires?)?$/;

export const COPIES = [
  'copies',
  'quantity',
  'owned copies',
  'exemplaires',
  'nombre exemplaires',
  'quantite',
];

/** Headers of columns with yes or no, or with a reading state. */
export const YES_READ = ['lu', 'read', 'read it', 'déjà lu'];

// cspell:enable

export function withoutFillers(words: string): string {
  const rest = words.split(' ').filter((word) => !FILLERS.has(word));
  return rest.length > 0 ? rest.join(' ') : words;
}

/** Maps columns to fields by the words of their headers, else by some program's. */
export function guessColonnes(headers: readonly string[]): Colonnes {
  const common = commonColonnes(headers);
  const taken = new Set(Object.values(common).flat());
  const others = headers.filter((header) => !taken.has(header));
  const known = COLONNES.flatMap((colonne): (readonly [Colonne, string])[] => {
    if (common[colonne] !== undefined) return [];
    const header = others.find((other) => fieldsOfHeader(other).includes(colonne));
    return header === undefined ? [] : [[colonne, header]];
  });
  return { ...common, ...Object.fromEntries(known) };
}

/** The words of a header: « Series # » and « Vol. N° » are of a number. */
const wordsOfHeader = (header: string): string =>
  normaliser(header.trim().replace(/(?:#|n[°º]\.?)$/i, ' number'));

/** Maps by words alone; a second author column is one of several. */
export function commonColonnes(headers: readonly string[]): Colonnes {
  const words = headers.map(wordsOfHeader);
  const shorter = words.map(withoutFillers);
  const taken = new Set<number>();
  const found = COLONNES.flatMap((colonne): (readonly [Colonne, string])[] => {
    for (const names of [words, shorter])
      for (const synonym of SYNONYMS[colonne]) {
        const at = [...names.keys()].filter(
          (index) => names[index] === synonym && !taken.has(index),
        );
        const [first] = at;
        if (first === undefined) continue;
        for (const index of at) taken.add(index);
        return [[colonne, headers[first] ?? '']];
      }
    return [];
  });
  const auteurs = headers.filter((_, index) => AUTEURS.test(words[index] ?? ''));
  const several = [...new Set(auteurs)];
  const themes = headers.filter((_, index) => SYNONYMS.themes.includes(words[index] ?? ''));
  return {
    ...Object.fromEntries(found),
    ...(several.length > 1 && { auteurs: several }),
    ...(themes.length > 1 && { themes: [...new Set(themes)] }),
  };
}

// cspell:disable -- words that people and other programs write
/** The columns of readings by words, whatever the program; the first non-empty one counts. */
export const LECTURES = {
  dates: [
    'lectures',
    'readings',
    'dates read',
    'date read',
    'last date read',
    'finish date',
    'completed',
    'read end',
    'date finished',
    'finished',
    'lu le',
    'date lecture',
    'dates lecture',
    'fin lecture',
    'date fin',
    'date fin lecture',
    'fini le',
    'termine le',
    'date lu',
    'reading date',
    'read on',
    'date completed',
    'finished reading',
  ],
  debut: [
    'date started',
    'start date',
    'began',
    'read start',
    'started',
    'commence le',
    'debut lecture',
    'date debut',
    'date debut lecture',
    'started reading',
  ],
  abandon: ['stopped date', 'abandonne le'],
  note: [
    'my rating',
    'my ratings',
    'star rating',
    'rating',
    'etoiles',
    'stars',
    'note',
    'ma note',
    'notation',
  ],
  count: ['read count', 'nb lectures', 'nombre lectures'],
  avis: [
    'my review',
    'review',
    'review content',
    'critique',
    'mon mot',
    'avis',
    'mon avis',
    'my words',
  ],
  page: [
    'page atteinte',
    'page reached',
    'current page',
    'current page number',
    'currentpagenumber',
    'last page read',
    'pages read',
    'pages lues',
    'page actuelle',
    'page en cours',
    'page courante',
    'ma page',
    'marque page',
    'progress pages',
    'page progress',
    'lu jusqu a la page',
  ],
  pourcent: [
    'percent read',
    'percentread',
    'percentage read',
    'percent complete',
    'progress percent',
    'progress percentage',
    'reading progress',
    'progress',
    'progression',
    'avancement',
    'pourcentage lu',
    'pourcentage',
    'pourcent',
    'current percentage',
  ],
  pageJour: ['jour page', 'day page', 'last progress date', 'progress date', 'date progression'],
  notes: ['private notes', 'private comment'],
} as const satisfies Record<keyof RawLectures, readonly string[]>;
// cspell:enable
