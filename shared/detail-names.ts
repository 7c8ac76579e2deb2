import { BASE_LOCALE, LOCALES, type Locale } from './locale.ts';
import { textKey } from './text.ts';

// Predefined names of details, proposed by forms or set by file readers and catalogues. Each is
// stored in French and shown in the reader's language; its names in all languages mean the same
// detail (docs/rules.md § 56).

type Names = Readonly<Record<Exclude<Locale, 'fr'>, string>>;

/** Names proposed by forms, by their French ones. */
const PROPOSED = {
  'Sous-titre': { en: 'Subtitle' },
  Langue: { en: 'Language' },
  'Titre original': { en: 'Original title' },
  Traduction: { en: 'Translation' },
  Illustration: { en: 'Illustration' },
  Préface: { en: 'Preface' },
  Collection: { en: 'Collection' },
  Dimensions: { en: 'Dimensions' },
  Poids: { en: 'Weight' },
  Prix: { en: 'Price' },
  Achat: { en: 'Purchase' },
  État: { en: 'Condition' },
  Dédicace: { en: 'Signed' },
  Reliure: { en: 'Binding' },
  Cote: { en: 'Call number' },
  Résumé: { en: 'Summary' },
  Note: { en: 'Note' },
} as const satisfies Readonly<Record<string, Names>>;

/** Names that only files bring. */
const OTHERS: Readonly<Record<string, Names>> = {
  'Année de l’original': { en: 'Original year' },
  'Auteur original': { en: 'Original author' },
  'Autre titre': { en: 'Other title' },
  'Base de données': { en: 'Database' },
  'Commentaire de': { en: 'Commentary by' },
  'Complément du titre': { en: 'Title addition' },
  'Direction de collection': { en: 'Series editor' },
  Direction: { en: 'Edited by' },
  'Éditeur original': { en: 'Original publisher' },
  Édition: { en: 'Edition' }, // cspell:disable-line
  'Image du dos': { en: 'Back cover' },
  'Imprimé le': { en: 'Printed on' },
  'Langue originale': { en: 'Original language' },
  'Lieu d’achat': { en: 'Place of purchase' },
  'Lieu d’édition': { en: 'Place of publication' },
  'Nombre de volumes': { en: 'Number of volumes' },
  'Note du public': { en: 'Public rating' },
  'Notes de': { en: 'Annotated by' },
  'Pages citées': { en: 'Pages cited' },
  Pays: { en: 'Country' },
  Postface: { en: 'Afterword' },
  'Prêts passés': { en: 'Past loans' },
  'Titre abrégé': { en: 'Short title' },
  'Titre complet': { en: 'Full title' },
  'Titre de l’ensemble': { en: 'Title of the set' },
  'Titre traduit': { en: 'Translated title' },
};

export type KnownDetail = keyof typeof PROPOSED;

const ALL: Readonly<Record<string, Names>> = { ...PROPOSED, ...OTHERS };

/** The French names, in the order in which forms propose them. */
export const KNOWN_DETAILS: readonly string[] = Object.keys(PROPOSED);

export const KNOWN_NAMES: readonly Readonly<Record<Locale, string>>[] = Object.entries(ALL).map(
  ([fr, names]) => ({ fr, ...names }),
);

let byKey: ReadonlyMap<string, Readonly<Record<Locale, string>>> | null = null;

function namesOf(nom: string): Readonly<Record<Locale, string>> | undefined {
  byKey ??= new Map(
    KNOWN_NAMES.flatMap((names) => LOCALES.map((locale) => [textKey(names[locale]), names])),
  );
  return byKey.get(textKey(nom));
}

export const isKnownDetail = (nom: string): boolean => namesOf(nom) !== undefined;

/** A household's own spelling of a name stays. */
const nameIn = (nom: string, locale: Locale): string => {
  const name = namesOf(nom)?.[locale];
  return name === undefined || textKey(name) === textKey(nom) ? nom : name;
};

/** The key of a detail within a book: the same for all spellings of a name and for its labels in all languages. */
export const detailKey = (nom: string): string => textKey(namesOf(nom)?.[BASE_LOCALE] ?? nom);

/** A name as it is stored: « Prix » where somebody wrote “Price”. */
export const storedNom = (nom: string): string => nameIn(nom, BASE_LOCALE);

/** A name in the reader's language: “Price” for « Prix ». */
export const nomIn = (locale: Locale, nom: string): string => nameIn(nom, locale);
