import { ean13CheckDigit } from './codes.ts';
import type { OtherCode } from './isbn.ts';
import { Type, type Static } from 'typebox';
import { MAX_NIVEAUX } from './emplacements.ts';
import type { RefusalDetails } from './refusal-details.ts';
import { objectKeys } from './object-keys.ts';
import { formatCount } from './text.ts';

type Details<C> = C extends keyof RefusalDetails ? RefusalDetails[C] : undefined;

const OF_OTHER_CODES: Readonly<Record<OtherCode, string>> = {
  musique: 'Ce code (979-0) est celui d’une partition, pas d’un livre.',
  produit:
    'C’est le code d’un produit (douze chiffres), pas un ISBN : l’ISBN est souvent au dos ou à l’intérieur.',
  magazine:
    'C’est le code d’un magazine français (378 ou 379) : il ne dit pas lequel, saisissez son titre.',
};

/** The HTTP status, the French sentence, which may use the details, and when to ask again. */
type Entry<C> = readonly [
  status: number,
  message: string | ((details: Details<C>) => string),
  retryAfterS?: number | ((details: Details<C>) => number),
];

type Entries<C extends string> = { readonly [K in C]: Entry<K> };

const checked = <C extends string>(entries: Entries<C>): Entries<C> => entries;

/** Every refusal of the service by its stable code. */
const refusals = checked({
  REQUETE_INVALIDE: [
    400,
    ({ champs }) =>
      champs[0] === undefined
        ? 'La demande n’a pas la forme attendue.'
        : `La demande n’a pas la forme attendue (${champs[0].champ} : ${champs[0].message}).`,
  ],
  ISBN_INVALIDE: [
    400,
    ({ revue, sorte = null }) =>
      sorte !== null
        ? OF_OTHER_CODES[sorte]
        : revue === null
          ? 'Ce n’est pas un ISBN : vérifiez ses chiffres.'
          : `Le code de revue ${revue} n’est pas juste : d’après les autres chiffres, le dernier serait ${ean13CheckDigit(revue)}, et non ${revue.slice(-1)}. Un chiffre est faux, ou deux sont inversés.`,
  ],
  NOMBRE_PAGES_INVALIDE: [400, 'Le nombre de pages est un nombre entier, plus grand que zéro.'],
  LIVRE_NUMERIQUE: [400, 'Un livre numérique ne se prête pas.'],
  LIVRE_EMPRUNTE: [400, 'Un livre emprunté n’est pas à nous : il ne se prête pas.'],
  ISSN_INVALIDE: [400, 'Ce n’est pas un ISSN : vérifiez ses huit caractères.'],
  FICHIER_INVALIDE: [400, ({ raison }) => raison],
  IMAGE_INVALIDE: [
    400,
    'Ce fichier n’est pas une image lisible, ou elle est trop grande : 50 millions de pixels au plus (12 en AVIF), 16 384 de côté.',
  ],
  IMAGE_HEIC: [
    400,
    'Cette photo est au format HEIC, qui ne se lit pas ici : envoyez-la en JPEG. Sur un iPhone : Réglages, Appareil photo, Formats, « Le plus compatible ».',
  ],
  SOUHAIT_EXISTANT: [400, 'C’est déjà sur ma liste.'],
  CYCLE_IMPOSSIBLE: [400, 'Une série ne peut pas être rangée dans elle-même.'],
  EMPLACEMENT_DEDANS: [400, 'Un emplacement ne peut pas être rangé dans lui-même.'],
  EMPLACEMENT_PROFOND: [
    400,
    `Les emplacements ont ${MAX_NIVEAUX} niveaux au plus : celui-ci serait trop profond.`,
  ],
  IDENTITE_INCONNUE: [
    401,
    'Cette partie est personnelle, et rien ne dit qui vous êtes : connectez-vous.',
  ],
  CONNEXION_REQUISE: [401, 'Il faut être connecté : ouvrez une session.'],
  CLE_INCONNUE: [401, 'Cette clé n’est pas connue, ou n’est plus valable.'],
  IDENTIFIANTS_REFUSES: [401, 'Cet identifiant et ce mot de passe ne vont pas ensemble.'],
  CLE_ACCES_REFUSEE: [401, 'Cette clé d’accès n’est pas reconnue ici.'],
  CONNEXION_INTERROMPUE: [401, 'La connexion n’a pas abouti : recommencez.'],
  CODE_REFUSE: [401, 'Ce n’est pas le bon code.'],
  LECTURE_SEULE: [403, 'Cette clé ne permet que de lire.'],
  SESSION_REQUISE: [403, 'Une clé n’y suffit pas : cela se fait connecté, dans l’application.'],
  ENTREE_REFUSEE: [403, 'Ce compte n’ouvre pas cette bibliothèque : demandez une invitation.'],
  FOURNISSEUR_A_RELIER: [403, 'Entrez comme d’habitude, puis reliez-le dans « Mon compte ».'],
  CONNEXION_ANCIENNE: [403, 'Votre connexion date un peu : reconnectez-vous d’abord.'],
  GESTION_RESERVEE: [403, 'Cela revient à une personne qui gère la maison.'],
  AUTRE_LECTEUR: [403, 'Quelqu’un d’autre lit maintenant ici : rien n’a été enregistré.'],
  ORIGINE_REFUSEE: [403, 'Cette demande vient d’une page d’un autre site.'],
  IMAGE_PERDUE: [404, 'Cette image est perdue : son fichier n’est plus là.'],
  INTROUVABLE: [404, 'Il n’y a rien à cette adresse.'],
  DEJA_PRETE: [409, ({ emprunteur }) => `Ce livre est déjà prêté à ${emprunteur}.`],
  DEJA_OFFERT: [409, ({ nom }) => `${nom} l’offre déjà.`],
  LIVRE_PRETE: [
    409,
    ({ emprunteur }) => `Ce livre est prêté à ${emprunteur} : il doit d’abord être rendu.`,
  ],
  FICHES_PRETEES: [
    409,
    ({ emprunteurs }) =>
      `Les deux fiches ont un prêt en cours (${emprunteurs.join(', ')}) : rendez d’abord l’un des deux.`,
  ],
  DOUBLON: [409, 'Un livre semblable est déjà dans la bibliothèque.'],
  FICHE_TROP_PLEINE: [
    409,
    ({ trop, maximum }) =>
      trop === 'valeur'
        ? `L’autre fiche aurait un détail de plus de ${formatCount(maximum)} caractères : raccourcissez-le d’abord.`
        : `L’autre fiche aurait plus de ${maximum} ${trop === 'details' ? 'détails' : 'thèmes'} : retirez-en d’abord.`,
  ],
  AUTEUR_EXISTANT: [409, ({ auteur }) => `Cet auteur existe déjà sous le nom ${auteur.nom}.`],
  REVUE_EXISTANTE: [409, ({ revue }) => `Cet ISSN est déjà celui de la revue ${revue.titre}.`],
  EMPLACEMENT_EXISTANT: [
    409,
    ({ emplacement }) => `Il y a déjà un emplacement ${emplacement.nom} à cet endroit.`,
  ],
  NUMERO_EXISTANT: [409, ({ numero }) => `Cette revue a déjà un numéro ${numero.numero}.`],
  PLACE_OCCUPEE: [409, 'Ce volume est déjà dans la bibliothèque.'],
  IDENTIFIANT_EXISTANT: [409, 'Cet identifiant est déjà celui de quelqu’un.'],
  NOM_EXISTANT: [409, 'Quelqu’un de la maison porte déjà ce nom, ou un autre qui lui ressemble.'],
  CLES_ACCES_IMPOSSIBLES: [409, 'Les clés d’accès demandent HTTPS, et un hôte qui a un nom.'],
  CLE_ACCES_EXISTANTE: [409, 'Cette clé d’accès est déjà connue ici.'],
  COMPTE_FOURNISSEUR_PRIS: [409, 'Ce compte du fournisseur est déjà à quelqu’un d’autre.'],
  DERNIERE_CLE_ACCES: [409, 'C’est votre seule entrée : choisissez d’abord un mot de passe.'],
  DERNIERE_GESTION: [
    409,
    'Quelqu’un doit gérer la maison : confiez-la d’abord à une autre personne.',
  ],
  LISTE_PERIMEE: [
    409,
    'Cette liste a changé entre-temps : regardez-la de nouveau avant de la ranger.',
  ],
  EPOQUE_PERIMEE: [
    409,
    'Cette copie vient d’une autre base : elle est à reprendre depuis le début.',
  ],
  AUTRE_BIBLIOTHEQUE: [
    409,
    'Une autre bibliothèque répond à cette adresse : rien n’a été enregistré.',
  ],
  ANNULATION_IMPOSSIBLE: [
    409,
    ({ raison, acte }) =>
      acte === undefined ? raison : `${acte} : ${raison.charAt(0).toLowerCase()}${raison.slice(1)}`,
  ],
  DEMANDE_EN_COURS: [409, 'Cette même demande est encore en cours : attendez sa réponse.'],
  IMPORTATION_EN_COURS: [409, 'Une autre importation est en cours : attendez qu’elle soit finie.'],
  BIBLIOTHEQUE_OCCUPEE: [
    409,
    'Il y a déjà quelque chose ici : une restauration ne se fait que dans une bibliothèque vide, ou par la personne qui s’occupe du serveur.',
  ],
  INVITATION_FINIE: [
    410,
    'Cette invitation a déjà servi, ou son temps est passé : demandez-en une autre à la personne qui gère la maison.',
  ],
  MODIFIE_ENTRETEMPS: [
    412,
    ({ actuel }) =>
      actuel === null
        ? 'Ceci a été supprimé entre-temps.'
        : 'Ceci a été modifié entre-temps : rien n’a été enregistré.',
  ],
  DEMANDE_TROP_LENTE: [408, 'La demande a mis trop de temps à arriver.'],
  METHODE_REFUSEE: [405, 'Cette adresse ne prend pas cette méthode.'],
  FICHIER_CHANGE: [412, 'Ce fichier n’est plus celui que la demande attend.'],
  CORPS_TROP_GRAND: [413, 'L’envoi est trop grand.'],
  ADRESSE_TROP_LONGUE: [414, 'L’adresse est trop longue.'],
  PLAGE_IMPOSSIBLE: [416, 'Le fichier n’a pas la partie demandée.'],
  TYPE_REFUSE: [415, 'L’envoi doit être en JSON (UTF-8), sans compression.'],
  HOTE_INCONNU: [
    421,
    ({ ligne }) =>
      ligne === null
        ? 'Le service ne répond pas sous ce nom : la personne qui s’en occupe peut nommer le bon par le réglage ALLOWED_HOSTS.'
        : `Le service ne répond pas sous ce nom : la personne qui s’en occupe peut l’ajouter à ses réglages (${ligne}).`,
  ],
  CLE_REUTILISEE: [422, 'Cette clé (Idempotency-Key) est déjà celle d’une autre demande.'],
  TROP_DE_DEMANDES: [429, 'Trop de demandes à la fois : réessayez dans un instant.'],
  EXPORTS_EN_COURS: [429, 'D’autres exports sont en cours : réessayez dans une demi-minute.', 30],
  TROP_DE_TENTATIVES: [
    429,
    ({ secondes }) => `Trop d’essais : réessayez dans ${secondes} s.`,
    ({ secondes }) => secondes,
  ],
  HTTPS_ATTENDU: [426, 'Ce port attend HTTPS : l’adresse commence par « https:// ».'],
  EN_TETES_TROP_GRANDS: [431, 'Les en-têtes de la demande sont trop grands.'],
  ERREUR_INTERNE: [500, 'Le service a rencontré une erreur inattendue.'],
  FOURNISSEUR_INJOIGNABLE: [502, 'Le fournisseur d’identité ne répond pas : réessayez.'],
  SOURCE_INJOIGNABLE: [
    502,
    'Le catalogue de la Bibliothèque nationale ne répond pas : réessayez plus tard.',
  ],
  CATALOGUES_INJOIGNABLES: [
    502,
    'Rien d’autre n’est trouvé, mais tous les catalogues n’ont pas répondu : réessayez plus tard.',
  ],
  DISQUE_PLEIN: [507, 'Le disque du serveur est plein : rien n’a été enregistré.'],
  DISQUE_EN_PANNE: [
    503,
    'Le disque du serveur rend des erreurs : rien ne dit que l’enregistrement a tenu.',
  ],
  BASE_EN_LECTURE_SEULE: [
    503,
    'Le serveur n’a plus le droit d’écrire dans sa base : rien n’a été enregistré, tout se lit encore.',
  ],
  BASE_ABIMEE: [
    503,
    'Une partie de la base est abîmée : ce qui se lit encore est montré, et une sauvegarde est à remettre en place.',
  ],
  RESTAURATION_EN_COURS: [
    503,
    'Une sauvegarde prend la place de cette bibliothèque : rien n’a été enregistré, réessayez dans un instant.',
  ],
  SERVICE_ARRETE: [
    503,
    'Le service s’arrête : rien n’a été enregistré, réessayez dans un instant.',
  ],
  TRAVAIL_EN_COURS: [
    503,
    ({ travail }) =>
      `${travail} est en cours : rien n’est encore enregistré, réessayez dans un instant.`,
    5,
  ],
  MEMOIRE_INSUFFISANTE: [
    503,
    'C’est trop à la fois pour la mémoire du serveur : rien n’a été enregistré. Recommencez par parties.',
  ],
  IMAGES_EN_ATTENTE: [503, 'Trop d’images attendent déjà : réessayez dans une minute.', 60],
  BASE_INJOIGNABLE: [503, 'La base ne répond pas.'],
});

export type RefusalCode = keyof typeof refusals;

/** The codes of the refusals with a status. */
export const codesOf = (wanted: number): readonly RefusalCode[] =>
  objectKeys(refusals).filter((code) => refusals[code][0] === wanted);

/** Every error's body; a refusal's details are beside these. */
export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer(),
    error: Type.String(),
    code: Type.String(),
    message: Type.String(),
    /** Of an operation on many books, the one that it failed at. */
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

/** A rule that says no, thrown by subjects and made an answer in one place. */
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

function sentence<C extends RefusalCode>(code: C, details: Details<C>): string {
  const [, message]: Entry<C> = refusals[code];
  return typeof message === 'string' ? message : message(details);
}

export function found<T>(record: T | undefined): T {
  if (record === undefined) throw new Refusal('INTROUVABLE');
  return record;
}

export const champRefusal = (champ: string, message: string): Refusal<'REQUETE_INVALIDE'> =>
  new Refusal('REQUETE_INVALIDE', { champs: [{ champ, message }] });
