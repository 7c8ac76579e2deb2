import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Count, Id, nullable } from './fields.ts';

/** The most answers in a list and in one decision. */
export const MAX_COMPLEMENTS = 1000;

/** The fields that catalogues know and a book lacks; `null` for those without an addition. */
export const Complement = Type.Object({
  livreId: Id,
  titre: Type.String(),
  auteurs: Type.Array(Type.String()),
  isbn: Type.String(),
  editeur: nullable(Type.String()),
  annee: nullable(Type.Integer()),
  nombrePages: nullable(Type.Integer()),
  /** The catalogues' title where it is another work's, else `null`. */
  titreCatalogue: nullable(Type.String()),
});
export type Complement = Static<typeof Complement>;

/** The list « À compléter » (docs/rules.md § 44). */
export const Complements = Type.Object({
  /** Books whose lookup is pending. */
  enRecherche: Count,
  /** Books about which a catalogue did not answer. */
  sansReponse: Count,
  /** All pending decisions; `complements` has the first thousand. */
  total: Count,
  complements: Type.Array(Complement),
});
export type Complements = Static<typeof Complements>;

const Livres = Type.Array(Id, { minItems: 1, maxItems: MAX_COMPLEMENTS });

const Decision = Type.Object({ livres: Count });

export const listerComplements = endpoint({
  method: 'GET',
  path: '/api/complements',
  summary: 'Ce que les catalogues savent de plus des livres importés, par titre.',
  response: Complements,
});

export const accepterComplements = endpoint({
  method: 'POST',
  path: '/api/complements/acceptation',
  modification: {
    operation: 'accepterComplements',
    message: (changes) => {
      const { length } = changes.rows('Livre');
      return length === 1
        ? { fait: 'livreComplete', nom: changes.name('livres') }
        : { fait: 'livresCompletes', livres: length };
    },
  },
  summary:
    'Complète ces livres, ou tous ceux que les catalogues nomment pareil ; rien de saisi n’est remplacé.',
  body: Type.Object({ livres: Type.Optional(nullable(Livres)) }),
  response: Decision,
});

export const refuserComplements = endpoint({
  method: 'POST',
  path: '/api/complements/refus',
  summary: 'Laisse ces livres comme ils sont.',
  // Changes no record of the household: there is nothing to undo.
  skipsHistory: true,
  body: Type.Object({ livres: Livres }),
  response: Decision,
});

export const rechercherComplements = endpoint({
  method: 'POST',
  path: '/api/complements/recherche',
  summary:
    'Demande aux catalogues, peu à peu, ce qui manque aux livres qui ont un ISBN, et de nouveau ce qui est resté sans réponse.',
  skipsHistory: true,
  response: Decision,
});
