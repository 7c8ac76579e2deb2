import { Type, type Static } from 'typebox';
import type { Auteur } from './auteurs.ts';
import { MAX_NIVEAUX, type Emplacement } from './emplacements.ts';
import type { Livre } from './livres.ts';
import type { Numero } from './numeros.ts';
import type { Revue } from './revues.ts';

/** One field of a payload that does not fit, `champ` with dots (`auteurs.0`). */
export const RefusedChamp = Type.Object({ champ: Type.String(), message: Type.String() });
export type RefusedChamp = Static<typeof RefusedChamp>;

/** The details of a refusal by its code; other codes have none. */
export interface RefusalDetails {
  REQUETE_INVALIDE: { champs: RefusedChamp[] };
  DEJA_PRETE: { emprunteur: string };
  LIVRE_PRETE: { emprunteur: string };
  DOUBLON: { similaires: Livre[] };
  AUTEUR_EXISTANT: { auteur: Pick<Auteur, 'id' | 'nom'> };
  REVUE_EXISTANTE: { revue: Pick<Revue, 'id' | 'titre'> };
  EMPLACEMENT_EXISTANT: { emplacement: Pick<Emplacement, 'id' | 'nom'> };
  NUMERO_EXISTANT: { numero: Pick<Numero, 'id' | 'numero'> };
  /** Why a file is not read, in a sentence; `entetes` are its columns, where it has some, with three values each. */
  FICHIER_INVALIDE: { raison: string; entetes?: string[]; exemples?: string[][] };
  /** The record as it is for this caller; `null` where it is gone. */
  MODIFIE_ENTRETEMPS: { actuel: object | null };
  /** What stands in the way, a sentence in French, and of what: « L’ajout ne peut plus être annulé ». */
  ANNULATION_IMPOSSIBLE: { raison: string; acte?: string };
  /** What has to end first, « Un import ». */
  TRAVAIL_EN_COURS: { travail: string };
}

interface Entry<D> {
  readonly status: number;
  readonly message: string | ((details: D) => string);
}

type Details<C> = C extends keyof RefusalDetails ? RefusalDetails[C] : undefined;

