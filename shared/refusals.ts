import { m } from '#messages';
import { formatChampFault, isChampFault, type ChampFault } from './champs.ts';
import { ean13CheckDigit } from './codes.ts';
import type { OtherCode } from './isbn.ts';
import { Type, type Static } from 'typebox';
import { MAX_NIVEAUX } from './emplacements.ts';
import type { Locale } from './locale.ts';
import type { RefusalDetails, RefusedChamp } from './refusal-details.ts';
import { objectKeys } from './object-keys.ts';

/** A refused field as data; the sentence is made where it is shown. */
export type ChampRefused = { readonly champ: string } & ChampFault;

type Details<C> = C extends 'REQUETE_INVALIDE'
  ? { readonly champs: readonly ChampRefused[] }
  : C extends keyof RefusalDetails
    ? RefusalDetails[C]
    : undefined;

type Reading = { readonly locale?: Locale };

const OF_OTHER_CODES: Readonly<Record<OtherCode, (inputs: object, reading: Reading) => string>> = {
  musique: m.refusal_code_musique,
  produit: m.refusal_code_produit,
  magazine: m.refusal_code_magazine,
};

const TROP = {
  valeur: m.refusal_trop_valeur,
  details: m.refusal_trop_details,
  themes: m.refusal_trop_themes,
} as const;

/** The HTTP status, the sentence, which may use the details, and the Retry-After. */
type Entry<C> = readonly [
  status: number,
  message: (details: Details<C>, reading: Reading) => string,
  retryAfterS?: number | ((details: Details<C>) => number),
];

type Entries<C extends string> = { readonly [K in C]: Entry<K> };

const checked = <C extends string>(entries: Entries<C>): Entries<C> => entries;

