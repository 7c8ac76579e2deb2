import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, LONGUEURS, nullable, texte } from './fields.ts';
import { Annee, NOMBRE_PAGES_MAXIMUM } from './livres.ts';

export const NOMS_SOURCES = ['bnf', 'openlibrary'] as const;
export const NomSource = Type.Enum([...NOMS_SOURCES], { type: 'string' });
export type NomSource = (typeof NOMS_SOURCES)[number];

/** Most candidates that a lookup by ISBN brings (specification « Limits »). */
export const CANDIDATS_MAXIMUM = 5;

/** Most candidates that a search by title brings. */
export const CANDIDATS_TITRE_MAXIMUM = 10;

/**
 * What an outside catalogue proposes for a book, to be looked over in the form. Names are in
 * reading order. Found by ISBN, `isbn` and `coverUrl` are those of the ISBN asked for; found by
 * title, both are null where the record holds no ISBN.
 */
export const Candidat = Type.Object({
  source: NomSource,
  titre: texte(LONGUEURS.titre),
  auteurs: Type.Array(texte(LONGUEURS.nom)),
  editeur: nullable(texte(LONGUEURS.nom)),
  annee: nullable(Annee),
  nombrePages: nullable(Type.Integer({ minimum: 1, maximum: NOMBRE_PAGES_MAXIMUM })),
  isbn: nullable(Type.String({ maxLength: 13 })),
  coverUrl: nullable(Type.String({ maxLength: LONGUEURS.url })),
});
export type Candidat = Static<typeof Candidat>;

/** A source that was asked; `injoignable` as soon as one of its steps failed. */
export const Source = Type.Object({
  nom: NomSource,
  etat: Type.Enum(['ok', 'injoignable'], { type: 'string' }),
});
export type Source = Static<typeof Source>;

const Sources = Type.Array(Source);

export const RechercheLivre = Type.Object({
  type: Type.Literal('livre'),
  isbn: Type.String({ maxLength: 13 }),
  candidats: Type.Array(Candidat, { maxItems: CANDIDATS_MAXIMUM }),
  sources: Sources,
});
export type RechercheLivre = Static<typeof RechercheLivre>;

/** A periodical's code: the source's title, and the household's periodical with that ISSN. */
export const RechercheRevue = Type.Object({
  type: Type.Literal('revue'),
  issn: Type.String({ maxLength: 9 }),
  titre: nullable(texte(LONGUEURS.titre)),
  revueId: nullable(Id),
  sources: Sources,
});
export type RechercheRevue = Static<typeof RechercheRevue>;

export const RechercheIsbn = Type.Union([RechercheLivre, RechercheRevue]);
export type RechercheIsbn = Static<typeof RechercheIsbn>;

export const rechercherIsbn = endpoint({
  method: 'GET',
  path: '/api/recherche-isbn/:code',
  summary: 'Ce que les catalogues savent d’un ISBN, ou de la revue d’un code 977.',
  params: Type.Object({ code: Type.String() }),
  response: RechercheIsbn,
});

export const RechercheTitre = Type.Object({
  candidats: Type.Array(Candidat, { maxItems: CANDIDATS_TITRE_MAXIMUM }),
  sources: Sources,
});
export type RechercheTitre = Static<typeof RechercheTitre>;

export const rechercherTitre = endpoint({
  method: 'GET',
  path: '/api/recherche-titre',
  summary: 'Les livres des catalogues qui ont ces mots dans leur titre, et cet auteur.',
  query: Type.Object({
    titre: texte(LONGUEURS.titre),
    auteur: Type.Optional(Type.String({ maxLength: LONGUEURS.nom })),
  }),
  response: RechercheTitre,
});
