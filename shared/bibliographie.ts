import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, MAX_LENGTHS, nullable, text } from './fields.ts';
import { Annee } from './livres.ts';

/** One work of an author with all its editions (docs/rules.md § 26). */
export const Oeuvre = Type.Object({
  /** The title of the first edition. */
  titre: text(MAX_LENGTHS.titre),
  cleOeuvre: Type.String(),
  /** The year of the first edition. */
  annee: nullable(Annee),
  /** The ISBN of the first edition that has one. */
  isbn: nullable(Type.String({ maxLength: 13 })),
  editions: Type.Integer({ minimum: 1 }),
  /** Compared by work key alone: another author's work of the same title counts, too. */
  possede: Type.Boolean(),
  livreId: nullable(Id),
});
export type Oeuvre = Static<typeof Oeuvre>;

/** An author's books at the BnF, by year, then by title. */
export const Bibliographie = Type.Object({
  auteur: text(MAX_LENGTHS.nom),
  oeuvres: Type.Array(Oeuvre),
});
export type Bibliographie = Static<typeof Bibliographie>;

export const lireBibliographie = endpoint({
  method: 'GET',
  path: '/api/bibliographie',
  perMinute: 30,
  summary: 'Les œuvres d’un auteur d’après la Bibliothèque nationale ; jamais vide par panne.',
  query: Type.Object({ auteur: text(MAX_LENGTHS.nom) }),
  response: Bibliographie,
  also: [502],
});