/** Every refusal of the service by its stable code. */
const refusals = checked({
  REQUETE_INVALIDE: [
    400,
    ({ champs: [first] }, reading) =>
      first === undefined
        ? m.refusal_requete({}, reading)
        : m.refusal_requete_champ(
            { champ: first.champ, message: formatChampFault(first, reading) },
            reading,
          ),
  ],
  ISBN_INVALIDE: [
    400,
    ({ revue, sorte = null }, reading) => {
      if (sorte !== null) return OF_OTHER_CODES[sorte]({}, reading);
      if (revue === null) return m.refusal_isbn({}, reading);
      const values = { revue, due: ean13CheckDigit(revue), given: revue.slice(-1) };
      return m.refusal_isbn_revue(values, reading);
    },
  ],
  NOMBRE_PAGES_INVALIDE: [400, m.refusal_nombre_pages_invalide],
  LIVRE_NUMERIQUE: [400, m.refusal_livre_numerique],
  LIVRE_EMPRUNTE: [400, m.refusal_livre_emprunte],
  ISSN_INVALIDE: [400, m.refusal_issn_invalide],
  FICHIER_INVALIDE: [400, (_, reading) => m.refusal_fichier_invalide({}, reading)],
  IMAGE_INVALIDE: [400, m.refusal_image_invalide],
  IMAGE_HEIC: [400, m.refusal_image_heic],
  SOUHAIT_EXISTANT: [400, m.refusal_souhait_existant],
  CYCLE_IMPOSSIBLE: [400, m.refusal_cycle_impossible],
  EMPLACEMENT_DEDANS: [400, m.refusal_emplacement_dedans],
  EMPLACEMENT_PROFOND: [
    400,
    (_, reading) => m.refusal_emplacement_profond({ maximum: MAX_NIVEAUX }, reading),
  ],
  IDENTITE_INCONNUE: [401, m.refusal_identite_inconnue],
  CONNEXION_REQUISE: [401, m.refusal_connexion_requise],
  CLE_INCONNUE: [401, m.refusal_cle_inconnue],
  IDENTIFIANTS_REFUSES: [401, m.refusal_identifiants_refuses],
  CLE_ACCES_REFUSEE: [401, m.refusal_cle_acces_refusee],
  CONNEXION_INTERROMPUE: [401, m.refusal_connexion_interrompue],
  CODE_REFUSE: [401, m.refusal_code_refuse],
  LECTURE_SEULE: [403, m.refusal_lecture_seule],
  SESSION_REQUISE: [403, m.refusal_session_requise],
  ENTREE_REFUSEE: [403, m.refusal_entree_refusee],
  FOURNISSEUR_A_RELIER: [403, m.refusal_fournisseur_a_relier],
  CONNEXION_ANCIENNE: [403, m.refusal_connexion_ancienne],
  GESTION_RESERVEE: [403, m.refusal_gestion_reservee],
  AUTRE_LECTEUR: [403, m.refusal_autre_lecteur],
  ORIGINE_REFUSEE: [403, m.refusal_origine_refusee],
  IMAGE_PERDUE: [404, m.refusal_image_perdue],
  INTROUVABLE: [404, m.refusal_introuvable],
  DEJA_PRETE: [409, m.refusal_deja_prete],
  DEJA_OFFERT: [409, m.refusal_deja_offert],
  LIVRE_PRETE: [409, m.refusal_livre_prete],
  FICHES_PRETEES: [
    409,
    ({ emprunteurs }, reading) =>
      m.refusal_fiches_pretees({ emprunteurs: emprunteurs.join(', ') }, reading),
  ],
  DOUBLON: [409, m.refusal_doublon],
  FICHE_TROP_PLEINE: [409, ({ trop, maximum }, reading) => TROP[trop]({ count: maximum }, reading)],
  AUTEUR_EXISTANT: [
    409,
    ({ auteur }, reading) => m.refusal_auteur_existant({ nom: auteur.nom }, reading),
  ],
  REVUE_EXISTANTE: [
    409,
    ({ revue }, reading) => m.refusal_revue_existante({ titre: revue.titre }, reading),
  ],
  EMPLACEMENT_EXISTANT: [
    409,
    ({ emplacement }, reading) => m.refusal_emplacement_existant({ nom: emplacement.nom }, reading),
  ],
  NUMERO_EXISTANT: [
    409,
    ({ numero }, reading) => m.refusal_numero_existant({ numero: numero.numero }, reading),
  ],
  PLACE_OCCUPEE: [409, m.refusal_place_occupee],
  IDENTIFIANT_EXISTANT: [409, m.refusal_identifiant_existant],
  NOM_EXISTANT: [409, m.refusal_nom_existant],
  CLES_ACCES_IMPOSSIBLES: [409, m.refusal_cles_acces_impossibles],
  CLE_ACCES_EXISTANTE: [409, m.refusal_cle_acces_existante],
  COMPTE_FOURNISSEUR_PRIS: [409, m.refusal_compte_fournisseur_pris],
  DERNIERE_CLE_ACCES: [409, m.refusal_derniere_cle_acces],
  DERNIERE_GESTION: [409, m.refusal_derniere_gestion],
  SELECTION_EXISTANTE: [409, m.refusal_selection_existante],
  SELECTION_DE_LA_MAISON: [409, m.refusal_selection_de_la_maison],
  SELECTIONS_TROP_NOMBREUSES: [
    409,
    ({ maximum }, reading) => m.refusal_selections_trop_nombreuses({ count: maximum }, reading),
  ],
  LISTE_PERIMEE: [409, m.refusal_liste_perimee],
  EPOQUE_PERIMEE: [409, m.refusal_epoque_perimee],
  AUTRE_BIBLIOTHEQUE: [409, m.refusal_autre_bibliotheque],
  ANNULATION_IMPOSSIBLE: [
    409,
    ({ raison, acte }, reading) =>
      acte === undefined
        ? raison
        : m.refusal_annulation(
            { acte, raison: raison.charAt(0).toLowerCase() + raison.slice(1) },
            reading,
          ),
  ],
  DEMANDE_EN_COURS: [409, m.refusal_demande_en_cours],
  IMPORTATION_EN_COURS: [409, m.refusal_importation_en_cours],
  BIBLIOTHEQUE_OCCUPEE: [409, m.refusal_bibliotheque_occupee],
  INVITATION_FINIE: [410, m.refusal_invitation_finie],
  MODIFIE_ENTRETEMPS: [
    412,
    ({ actuel }, reading) =>
      (actuel === null ? m.refusal_supprime_entretemps : m.refusal_modifie_entretemps)({}, reading),
  ],
  DEMANDE_TROP_LENTE: [408, m.refusal_demande_trop_lente],
  METHODE_REFUSEE: [405, m.refusal_methode_refusee],
  FICHIER_CHANGE: [412, m.refusal_fichier_change],
  CORPS_TROP_GRAND: [413, m.refusal_corps_trop_grand],
  ADRESSE_TROP_LONGUE: [414, m.refusal_adresse_trop_longue],
  PLAGE_IMPOSSIBLE: [416, m.refusal_plage_impossible],
  TYPE_REFUSE: [415, m.refusal_type_refuse],
  HOTE_INCONNU: [
    421,
    ({ ligne }, reading) =>
      ligne === null ? m.refusal_hote({}, reading) : m.refusal_hote_ligne({ ligne }, reading),
  ],
  CLE_REUTILISEE: [422, m.refusal_cle_reutilisee],
  TROP_DE_DEMANDES: [429, m.refusal_trop_de_demandes],
  EXPORTS_EN_COURS: [429, m.refusal_exports_en_cours, 30],
  TROP_DE_TENTATIVES: [429, m.refusal_trop_de_tentatives, ({ secondes }) => secondes],
  HTTPS_ATTENDU: [426, m.refusal_https_attendu],
  EN_TETES_TROP_GRANDS: [431, m.refusal_en_tetes_trop_grands],
  ERREUR_INTERNE: [500, m.refusal_erreur_interne],
  FOURNISSEUR_INJOIGNABLE: [502, m.refusal_fournisseur_injoignable],
  SOURCE_INJOIGNABLE: [502, m.refusal_source_injoignable],
  CATALOGUES_INJOIGNABLES: [502, m.refusal_catalogues_injoignables],
  DISQUE_PLEIN: [507, m.refusal_disque_plein],
  DISQUE_EN_PANNE: [503, m.refusal_disque_en_panne],
  BASE_EN_LECTURE_SEULE: [503, m.refusal_base_en_lecture_seule],
  BASE_ABIMEE: [503, m.refusal_base_abimee],
  RESTAURATION_EN_COURS: [503, m.refusal_restauration_en_cours],
  SERVICE_ARRETE: [503, m.refusal_service_arrete],
  TRAVAIL_EN_COURS: [
    503,
    (_, reading) => m.refusal_travail_en_cours({ travail: m.work_autre({}, reading) }, reading),
    5,
  ],
  MEMOIRE_INSUFFISANTE: [503, m.refusal_memoire_insuffisante],
  IMAGES_EN_ATTENTE: [503, m.refusal_images_en_attente, 60],
  BASE_INJOIGNABLE: [503, m.refusal_base_injoignable],
});

