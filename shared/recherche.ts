import { Type, type Static } from 'typebox';
import { Detail } from './details.ts';
import { endpoint } from './endpoint.ts';
import { Id, MAX_LENGTHS, nullable, text } from './fields.ts';
import { Annee, MAX_NOMBRE_PAGES, TypeDocument } from './livres.ts';

const SOURCE_NAMES = ['bnf', 'openlibrary'] as const;
export const SourceName = Type.Enum([...SOURCE_NAMES], { type: 'string' });
export type SourceName = (typeof SOURCE_NAMES)[number];

/** The BnF's search, unless a setting names another. */
export const BNF_SITE = 'https://catalogue.bnf.fr/api/SRU';

/** For a lookup by ISBN (docs/rules.md § 22). */
export const MAX_CANDIDATS = 5;

/** For a lookup by title (docs/rules.md § 23). */
export const MAX_CANDIDATS_BY_TITRE = 10;

/**
 * A record of an outside catalogue, to be checked in the form. Names are in reading order. In a lookup by ISBN,
 * `isbn` and `coverUrl` belong to the requested ISBN; in one by title both are null if the record has none.
 */
export const Candidat = Type.Object({
  source: SourceName,
  titre: text(MAX_LENGTHS.titre),
  auteurs: Type.Array(text(MAX_LENGTHS.nom)),
  editeur: nullable(text(MAX_LENGTHS.nom)),
  annee: nullable(Annee),
  nombrePages: nullable(Type.Integer({ minimum: 1, maximum: MAX_NOMBRE_PAGES })),
  isbn: nullable(Type.String({ maxLength: 13 })),
  coverUrl: nullable(Type.String({ maxLength: MAX_LENGTHS.url })),
  /** Present if the record tells it: a comic has a « Scénariste » or a « Dessinateur ». */
  typeDocument: Type.Optional(TypeDocument),
  /** Further data under known detail names: language, translation, collection, summary. */
  details: Type.Optional(Type.Array(Detail)),
});
export type Candidat = Static<typeof Candidat>;

/** A queried source; `injoignable` if any of its steps failed. */
export const SourceAnswer = Type.Object({
  nom: SourceName,
  etat: Type.Enum(['ok', 'injoignable'], { type: 'string' }),
});
export type SourceAnswer = Static<typeof SourceAnswer>;

const SourceAnswers = Type.Array(SourceAnswer);

export const RechercheLivre = Type.Object({
  type: Type.Literal('livre'),
  isbn: Type.String({ maxLength: 13 }),
  candidats: Type.Array(Candidat, { maxItems: MAX_CANDIDATS }),
  sources: SourceAnswers,
});
export type RechercheLivre = Static<typeof RechercheLivre>;

/** For a periodical's code: the source's title, and the household's periodical with that ISSN. */
export const RechercheRevue = Type.Object({
  type: Type.Literal('revue'),
  issn: Type.String({ maxLength: 9 }),
  titre: nullable(text(MAX_LENGTHS.titre)),
  revueId: nullable(Id),
  sources: SourceAnswers,
});
export type RechercheRevue = Static<typeof RechercheRevue>;

export const RechercheIsbn = Type.Union([RechercheLivre, RechercheRevue]);
export type RechercheIsbn = Static<typeof RechercheIsbn>;

export const rechercherIsbn = endpoint({
  method: 'GET',
  path: '/api/recherche-isbn/:code',
  perMinute: 120,
  summary: 'Ce que les catalogues savent d’un ISBN, ou de la revue d’un code 977.',
  params: Type.Object({ code: Type.String() }),
  response: RechercheIsbn,
});

export const RechercheTitre = Type.Object({
  candidats: Type.Array(Candidat, { maxItems: MAX_CANDIDATS_BY_TITRE }),
  sources: SourceAnswers,
});
export type RechercheTitre = Static<typeof RechercheTitre>;

export const rechercherTitre = endpoint({
  method: 'GET',
  path: '/api/recherche-titre',
  perMinute: 60,
  summary:
    'Les livres des catalogues qui ont ces mots dans leur titre, et cet auteur, le plus proche d’abord.',
  query: Type.Object({
    titre: text(MAX_LENGTHS.titre),
    auteur: Type.Optional(Type.String({ maxLength: MAX_LENGTHS.nom })),
  }),
  response: RechercheTitre,
});
