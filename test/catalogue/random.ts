import fc from 'fast-check';
import type { MaybeDeleted } from '#shared/catalogue';
import type { Detail } from '#shared/details';
import type { Emplacement } from '#shared/emplacements';
import {
  APPARTENANCES,
  FORMATS,
  MANQUES,
  STATUT_CRITERES,
  TYPES_DOCUMENT,
  type Criteres,
  type LivreDocument,
  type Order,
} from '#shared/livres';
import type { Pret } from '#shared/prets';
import type { Serie } from '#shared/series';
import { TRIS } from '#shared/sort';
import type { Statut } from '#shared/statuts';
import { makeLivre } from '../support/livres.ts';
import type { Own } from './naive.ts';

const A_COVER = {
  cle: 'a'.repeat(64),
  largeur: 400,
  hauteur: 600,
  couleur: '#aa3322',
  source: 'adresse' as const,
};

/** Some values of a criterion, in any order. */
const several = (values: readonly string[]) =>
  fc.subarray([...values], { minLength: 1 }).map((list) => list.toReversed().join(','));

/** A small vocabulary, so that titles collide and searches match. */
const words = fc.constantFrom(
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
const titres = fc.array(words, { minLength: 1, maxLength: 3 }).map((list) => list.join(' '));

const details: fc.Arbitrary<Detail[]> = fc.uniqueArray(
  fc.record({ nom: fc.constantFrom('Langue', 'Œuvre', 'État'), valeur: titres }),
  { selector: ({ nom }) => nom, maxLength: 3 },
);

export const livres = (ids: fc.Arbitrary<number>): fc.Arbitrary<LivreDocument> =>
  fc
    .record({
      id: ids,
      titre: titres,
      noms: fc.array(titres, { maxLength: 2 }),
      format: fc.constantFrom(...FORMATS),
      typeDocument: fc.constantFrom(...TYPES_DOCUMENT),
      emprunteA: fc.constantFrom(null, { nom: 'Lise', depuis: '2026-01-02', aRendre: null }),
      annee: fc.constantFrom(null, -50, 999, 1984, 2020),
      editeur: fc.constantFrom(null, 'Gallimard', 'GALLIMARD', 'Éd. du Seuil'),
      isbn: fc.constantFrom(null, '9782070408504'),
      themes: fc.constantFrom<string[]>([], ['Mer'], ['Été', 'Mer'], ['👍']),
      details: fc.oneof(fc.constant<Detail[]>([]), details),
      couverture: fc.constantFrom(null, A_COVER),
      emplacementId: fc.constantFrom(null, 1, 2, 3, 4, 5, 6, 7),
      dateAjout: fc.constantFrom('2024-03-01T10:00:00.000Z', '2026-01-01T00:00:00.000Z'),
    })
    .map(({ id, titre, noms, ...rest }) =>
      makeLivre(id, titre, { ...rest, auteurs: noms.map((nom, i) => ({ id: i + 1, nom })) }),
    );

const prets = (livreIds: fc.Arbitrary<number>): fc.Arbitrary<Pret> =>
  fc.record({
    id: fc.integer({ min: 1, max: 12 }),
    livreId: livreIds,
    emprunteur: fc.constantFrom('Luc', 'Zoé'),
    datePret: fc.constant('2026-01-01T00:00:00.000Z'),
    dateRetour: fc.constantFrom(null, '2026-02-01T00:00:00.000Z'),
    dateRetourPrevue: fc.constant(null),
  });

const series = (livreIds: fc.Arbitrary<number>): fc.Arbitrary<Serie> =>
  fc
    .record({
      id: fc.integer({ min: 1, max: 6 }),
      titre: titres,
      livreIds: fc.array(fc.oneof(livreIds, fc.constant(null)), { maxLength: 5 }),
    })
    .map(({ id, titre, livreIds: ids }) => ({
      id,
      titre,
      parentId: null,
      nombreTomes: null,
      sousSeries: [],
      elements: [],
      places: ids.map((livreId, i) => ({
        id: 10 * id + i,
        titre: 'Un tome',
        numero: null,
        tomes: null,
        livreId,
        auteur: null,
        isbn: null,
      })),
    }));

/** Locations, some nested, without cycles; parents may be missing. */
const emplacements: fc.Arbitrary<Emplacement> = fc
  .record({
    id: fc.integer({ min: 1, max: 6 }),
    nom: fc.constantFrom('Salon', 'Cave', 'Étagère', '+'),
    in: fc.integer({ min: 0, max: 5 }),
    rang: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ in: parent, ...rest }) => ({
    ...rest,
    parentId: parent > 0 && parent < rest.id ? parent : null,
    note: null,
    fermeLe: null,
  }));