export type RefusalCode = keyof typeof refusals;

export const REFUSAL_CODES: readonly RefusalCode[] = objectKeys(refusals);

/** The codes of the refusals with a status. */
export const codesOf = (wanted: number): readonly RefusalCode[] =>
  REFUSAL_CODES.filter((code) => refusals[code][0] === wanted);

/** The body of every error, besides a refusal's details. */
export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer(),
    error: Type.String(),
    code: Type.String(),
    message: Type.String(),
    /** For an operation on many books, the one that caused the refusal. */
    livreId: Type.Optional(Type.Integer()),
  },
  { additionalProperties: true },
);
export type ErrorBody = Static<typeof ErrorBody>;

type RestOf<C extends RefusalCode> = Details<C> extends undefined ? [] : [Details<C>];

/** A refusal in values that can be sent to another thread. */
export interface RefusalParts<C extends RefusalCode = RefusalCode> {
  readonly code: C;
  readonly rest: RestOf<C>;
  readonly status: number;
  readonly details: Details<C>;
}

/** An expected error with a code, thrown by subjects and turned into a response in one place. */
export class Refusal<C extends RefusalCode = RefusalCode> extends Error {
  readonly code: C;
  readonly status: number;
  readonly details: Details<C>;
  readonly #rest: RestOf<C>;

  constructor(code: C, ...rest: RestOf<C>) {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- absent where there are none
    const details = rest[0] as Details<C>;
    super(sentence(code, details));
    this.name = 'Refusal';
    this.code = code;
    [this.status] = refusals[code];
    this.details = details;
    this.#rest = rest;
  }

  /** The texts of the response in a language. */
  wordsIn(locale: Locale): Words {
    const words = wordsOf({ ...this.details, code: this.code, message: this.message }, { locale });
    return OF_THE_SERVICE.includes(this.code)
      ? { ...words, message: sentence(this.code, this.details, { locale }) }
      : words;
  }