const table = {
  REQUETE_INVALIDE: {
    status: 400,
    message: ({ champs }: RefusalDetails['REQUETE_INVALIDE']) =>
      champs[0] === undefined
        ? 'La demande n’a pas la forme attendue.'
        : `La demande n’a pas la forme attendue (${champs[0].champ} : ${champs[0].message}).`,
  },
  ISBN_INVALIDE: { status: 400, message: 'Ce n’est pas un ISBN : vérifiez ses chiffres.' },
  NOMBRE_PAGES_INVALIDE: {
    status: 400,
    message: 'Le nombre de pages est un nombre entier, plus grand que zéro.',
  },
  LIVRE_NUMERIQUE: { status: 400, message: 'Un livre numérique ne se prête pas.' },
  ISSN_INVALIDE: { status: 400, message: 'Ce n’est pas un ISSN : vérifiez ses huit caractères.' },
  FICHIER_INVALIDE: {
    status: 400,
    message: ({ raison }: RefusalDetails['FICHIER_INVALIDE']) => raison,
  },
  IMAGE_INVALIDE: {
    status: 400,
    message:
      'Ce fichier n’est pas une image lisible, ou elle est trop grande : 50 millions de pixels au plus (12 en AVIF), 16 384 de côté.',
  },
  SOUHAIT_EXISTANT: { status: 400, message: 'C’est déjà sur ma liste.' },
  CYCLE_IMPOSSIBLE: { status: 400, message: 'Une série ne peut pas être rangée dans elle-même.' },
  EMPLACEMENT_DEDANS: {
    status: 400,
    message: 'Un emplacement ne peut pas être rangé dans lui-même.',
  },
  EMPLACEMENT_PROFOND: {
    status: 400,
    message: `Les emplacements ont ${MAX_NIVEAUX} niveaux au plus : celui-ci serait trop profond.`,
  },
  IDENTITE_INCONNUE: {
    status: 401,
    message: 'Cette partie est personnelle, et rien ne dit qui vous êtes : connectez-vous.',
  },
  ORIGINE_REFUSEE: { status: 403, message: 'Cette demande vient d’une page d’un autre site.' },
  IMAGE_PERDUE: { status: 404, message: 'Cette image est perdue : son fichier n’est plus là.' },
  INTROUVABLE: { status: 404, message: 'Il n’y a rien à cette adresse.' },
  DEJA_PRETE: {
    status: 409,
    message: ({ emprunteur }: RefusalDetails['DEJA_PRETE']) =>
      `Ce livre est déjà prêté à ${emprunteur}.`,
  },
  LIVRE_PRETE: {
    status: 409,
    message: ({ emprunteur }: RefusalDetails['LIVRE_PRETE']) =>
      `Ce livre est prêté à ${emprunteur} : il doit d’abord être rendu.`,
  },
  DOUBLON: { status: 409, message: 'Un livre semblable est déjà dans la bibliothèque.' },
  AUTEUR_EXISTANT: {
    status: 409,
    message: ({ auteur }: RefusalDetails['AUTEUR_EXISTANT']) =>
      `Cet auteur existe déjà sous le nom ${auteur.nom}.`,
  },
  REVUE_EXISTANTE: {
    status: 409,
    message: ({ revue }: RefusalDetails['REVUE_EXISTANTE']) =>
      `Cet ISSN est déjà celui de la revue ${revue.titre}.`,
  },
  EMPLACEMENT_EXISTANT: {
    status: 409,
    message: ({ emplacement }: RefusalDetails['EMPLACEMENT_EXISTANT']) =>
      `Il y a déjà un emplacement ${emplacement.nom} à cet endroit.`,
  },
  NUMERO_EXISTANT: {
    status: 409,
    message: ({ numero }: RefusalDetails['NUMERO_EXISTANT']) =>
      `Cette revue a déjà un numéro ${numero.numero}.`,
  },
  PLACE_OCCUPEE: { status: 409, message: 'Ce volume est déjà dans la bibliothèque.' },
  LISTE_PERIMEE: {
    status: 409,
    message: 'Cette liste a changé entre-temps : regardez-la de nouveau avant de la ranger.',
  },
  EPOQUE_PERIMEE: {
    status: 409,
    message: 'Cette copie vient d’une autre base : elle est à reprendre depuis le début.',
  },
  ANNULATION_IMPOSSIBLE: {
    status: 409,
    message: ({ raison, acte }: RefusalDetails['ANNULATION_IMPOSSIBLE']) =>
      acte === undefined ? raison : `${acte} : ${raison.charAt(0).toLowerCase()}${raison.slice(1)}`,
  },
  DEMANDE_EN_COURS: {
    status: 409,
    message: 'Cette même demande est encore en cours : attendez sa réponse.',
  },
  IMPORTATION_EN_COURS: {
    status: 409,
    message: 'Une autre importation est en cours : attendez qu’elle soit finie.',
  },
  BIBLIOTHEQUE_OCCUPEE: {
    status: 409,
    message:
      'Il y a déjà quelque chose ici : une restauration ne se fait que dans une bibliothèque vide, ou par la personne qui s’occupe du serveur.',
  },
  MODIFIE_ENTRETEMPS: {
    status: 412,
    message: ({ actuel }: RefusalDetails['MODIFIE_ENTRETEMPS']) =>
      actuel === null
        ? 'Ceci a été supprimé entre-temps.'
        : 'Ceci a été modifié entre-temps : rien n’a été enregistré.',
  },
  DEMANDE_TROP_LENTE: { status: 408, message: 'La demande a mis trop de temps à arriver.' },
  CORPS_TROP_GRAND: { status: 413, message: 'L’envoi est trop grand.' },
  TYPE_REFUSE: { status: 415, message: 'L’envoi doit être en JSON (UTF-8), sans compression.' },
  CLE_REUTILISEE: {
    status: 422,
    message: 'Cette clé (Idempotency-Key) est déjà celle d’une autre demande.',
  },
  TROP_DE_DEMANDES: {
    status: 429,
    message: 'Trop de demandes à la fois : réessayez dans un instant.',
  },
  EN_TETES_TROP_GRANDS: { status: 431, message: 'Les en-têtes de la demande sont trop grands.' },
  ERREUR_INTERNE: { status: 500, message: 'Le service a rencontré une erreur inattendue.' },
  SOURCE_INJOIGNABLE: {
    status: 502,
    message: 'Le catalogue de la Bibliothèque nationale ne répond pas : réessayez plus tard.',
  },
  CATALOGUES_INJOIGNABLES: {
    status: 502,
    message:
      'Rien d’autre n’est trouvé, mais tous les catalogues n’ont pas répondu : réessayez plus tard.',
  },
  DISQUE_PLEIN: {
    status: 507,
    message: 'Le disque du serveur est plein : rien n’a été enregistré.',
  },
  BASE_EN_LECTURE_SEULE: {
    status: 503,
    message:
      'Le serveur n’a plus le droit d’écrire dans sa base : rien n’a été enregistré, tout se lit encore.',
  },
  BASE_ABIMEE: {
    status: 503,
    message:
      'Une partie de la base est abîmée : ce qui se lit encore est montré, et une sauvegarde est à remettre en place.',
  },
  RESTAURATION_EN_COURS: {
    status: 503,
    message:
      'Une sauvegarde prend la place de cette bibliothèque : rien n’a été enregistré, réessayez dans un instant.',
  },
  TRAVAIL_EN_COURS: {
    status: 503,
    message: ({ travail }: RefusalDetails['TRAVAIL_EN_COURS']) =>
      `${travail} est en cours : rien n’est encore enregistré, réessayez dans un instant.`,
  },
  BASE_INJOIGNABLE: { status: 503, message: 'La base ne répond pas.' },
} as const satisfies Record<string, Entry<never>>;

