import fc from 'fast-check';
import type { Changement } from '#shared/catalogue';
import { FORMATS, TYPES_DOCUMENT, type Criteres, type LivreDocument } from '#shared/livres';
import type { Pret } from '#shared/prets';
import type { Statut } from '#shared/statuts';
import { normaliser } from '#shared/text';

/** Few words, so that titles collide, and searches find something. */
const mots = fc.constantFrom(
  ...[
    'le',
    'la',
    'Été',
    'œuvre',
    'Œdipe',
    'tome',
    '2',
    'harry',
    'Harriet',
    'l’arrivée',
    'İstanbul',
  ],
  ...['三体', '한글', '𠀀', '\ufa0e', '👍', 'Преступление', 'ß', 'a', 'é'],
);
const titres = fc.array(mots, { minLength: 1, maxLength: 3 }).map((liste) => liste.join(' '));

/** A book as a replica holds it, all but the title made up. */
export const unLivre = (id: number, titre: string, autre: Partial<LivreDocument> = {}) => ({
  id,
  titre,
  titreNormalise: normaliser(titre),
  auteurs: [],
  isbn: null,
  isbnAffiche: null,
  format: FORMATS[0],
  typeDocument: TYPES_DOCUMENT[0],
  nombrePages: null,
  coverUrl: null,
  editeur: null,
  annee: null,
  ajoutePar: null,
  dateAjout: '2026-01-01T00:00:00.000Z',
  ...autre,
});

export const livres = (ids: fc.Arbitrary<number>): fc.Arbitrary<LivreDocument> =>
  fc
    .record({
      id: ids,
      titre: titres,
      noms: fc.array(titres, { maxLength: 2 }),
      format: fc.constantFrom(...FORMATS),
      typeDocument: fc.constantFrom(...TYPES_DOCUMENT),
    })
    .map(({ id, titre, noms, ...reste }) =>
      unLivre(id, titre, { ...reste, auteurs: noms.map((nom, i) => ({ id: i + 1, nom })) }),
    );

const prets = (livreIds: fc.Arbitrary<number>): fc.Arbitrary<Pret> =>
  fc.record({
    id: fc.integer({ min: 1, max: 12 }),
    livreId: livreIds,
    emprunteur: fc.constantFrom('Luc', 'Zoé'),
    datePret: fc.constant('2026-01-01T00:00:00.000Z'),
    dateRetour: fc.constantFrom(null, '2026-02-01T00:00:00.000Z'),
  });

const ouTombe = <T extends { id: number }>(documents: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 4, arbitrary: documents },
    { weight: 1, arbitrary: documents.map(({ id }) => ({ id, _deleted: true as const })) },
  );

const criteres: fc.Arbitrary<Criteres> = fc.record(
  {
    recherche: fc.oneof(
      titres,
      titres.map((titre) => titre.slice(0, 2)),
      titres.map((titre) => `…${titre.slice(1, 4)} !`),
      fc.constantFrom('', ' ', '!?', 'zzz', 'ha', 'harr', 'harri'),
    ),
    format: fc.constantFrom(...FORMATS),
    typeDocument: fc.constantFrom(...TYPES_DOCUMENT),
    disponibilite: fc.constantFrom('chezSoi', 'prete'),
    statut: fc.constantFrom('0', '1', '2', 'aucun'),
  },
  { requiredKeys: [] },
);

export type Pas =
  | { livres: Changement<LivreDocument>[] }
  | { prets: Changement<Pret>[] }
  | { criteres: Criteres; decalage: number; limite: number };

/** What may happen to a catalogue whose books have these ids, in any order. */
export const pas = (ids: fc.Arbitrary<number>, maxLength = 150): fc.Arbitrary<Pas> =>
  fc.oneof(
    fc.record({ livres: fc.array(ouTombe(livres(ids)), { maxLength: 4 }) }),
    fc.record({ livres: fc.array(ouTombe(livres(ids)), { maxLength }) }),
    fc.record({ prets: fc.array(ouTombe(prets(ids)), { maxLength: 5 }) }),
    fc.record({
      criteres,
      decalage: fc.integer({ min: 0, max: 8 }),
      limite: fc.integer({ min: 1, max: 8 }),
    }),
  );

export const statuts = (ids: fc.Arbitrary<number>) =>
  fc
    .array(fc.tuple(ids, fc.constantFrom<Statut[]>(0, 1, 2)))
    .map((paires): ReadonlyMap<number, Statut> => new Map(paires));
