import { m } from '#messages';
import { objectKeys } from './object-keys.ts';
import type { Locale } from './locale.ts';

// Faults of payload fields (docs/rules.md § 3): a stable code with arguments. The sentence is made
// where it is shown.

type Reading = { readonly locale?: Locale };

/** The types of JSON values, by schema name. */
const TYPES = {
  string: m.champ_type_texte,
  number: m.champ_type_nombre,
  integer: m.champ_type_entier,
  boolean: m.champ_type_booleen,
  array: m.champ_type_liste,
  object: m.champ_type_objet,
} as const;
export type ChampType = keyof typeof TYPES;

export const isChampType = (name: unknown): name is ChampType =>
  objectKeys(TYPES).some((type) => type === name);

/** The arguments of a code; none for codes that are not listed. */
interface Arguments {
  TYPE: { readonly types: readonly ChampType[] };
  VALEURS: { readonly valeurs: readonly string[] };
  TROP_COURT: { readonly minimum: number };
  TROP_LONG: { readonly maximum: number };
  TROP_PEU: { readonly minimum: number };
  TROP: { readonly maximum: number };
  MINIMUM: { readonly minimum: number };
  MAXIMUM: { readonly maximum: number };
  LANGUE: { readonly langues: readonly string[] };
  TROP_DE_PAGES: { readonly maximum: number };
  TROP_DE_THEMES: { readonly maximum: number };
  TROP_DE_DETAILS: { readonly maximum: number };
  SERIE_PLEINE: { readonly maximum: number };
  LISTE_PLEINE: { readonly maximum: number };
  AVANT_DEBUT: { readonly debut: string };
  TROP_LOIN: { readonly maximum: number };
  POUR_ACTION: { readonly action: string; readonly champs: string };
  COLONNES: { readonly nom: string };
  TOMES: { readonly aucun: string };
}

/** Codes without arguments. */
const PLAIN = {
  PAS_UTF8: m.champ_pas_utf8,
  CARACTERE_INTERDIT: m.champ_caractere_interdit,
  PAS_OBJET: m.champ_objet,
  TROP_DE_VALEURS: m.champ_trop_de_valeurs,
  DONNE_DEUX_FOIS: m.champ_donne_deux_fois,
  ILLISIBLE: m.champ_illisible,
  PAS_HTTP: m.champ_pas_http,
  INCOMPLET: m.champ_incomplet,
  PAS_JSON: m.champ_pas_json,
  PAS_ACCEPTEE: m.champ_pas_acceptee,
  CLE: m.champ_cle,
  EPOQUE: m.champ_epoque,
  INVISIBLE: m.champ_invisible,
  MANQUE: m.champ_manque,
  NECESSAIRE: m.champ_necessaire,
  SOUHAITS_NECESSAIRES: m.champ_souhaits_necessaires,
  PAS_EMPLACEMENT: m.champ_pas_emplacement,
  PAS_SERIE: m.champ_pas_serie,
  PLUS_LA: m.champ_plus_la,
  PAS_PLACE: m.champ_pas_place,
  PAS_COLONNE: m.champ_pas_colonne,
  VIDE: m.champ_vide,
  EST_OBJET: m.champ_est_objet,
  DETAIL_EXISTANT: m.champ_detail_existant,
  VALEUR_TROP_LONGUE: m.champ_valeur_trop_longue,
  AVANT_EMPRUNT: m.champ_avant_emprunt,
  PAS_EMPRUNTE: m.champ_pas_emprunte,
  PAS_MEME_LIVRE: m.champ_pas_meme_livre,
  PAS_LIVRE: m.champ_pas_livre,
  NE_DIT_RIEN: m.champ_ne_dit_rien,
  CRITERES_OU_LIVRES: m.champ_criteres_ou_livres,
  AUTRE_SELECTION: m.champ_autre_selection,
  TITRE_OU_LIVRE: m.champ_titre_ou_livre,
  PAGE_ET_POURCENT: m.champ_page_et_pourcent,
  A_VENIR: m.champ_a_venir,
  PAS_A_VENIR: m.champ_pas_a_venir,
  PRET_A_VENIR: m.champ_pret_avenir,
  PRET_APRES_RETOUR: m.champ_pret_retour,
  RENDU_AVANT_PRET: m.champ_pret_avant,
  INSTANT: m.champ_instant,
  JOUR: m.champ_jour,
  JOUR_MOIS_ANNEE: m.champ_jour_mois_annee,
  DATE_NUMERO: m.champ_date_numero,
  ISBN: m.champ_isbn,
  ISSN: m.champ_issn,
  ADRESSE: m.champ_adresse,
  CHEMIN: m.champ_chemin,
  SANS_TITRE: m.champ_sans_titre,
  REQUIS: m.champ_requis,
  AUTRE_TYPE: m.champ_type_autre,
  REPETE: m.champ_repete,
  FORME: m.champ_forme,
} as const;