  with({ status = this.status, details = {} }: { status?: number; details?: object }): Refusal<C> {
    return Refusal.of({ ...this.parts, status, details: { ...this.details, ...details } });
  }

  get retryAfterS(): number | undefined {
    const [, , retryAfterS]: Entry<C> = refusals[this.code];
    return typeof retryAfterS === 'function' ? retryAfterS(this.details) : retryAfterS;
  }

  get parts(): RefusalParts<C> {
    return { code: this.code, rest: this.#rest, status: this.status, details: this.details };
  }

  static of<C extends RefusalCode>({ code, rest, ...changed }: RefusalParts<C>): Refusal<C> {
    return Object.assign(new Refusal<C>(code, ...rest), changed);
  }
}

/** The texts of a refusal in a language. */
export interface Words {
  readonly message: string;
  readonly champs?: readonly { readonly champ: string; readonly message: string }[];
}

/** The received texts of a refusal, beside its details. */
interface Answered {
  readonly code: string;
  readonly message: string;
}

/** Details that the present version may leave out. */
const OPTIONAL: readonly unknown[] = ['acte', 'sorte'];

/** Throws on a missing detail instead of formatting « undefined »: another version may not send it. */
const LACKS: ProxyHandler<Answered> = {
  get(answered, name) {
    if (!(name in answered) && !OPTIONAL.includes(name)) throw new TypeError(`no ${String(name)}`);
    const detail: unknown = Reflect.get(answered, name);
    return detail;
  },
};

/** Refusals whose many sentences only the service has. */
const OF_THE_SERVICE: readonly RefusalCode[] = ['FICHIER_INVALIDE', 'TRAVAIL_EN_COURS'];

const isCode = (code: string): code is RefusalCode => Object.hasOwn(refusals, code);

/**
 * The texts of a refusal in a language, from its code and details. The received texts are used if another version has
 * sent an unknown code, of the refusal or a field, or incomplete details.
 */
export function wordsOf(answered: Answered, reading: Reading = {}): Words {
  const champs = formatChamps(answered, reading);
  const { code, message } = answered;
  try {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- of the version that answered; else it throws
    const details = new Proxy(answered, LACKS) as unknown as Details<RefusalCode>;
    const isKnown = isCode(code) && !OF_THE_SERVICE.includes(code);
    return { message: isKnown ? sentence(code, details, reading) : message, ...champs };
  } catch {
    return { message, ...champs };
  }
}

function formatChamps(answered: Answered, reading: Reading): Pick<Words, 'champs'> {
  const champs: unknown = 'champs' in answered ? answered.champs : undefined;
  if (answered.code !== 'REQUETE_INVALIDE' || !Array.isArray(champs)) return {};
  return {
    champs: champs.map((one: Omit<RefusedChamp, 'message'> & { readonly message?: string }) => ({
      ...one,
      message: isChampFault(one) ? formatChampFault(one, reading) : (one.message ?? ''),
    })),
  };
}

/** By default in the device's language, and on the server in the base language. */
function sentence<C extends RefusalCode>(
  code: C,
  details: Details<C>,
  reading: Reading = {},
): string {
  const [, message]: Entry<C> = refusals[code];
  return message(details, reading);
}

export function found<T>(record: T | undefined): T {
  if (record === undefined) throw new Refusal('INTROUVABLE');
  return record;
}

type PlainFault = Exclude<ChampFault, { readonly arguments: unknown }>;
type TellingFault = Extract<ChampFault, { readonly arguments: unknown }>;

export function champRefusal(champ: string, code: PlainFault['code']): Refusal<'REQUETE_INVALIDE'>;
export function champRefusal<C extends TellingFault['code']>(
  champ: string,
  code: C,
  values: Extract<TellingFault, { readonly code: C }>['arguments'],
): Refusal<'REQUETE_INVALIDE'>;
export function champRefusal(
  champ: string,
  code: ChampFault['code'],
  values?: TellingFault['arguments'],
): Refusal<'REQUETE_INVALIDE'> {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the signatures above pair them
  const fault = (values === undefined ? { code } : { code, arguments: values }) as ChampFault;
  return new Refusal('REQUETE_INVALIDE', { champs: [{ champ, ...fault }] });
}
