import { Type, type Static } from 'typebox';
import { AuteurCite } from './auteurs.ts';
import { endpoint } from './endpoint.ts';
import { Id, Instant, LONGUEURS, nullable, ParId, texte, texteFacultatif } from './fields.ts';
import { StatutOuRien } from './statuts.ts';

export const FORMATS = ['Physique', 'Numerique'] as const;
export const Format = Type.Enum([...FORMATS], { type: 'string' });
export type Format = (typeof FORMATS)[number];

export const TYPES_DOCUMENT = ['NonPrecise', 'Roman', 'BandeDessinee'] as const;
export const TypeDocument = Type.Enum([...TYPES_DOCUMENT], { type: 'string' });
export type TypeDocument = (typeof TYPES_DOCUMENT)[number];

/** Pages are counted from one; the bound keeps a slip of the keyboard out. */
export const NOMBRE_PAGES_MAXIMUM = 1_000_000;

export const Annee = Type.Integer({ minimum: -3000, maximum: 3000 });

/** The open loan of a book, as its list row tells it. */
export const PretOuvert = Type.Object({
  id: Id,
  emprunteur: texte(LONGUEURS.nom),
  datePret: Instant,
});
export type PretOuvert = Static<typeof PretOuvert>;

/** A book, with the caller's status and the open loan (specification « Book (Livre) »). */
export const Livre = Type.Object({
  id: Id,
  titre: texte(LONGUEURS.titre),
  titreNormalise: Type.String(),
  auteurs: Type.Array(AuteurCite),
  isbn: nullable(Type.String({ maxLength: 13 })),
  isbnAffiche: nullable(Type.String({ maxLength: 17 })),
  format: Format,
  typeDocument: TypeDocument,
  nombrePages: nullable(Type.Integer({ minimum: 1, maximum: NOMBRE_PAGES_MAXIMUM })),
  coverUrl: nullable(Type.String({ maxLength: LONGUEURS.url })),
  editeur: nullable(Type.String({ maxLength: LONGUEURS.nom })),
  annee: nullable(Annee),
  ajoutePar: nullable(Type.String()),
  dateAjout: Instant,
  statut: StatutOuRien,
  pret: nullable(PretOuvert),
});
export type Livre = Static<typeof Livre>;

/** What a device holds of a book: loans and statuses travel in collections of their own. */
const { statut: _s, pret: _p, ...conserves } = Livre.properties;
export const LivreDocument = Type.Object(conserves);
export type LivreDocument = Static<typeof LivreDocument>;

/** What a person enters of a book; the rules that are no shape are in the server's `livres/domain`. */
export const LivreSaisi = Type.Object({
  titre: texte(LONGUEURS.titre),
  format: Format,
  auteurs: Type.Optional(
    nullable(
      Type.Array(
        Type.Union([
          Type.String({ maxLength: LONGUEURS.nom }),
          Type.Object({ nom: Type.String({ maxLength: LONGUEURS.nom }) }),
        ]),
        { maxItems: 100 },
      ),
    ),
  ),
  isbn: texteFacultatif(LONGUEURS.code),
  typeDocument: Type.Optional(
    Type.Unsafe<TypeDocument | '' | null>({ enum: [...TYPES_DOCUMENT, '', null] }),
  ),
  nombrePages: Type.Optional(nullable(Type.Number())),
  coverUrl: texteFacultatif(LONGUEURS.url),
  editeur: texteFacultatif(LONGUEURS.nom),
  annee: Type.Optional(nullable(Annee)),
});
export type LivreSaisi = Static<typeof LivreSaisi>;

/** The criteria of the catalogue, the same words in a query string and in the page's address. */
export const Criteres = Type.Object({
  recherche: Type.Optional(Type.String({ maxLength: LONGUEURS.titre })),
  format: Type.Optional(Format),
  statut: Type.Optional(Type.Enum(['0', '1', '2', 'aucun'], { type: 'string' })),
  typeDocument: Type.Optional(TypeDocument),
  disponibilite: Type.Optional(Type.Enum(['chezSoi', 'prete'], { type: 'string' })),
});
export type Criteres = Static<typeof Criteres>;

const Page = Type.Object({
  limite: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  decalage: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});

export const listerLivres = endpoint({
  method: 'GET',
  path: '/api/livres',
  summary: 'Les livres qui répondent aux critères, par titre ; leur nombre dans X-Total-Count.',
  query: Type.Object({ ...Criteres.properties, ...Page.properties }),
  response: Type.Array(Livre),
});

export const lireLivre = endpoint({
  method: 'GET',
  path: '/api/livres/:id',
  summary: 'Un livre.',
  params: ParId,
  response: Livre,
});

export const ajouterLivre = endpoint({
  method: 'POST',
  path: '/api/livres',
  summary: 'Ajoute un livre ; un livre qui ressemble à d’autres demande confirmerDoublon.',
  query: Type.Object({ confirmerDoublon: Type.Optional(Type.Boolean()) }),
  body: Type.Object({
    ...LivreSaisi.properties,
    confirmerDoublon: Type.Optional(nullable(Type.Boolean())),
  }),
  response: Livre,
  status: 201,
});

export const modifierLivre = endpoint({
  method: 'PUT',
  path: '/api/livres/:id',
  summary: 'Récrit un livre en entier : ce qui est laissé de côté est effacé.',
  params: ParId,
  body: LivreSaisi,
  response: Livre,
});

export const supprimerLivre = endpoint({
  method: 'DELETE',
  path: '/api/livres/:id',
  summary: 'Supprime un livre, ses prêts rendus et ses statuts.',
  params: ParId,
  status: 204,
});