export type RefusalCode = keyof typeof table;

/** Every refusal of the service: its stable code, its HTTP status and its sentence in French. */
export const refusals: Record<RefusalCode, { readonly status: number }> = table;

/** Every error's body; a refusal's details stand beside these four. */
export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer(),
    error: Type.String(),
    code: Type.String(),
    message: Type.String(),
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
  readonly details: object | undefined;
}

/** A rule that says no. Thrown by `domain`, made an answer in one place. */
export class Refusal<C extends RefusalCode = RefusalCode> extends Error {
  readonly code: C;
  readonly #rest: RestOf<C>;
  #status: number;
  readonly details: Details<C>;

  constructor(code: C, ...rest: RestOf<C>) {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- absent where there are none
    const details = rest[0] as Details<C>;
    super(sentence(code, details));
    this.name = 'Refusal';
    this.code = code;
    this.#rest = rest;
    this.#status = table[code].status;
    this.details = details;
  }

  get status(): number {
    return this.#status;
  }

  /** The same refusal, answered with another status than its code's. */
  withStatus(status: number): Refusal<C> {
    const copy = this.#copy();
    copy.#status = status;
    return copy;
  }

  /** The same refusal with more details. */
  about(more: object): Refusal<C> {
    return Object.assign(this.#copy(), { details: { ...this.details, ...more } });
  }

  /** What `of` makes the same refusal from. */
  get parts(): RefusalParts<C> {
    return { code: this.code, rest: this.#rest, status: this.#status, details: this.details };
  }

  static of<C extends RefusalCode>({ code, rest, status, details }: RefusalParts<C>): Refusal<C> {
    return new Refusal<C>(code, ...rest).withStatus(status).about(details ?? {});
  }

  #copy(): Refusal<C> {
    const copy = new Refusal<C>(this.code, ...this.#rest);
    copy.#status = this.#status;
    return copy;
  }
}

function sentence<C extends RefusalCode>(code: C, details: Details<C>): string {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- a code's entry takes its details
  const { message } = table[code] as Entry<Details<C>>;
  return typeof message === 'string' ? message : message(details);
}

/** What was read of a record. Throws `INTROUVABLE` where there is none. */
export function found<T>(record: T | undefined): T {
  if (record === undefined) throw new Refusal('INTROUVABLE');
  return record;
}

/** The refusal of one field for one reason. */
export const champRefusal = (champ: string, message: string): Refusal<'REQUETE_INVALIDE'> =>
  new Refusal('REQUETE_INVALIDE', { champs: [{ champ, message }] });
