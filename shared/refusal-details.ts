import { Type, type Static } from 'typebox';
import { AuteurRef } from './auteurs.ts';
import { Emplacement } from './emplacements.ts';
import { Count, Id, nullable } from './fields.ts';
import { DecodageLu, ENCODAGES } from './importations.ts';
import { OTHER_CODES, type OtherCode } from './isbn.ts';
import { Livre } from './livres.ts';
import { Modification } from './modifications.ts';
import { Numero } from './numeros.ts';
import { Revue } from './revues.ts';
import { TRAVAIL_NAMES, type Travail } from './travaux.ts';

// What a refusal says besides its sentence, by its code: the API's documentation shows these shapes, and a program tells
// by them what to do. A device has no need of the shapes themselves.

/** One field of a payload that does not fit, `champ` as a dotted path (`auteurs.0`). */
export const RefusedChamp = Type.Object({
  champ: Type.String(),
  /** One of `shared/champs.ts`; a later version has more. */
  code: Type.String(),
  /** What the sentence needs, by code: `maximum`, `valeurs`, … */
  arguments: Type.Optional(Type.Object({}, { additionalProperties: true })),
  message: Type.String(),
});
export type RefusedChamp = Static<typeof RefusedChamp>;

/** The database that answers where a replica is of another one. */
const OtherDatabase = Type.Object({
  /** The household's identifier, which its backups share. */
  bibliotheque: Type.String(),
  /** The database's own: a restored backup has another one. */
  epoque: Type.String(),
  /** True where the replica's revisions are of this database, which has forgotten deletions since. */
  suite: Type.Boolean(),
  /** Up to which revision the replica has the history of this database; left out by earlier versions. */
  commune: Type.Optional(Count),
  /** How many records the caller's replica of it would have, acts aside. */
  documents: Count,
  livres: Count,
  /** When it was made, an instant; left out by earlier versions. */
  creee: Type.Optional(Type.String()),
  /** The households that archives have given back to it (docs/rules.md § 41); left out by earlier versions. */
  rendues: Type.Optional(Type.Array(Type.String())),
});
export type OtherDatabase = Readonly<Static<typeof OtherDatabase>>;

const { id, resume } = Modification.properties;

/** By code; other codes have none. */
export const refusalDetails = {
  REQUETE_INVALIDE: Type.Object({ champs: Type.Array(RefusedChamp) }),
  /** `revue` is a periodical's code with « ? » for its wrong check digit; `null` for any other code. */
  ISBN_INVALIDE: Type.Object({
    revue: nullable(Type.String()),
    sorte: Type.Optional(Type.Unsafe<OtherCode | null>({ enum: [...OTHER_CODES, null] })),
  }),
  DEJA_PRETE: Type.Object({ emprunteur: Type.String() }),
  DEJA_OFFERT: Type.Object({ nom: Type.String() }),
  LIVRE_PRETE: Type.Object({ emprunteur: Type.String() }),
  /** Who has each of two records that are to become one. */
  FICHES_PRETEES: Type.Object({ emprunteurs: Type.Array(Type.String()) }),
  DOUBLON: Type.Object({ similaires: Type.Array(Livre) }),
  /** What the record that is kept would have too much of. */
  FICHE_TROP_PLEINE: Type.Object({
    trop: Type.Enum(['details', 'themes', 'valeur'], { type: 'string' }),
    maximum: Type.Integer(),
  }),
  AUTEUR_EXISTANT: Type.Object({ auteur: AuteurRef }),
  /** `champ` is the field of the ISSN that the periodical has. */
  REVUE_EXISTANTE: Type.Object({
    revue: Type.Object({ id: Id, titre: Revue.properties.titre }),
    champ: Type.Enum(['issn', 'secondIssn'], { type: 'string' }),
  }),
  EMPLACEMENT_EXISTANT: Type.Object({
    emplacement: Type.Object({ id: Id, nom: Emplacement.properties.nom }),
  }),
  SELECTION_EXISTANTE: Type.Object({ nom: Type.String() }),
  SELECTIONS_TROP_NOMBREUSES: Type.Object({ maximum: Type.Integer() }),
  NUMERO_EXISTANT: Type.Object({
    numero: Type.Object({ id: Id, numero: Numero.properties.numero }),
  }),
  /**
   * Why a file cannot be read, with the names and numbers that its sentence tells; `entetes` are its columns if any, with three values each, and the encoding is
   * told where it was guessed or said.
   */
  FICHIER_INVALIDE: Type.Object({
    raison: Type.String(),
    arguments: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
    }),
    entetes: Type.Optional(Type.Array(Type.String())),
    exemples: Type.Optional(Type.Array(Type.Array(Type.String()))),
    encodage: Type.Optional(Type.Enum([...ENCODAGES], { type: 'string' })),
    encodagePar: Type.Optional(DecodageLu.properties.encodagePar),
    encodageExemples: Type.Optional(DecodageLu.properties.encodageExemples),
  }),
  /** The record as it is for this caller; `null` where it is gone. */
  MODIFIE_ENTRETEMPS: Type.Object({
    actuel: Type.Unsafe<object | null>({ type: ['object', 'null'] }),
  }),
  /**
   * A French sentence of what prevents the undoing, the act, « L’ajout ne peut plus être annulé », and the acts that
   * would have to be undone first, newest first.
   */
  ANNULATION_IMPOSSIBLE: Type.Object({
    raison: Type.String(),
    acte: Type.Optional(Type.String()),
    obstacles: Type.Optional(Type.Array(Type.Object({ id, resume }))),
  }),
  /** The line of the settings that names the host asked; `null` where it is no name. */
  HOTE_INCONNU: Type.Object({ ligne: nullable(Type.String()) }),
  /** How long to wait before another try, in seconds. */
  TROP_DE_TENTATIVES: Type.Object({ secondes: Type.Integer() }),
  /** What has to end first. */
  TRAVAIL_EN_COURS: Type.Object({ travail: Type.Unsafe<Travail>({ enum: [...TRAVAIL_NAMES] }) }),
  /** What the caller would find here in place of their replica. */
  EPOQUE_PERIMEE: OtherDatabase,
} as const;

export type RefusalDetails = {
  [C in keyof typeof refusalDetails]: Static<(typeof refusalDetails)[C]>;
};