type PlainCode = keyof typeof PLAIN;
type TellingCode = keyof Arguments;
export type ChampCode = PlainCode | TellingCode;

/** A fault of a field as data. */
export type ChampFault =
  | { readonly code: PlainCode }
  | {
      [C in TellingCode]: { readonly code: C; readonly arguments: Arguments[C] };
    }[TellingCode];

const TELLING: {
  readonly [C in TellingCode]: (values: Arguments[C], reading: Reading) => string;
} = {
  TYPE: ({ types }, reading) =>
    m.champ_type(
      {
        types: types
          .map((type) => TYPES[type]({}, reading))
          .reduce((one, other) => m.champ_ou({ one, other }, reading)),
      },
      reading,
    ),
  VALEURS: ({ valeurs }, reading) => m.champ_valeurs({ valeurs: valeurs.join(', ') }, reading),
  TROP_COURT: ({ minimum }, reading) => m.champ_trop_court({ count: minimum }, reading),
  TROP_LONG: ({ maximum }, reading) => m.champ_trop_long({ count: maximum }, reading),
  TROP_PEU: ({ minimum }, reading) => m.champ_trop_peu({ count: minimum }, reading),
  TROP: ({ maximum }, reading) => m.champ_trop({ count: maximum }, reading),
  MINIMUM: ({ minimum }, reading) => m.champ_minimum({ limite: minimum }, reading),
  MAXIMUM: ({ maximum }, reading) => m.champ_maximum({ limite: maximum }, reading),
  LANGUE: ({ langues }, reading) => m.champ_langue({ langues: langues.join(', ') }, reading),
  TROP_DE_PAGES: ({ maximum }, reading) => m.champ_au_plus({ count: maximum }, reading),
  TROP_DE_THEMES: m.champ_trop_de_themes,
  TROP_DE_DETAILS: m.champ_trop_de_details,
  SERIE_PLEINE: ({ maximum }, reading) => m.champ_serie_pleine({ count: maximum }, reading),
  LISTE_PLEINE: ({ maximum }, reading) => m.champ_liste_pleine({ count: maximum }, reading),
  AVANT_DEBUT: m.champ_avant_debut,
  TROP_LOIN: ({ maximum }, reading) => m.champ_trop_loin({ count: maximum }, reading),
  POUR_ACTION: m.champ_pour_action,
  COLONNES: m.champ_colonnes,
  TOMES: m.champ_tomes,
};

export const CHAMP_CODES: readonly string[] = [...objectKeys(PLAIN), ...objectKeys(TELLING)];

/** Whether this version knows the code and can format it. */
export const isChampFault = (fault: { readonly code: string }): fault is ChampFault =>
  Object.hasOwn(PLAIN, fault.code) || Object.hasOwn(TELLING, fault.code);

const isPlain = (fault: ChampFault): fault is { readonly code: PlainCode } =>
  Object.hasOwn(PLAIN, fault.code);

/** « ne doit pas être vide »: completes a sentence that begins with the field. */
export function formatChampFault(fault: ChampFault, reading: Reading = {}): string {
  return isPlain(fault)
    ? PLAIN[fault.code]({}, reading)
    : tellingOf(fault.code, fault.arguments, reading);
}

const tellingOf = <C extends TellingCode>(
  code: C,
  values: Arguments[C],
  reading: Reading,
): string => TELLING[code](values, reading);