const orDeleted = <T extends { id: number }>(documents: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 4, arbitrary: documents },
    { weight: 1, arbitrary: documents.map(({ id }) => ({ id, _deleted: true as const })) },
  );

const criteres: fc.Arbitrary<Criteres & Order> = fc.record(
  {
    theme: fc.constantFrom('mer', 'ÉTÉ', '👍', 'île', ''),
    detail: fc.constantFrom('langue', 'Etat:été', 'oeuvre : LE', 'rien', 'Langue: tome 2'),
    recherche: fc.oneof(
      titres,
      titres.map((titre) => titre.slice(0, 2)),
      titres.map((titre) => `…${titre.slice(1, 4)} !`),
      fc.constantFrom('', ' ', '!?', 'zzz', 'ha', 'harr', 'harri'),
    ),
    format: fc.constantFrom(...FORMATS),
    typeDocument: fc.constantFrom(...TYPES_DOCUMENT),
    disponibilite: fc.constantFrom('chezSoi', 'prete'),
    appartenance: fc.constantFrom(...APPARTENANCES),
    statut: several(STATUT_CRITERES),
    sans: several(MANQUES),
    editeur: fc.constantFrom('', 'gallimard', 'ed du SEUIL', 'Folio'),
    emplacement: fc.constantFrom('aucun', '1', '2', '3', '9'),
    tri: fc.constantFrom(...TRIS),
    inverse: fc.boolean(),
  },
  { requiredKeys: [] },
);

export type Step =
  | { livres: MaybeDeleted<LivreDocument>[] }
  | { prets: MaybeDeleted<Pret>[] }
  | { series: MaybeDeleted<Serie>[] }
  | { emplacements: MaybeDeleted<Emplacement>[] }
  | { criteres: Criteres & Order; decalage: number; limite: number };

/** Changes of a catalogue with these ids, in any order. */
export const steps = (ids: fc.Arbitrary<number>, maxLength = 150): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.record({ livres: fc.array(orDeleted(livres(ids)), { maxLength: 4 }) }),
    fc.record({ livres: fc.array(orDeleted(livres(ids)), { maxLength, size: 'max' }) }),
    fc.record({ series: fc.array(orDeleted(series(ids)), { maxLength: 3 }) }),
    fc.record({ emplacements: fc.array(orDeleted(emplacements), { maxLength: 5 }) }),
    fc.record({ prets: fc.array(orDeleted(prets(ids)), { maxLength: 5 }) }),
    fc.record({
      criteres,
      decalage: fc.integer({ min: 0, max: 8 }),
      limite: fc.integer({ min: 1, max: 8 }),
    }),
  );

const byLivre = <T>(ids: fc.Arbitrary<number>, values: fc.Arbitrary<T>) =>
  fc
    .array(fc.tuple(ids, values), { maxLength: 40, size: 'max' })
    .map((pairs): ReadonlyMap<number, T> => new Map(pairs));

export const owns = (ids: fc.Arbitrary<number>): fc.Arbitrary<Own> =>
  fc.record({
    statuts: byLivre(ids, fc.constantFrom<Statut[]>(0, 1, 2)),
    lus: byLivre(
      ids,
      fc.record({
        note: fc.constantFrom(null, 5, 10),
        fin: fc.constantFrom(null, '1999', '2024-03', '2024-03-05'),
      }),
    ),
  });
