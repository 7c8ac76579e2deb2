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

// The details of refusals by code: documented in the API, and read by programs. Devices do not need
// the schemas.

/** A refused field of a payload, `champ` as a dotted path (`auteurs.0`). */
export const RefusedChamp = Type.Object({
  champ: Type.String(),
  /** A code of `shared/champs.ts`, or of a later version. */
  code: Type.String(),
  /** The arguments of the sentence, by code: `maximum`, `valeurs`, … */
  arguments: Type.Optional(Type.Object({}, { additionalProperties: true })),
  message: Type.String(),
});
export type RefusedChamp = Static<typeof RefusedChamp>;

/** The answering database, if a replica belongs to another one. */
const OtherDatabase = Type.Object({
  /** The household's identifier, which its backups share. */
  bibliotheque: Type.String(),
  /** The database's epoch: a restored backup has a new one. */
  epoque: Type.String(),
  /** True where the replica's revisions are of this database, which has forgotten deletions since. */
  suite: Type.Boolean(),
  /** The last revision that the replica has in common with this database; left out by earlier versions. */
  commune: Type.Optional(Count),
  /** How many records the caller's replica would have, history entries not counted. */
  documents: Count,
  livres: Count,
  /** When the database was created; left out by earlier versions. */
  creee: Type.Optional(Type.String()),
  /** The households whose archives were restored into it (docs/rules.md § 41); left out by earlier versions. */
  rendues: Type.Optional(Type.Array(Type.String())),
});
export type OtherDatabase = Readonly<Static<typeof OtherDatabase>>;

const { id, resume } = Modification.properties;

/** By code; codes that are not listed have none. */
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
  /** The borrowers of the two records to be merged. */
  FICHES_PRETEES: Type.Object({ emprunteurs: Type.Array(Type.String()) }),
  DOUBLON: Type.Object({ similaires: Type.Array(Livre) }),
  /** The fields of the remaining record that would exceed their limits. */
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
   * Why a file cannot be read, as a message; `entetes` are its columns if any, with three values each, and the
   * encoding if guessed or chosen.
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
  /** The present record for this caller; `null` if it is deleted. */
  MODIFIE_ENTRETEMPS: Type.Object({
    actuel: Type.Unsafe<object | null>({ type: ['object', 'null'] }),
  }),
  /**
   * Why the undo is not possible, as a French sentence; the modification, « L’ajout ne peut plus être annulé »; and
   * its obstacles, newest first.
   */
  ANNULATION_IMPOSSIBLE: Type.Object({
    raison: Type.String(),
    acte: Type.Optional(Type.String()),
    obstacles: Type.Optional(Type.Array(Type.Object({ id, resume }))),
  }),
  /** The setting that would allow the host; `null` if it is no valid name. */
  HOTE_INCONNU: Type.Object({ ligne: nullable(Type.String()) }),
  /** How long to wait before the next attempt, in seconds. */
  TROP_DE_TENTATIVES: Type.Object({ secondes: Type.Integer() }),
  /** The job to wait for. */
  TRAVAIL_EN_COURS: Type.Object({ travail: Type.Unsafe<Travail>({ enum: [...TRAVAIL_NAMES] }) }),
  /** The database that would replace the caller's replica. */
  EPOQUE_PERIMEE: OtherDatabase,
} as const;

export type RefusalDetails = {
  [C in keyof typeof refusalDetails]: Static<(typeof refusalDetails)[C]>;
};
